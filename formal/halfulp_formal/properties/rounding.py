"""The rounding rules of the specification, claimed of the stage that rounds a product to an integer."""

from __future__ import annotations

from pysmt.fnode import FNode

from halfulp_formal.case import Case, FreeProduct, free_product, part
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import bounds, choose, conjoin, negate, truth_term

from .claim import Claim, Kind
from .numbers import (
    Number,
    Scaled,
    at_most,
    between,
    equal,
    has_fraction_bits,
    implies,
    in_last_places,
    is_whole,
    less,
    odd,
    shifted,
)

NEAREST = ("rne", "rna", "rhb")


def rounding_of(name: str) -> str | None:
    """Return the rounding mode in a conversion's name, None where it has none."""
    parts = name.split(".")
    return parts[1] if len(parts) == 3 else None


def rounds_to_integer(name: str) -> bool:
    """Tell whether a conversion rounds its product to an integer, with Sat 0; `as_nosat` carries it over to Sat 1."""
    return not name.endswith(".sat") and (
        name.split(".", maxsplit=1)[0].removeprefix("v") in ("req4", "req8", "deqs16", "qf322b8")
        or name == "noquant.s32"
    )


def mode_of(name: str) -> str:
    """Return the rounding mode that a conversion runs under; NoQuant and the like round to nearest even."""
    return rounding_of(name) or "rne"


def rounded_product(case: Case) -> tuple[FreeProduct, Number]:
    """Return a free product and what the model rounds it to."""
    free = free_product(case)
    rounded: Number = part(case.stages(free.record, 0), "rounded")
    return free, rounded


def whole(case: Case) -> Claim:
    """An integer stays what it is: one written without fraction bits, and one whose fraction bits are zero."""
    free, rounded = rounded_product(case)
    fraction = has_fraction_bits(free.number)
    scaled = in_last_places(free.number, rounded)
    claim = choose(fraction, equal(scaled.candidate, scaled.value), equal(rounded, shifted(free.number)))
    return Claim(claim, free.inputs, conjoin(free.possible, is_whole(free.number)), free.cubes)


def rounding(case: Case) -> Claim:
    """A value with fraction bits is rounded by its mode's rule, to an integer no further from zero than its significand."""
    free, rounded = rounded_product(case)
    most = bounds(free.number.significand)[1]
    rule = RULES[mode_of(case.name)](free, rounded, in_last_places(free.number, rounded))
    assumption = conjoin(free.possible, has_fraction_bits(free.number))
    return Claim(conjoin(between(-most, rounded, most), rule), free.inputs, assumption, free.cubes)


def nearest(_free: FreeProduct, _rounded: Number, scaled: Scaled) -> FNode:
    """No integer is nearer: the distance is at most half a unit."""
    distance = arithmetic.absolute(arithmetic.subtract(scaled.candidate, scaled.value))
    return at_most(arithmetic.shift_left(distance, 1), scaled.unit)


def floor_bound(_free: FreeProduct, _rounded: Number, scaled: Scaled) -> FNode:
    """Candidate <= value < candidate + 1."""
    return conjoin(
        at_most(scaled.candidate, scaled.value),
        less(scaled.value, arithmetic.add(scaled.candidate, scaled.unit)),
    )


def ceiling_bound(_free: FreeProduct, _rounded: Number, scaled: Scaled) -> FNode:
    """Candidate - 1 < value <= candidate."""
    return conjoin(
        at_most(scaled.value, scaled.candidate),
        less(arithmetic.subtract(scaled.candidate, scaled.unit), scaled.value),
    )


def toward_zero(free: FreeProduct, rounded: Number, scaled: Scaled) -> FNode:
    """The floor of a positive value, the ceiling of a negative one."""
    return choose(
        truth_term(free.number.negative), ceiling_bound(free, rounded, scaled), floor_bound(free, rounded, scaled)
    )


def round_to_odd(free: FreeProduct, rounded: Number, scaled: Scaled) -> FNode:
    """Less than a unit away, and odd unless exact."""
    distance = arithmetic.absolute(arithmetic.subtract(scaled.candidate, scaled.value))
    return conjoin(less(distance, scaled.unit), implies(negate(is_whole(free.number)), odd(rounded)))


RULES = {
    "rne": nearest,
    "rna": nearest,
    "rhb": nearest,
    "rtm": floor_bound,
    "rtp": ceiling_bound,
    "rtz": toward_zero,
    "rto": round_to_odd,
}


def tie(case: Case) -> Claim:
    """At a tie the neighbour is the even one, the one away from zero, or the greater one."""
    free, rounded = rounded_product(case)
    scaled = in_last_places(free.number, rounded)
    twice = arithmetic.shift_left(arithmetic.modulo(free.number.significand, scaled.unit), 1)
    is_tie = conjoin(has_fraction_bits(free.number), equal(twice, scaled.unit))
    greater = less(scaled.value, scaled.candidate)
    negative = truth_term(free.number.negative)
    rules = {
        "rne": negate(odd(rounded)),
        "rna": choose(negative, negate(greater), greater),
        "rhb": greater,
    }
    return Claim(rules[mode_of(case.name)], free.inputs, conjoin(free.possible, is_tie), free.cubes)


KINDS = (
    Kind(
        "whole",
        "round(value: exact real) -> integer: an exact integer is returned unchanged.",
        "asl/scalar/model/fsu/arithmetic.asl, FloatingToInteger",
        rounds_to_integer,
        whole,
        ("inexact_threshold",),
    ),
    Kind(
        "rounding",
        "RNE, RNA, RHB: nearest; RTM: floor; RTP: ceiling; RTZ: truncate; RTO: the odd one of floor and floor + 1.",
        "asl/scalar/model/fsu/arithmetic.asl, FloatingToInteger",
        rounds_to_integer,
        rounding,
        ("nearest_reversed", "floor_is_ceiling", "odd_is_even"),
    ),
    Kind(
        "tie",
        "A tie goes to even under RNE, away from zero under RNA, to the numerically greater under RHB.",
        "asl/scalar/model/fsu/arithmetic.asl, FloatingToInteger",
        lambda name: rounds_to_integer(name) and mode_of(name) in NEAREST,
        tie,
        ("tie_even_is_odd", "tie_rule_away", "rhb_half_away"),
    ),
)
