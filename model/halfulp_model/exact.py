"""Exact binary numbers: sign, significand and exponent with unbounded integers."""

from __future__ import annotations

from typing import NamedTuple


class Exact(NamedTuple):
    """The number (-1)^negative · significand · 2^exponent, significand >= 0, without any rounding.

    Not unique: significand 2, exponent 0 and significand 1, exponent 1 are the same number. A zero keeps its sign.
    """

    negative: bool
    significand: int
    exponent: int


class Position(NamedTuple):
    """Where a value stands among a format's codes: `quanta`, in units in the last place, above code `start`."""

    start: int
    quanta: Exact


ZERO = Exact(negative=False, significand=0, exponent=0)


def multiply(left: Exact, right: Exact) -> Exact:
    """Return the exact product."""
    return Exact(left.negative != right.negative, left.significand * right.significand, left.exponent + right.exponent)


def from_integer(value: int) -> Exact:
    """Return an integer as an exact number."""
    return Exact(value < 0, abs(value), 0)


def is_integer(value: Exact) -> bool:
    """Tell whether the number has no fraction."""
    return value.exponent >= 0 or value.significand % (1 << -value.exponent) == 0


def magnitude_exponent(value: Exact) -> int:
    """Return floor(log2 |value|) for a value that is not zero."""
    return value.exponent + value.significand.bit_length() - 1


def truncate(value: Exact) -> int:
    """Return the magnitude without its fraction."""
    return value.significand << value.exponent if value.exponent >= 0 else value.significand >> -value.exponent
