"""Exact binary numbers: significand · 2^exponent with unbounded integers."""

from __future__ import annotations

from typing import NamedTuple


class Exact(NamedTuple):
    """The number significand · 2^exponent, without any rounding. Not unique: (2, 0) and (1, 1) are the same number."""

    significand: int
    exponent: int


def multiply(left: Exact, right: Exact) -> Exact:
    """Return the exact product."""
    return Exact(left.significand * right.significand, left.exponent + right.exponent)


def is_integer(value: Exact) -> bool:
    """Tell whether the number has no fraction."""
    return value.exponent >= 0 or value.significand % (1 << -value.exponent) == 0


def magnitude_exponent(value: Exact) -> int:
    """Return floor(log2 |value|) for a value that is not zero."""
    return value.exponent + abs(value.significand).bit_length() - 1
