"""Seeded mistakes in conversions to a power-of-two scale."""

from __future__ import annotations

from halfulp_formal.mistake import Mistake, rule, source
from halfulp_formal.subject import RulePatch


def rules(what: str, **values: object) -> Mistake:
    """Return a mistake in several values of the rule data, their path's parts separated by two underscores."""
    return Mistake(what, tuple(RulePatch(tuple(path.split("__")), value) for path, value in values.items()))


SCALE_MISTAKES: dict[str, Mistake] = {
    "log_threshold_off": source(
        "the significand just below the square root of two counts as above it",
        "e8m0",
        "numerator * numerator - 2 * denominator * denominator",
        "numerator * numerator + 2 * numerator - 2 * denominator * denominator",
    ),
    "log_linear": source(
        "nearest in log2 compares values, in the linear domain logarithms",
        "e8m0",
        "if conversion.logarithmic:",
        "if not conversion.logarithmic:",
    ),
    "linear_compares_squares": source(
        "nearest in the linear domain compares logarithms", "e8m0", "if conversion.logarithmic:", "if True:"
    ),
    "linear_threshold_off": source(
        "half-way counts as above half",
        "e8m0",
        "2 * numerator - 3 * denominator",
        "2 * numerator - 3 * denominator + 1",
    ),
    "linear_tie_odd": rule("a tie takes the odd exponent", "scale_rules/even/choice", "odd"),
    "nearest_power_reversed": source(
        "nearest picks the farther power of two", "e8m0", "if beyond > 0 else", "if beyond < 0 else"
    ),
    "exponent_floor_up": source(
        "floor rounds up",
        "e8m0",
        "if choice is Choice.CEILING:",
        "if choice is Choice.CEILING or choice is Choice.FLOOR:",
    ),
    "exponent_two_up": source(
        "rounding up steps over a power of two",
        "e8m0",
        "return ratio.exponent + 1 if takes_upper(",
        "return ratio.exponent + 2 if takes_upper(",
    ),
    "exponent_odd_even": source(
        "odd picks the even exponent",
        "e8m0",
        "choice is Choice.ODD and lower % 2 == 0",
        "choice is Choice.ODD and lower % 2 == 1",
    ),
    "toward_zero_down": source("an exponent below 0 is rounded down", "e8m0", "return lower < 0", "return False"),
    "scale_bias_off": source(
        "a scale's code is one more",
        "e8m0",
        "Result(chosen + destination.bias,",
        "Result(chosen + destination.bias + 1,",
    ),
    "scale_top_off": source(
        "2^127 is out of range",
        "e8m0",
        "above + destination.bias > destination.largest_finite",
        "above + destination.bias >= destination.largest_finite",
    ),
    "scale_bottom_off": source(
        "2^-127 is out of range",
        "e8m0",
        "below < destination.minimum_exponent",
        "below <= destination.minimum_exponent",
    ),
    "scale_saturation_silent": source(
        "Sat = 1 raises nothing",
        "e8m0",
        "outcome.code, outcome.flags)",
        "outcome.code, 0 if conversion.saturate else outcome.flags)",
    ),
    "scale_zero_least": rule("TCVT turns zero into the least scale", "scale_tables/tcvt/zero/code", 0),
    "scale_infinity_invalid": rule("TCVT calls an infinity invalid", "scale_tables/tcvt/infinity/flags", ("NV",)),
    "scale_range_after": rule("TCVT judges the rounded exponent", "scale_tables/tcvt/range", "after_rounding"),
    "scale_underflow_overflows": rule(
        "TCVT calls an underflow overflow", "scale_tables/tcvt/underflow/flags", ("OF", "NX")
    ),
    "scale_never_inexact": rule("TCVT is never inexact in range", "scale_tables/tcvt/inexact", ()),
    "mx_zero_invalid": rules(
        "the scale of zeros is NaN and invalid",
        scale_tables__mx_scale__zero__code=0xFF,
        scale_tables__mx_scale__zero__flags=("NV",),
    ),
    "mx_infinity_largest": rule(
        "the scale of an infinity is the greatest", "scale_tables/mx_scale/infinity/code", 0xFE
    ),
    "mx_underflow_overflows": rule(
        "a scale below the range overflows", "scale_tables/mx_scale/underflow/flags", ("OF", "NX")
    ),
    "mx_never_inexact": rule("a scale is never inexact", "scale_tables/mx_scale/inexact", ()),
    "wrong_element": source(
        "rceil divides by the number below the largest",
        "api_e8m0",
        "finite_value(fmt, fmt.largest_finite)",
        "finite_value(fmt, fmt.largest_finite - 1)",
    ),
    "floor_takes_ceiling": rule("floor is ceil", "scale_rules/floor/choice", "ceiling"),
    "even_takes_floor": rules("even is floor", scale_rules__even__nearest=False, scale_rules__even__choice="floor"),
    "even_takes_ceiling": rules("even is ceil", scale_rules__even__nearest=False, scale_rules__even__choice="ceiling"),
    "rceil_takes_floor": rule("rceil rounds down", "scale_rules/rceil/choice", "floor"),
}
