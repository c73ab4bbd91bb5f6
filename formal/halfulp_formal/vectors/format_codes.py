"""Codes of single numbers in a format, from its rows alone: what declared points and corner classes are made of."""

from __future__ import annotations

from halfulp_model.exact import Exact as Number
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
    """Return the code of a number in an IEEE format, or the integer itself; None where the format does not have it."""
    significand, exponent = abs(number[0]), number[1]
    negative = number[0] < 0
    if negative and not fmt.signed:
        return None
    if fmt.is_integer:
        whole = units(significand, exponent)
        return None if whole is None or whole > fmt.maximum else (-whole if negative else whole)
    top = exponent + significand.bit_length() - 1
    binade = max(top, fmt.minimum_exponent)
    counted = units(significand, exponent - binade + fmt.fraction_bits)
    if counted is None or top > fmt.bias:
        return None
    magnitude = (binade - fmt.minimum_exponent << fmt.fraction_bits) + counted
    return (magnitude << fmt.low_zero_bits) + (int(negative) << fmt.sign_bit)


def units(significand: int, places: int) -> int | None:
    """Return significand · 2^places, None where that is no integer."""
    if places >= 0:
        return significand << places
    return None if significand % (1 << -places) else significand >> -places
