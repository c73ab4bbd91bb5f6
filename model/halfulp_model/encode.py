"""Encoding an exact value into a binary floating format: one algorithm, its choices in the encoder row."""

from __future__ import annotations

from .exact import Exact, is_integer, magnitude_exponent
from .floats import with_sign
from .result import Result
from .rounding import round_to_integer
from .rows import Choice, Encoder, Flags, Format, Rounding, Specials


def overflow_code(fmt: Format, negative: bool, saturate: bool) -> int:
    """Return the code of an overflow: the largest finite, the infinity of the sign, or the NaN where there is none."""
    if saturate:
        return with_sign(fmt, fmt.largest_finite, negative)
    if fmt.specials is Specials.IEEE:
        return with_sign(fmt, fmt.infinity, negative)
    return fmt.canonical_nan


def points_inward(rounding: Rounding, negative: bool) -> bool:
    """Tell whether a mode never leaves the finite range, as IEEE 754 has it: zero, odd, and the direction toward zero."""
    if rounding.nearest or rounding.choice is Choice.AWAY:
        return False
    if rounding.choice is Choice.FLOOR:
        return not negative
    if rounding.choice is Choice.CEILING:
        return negative
    return True


def encode(value: Exact, fmt: Format, rounding: Rounding, saturate: bool, encoder: Encoder, flags: Flags) -> Result:
    """Round an exact value once into the format; zero gives +0.

    The quantum is the unit in the last place at the value's own magnitude, never below the smallest subnormal. Counted in
    quanta from the start of the smallest normal binade, the rounded magnitude *is* the code: a carry moves into the
    exponent field by itself. Sources: ReferenceFP32FiniteEncoding, ReferenceBinary16Encoding, ReferenceFP8Encoding.
    """
    if value.significand == 0:
        return Result(0, 0)
    negative = value.significand < 0
    binade = max(magnitude_exponent(value), fmt.minimum_exponent)
    quantum = binade - fmt.fraction_bits
    scaled = Exact(value.significand, value.exponent - quantum)
    code = ((binade - fmt.minimum_exponent) << fmt.fraction_bits) + abs(round_to_integer(scaled, rounding))
    if code > fmt.largest_finite or (encoder.overflow_before_rounding and exceeds_largest(value, fmt)):
        stops = saturate or (encoder.overflow_directed and points_inward(rounding, negative))
        return Result(overflow_code(fmt, negative, stops), flags.overflow)
    if code == 0 and not encoder.underflow_keeps_sign:
        return Result(0, flags.underflow)
    if is_integer(scaled):
        return Result(with_sign(fmt, code, negative), 0)
    tiny = is_tiny(value, fmt, rounding, encoder)
    return Result(with_sign(fmt, code, negative), flags.underflow if tiny else flags.nx)


def exceeds_largest(value: Exact, fmt: Format) -> bool:
    """Tell whether |value| is greater than the largest finite number of the format."""
    significand = (1 << fmt.fraction_bits) + fmt.largest_finite % (1 << fmt.fraction_bits)
    exponent = (fmt.largest_finite >> fmt.fraction_bits) - fmt.bias - fmt.fraction_bits
    places = value.exponent - exponent
    if places >= 0:
        return abs(value.significand) << places > significand
    return abs(value.significand) > significand << -places


def is_tiny(value: Exact, fmt: Format, rounding: Rounding, encoder: Encoder) -> bool:
    """Tell whether a value counts as tiny: below the smallest normal, before or after rounding to unbounded range."""
    binade = magnitude_exponent(value)
    if binade >= fmt.minimum_exponent:
        return False
    if not encoder.tiny_after_rounding or binade < fmt.minimum_exponent - 1:
        return True
    scaled = Exact(value.significand, value.exponent - (binade - fmt.fraction_bits))
    return abs(round_to_integer(scaled, rounding)) < 2 << fmt.fraction_bits
