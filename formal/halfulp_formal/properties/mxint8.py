"""OCP MXINT8: the scale, elements rounded and clamped, and where the hardware conversion differs from the procedure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import Equals

from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import Int, choose, conjoin, disjoin, fit, negate, symbol

from .claim import Claim, Kind
from .numbers import Number, at_most, between, bit_field, equal, iff, implies, less, select
from .quantised import Member, Quantised, at_scale, large, largest_field, opposite, rule


def read(word: Int) -> Member:
    """Read an FP32 word; a subnormal counts, with the exponent of the smallest normal number."""
    exponent, fraction = bit_field(word, 30, 23), bit_field(word, 22, 0)
    subnormal = equal(exponent, 0)
    significand = select(subnormal, fraction, arithmetic.add(fraction, 1 << 23))
    negative = equal(bit_field(word, 31, 31), 1)
    return Member(negative, arithmetic.maximum(exponent, 1), fraction, significand)


class Scaled:
    """The members of a finite block, the code of their scale, `in.shared`, and what the model makes of them."""

    def __init__(self, case: Any) -> None:
        self.case = case
        self.members = [read(word) for word in case.members]
        self.shared = symbol("in.shared", 0, 255)
        self.block = case.convert(case.members)

    def claim(self, claim: FNode, assumption: FNode | None = None, steps: Iterable[FNode] = ()) -> Claim:
        """Claim something of every finite block under an assumption."""
        finite = conjoin(largest_field(self.case.members, self.shared), less(self.shared, 255))
        assumed = finite if assumption is None else conjoin(finite, assumption)
        found = Equals(self.shared.term, fit(self.block.exponent, 8))
        return Claim(claim, (*self.case.inputs, self.shared.term), assumed, steps=(found, *steps))

    def each(self, claim: Callable[[Member, Number], FNode]) -> Claim:
        """Claim something of every lane of every finite block."""
        lanes = [claim(*lane) for lane in zip(self.members, self.block.mantissas, strict=True)]
        return self.claim(conjoin(*lanes), steps=lanes)


def exponent(case: Any) -> Claim:
    """The code of the scale is the largest exponent field.

    With it the largest member is below 2^(e - 126) and, unless e is 0, not below 2^(e - 127): the scale is 2^floor(log2),
    and where all members are subnormal it stops at 2^-127.
    """
    block = Scaled(case)
    return block.claim(equal(block.block.exponent, block.shared))


def element(case: Any) -> Claim:
    """Every element is its member over the scale, rounded to nearest even at six fraction bits and clamped to ±127/64."""
    block = Scaled(case)

    def clamped(member: Member, mantissa: Number) -> FNode:
        scaled = at_scale(member, mantissa, block.shared)
        magnitude, place = arithmetic.absolute(scaled.value), arithmetic.multiply(253, scaled.unit)
        beyond = less(place, arithmetic.shift_left(magnitude, 1))
        signs = iff(member.negative, less(mantissa, 0))
        inside = conjoin(between(-126, mantissa, 126), rule("conv_even", member, mantissa, block.shared))
        return choose(beyond, conjoin(equal(arithmetic.absolute(mantissa), 127), signs), inside)

    return block.each(clamped)


def element_range(case: Any) -> Claim:
    """No element is beyond ±127/64."""
    return Scaled(case).each(lambda _member, mantissa: between(-127, mantissa, 127))


def leader(case: Any) -> Claim:
    """Every member of the largest exponent has an element of magnitude 1 or more, unless all are subnormal."""
    block = Scaled(case)

    def leads(member: Member, mantissa: Number) -> FNode:
        normal = at_most(1 << 23, member.significand)
        return implies(conjoin(normal, equal(member.exponent, block.shared)), large(mantissa))

    lanes = [leads(*lane) for lane in zip(block.members, block.block.mantissas, strict=True)]
    return block.claim(conjoin(*lanes), steps=lanes)


def mirrored(case: Any) -> Claim:
    """A block of opposite members gives the same scale and opposite elements."""
    block = Scaled(case)
    other = case.convert(tuple(opposite(word) for word in case.members))
    pairs = zip(block.block.mantissas, other.mantissas, strict=True)
    lanes = [equal(two, arithmetic.minus(one)) for one, two in pairs]
    found = Equals(block.shared.term, fit(other.exponent, 8))
    return block.claim(conjoin(equal(block.block.exponent, other.exponent), *lanes), steps=(found, *lanes))


def kept(word: Int, shared: Number) -> FNode:
    """State that a subnormal member is more than half a unit of the sixth fraction bit over the scale.

    Under e it has the exact mantissa fraction · 2^(-16 - e).
    """
    places = arithmetic.add(arithmetic.minimum(shared, 8), 15)
    beyond_half = less(arithmetic.shift_left(1, places), bit_field(word, 22, 0))
    return conjoin(equal(bit_field(word, 30, 23), 0), beyond_half)


def differ(case: Any) -> Claim:
    """The two blocks differ exactly where a magnitude rounds to 128 or a subnormal member has an element."""
    block, other = Quantised(case), case.convert(case.members, case.ocp)
    pairs = zip(block.members, case.members, strict=True)
    either = [disjoin(block.reaches(member), kept(word, block.shared)) for member, word in pairs]
    cases, lanes = [], []
    for each in block.cases[1:]:
        same = [equal(mine, theirs) for (_, mine, _), theirs in zip(each.lanes, other.mantissas, strict=True)]
        apart = negate(conjoin(equal(each.exponent, other.exponent), *same))
        cases.append(each.all([iff(apart, disjoin(*either))]))
        lanes.append([iff(negate(one), two) for one, two in zip(either, same, strict=True)])
    found = Equals(block.shared.term, fit(other.exponent, 8))
    return block.claim(conjoin(*cases), less(block.shared, 255), (found, *block.agree, *lanes[0]))


def clamped(case: Any) -> Claim:
    """A member that reaches 128 has ±64 under e + 1 by the hardware and ±127 under e by the procedure."""
    block, other = Quantised(case), case.convert(case.members, case.ocp)
    again = block.cases[2]
    lanes = []
    for (member, mantissa, _), theirs in zip(again.lanes, other.mantissas, strict=True):
        hardware = equal(mantissa, select(member.negative, -64, 64))
        procedure = equal(theirs, select(member.negative, -127, 127))
        lanes.append(implies(conjoin(again.guard, block.reaches(member)), conjoin(hardware, procedure)))
    exponents = conjoin(equal(again.exponent, arithmetic.add(block.shared, 1)), equal(other.exponent, block.shared))
    found = Equals(block.shared.term, fit(other.exponent, 8))
    steps = (found, *block.agree, *lanes)
    return block.claim(again.all((exponents, *lanes)), less(block.shared, 255), steps)


OCP = "OCP Microscaling Formats 1.0, 5.3.4 and 6.3; IEEE 754-2019, 4.3.1"
BOTH = (
    "virtio-accel pull request 161: at exact mantissa ±127.5 an up-rounding hardware conversion renormalizes while the "
)
BOTH += "OCP procedure saturates; OCP Microscaling Formats 1.0, 6.3"


def every(_name: str) -> bool:
    """Every conversion of the family has this obligation."""
    return True


KINDS = (
    Kind(
        "exponent",
        "The scale is the largest power of two that is at most the largest magnitude, clamped at 2^-127.",
        OCP,
        every,
        exponent,
        ("scale_stops_early",),
    ),
    Kind(
        "element",
        "Every element, of a subnormal member too, is the member over the scale rounded to nearest even at six fraction "
        "bits and clamped to ±127/64.",
        OCP,
        every,
        element,
        ("elements_flushed", "tie_even_is_odd"),
    ),
    Kind("range", "No element is beyond ±127/64.", OCP, every, element_range, ("clamps_to_minus_128",)),
    Kind(
        "leader",
        "A normal member of the largest exponent has an element of magnitude 1 or more.",
        OCP,
        every,
        leader,
        ("scale_doubled",),
    ),
    Kind("mirrored", "The procedure is sign-symmetric.", OCP, every, mirrored, ("clamps_to_minus_128",)),
)

COMPARISON = (
    Kind(
        "differ",
        "Under conv_even the hardware and OCP's procedure differ on finite blocks exactly where rounding reaches 128 or a "
        "subnormal member that OCP keeps is flushed.",
        BOTH,
        every,
        differ,
        ("block_saturates", "subnormals_kept", "elements_flushed", "conv_even_is_floor"),
    ),
    Kind(
        "clamped",
        "A member that reaches 128 has ±64 under e + 1 by the hardware and ±127 under e by the procedure.",
        BOTH,
        every,
        clamped,
        ("clamps_to_minus_128", "renormalised_by_two"),
    ),
)
