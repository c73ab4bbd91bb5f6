"""Codes of single numbers in a format, from its rows alone: what declared points and corner classes are made of."""

from __future__ import annotations

from halfulp_model.exact import Exact as Number
from halfulp_model.exact import is_integer, truncate
from halfulp_model.formats import encode_exact
from halfulp_model.integers import in_range
from halfulp_model.rows import Format, Kind
from halfulp_model.tapered import magnitude_code

#: a number that is not zero as significand, which has its sign, and exponent
Exact = tuple[int, int]


def largest_exponent(fmt: Format) -> int:
    """Return the exponent of a format's largest finite number."""
    if fmt.kind is Kind.TAPERED:
        return fmt.largest_exponent
    return (fmt.largest_finite >> (fmt.fraction_bits + fmt.low_zero_bits)) - fmt.bias


def power_code(fmt: Format, exponent: int) -> int:
    """Return the magnitude code of 2^exponent."""
    if fmt.kind is Kind.TAPERED:
        return magnitude_code(fmt, Number(negative=False, significand=1, exponent=exponent))
    if exponent < fmt.minimum_exponent:
        return 1 << (exponent - fmt.smallest_exponent)
    return (exponent - fmt.minimum_exponent + 1) << fmt.fraction_bits


def code_of(fmt: Format, number: Exact) -> int | None:
    """Return the code of a number in a floating format, or the integer itself; None where the format does not have it."""
    value = Number(number[0] < 0, abs(number[0]), number[1])
    if not fmt.is_integer:
        found = encode_exact(fmt, value)
        return found.bits if found.available else None
    whole = -truncate(value) if value.negative else truncate(value)
    return whole if is_integer(value) and in_range(whole, fmt) else None
