"""MX scale choices: floor, ceil, even and rceil in the linear domain, each by the powers of two around the value."""

from __future__ import annotations

from typing import Any

from pysmt.fnode import FNode

from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import conjoin, disjoin, negate, symbol

from .claim import Claim, Kind
from .floating import Value, below, same
from .integer import INEXACT, OVERFLOW
from .numbers import Number, at_most, equal, implies, odd, select
from .pipeline import INVALID
from .scales import LARGEST, NAN, UNDERFLOW, Converted, above, every, mode_of, power, reaches_edges, source_of

#: the largest number of an element format, and the exponent of its binade. Source: OCP Microscaling Formats 1.0, tables 1
#: to 5; HiF8: pto-numeric, section 3
LARGEST_ELEMENTS = {
    "hif8": (Value(1, 15), 15),
    "e4m3": (Value(7, 6), 8),
    "e5m2": (Value(7, 13), 15),
    "e3m2": (Value(7, 2), 4),
    "e2m3": (Value(15, -1), 2),
    "e2m1": (Value(3, 1), 2),
}


def divisor(name: str) -> Value:
    """Return what a conversion divides by: the largest number of `scale.fp32.rceil.e4m3`'s element, else 1."""
    return LARGEST_ELEMENTS[name.split(".")[3]][0] if mode_of(name) == "rceil" else Value(1, 0)


def times(value: Value, exponent: Number) -> Value:
    """Return value · 2^exponent."""
    return Value(value.significand, arithmetic.add(value.exponent, exponent))


def chosen(name: str, value: Value, exponent: Number) -> FNode:
    """State that 2^exponent is the power of two that a rule chooses for a positive value."""
    if mode_of(name) == "floor":
        return conjoin(negate(below(value, power(exponent))), below(value, power(arithmetic.add(exponent, 1))))
    if mode_of(name) == "even":
        # half-way to the neighbours: 3/4 and 3/2 of the power of two
        low, high = Value(3, arithmetic.subtract(exponent, 2)), Value(3, arithmetic.subtract(exponent, 1))
        tie = disjoin(same(value, low), same(value, high))
        return conjoin(negate(below(value, low)), negate(above(value, high)), implies(tie, negate(odd(exponent))))
    largest = divisor(name)
    lower = times(largest, arithmetic.subtract(exponent, 1))
    return conjoin(above(value, lower), negate(above(value, times(largest, exponent))))


def too_large(name: str, value: Value) -> FNode:
    """State that the chosen exponent is above 127."""
    if mode_of(name) == "floor":
        return negate(below(value, power(128)))
    if mode_of(name) == "even":
        return negate(below(value, Value(3, 126)))
    return above(value, times(divisor(name), 127))


def too_small(name: str, value: Value) -> FNode:
    """State that the chosen exponent is below -127."""
    if mode_of(name) == "floor":
        return below(value, power(-127))
    if mode_of(name) == "even":
        return negate(above(value, Value(3, -129)))
    return negate(above(value, times(divisor(name), -128)))


def in_range(name: str, converted: Converted) -> FNode:
    """State that a value is positive and its chosen exponent one of a scale's."""
    value = converted.value
    return conjoin(converted.positive, negate(too_large(name, value)), negate(too_small(name, value)))


def rule(case: Any) -> Claim:
    """The result is the power of two that the rule chooses."""
    converted = Converted(case)
    claim = conjoin(converted.is_code, chosen(case.name, converted.value, converted.exponent))
    return Claim(claim, case.inputs, in_range(case.name, converted))


def special(case: Any) -> Claim:
    """NaN and negative values: ff and NV. Zero: 00, no flags. +infinity: ff, OF and NX."""
    converted = Converted(case)
    reading = converted.reading
    zero = conjoin(reading.zero, negate(reading.nan))
    invalid = disjoin(reading.nan, reading.negative)
    expected = select(zero, 0, NAN)
    raised = select(zero, 0, select(invalid, INVALID, OVERFLOW))
    claim = conjoin(equal(converted.result, expected), equal(converted.flags, raised))
    return Claim(claim, case.inputs, negate(converted.positive))


