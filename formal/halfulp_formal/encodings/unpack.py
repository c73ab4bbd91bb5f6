"""Field extraction and classes of FP32 and FP19, and the FP32 to FP19 conversion a scale is made with."""

from __future__ import annotations

from dataclasses import dataclass

from halfulp_formal.bits import Bits, Bool, and_reduce, ite, or_reduce


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A binary floating-point word taken apart.

    A finite value is (-1)^negative · significand · 2^(exponent - bias - fraction bits): the hidden bit stands
    in the significand and a subnormal has exponent 1.
    """

    negative: Bool
    exponent: Bits
    significand: Bits
    zero: Bool
    infinity: Bool
    nan: Bool
    signalling: Bool


def unpack(word: Bits, exponent_bits: int) -> Unpacked:
    """The fields and class of an IEEE-shaped word, sign first (data types FP32 and FP19)."""
    fraction_bits = word.width - 1 - exponent_bits
    field = word.extract(word.width - 2, fraction_bits)
    fraction = word.extract(fraction_bits - 1, 0)
    normal = or_reduce(field)
    special = and_reduce(field)
    return Unpacked(
        negative=word.bit(word.width - 1),
        exponent=field | (~normal).bits().zero_extend(exponent_bits),
        significand=normal.bits().concat(fraction),
        zero=~or_reduce(word.extract(word.width - 2, 0)),
        infinity=special & ~or_reduce(fraction),
        nan=special & or_reduce(fraction),
        signalling=special & or_reduce(fraction) & ~fraction.bit(fraction_bits - 1),
    )


def unpack_fp32(word: Bits) -> Unpacked:
    """FP32: 8 exponent bits, 23 fraction bits."""
    return unpack(word, 8)


def unpack_fp19(word: Bits) -> Unpacked:
    """FP19: 8 exponent bits, 10 fraction bits."""
    return unpack(word, 8)


def fp32_to_fp19(word: Bits) -> Bits:
    """FP32 to FP19, ties to even, any NaN to 3ff00 (FP32ToFP19).

    The carry out of the fraction is the exponent's, so rounding may end in infinity, and infinity stays.
    """
    kept = word.extract(30, 13)
    half = word.bit(12)
    up = half & (or_reduce(word.extract(11, 0)) | word.bit(13))
    magnitude = kept + up.bits().zero_extend(18)
    return ite(unpack_fp32(word).nan, Bits.constant(0x3FF00, 19), word.extract(31, 31).concat(magnitude))
