"""Rounding of the magnitude rewritten: twice the rest is compared with the unit once, and the answers are told apart."""

from halfulp_formal.amend import replaces
from halfulp_model.exact import Exact
from halfulp_model.rounding import goes_away
from halfulp_model.rows import Rounding


@replaces("rounding.round_magnitude")
def round_magnitude(value: Exact, rounding: Rounding, start: int = 0) -> int:
    """Return `start` plus the magnitude of the rounded value: truncated, or one more."""
    if value.exponent >= 0:
        return start + (value.significand << value.exponent)
    unit = 1 << -value.exponent
    truncated = start + value.significand // unit
    doubled = 2 * (value.significand % unit) - unit
    exact = doubled == -unit
    chosen = goes_away(rounding.choice, truncated, value.negative)
    up = (doubled > 0 or (doubled == 0 and chosen)) if rounding.nearest else chosen
    return truncated + 1 if up and not exact else truncated
