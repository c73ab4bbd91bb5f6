"""Tapered codes, whose field widths depend on the code: reading, ordering and writing them through the rows of bands."""

from __future__ import annotations

from typing import NamedTuple

from .exact import ZERO, Exact, Position, is_integer, magnitude_exponent, truncate
from .rows import Band, Format


class TaperedFields(NamedTuple):
    """The fields of a tapered code as numbers: the exponent itself, and a fraction of `fraction_bits` bits."""

    negative: bool
    exponent: int
    fraction: int
    fraction_bits: int
    subnormal: bool


def fields(fmt: Format, bits: int) -> TaperedFields:
    """Split a code into its fields; the prefix says which band it is in. Source: HiF8DecodeDotField."""
    magnitude = bits % (1 << fmt.sign_bit)
    negative = bits >> fmt.sign_bit == 1
    for band in fmt.bands:
        if magnitude >> (fmt.sign_bit - band.prefix_bits) == band.prefix:
            exponent = band_exponent(band, magnitude)
            fraction = magnitude % (1 << band.fraction_bits)
            return TaperedFields(negative, exponent, fraction, band.fraction_bits, band.subnormal)
    raise AssertionError("the bands of a format hold every code")


def band_exponent(band: Band, magnitude: int) -> int:
    """Return the exponent of a magnitude code of the band."""
    field = (magnitude >> band.fraction_bits) % (1 << band.exponent_bits)
    sign = (magnitude >> (band.fraction_bits + band.exponent_bits)) % 2
    if band.exponent_signed and sign == 1:
        return -band.exponent_base - field
    return band.exponent_base + field


def is_subnormal(fmt: Format, bits: int) -> bool:
    """Tell whether a code is a subnormal number. Source: ClassifyHiF8."""
    return fields(fmt, bits).subnormal and bits % (1 << fmt.sign_bit) != 0


def exact_value(fmt: Format, bits: int) -> Exact:
    """Return the exact value of a finite code; every number but zero has a hidden bit. Source: HiF8FiniteDecomposition."""
    if bits == 0:
        return ZERO
    code = fields(fmt, bits)
    return Exact(code.negative, (1 << code.fraction_bits) + code.fraction, code.exponent - code.fraction_bits)


def magnitude_rank(fmt: Format, bits: int) -> int:
    """Return a number that grows with the magnitude of a code: 0 for zero, then exponent and fraction side by side."""
    code = fields(fmt, bits)
    binade = code.exponent - fmt.smallest_exponent + 1
    return (binade << fmt.fraction_bits) + (code.fraction << (fmt.fraction_bits - code.fraction_bits))


def position(value: Exact, fmt: Format) -> Position:
    """Return a code and how many units in the last place a nonzero value is above it, at the value's own magnitude.

    The code is the one that the binade's numbers count from: significand 2^f has code start + 2^f. Below the smallest
    number the units are that number, and the start is zero.
    """
    exponent = binade(value, fmt)
    band = band_of(fmt, exponent)
    start = band_code(band, exponent, 0) - (1 << band.fraction_bits)
    return Position(start, Exact(value.negative, value.significand, value.exponent - exponent + band.fraction_bits))


def carried(value: Exact, fmt: Format, start: int, code: int) -> int:
    """Return the code of a rounded value: as counted, or the first one of the next binade if rounding reached that."""
    exponent = binade(value, fmt)
    if code - start < 2 << band_of(fmt, exponent).fraction_bits:
        return code
    return band_code(band_of(fmt, exponent + 1), exponent + 1, 0)


def binade(value: Exact, fmt: Format) -> int:
    """Return the exponent of the format's binade whose units a nonzero value is counted in."""
    return min(max(magnitude_exponent(value), fmt.smallest_exponent), fmt.largest_exponent)


def band_of(fmt: Format, exponent: int) -> Band:
    """Return the band whose numbers have an exponent."""
    for band in fmt.bands:
        if holds_exponent(band, exponent):
            return band
    raise AssertionError("the bands of a format hold every exponent of its range")


def magnitude_code(fmt: Format, value: Exact) -> int:
    """Return the magnitude code of a nonzero value, or 0 where the format has no such finite number."""
    exponent = magnitude_exponent(value)
    for band in fmt.bands:
        if holds_exponent(band, exponent):
            places = band.fraction_bits + 1 - value.significand.bit_length()
            significand = Exact(value.negative, value.significand, places)
            code = band_code(band, exponent, truncate(significand) % (1 << band.fraction_bits))
            return code if is_integer(significand) and code != fmt.infinity else 0
    return 0


def holds_exponent(band: Band, exponent: int) -> bool:
    """Tell whether numbers of an exponent are in the band; field 0 of the subnormal band is zero, not a number."""
    field = (abs(exponent) if band.exponent_signed else exponent) - band.exponent_base
    return band.subnormal <= field < 1 << band.exponent_bits


def band_code(band: Band, exponent: int, fraction: int) -> int:
    """Return the magnitude code of a band's exponent and fraction."""
    head = band.prefix
    field = exponent - band.exponent_base
    if band.exponent_signed:
        head = 2 * band.prefix + (exponent < 0)
        field = abs(exponent) - band.exponent_base
    return (((head << band.exponent_bits) + field) << band.fraction_bits) + fraction
