"""Rounding of an exact number to an integer, one rule row a mode."""

from __future__ import annotations

from .exact import Exact
from .rows import Choice, Rounding


def round_to_integer(value: Exact, rounding: Rounding) -> int:
    """Round to an integer: an integer stays, anything else goes where the mode says.

    Source: FloatingToInteger, `round(value: exact real) -> integer`.
    """
    magnitude = round_magnitude(value, rounding)
    return -magnitude if value.negative else magnitude


def round_magnitude(value: Exact, rounding: Rounding, start: int = 0) -> int:
    """Return `start` plus the magnitude of the rounded value: truncated, or one more.

    Counting from `start`, it is the sum that an even or odd choice looks at.
    """
    if value.exponent >= 0:
        return start + (value.significand << value.exponent)
    unit = 1 << -value.exponent
    quotient, rest = divmod(value.significand, unit)
    truncated = start + quotient
    if rest == 0:
        return truncated
    if rounding.nearest and 2 * rest != unit:
        return truncated if 2 * rest < unit else truncated + 1
    return truncated + 1 if goes_away(rounding.choice, truncated, value.negative) else truncated


def goes_away(choice: Choice, truncated: int, negative: bool) -> bool:
    """Tell whether a choice between `truncated` and `truncated + 1` falls on the one further from zero.

    Both are magnitudes; `negative` is the value's sign, so that floor and ceiling keep to the signed value.
    """
    if choice is Choice.FLOOR:
        return negative
    if choice is Choice.CEILING:
        return not negative
    if choice is Choice.EVEN:
        return truncated % 2 == 1
    if choice is Choice.ODD:
        return truncated % 2 == 0
    return choice is Choice.AWAY
