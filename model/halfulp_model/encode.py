"""Encoding a value into a floating format: one algorithm for every format, its choices in the encoder row."""

from __future__ import annotations

from . import tapered
from .exact import Exact, Position, is_integer, magnitude_exponent, truncate
from .floats import exact_value, fields, is_signalling, with_sign
from .result import Result
from .rounding import round_magnitude
from .rows import Choice, Encoder, Flags, Format, Kind, Rounding, Specials


def encode(value: Exact, fmt: Format, rounding: Rounding, saturate: bool, encoder: Encoder, flags: Flags) -> Result:
    """Round an exact value once into the format; zero gives +0.

    Sources: ReferenceFP32FiniteEncoding, ReferenceBinary16Encoding, ReferenceFP8Encoding.
    """
    if value.significand == 0:
        return Result(0, 0)
    position = tapered.position(value, fmt) if fmt.kind is Kind.TAPERED else binary_position(value, fmt)
    code = round_magnitude(position.quanta, rounding, position.start)
    if overflows(value, code, fmt, encoder):
        stops = saturate or (encoder.overflow_directed and points_inward(rounding, value.negative))
        return Result(overflow_code(fmt, value.negative, stops, encoder), flags.overflow)
    if fmt.kind is Kind.TAPERED:
        code = tapered.carried(value, fmt, position.start, code)
    inexact = not is_integer(position.quanta)
    tiny = is_tiny(value, fmt, rounding, encoder)
    raised = (flags.underflow if tiny else flags.nx) if inexact else 0
    if code == 0 and not encoder.underflow_keeps_sign:
        return Result(0, raised)
    return Result(with_sign(fmt, code << fmt.low_zero_bits, value.negative), raised)


def binary_position(value: Exact, fmt: Format) -> Position:
    """Count a value in units in the last place at its own magnitude, never below the smallest subnormal.

    Counted so, and from the start of the smallest normal binade, the rounded count *is* the code: a carry moves into the
    exponent field by itself.
    """
    places = min(normal_places(value, fmt), value.exponent - fmt.smallest_exponent)
    binades = max(magnitude_exponent(value) - fmt.minimum_exponent, 0)
    return Position(binades << fmt.fraction_bits, Exact(value.negative, value.significand, places))


def normal_places(value: Exact, fmt: Format) -> int:
    """Return the exponent that gives the significand as many integer bits as the smallest normal number has."""
    return fmt.normal_fraction_bits + 1 - value.significand.bit_length()


def overflows(value: Exact, code: int, fmt: Format, encoder: Encoder) -> bool:
    """Tell whether a value overflows: before rounding if it exceeds the largest finite number, after it if its code does."""
    if not encoder.overflow_before_rounding:
        return code > fmt.largest_finite >> fmt.low_zero_bits
    read = tapered.exact_value if fmt.kind is Kind.TAPERED else exact_value
    largest = read(fmt, fmt.largest_finite)
    if magnitude_exponent(value) != magnitude_exponent(largest):
        return magnitude_exponent(value) > magnitude_exponent(largest)
    aligned = Exact(
        value.negative, value.significand, largest.significand.bit_length() - value.significand.bit_length()
    )
    integer = truncate(aligned)
    return integer > largest.significand or (integer == largest.significand and not is_integer(aligned))


def is_tiny(value: Exact, fmt: Format, rounding: Rounding, encoder: Encoder) -> bool:
    """Tell whether a value counts as tiny: below the smallest normal, before or after rounding to unbounded range."""
    binade = magnitude_exponent(value)
    if binade >= fmt.minimum_exponent:
        return False
    if not encoder.tiny_after_rounding or binade < fmt.minimum_exponent - 1:
        return True
    unbounded = Exact(value.negative, value.significand, normal_places(value, fmt))
    return round_magnitude(unbounded, rounding) < 2 << fmt.normal_fraction_bits


def points_inward(rounding: Rounding, negative: bool) -> bool:
    """Tell whether a mode never leaves the finite range, as IEEE 754 has it: zero, odd, the direction toward zero."""
    if rounding.nearest or rounding.choice is Choice.AWAY:
        return False
    if rounding.choice is Choice.FLOOR:
        return not negative
    if rounding.choice is Choice.CEILING:
        return negative
    return True


def overflow_code(fmt: Format, negative: bool, stops: bool, encoder: Encoder) -> int:
    """Return the code of an overflow: the largest finite if it stops there, the infinity, or the NaN of a format without.

    A format with neither stops at the largest finite.
    """
    if stops or fmt.specials is Specials.NONE:
        return with_sign(fmt, fmt.largest_finite, negative)
    if fmt.specials is Specials.NAN_ONLY:
        return with_sign(fmt, fmt.canonical_nan, negative and encoder.nan_keeps_payload)
    return with_sign(fmt, fmt.infinity, negative)


def encode_infinity(fmt: Format, negative: bool, saturate: bool, encoder: Encoder, flags: Flags) -> Result:
    """Return the result of an infinity: the destination's own, or what an overflow gives, with its flags.

    Source: MatrixPostQuantSpecialValue.
    """
    kept = not saturate and fmt.specials in (Specials.IEEE, Specials.LISTED)
    return Result(overflow_code(fmt, negative, saturate, encoder), 0 if kept else flags.overflow)


def encode_nan(source: Format, bits: int, fmt: Format, saturate: bool, encoder: Encoder, flags: Flags) -> Result:
    """Return the result of a NaN code of the source; a signalling one is invalid.

    A format without NaN gives its largest finite number, which is always invalid. Source: MatrixPostQuantSpecialValue.
    """
    invalid = flags.nv if is_signalling(source, bits) else 0
    if saturate and encoder.nan_saturates_to_zero:
        return Result(0, invalid)
    if fmt.specials is Specials.NONE:
        return Result(fmt.largest_finite, flags.nv)
    if not encoder.nan_keeps_payload:
        return Result(fmt.canonical_nan, invalid)
    return Result(quieted(source, bits, fmt), invalid)


def quieted(source: Format, bits: int, fmt: Format) -> int:
    """Return the destination's quiet NaN with the source's sign and the high bits of its payload."""
    code = fields(source, bits)
    if fmt.specials is Specials.NAN_ONLY:
        return with_sign(fmt, fmt.canonical_nan, code.negative)
    payload = code.fraction if source.specials is Specials.IEEE else 0
    widened = (payload << fmt.fraction_bits) >> source.fraction_bits
    quiet = 1 << (fmt.fraction_bits - 1)
    fraction = widened if widened >= quiet else widened + quiet
    return with_sign(fmt, fmt.infinity + (fraction << fmt.low_zero_bits), code.negative)
