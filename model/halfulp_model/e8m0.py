"""Conversion of one value to a power-of-two scale: an exponent chosen in the domain of log2, or in the linear one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .exact import Exact, magnitude_exponent
from .floats import exact_value, is_infinite, is_nan
from .formats import is_negative, is_zero
from .result import Result
from .rows import Choice, Format, Outcome, Rounding, ScaleTable

#: a value that is divided by nothing
ONE = Exact(negative=False, significand=1, exponent=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleConversion:
    """One conversion, every rule resolved to its row: what `e8m0.fp32.rto.sat` and `scale.fp32.floor` mean.

    logarithmic: whether nearest compares log2 of the value, or the value itself. divisor: what the value is divided by.
    """

    name: str
    table: ScaleTable
    source: Format
    destination: Format
    rounding: Rounding
    logarithmic: bool
    divisor: Exact
    saturate: bool


class Ratio(NamedTuple):
    """A positive number 2^exponent · numerator/denominator with 1 <= numerator/denominator < 2."""

    exponent: int
    numerator: int
    denominator: int


def to_scale(conversion: ScaleConversion, bits: int) -> Result:
    """Convert a code of the source. Source: ReferenceFloatToE8M0 for TCVT, the rule data for the MX scale choices."""
    table = conversion.table
    if is_nan(conversion.source, bits):
        return outcome_result(conversion, table.nan)
    if is_zero(conversion.source, bits):
        return outcome_result(conversion, table.zero)
    if is_negative(conversion.source, bits):
        return outcome_result(conversion, table.negative)
    if is_infinite(conversion.source, bits):
        return outcome_result(conversion, table.infinity)
    return finite_result(conversion, divide(exact_value(conversion.source, bits), conversion))


def outcome_result(conversion: ScaleConversion, outcome: Outcome) -> Result:
    """Return the result that the rule data lists."""
    return Result(outcome.saturated if conversion.saturate else outcome.code, outcome.flags)


def divide(value: Exact, conversion: ScaleConversion) -> Ratio:
    """Return a positive value over the divisor, both counted in units of the source's last place."""
    bits = conversion.source.fraction_bits + 1
    divisor = conversion.divisor
    numerator = value.significand << (bits - value.significand.bit_length())
    denominator = divisor.significand << (bits - divisor.significand.bit_length())
    assert 1 << (bits - 1) <= numerator < 1 << bits
    exponent = magnitude_exponent(value) - magnitude_exponent(divisor)
    if numerator < denominator:
        return Ratio(exponent - 1, 2 * numerator, denominator)
    return Ratio(exponent, numerator, denominator)


def finite_result(conversion: ScaleConversion, ratio: Ratio) -> Result:
    """Return the scale of a positive number, or the outcome of one that is out of range.

    The range is judged by the powers of two on either side of the number, or by the one that was chosen.
    """
    table, destination = conversion.table, conversion.destination
    exact = ratio.numerator == ratio.denominator
    chosen = ratio.exponent if exact else choose_exponent(conversion, ratio)
    below, above = chosen, chosen
    if table.range_before_rounding:
        below, above = ratio.exponent, ratio.exponent if exact else ratio.exponent + 1
    if below < destination.minimum_exponent:
        return outcome_result(conversion, table.underflow)
    if above + destination.bias > destination.largest_finite:
        return outcome_result(conversion, table.overflow)
    return Result(chosen + destination.bias, 0 if exact else table.inexact)


def choose_exponent(conversion: ScaleConversion, ratio: Ratio) -> int:
    """Return the exponent below or above a number that is not a power of two. Source: ReferenceE8M0RoundExponent.

    Half-way between them is 2^0.5 times the lower power in the domain of log2, where squares are compared and no tie can
    happen, and 1.5 times the lower power in the linear domain.
    """
    numerator, denominator = ratio.numerator, ratio.denominator
    if conversion.rounding.nearest:
        if conversion.logarithmic:
            beyond = numerator * numerator - 2 * denominator * denominator
        else:
            beyond = 2 * numerator - 3 * denominator
        if beyond != 0:
            return ratio.exponent + 1 if beyond > 0 else ratio.exponent
    return ratio.exponent + 1 if takes_upper(conversion.rounding.choice, ratio.exponent) else ratio.exponent


def takes_upper(choice: Choice, lower: int) -> bool:
    """Tell whether a choice between the exponents `lower` and `lower + 1` falls on the greater one."""
    if choice is Choice.CEILING:
        return True
    if choice is Choice.ZERO:
        return lower < 0
    if choice is Choice.AWAY:
        return lower >= 0
    if choice is Choice.EVEN:
        return lower % 2 == 1
    return choice is Choice.ODD and lower % 2 == 0
