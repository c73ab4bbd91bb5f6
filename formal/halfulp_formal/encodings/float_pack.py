"""IEEE-shaped destinations: denormalise, guard, round and pack a sign, exponent and significand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from halfulp_formal.bits import Bits, Bool, ite, or_reduce, shift_right_jam
from halfulp_formal.encodings.flags import INEXACT, OVERFLOW, UNDERFLOW, flags_of
from halfulp_formal.encodings.rounding import increment

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Normalised:
    """The nonzero value (-1)^negative · 1.xxx · 2^exponent; the top bit of the significand is the 1.

    The exponent is in two's complement.
    """

    negative: Bool
    exponent: Bits
    significand: Bits


@dataclass(frozen=True, slots=True)
class Layout:
    """Field widths and bias of a binary format, and what it does at the ends of its range."""

    exponent_bits: int
    fraction_bits: int
    bias: int
    #: Overflow is decided on the exact value against the largest finite one, else on the rounded exponent.
    early_overflow: bool = False
    #: A value that rounds to zero keeps its sign.
    signed_underflow: bool = True


LAYOUTS: Mapping[str, Layout] = {
    "fp32": Layout(8, 23, 127),
    "fp16": Layout(5, 10, 15),
    "bf16": Layout(8, 7, 127),
    "e4m3": Layout(4, 3, 7, early_overflow=True, signed_underflow=False),
}

#: E4M3 keeps its top exponent for finite values; fraction 7 is its NaN, so 448 = 1.75 · 2^8 is the largest.
_E4M3_LARGEST_FRACTION = 6


@dataclass(frozen=True, slots=True)
class Packed:
    """The finite code a rounding chose, valid unless it overflowed, and the flags."""

    code: Bits
    overflow: Bool
    flags: Bits


def guard_and_sticky(significand: Bits, fraction_bits: int) -> Bits:
    """The leading one, the fraction bits, a guard bit and a sticky bit that stands for all the rest."""
    width = fraction_bits + 3
    if significand.width < width:
        return significand.concat(Bits.constant(0, width - significand.width))
    kept = significand.extract(significand.width - 1, significand.width - width + 1)
    return kept.concat(or_reduce(significand.extract(significand.width - width, 0)).bits())


def pack(value: Normalised, layout: Layout, rounding: str) -> Packed:
    """Round the value into the layout (ReferenceFP32FiniteEncoding, ReferenceBinary16Encoding, E4M3 of FP8).

    Below the smallest normal exponent the significand is shifted right to the subnormal unit; a carry out of
    the fraction is the exponent's. An inexact value below the smallest normal one underflows even where it
    rounds up to it.
    """
    fraction_bits, top = layout.fraction_bits, (1 << layout.exponent_bits) - 1
    biased = value.exponent + layout.bias
    tiny = biased.bvslt(1)
    aligned = guard_and_sticky(value.significand, fraction_bits)
    furthest = fraction_bits + 2
    distance = ite(biased.bvslt(1 - furthest), Bits.constant(furthest, biased.width), -biased + 1)
    amount = ite(tiny, distance, 0).extract(furthest.bit_length() - 1, 0)
    shifted = shift_right_jam(aligned, amount)
    guard, sticky = shifted.bit(1), shifted.bit(0)
    up = increment(rounding, negative=value.negative, lsb=shifted.bit(2), guard=guard, sticky=sticky)
    field = ite(tiny, Bits.constant(0, layout.exponent_bits), biased.extract(layout.exponent_bits - 1, 0))
    truncated = field.concat(shifted.extract(fraction_bits + 1, 2))
    magnitude = truncated + up.bits().zero_extend(truncated.width)
    if layout.early_overflow:
        largest = Bits.constant(((1 << fraction_bits) + _E4M3_LARGEST_FRACTION) << 2, fraction_bits + 3)
        overflow = biased.bvsgt(top) | ((biased == top) & aligned.bvugt(largest))
    else:
        rounded_field = magnitude.extract(magnitude.width - 1, fraction_bits)
        overflow = biased.bvsge(top) | (rounded_field == top)
    negative = value.negative if layout.signed_underflow else value.negative & or_reduce(magnitude)
    inexact = guard | sticky
    return Packed(
        code=negative.bits().concat(magnitude),
        overflow=overflow,
        flags=flags_of((overflow, OVERFLOW), (inexact & tiny, UNDERFLOW), (inexact, INEXACT)),
    )
