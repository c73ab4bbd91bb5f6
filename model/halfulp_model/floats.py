"""Reading a binary floating code: fields, classes and the exact value."""

from __future__ import annotations

from typing import NamedTuple

from .exact import Exact
from .rows import Format, Specials


class Fields(NamedTuple):
    """The three fields of a binary floating code, as they stand."""

    negative: bool
    exponent: int
    fraction: int


def fields(fmt: Format, bits: int) -> Fields:
    """Split a code of the format into sign, biased exponent and fraction."""
    return Fields(
        (bits >> fmt.sign_bit) % 2 == 1,
        (bits >> (fmt.low_zero_bits + fmt.fraction_bits)) % (1 << fmt.exponent_bits),
        (bits >> fmt.low_zero_bits) % (1 << fmt.fraction_bits),
    )


def is_nan(fmt: Format, bits: int) -> bool:
    """Tell whether a code is a NaN, quiet or signalling."""
    code = fields(fmt, bits)
    if fmt.specials is Specials.IEEE:
        return code.exponent == fmt.exponent_mask and code.fraction != 0
    if fmt.specials is Specials.NAN_ONLY:
        return code.exponent == fmt.exponent_mask and code.fraction == (1 << fmt.fraction_bits) - 1
    return fmt.specials is Specials.LISTED and bits == fmt.canonical_nan


def is_signalling(fmt: Format, bits: int) -> bool:
    """Tell whether a code is a signalling NaN: the top fraction bit is clear. Formats with one NaN have none."""
    if fmt.specials is not Specials.IEEE:
        return False
    return is_nan(fmt, bits) and fields(fmt, bits).fraction >> (fmt.fraction_bits - 1) == 0


def is_infinite(fmt: Format, bits: int) -> bool:
    """Tell whether a code is an infinity of either sign."""
    if fmt.specials not in (Specials.IEEE, Specials.LISTED):
        return False
    return bits % (1 << fmt.sign_bit) == fmt.infinity


def is_negative(fmt: Format, bits: int) -> bool:
    """Tell whether a code has its sign bit set and is not a NaN: -0, -infinity and subnormals included."""
    return fields(fmt, bits).negative and not is_nan(fmt, bits)


def is_negative_zero(fmt: Format, bits: int) -> bool:
    """Tell whether a code is -0."""
    return bits == 1 << fmt.sign_bit


def is_positive_normal(fmt: Format, bits: int) -> bool:
    """Tell whether a code is a finite normal number greater than zero (formats with IEEE specials)."""
    code = fields(fmt, bits)
    return not code.negative and 0 < code.exponent < fmt.exponent_mask


def exact_value(fmt: Format, bits: int) -> Exact:
    """Return the exact value of a finite code.

    Source: the formats' FiniteDecomposition; a subnormal has the exponent of the smallest normal and no hidden bit.
    """
    code = fields(fmt, bits)
    if code.exponent == 0:
        return Exact(code.negative, code.fraction, fmt.smallest_exponent)
    return Exact(code.negative, (1 << fmt.fraction_bits) + code.fraction, code.exponent - fmt.bias - fmt.fraction_bits)


def one(fmt: Format) -> Exact:
    """Return 1 with the significand that a normal number of the format has."""
    return Exact(negative=False, significand=1 << fmt.fraction_bits, exponent=-fmt.fraction_bits)


def with_sign(fmt: Format, magnitude: int, negative: bool) -> int:
    """Return the code of a magnitude code and a sign."""
    return magnitude + (1 << fmt.sign_bit) if negative else magnitude


def fp32_to_fp19(bits: int, fp32: Format, fp19: Format) -> int:
    """Narrow an FP32 code to FP19, the parameter carrier: nearest even on the discarded fraction bits.

    A carry moves into the exponent field and may reach infinity; a NaN becomes the canonical one. Source: FP32ToFP19.
    """
    if is_nan(fp32, bits):
        return fp19.canonical_nan
    dropped = fp32.fraction_bits - fp19.fraction_bits
    kept = bits >> dropped
    rest = bits % (1 << dropped)
    half = 1 << (dropped - 1)
    if rest > half or (rest == half and kept % 2 == 1):
        return kept + 1
    return kept
