"""A finding on TCVT to E8M0, and the differences between the ways in which a power-of-two scale is chosen.

A difference is put as a finding is: "one choice is the other", expected to be refuted, and the exact condition.
"""

from __future__ import annotations

from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE

from halfulp_formal.findings import Finding, Reading
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import conjoin, disjoin, negate
from halfulp_formal.properties import mx_scales
from halfulp_formal.properties.claim import Kind
from halfulp_formal.properties.floating import Value, below, same
from halfulp_formal.properties.integer import INEXACT
from halfulp_formal.properties.mx_scales import LARGEST_ELEMENTS, divisor, times
from halfulp_formal.properties.numbers import equal, implies, odd, select
from halfulp_formal.properties.scales import (
    NEAREST,
    Converted,
    above,
    chosen,
    mode_of,
    power,
    reaches_edges,
    source_of,
    squared,
    too_large,
    too_small,
)


def rounds_into_range(mode: str, value: Value) -> tuple[FNode, FNode]:
    """State that the exponent of a value above 2^127 rounds to 127, and that of one below 2^-127 to -127."""
    large, small = too_large(value), conjoin(too_small(value), above(value, power(-128)))
    if mode in NEAREST:
        square = squared(value)
        return conjoin(large, below(square, power(255))), conjoin(small, above(square, power(-255)))
    # 127 and -127 are odd; toward zero is down from above and up from below
    return (FALSE() if mode == "rtp" else large), (FALSE() if mode == "rtm" else small)


def range_before_rounding(case: Any) -> Reading:
    """A positive value whose rounded exponent is an end of the range has that code, with NX unless it is exact."""
    converted = Converted(case)
    value, mode = converted.value, mode_of(case.name)
    sentence = conjoin(*(implies(chosen(mode, value, end), has_code(converted, end)) for end in (-127, 127)))
    return Reading(converted.positive, sentence, disjoin(*rounds_into_range(mode, value)), case.inputs)


def has_code(converted: Converted, exponent: int) -> FNode:
    """State that the result is 2^exponent, with NX unless the value is that."""
    raised = select(same(converted.value, power(exponent)), 0, INEXACT)
    return conjoin(equal(converted.result, exponent + 127), equal(converted.flags, raised))


FINDINGS = (
    Finding(
        "range_before_rounding",
        "TCVT to E8M0 decides the range before it rounds",
        "Positive finite values MUST round their base-two exponent under the selected RMode: an exponent that rounds to -127 "
        "or 127 is in range.",
        "PTO-TCVT-E8M0-PROFILE-001",
        "ReferenceFloatToE8M0 looks at floor(log2 x) and at whether x is a power of two before ReferenceE8M0RoundExponent is "
        "asked",
        "the value is above 2^127 and its exponent rounds to 127, or below 2^-127 and its exponent rounds to -127",
        reaches_edges,
        range_before_rounding,
        "scale_range_after",
    ),
)


def same_code(first: Converted, second: Converted) -> FNode:
    """State that two conversions give the same code."""
    return equal(first.result, second.result)


def pair(case: Any, other: str) -> tuple[Converted, Converted]:
    """Return a conversion and another one on the same code."""
    return Converted(case), Converted(case.sibling(other))


def half(value: Value, lower: Any) -> tuple[FNode, FNode]:
    """State that a value is above, or at, 1.5 · 2^lower."""
    middle = Value(3, arithmetic.subtract(lower, 1))
    return above(value, middle), same(value, middle)


def floor_exponent(case: Any) -> Any:
    """Return the exponent of the greatest power of two that is not above the value, by the floor rule."""
    return Converted(case.sibling(f"scale.{source_of(case.name)}.floor")).exponent


def in_every_range(name: str, converted: Converted) -> FNode:
    """State that a value is positive and that no rule but rceil leaves the range for it."""
    source = source_of(name)
    rules = [f"scale.{source}.{rule}" for rule in ("floor", "ceil", "even")]
    return conjoin(*(mx_scales.in_range(rule, converted) for rule in rules))


def floor_is_ceil(case: Any) -> Reading:
    """The rules floor and ceil choose the same scale."""
    floor, ceil = pair(case, f"scale.{source_of(case.name)}.ceil")
    fails = negate(same(floor.value, power(floor_exponent(case))))
    return Reading(in_every_range(case.name, floor), same_code(floor, ceil), fails, case.inputs)


def floor_is_even(case: Any) -> Reading:
    """The rules floor and even choose the same scale."""
    floor, even = pair(case, f"scale.{source_of(case.name)}.even")
    lower = floor_exponent(case)
    beyond, tie = half(floor.value, lower)
    fails = disjoin(beyond, conjoin(tie, odd(lower)))
    return Reading(in_every_range(case.name, floor), same_code(floor, even), fails, case.inputs)


def ceil_is_even(case: Any) -> Reading:
    """The rules ceil and even choose the same scale."""
    ceil, even = pair(case, f"scale.{source_of(case.name)}.even")
    lower = floor_exponent(case)
    beyond, tie = half(ceil.value, lower)
    stays = disjoin(negate(disjoin(beyond, tie)), conjoin(tie, negate(odd(lower))))
    fails = conjoin(stays, negate(same(ceil.value, power(lower))))
    return Reading(in_every_range(case.name, ceil), same_code(ceil, even), fails, case.inputs)


