"""HiF8: an exponent of zero to four bits whose length decides how many fraction bits are left."""

from __future__ import annotations

from halfulp_formal.bits import Bits, Bool, ite, or_reduce, select, shift_right_jam
from halfulp_formal.encodings.flags import INEXACT, OVERFLOW, UNDERFLOW, flags_of
from halfulp_formal.encodings.float_pack import Normalised, Packed, guard_and_sticky
from halfulp_formal.encodings.rounding import increment


def pack_hif8(value: Normalised, rounding: str) -> Packed:
    """Round the value into HiF8 (ReferenceFP8Encoding).

    The significand keeps three fraction bits, two from exponent ±4 on, one from ±8 on; below 2^-15 only
    powers of two down to 2^-22 are left. Neighbouring values have codes of different parity everywhere, so a
    tie to even is one to the even code even where the step changes.
    """
    exponent, width = value.exponent, value.exponent.width
    aligned = guard_and_sticky(value.significand, 3)
    bottom = Bits.constant(-23, width)
    held = ite(exponent.bvslt(bottom), bottom, exponent)
    magnitude = ite(exponent.bvslt(0), -held, held)
    dropped = select(
        (magnitude.bvult(4), Bits.constant(0, 3)),
        (magnitude.bvult(8), Bits.constant(1, 3)),
        (magnitude.bvult(16), Bits.constant(2, 3)),
        (exponent.bvsgt(bottom), Bits.constant(3, 3)),
        (exponent == bottom, Bits.constant(4, 3)),
        otherwise=Bits.constant(5, 3),
    )
    shifted = shift_right_jam(aligned, dropped)
    guard, sticky = shifted.bit(1), shifted.bit(0)
    tiny = exponent.bvslt(-15)
    # The code of 2^e below 2^-15 is e + 23, and that of zero is what e = -23 would give.
    odd = ite(tiny, ~held.bit(0), shifted.bit(2))
    up = increment(rounding, negative=value.negative, lsb=odd, guard=guard, sticky=sticky)
    rounded = shifted.extract(5, 2).zero_extend(5) + up.bits().zero_extend(5)
    carry = select(
        (dropped == 0, rounded.extract(4, 4)),
        (dropped == 1, rounded.extract(3, 3)),
        (dropped == 2, rounded.extract(2, 2)),
        (dropped == 3, rounded.extract(1, 1)),
        otherwise=rounded.extract(0, 0),
    )
    body = _tapered(held + carry.zero_extend(width), rounded.extract(2, 0))
    overflow = exponent.bvsgt(15) | ((exponent == 15) & aligned.bvugt(0b100000))
    inexact = guard | sticky
    return Packed(
        code=(value.negative & or_reduce(body)).bits().concat(body),
        overflow=overflow,
        flags=flags_of((overflow, OVERFLOW), (inexact & tiny, UNDERFLOW), (inexact, INEXACT)),
    )


def _tapered(exponent: Bits, fraction: Bits) -> Bits:
    """The seven bits below the sign: a prefix for the exponent's length, its sign and low bits, the fraction.

    `fraction` has its bits at the right, as many as the exponent leaves room for.
    """
    negative = exponent.bvslt(0)
    magnitude = ite(negative, -exponent, exponent)
    sign = negative.bits()

    def prefix(code: int, width: int) -> Bits:
        return Bits.constant(code, width)

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
