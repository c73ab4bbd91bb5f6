"""HiF8: an exponent of zero to four bits whose length decides how many fraction bits are left."""

from __future__ import annotations

from halfulp_formal.bits import Bits, Bool, ite, or_reduce, select
from halfulp_formal.encodings.align import Product, align
from halfulp_formal.encodings.flags import INEXACT, OVERFLOW, UNDERFLOW, flags_of
from halfulp_formal.encodings.float_pack import Packed

#: The exponent of the smallest denormal, code 1.
_LEAST = -22


def pack_hif8(product: Product, rounding: str) -> Packed:
    """Round a nonzero product into HiF8 (ReferenceFP8Encoding).

    The significand keeps three fraction bits, two from exponent ±4 on, one from ±8 on; below 2^-15 only powers of
    two down to 2^-22 are left. Neighbouring values have codes of different parity everywhere, so a tie to even is
    one to the even code even where the step changes.
    """
    exponent = product.leading_exponent()
    width = exponent.width
    below = exponent.bvslt(_LEAST)
    held = ite(below, Bits.constant(_LEAST, width), exponent)
    size = ite(exponent.bvslt(0), -held, held)
    # Fraction bits given up: digits are cut at 2^(exponent - 3 + dropped).
    dropped = select(
        (size.bvult(4), Bits.constant(0, 2)),
        (size.bvult(8), Bits.constant(1, 2)),
        (size.bvult(16), Bits.constant(2, 2)),
        otherwise=Bits.constant(3, 2),
    )
    aligned = align(product, held + dropped.zero_extend(width), 3)
    tiny = exponent.bvslt(-15)
    # The code of 2^e below 2^-15 is e + 23: even where e is odd. Zero, below them all, is even too.
    odd = ite(tiny, ~held.bit(0) & ~below, aligned.magnitude.bit(0))
    up = aligned.increment(rounding, product.negative, odd)
    rounded = aligned.magnitude.extract(3, 0).zero_extend(5) + up.zero_extend(5)
    carry = select(
        (dropped == 0, rounded.extract(4, 4)),
        (dropped == 1, rounded.extract(3, 3)),
        (dropped == 2, rounded.extract(2, 2)),
        otherwise=rounded.extract(1, 1),
    )
    vanishes = below & (up == 0)
    body = ite(vanishes, Bits.constant(0, 7), _tapered(held + carry.zero_extend(width), rounded.extract(2, 0)))
    overflow = exponent.bvsgt(15) | ((exponent == 15) & (aligned.magnitude.bit(0) | aligned.inexact))
    inexact = aligned.inexact
    return Packed(
        code=(product.negative & or_reduce(body)).bits().concat(body),
        overflow=overflow,
        flags=flags_of((overflow, OVERFLOW), (inexact & tiny, UNDERFLOW), (inexact, INEXACT)),
    )


def _tapered(exponent: Bits, fraction: Bits) -> Bits:
    """The seven bits below the sign: a prefix for the exponent's length, its sign and low bits, the fraction.

    `fraction` has its bits at the right, as many as the exponent leaves room for.
    """
    negative = exponent.bvslt(0)
    magnitude = ite(negative, -exponent, exponent)
    sign, prefix = negative.bits(), Bits.constant

    def at_most(limit: int) -> Bool:
        return magnitude.bvule(limit)

    return select(
        (at_most(0), prefix(0b0001, 4).concat(fraction)),
        (at_most(1), prefix(0b001, 3).concat(sign, fraction)),
        (at_most(3), prefix(0b01, 2).concat(sign, magnitude.extract(0, 0), fraction)),
        (at_most(7), prefix(0b10, 2).concat(sign, magnitude.extract(1, 0), fraction.extract(1, 0))),
        (at_most(15), prefix(0b11, 2).concat(sign, magnitude.extract(2, 0), fraction.extract(0, 0))),
        otherwise=prefix(0b0000, 4).concat((exponent + 23).extract(2, 0)),
    )