def even_is_tcvt(case: Any) -> Reading:
    """The rule even and TCVT under RNE choose the same scale: they differ in what lies between 2^0.5 and 1.5."""
    even, tcvt = pair(case, f"e8m0.{source_of(case.name)}.rne.nosat")
    lower = floor_exponent(case)
    beyond, tie = half(even.value, lower)
    past_root = above(squared(even.value), power(arithmetic.add(arithmetic.shift_left(lower, 1), 1)))
    fails = conjoin(past_root, negate(beyond), negate(conjoin(tie, odd(lower))))
    return Reading(in_every_range(case.name, even), same_code(even, tcvt), fails, case.inputs)


def directed_is_tcvt(case: Any) -> Reading:
    """The rule floor is TCVT under RTM, and ceil TCVT under RTP, in code and flags for every input."""
    mode = {"floor": "rtm", "ceil": "rtp"}[mode_of(case.name)]
    mine, tcvt = pair(case, f"e8m0.{source_of(case.name)}.{mode}.nosat")
    below_range = too_small(mine.value)
    zero = conjoin(mine.reading.zero, negate(mine.reading.nan))
    outside = conjoin(mine.positive, disjoin(below_range, too_large(mine.value)))
    sentence = conjoin(same_code(mine, tcvt), equal(mine.flags, tcvt.flags))
    return Reading(negate(mine.reading.nan), sentence, disjoin(zero, outside), case.inputs)


def rceil_is_ocp(case: Any) -> Reading:
    """The rule rceil is floor(log2 x) less the exponent of the element's largest binade."""
    mine = Converted(case)
    lower = floor_exponent(case)
    exponent = LARGEST_ELEMENTS[case.name.split(".")[3]][1]
    expected = arithmetic.subtract(arithmetic.add(lower, 127), exponent)
    assumption = conjoin(mine.positive, negate(below(mine.value, power(exponent - 127))))
    fails = above(mine.value, times(divisor(case.name), arithmetic.subtract(lower, exponent)))
    return Reading(assumption, equal(mine.result, expected), fails, case.inputs)


def has_rule(*rules: str) -> Any:
    """Return the test whether a conversion has one of some rules."""
    return lambda name: mode_of(name) in rules


OURS = "rules/e8m0.yaml, scale_rules"

DIFFERENCES = (
    Finding(
        "is_ceil",
        "floor and ceil",
        "floor and ceil choose the same scale.",
        OURS,
        "ceil takes the next power of two",
        "the value is not a power of two",
        has_rule("floor"),
        floor_is_ceil,
        "floor_takes_ceiling",
    ),
    Finding(
        "is_even",
        "floor and even",
        "floor and even choose the same scale.",
        OURS,
        "even takes the next power of two from the midpoint on",
        "the value is above 1.5 times the power of two below it, or at it under an odd exponent",
        has_rule("floor"),
        floor_is_even,
        "even_takes_floor",
    ),
    Finding(
        "is_even",
        "ceil and even",
        "ceil and even choose the same scale.",
        OURS,
        "even takes the power of two below up to the midpoint",
        "the value is no power of two and below 1.5 times the power of two below it, or at it under an even exponent",
        has_rule("ceil"),
        ceil_is_even,
        "even_takes_ceiling",
    ),
    Finding(
        "is_tcvt_nearest",
        "even and TCVT under RNE",
        "even and TCVT under RNE choose the same scale.",
        OURS,
        "TCVT rounds log2, whose midpoint is 2^0.5, and even the value, whose midpoint is 1.5",
        "the value is above 2^0.5 times the power of two below it, and below 1.5 times, or at that under an even exponent",
        has_rule("even"),
        even_is_tcvt,
        "linear_compares_squares",
    ),
    Finding(
        "is_tcvt_directed",
        "floor and TCVT under RTM, ceil and TCVT under RTP",
        "floor is TCVT under RTM and ceil is TCVT under RTP, Sat 0, in code and flags.",
        OURS,
        "TCVT gives ff for a zero, with NV, and for any value out of range",
        "the value is a zero, above 2^127 or below 2^-127",
        has_rule("floor", "ceil"),
        directed_is_tcvt,
        "mx_zero_invalid",
    ),
    Finding(
        "is_ocp",
        "rceil and the scale of OCP",
        "rceil is the largest power of two <= x, divided by the largest power of two that an element can be.",
        "OCP Microscaling Formats 1.0, 6.3",
        "rceil takes twice that scale where an element would overflow",
        "the value divided by that scale is above the element's largest number",
        has_rule("rceil"),
        rceil_is_ocp,
        "rceil_takes_floor",
    ),
)

KINDS: tuple[Kind, ...] = tuple(kind for finding in FINDINGS for kind in finding.kinds())
DIFFERENCE_KINDS: tuple[Kind, ...] = tuple(kind for difference in DIFFERENCES for kind in difference.kinds())
