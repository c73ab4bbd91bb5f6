"""Encoding an exact value into a binary floating format: one algorithm, its choices in the encoder row."""

from __future__ import annotations

from .exact import Exact, is_integer, magnitude_exponent
from .floats import with_sign
from .result import Result
from .rounding import round_magnitude
from .rows import Choice, Encoder, Flags, Format, Rounding, Specials


def overflow_code(fmt: Format, negative: bool, saturate: bool) -> int:
    """Return the code of an overflow: the largest finite, the infinity of the sign, or the NaN where there is none."""
    if saturate:
        return with_sign(fmt, fmt.largest_finite, negative)
    if fmt.specials is Specials.IEEE:
        return with_sign(fmt, fmt.infinity, negative)
    return fmt.canonical_nan


def points_inward(rounding: Rounding, negative: bool) -> bool:
    """Tell whether a mode never leaves the finite range, as IEEE 754 has it: zero, odd, the direction toward zero."""
    if rounding.nearest or rounding.choice is Choice.AWAY:
        return False
    if rounding.choice is Choice.FLOOR:
        return not negative
    if rounding.choice is Choice.CEILING:
        return negative
    return True


def encode(value: Exact, fmt: Format, rounding: Rounding, saturate: bool, encoder: Encoder, flags: Flags) -> Result:
    """Round an exact value once into the format; zero gives +0.

    The value is counted in quanta: units in the last place at its own magnitude, never below the smallest subnormal.
    Counted so, and from the start of the smallest normal binade, the rounded magnitude *is* the code: a carry moves into
    the exponent field by itself. Sources: ReferenceFP32FiniteEncoding, ReferenceBinary16Encoding, ReferenceFP8Encoding.
    """
    if value.significand == 0:
        return Result(0, 0)
    places = min(normal_places(value, fmt), value.exponent - fmt.smallest_exponent)
    quanta = Exact(value.negative, value.significand, places)
    binades = max(magnitude_exponent(value) - fmt.minimum_exponent, 0)
    code = (binades << fmt.fraction_bits) + round_magnitude(quanta, rounding)
    if code > fmt.largest_finite or (encoder.overflow_before_rounding and exceeds_largest(value, fmt)):
        stops = saturate or (encoder.overflow_directed and points_inward(rounding, value.negative))
        return Result(overflow_code(fmt, value.negative, stops), flags.overflow)
    if code == 0 and not encoder.underflow_keeps_sign:
        return Result(0, flags.underflow)
    if is_integer(quanta):
        return Result(with_sign(fmt, code, value.negative), 0)
    tiny = is_tiny(value, fmt, rounding, encoder)
    return Result(with_sign(fmt, code, value.negative), flags.underflow if tiny else flags.nx)


def normal_places(value: Exact, fmt: Format) -> int:
    """Return the exponent that gives the significand as many integer bits as a normal number of the format has."""
    return fmt.fraction_bits + 1 - value.significand.bit_length()


def exceeds_largest(value: Exact, fmt: Format) -> bool:
    """Tell whether |value| is greater than the largest finite number of the format."""
    significand = (1 << fmt.fraction_bits) + fmt.largest_finite % (1 << fmt.fraction_bits)
    exponent = (fmt.largest_finite >> fmt.fraction_bits) - fmt.bias - fmt.fraction_bits
    places = value.exponent - exponent
    if places >= 0:
        return value.significand << places > significand
    return value.significand > significand << -places


def is_tiny(value: Exact, fmt: Format, rounding: Rounding, encoder: Encoder) -> bool:
    """Tell whether a value counts as tiny: below the smallest normal, before or after rounding to unbounded range."""
    binade = magnitude_exponent(value)
    if binade >= fmt.minimum_exponent:
        return False
    if not encoder.tiny_after_rounding or binade < fmt.minimum_exponent - 1:
        return True
    unbounded = Exact(value.negative, value.significand, normal_places(value, fmt))
    return round_magnitude(unbounded, rounding) < 2 << fmt.fraction_bits