def out_of_range(case: Any) -> Claim:
    """A chosen exponent above 127 gives fe, OF and NX, one below -127 gives 00, UF and NX."""
    converted = Converted(case)
    small, large = (outside(case.name, converted.value) for outside in (too_small, too_large))
    claim = conjoin(
        equal(converted.result, select(small, 0, LARGEST)), equal(converted.flags, select(small, UNDERFLOW, OVERFLOW))
    )
    return Claim(claim, case.inputs, conjoin(converted.positive, disjoin(small, large)))


def inexact(case: Any) -> Claim:
    """In range NX is raised if and only if the quotient is not the chosen power of two, and nothing else ever."""
    converted = Converted(case)
    exact = same(converted.value, times(divisor(case.name), converted.exponent))
    return Claim(equal(converted.flags, select(exact, 0, INEXACT)), case.inputs, in_range(case.name, converted))


def powers(case: Any) -> Claim:
    """2^k times what is divided by is k + 127 without flags."""
    converted = Converted(case)
    exponent = symbol("power.exponent.8", -128, 127)
    exact = same(converted.value, times(divisor(case.name), exponent))
    claim = conjoin(equal(converted.result, arithmetic.add(exponent, 127)), equal(converted.flags, 0))
    assumption = conjoin(converted.positive, at_most(-127, exponent), exact)
    return Claim(claim, (*case.inputs, exponent.term), assumption)


def monotone(case: Any) -> Claim:
    """A greater magnitude has no smaller scale."""
    one, two = Converted(case), Converted(case, case.other)
    assumption = conjoin(one.positive, two.positive, below(one.value, two.value))
    return Claim(at_most(one.result, two.result), (*case.inputs, case.other.term), assumption)


def between_rules(case: Any) -> Claim:
    """The scale of floor is no more than even's, even's no more than ceil's, and ceil's at most one above floor's."""
    converted = Converted(case)
    low, high = (
        case.sibling(f"scale.{source_of(case.name)}.{each}").result(case.code)[0] for each in ("floor", "ceil")
    )
    claim = conjoin(
        at_most(low, converted.result), at_most(converted.result, high), at_most(high, arithmetic.add(low, 1))
    )
    return Claim(claim, case.inputs, converted.positive)


SOURCE = "rules/e8m0.yaml, mx_scale and scale_rules; OCP Microscaling Formats 1.0, 6.3"

KINDS = (
    Kind(
        "rule",
        "floor: the largest power of two <= x; ceil: the smallest >= x; even: the nearest one, a tie to the even exponent; "
        "rceil: the smallest >= x / largest, so that no element of the block overflows.",
        SOURCE,
        every,
        rule,
        ("linear_threshold_off", "exponent_floor_up", "linear_tie_odd", "wrong_element"),
    ),
    Kind(
        "special",
        "NaN and negative values give NaN and NV, infinity NaN and OF with NX, zero the least scale without flags.",
        SOURCE,
        every,
        special,
        ("mx_zero_invalid", "mx_infinity_largest"),
    ),
    Kind(
        "out_of_range",
        "A scale out of range is the end of the range, with OF or UF and NX.",
        SOURCE,
        reaches_edges,
        out_of_range,
        ("mx_underflow_overflows",),
    ),
    Kind("inexact", "A quotient that is no power of two raises NX.", SOURCE, every, inexact, ("mx_never_inexact",)),
    Kind("powers", "A power of two times the largest element is exact.", SOURCE, every, powers, ("scale_bias_off",)),
    Kind("monotone", "A greater magnitude has no smaller scale.", SOURCE, every, monotone, ("nearest_power_reversed",)),
    Kind(
        "between",
        "floor <= even <= ceil <= floor + 1.",
        SOURCE,
        lambda name: mode_of(name) == "even",
        between_rules,
        ("exponent_two_up",),
    ),
)
