"""Rounding of an exact number to an integer, one rule row a mode."""

from __future__ import annotations

from .exact import Exact
from .rows import Choice, Rounding


def round_to_integer(value: Exact, rounding: Rounding) -> int:
    """Round to an integer: the exact value stays, anything else goes where the mode says.

    Source: FloatingToInteger, `round(value: exact real) -> integer`.
    """
    if value.exponent >= 0:
        return value.significand << value.exponent
    places = -value.exponent
    lower = value.significand >> places
    rest = value.significand % (1 << places)
    if rest == 0:
        return lower
    if rounding.nearest:
        half = 1 << (places - 1)
        if rest < half:
            return lower
        if rest > half:
            return lower + 1
    return pick(lower, value.significand < 0, rounding.choice)


def pick(lower: int, negative: bool, choice: Choice) -> int:
    """Pick `lower` or `lower + 1` for a number strictly between them; `negative` is the number's sign."""
    if choice is Choice.FLOOR:
        return lower
    if choice is Choice.CEILING:
        return lower + 1
    if choice is Choice.EVEN:
        return lower + lower % 2
    if choice is Choice.ODD:
        return lower + (lower + 1) % 2
    if choice is Choice.ZERO:
        return lower + 1 if negative else lower
    return lower if negative else lower + 1
