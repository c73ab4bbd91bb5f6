"""HiF8 taken apart: a priority decode finds the length of the exponent, and with it the fields (HiF8DecodeDotField)."""

from __future__ import annotations

from dataclasses import dataclass

from halfulp_formal.bits import Bits, Bool, ite, or_reduce, select

#: Holds -23 … 15, and -3 below it, in two's complement.
_EXPONENT_BITS = 6


@dataclass(frozen=True, slots=True)
class TaperedFields:
    """A HiF8 code; while it is finite, its value is (-1)^negative · significand · 2^exponent.

    The significand has four bits, the exponent six in two's complement; `rank` orders magnitudes.
    """

    negative: Bool
    zero: Bool
    denormal: Bool
    infinity: Bool
    nan: Bool
    significand: Bits
    exponent: Bits
    rank: Bits


def decode_hif8(code: Bits) -> TaperedFields:
    """Fields and class of an eight-bit code.

    Below the sign, a prefix says how many exponent bits follow it: 11 four, 10 three, 01 two, 001 one, 0001 none. The
    first of the exponent bits is its sign. After 0000 the low bits number the powers of two from 2^-22 up.
    """
    body = code.extract(6, 0)
    four, three, two = body.bit(6) & body.bit(5), body.bit(6), body.bit(5)
    one = body.bit(4)
    denormal = body.extract(6, 3) == 0

    def field(text: Bits) -> Bits:
        """A magnitude: the hidden one above the exponent's low bits."""
        return Bits.constant(1, 1).concat(text).zero_extend(_EXPONENT_BITS)

    magnitude = select(
        (four, field(body.extract(3, 1))),
        (three, field(body.extract(3, 2))),
        (two, field(body.extract(3, 3))),
        (one, Bits.constant(1, _EXPONENT_BITS)),
        otherwise=Bits.constant(0, _EXPONENT_BITS),
    )
    # The sign of the exponent leads its low bits.
    downward = ite(three | two, body.bit(4), one & body.bit(3))
    exponent = select(
        (denormal, body.extract(2, 0).zero_extend(_EXPONENT_BITS) - 23),
        (downward, -magnitude),
        otherwise=magnitude,
    )
    one_bit, two_bits, three_bits = (body.extract(high, 0) for high in (0, 1, 2))
    hidden = Bits.constant(1, 1)
    significand = select(
        (denormal, hidden.zero_extend(4)),
        (four, hidden.concat(one_bit).zero_extend(4)),
        (three, hidden.concat(two_bits).zero_extend(4)),
        otherwise=hidden.concat(three_bits),
    )
    fraction = select(
        (denormal, Bits.constant(0, 3)),
        (four, one_bit.concat(Bits.constant(0, 2))),
        (three, two_bits.concat(Bits.constant(0, 1))),
        otherwise=three_bits,
    )
    fraction_bits = select(
        (denormal, Bits.constant(0, _EXPONENT_BITS)),
        (four, Bits.constant(1, _EXPONENT_BITS)),
        (three, Bits.constant(2, _EXPONENT_BITS)),
        otherwise=Bits.constant(3, _EXPONENT_BITS),
    )
    infinity = body == 0x6F
    return TaperedFields(
        negative=code.bit(7),
        zero=code == 0,
        denormal=denormal & or_reduce(three_bits),
        infinity=infinity,
        nan=code == 0x80,
        significand=significand,
        exponent=exponent - fraction_bits,
        rank=(exponent + 23).concat(fraction),
    )
