"""A block of FP32 members as the hardware sees it, what the model makes of it, and the rounding modes' rules lane by lane."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, TRUE, BVConcat, BVExtract, BVNot, Equals

from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import Int, choose, conjoin, disjoin, fit, negate, symbol
from halfulp_formal.specialise import specialise

from .claim import Claim
from .numbers import Number, at_most, between, bit_field, equal, iff, implies, less, odd, select

#: fraction bits of an FP32 significand below the sixth, the last one of a mantissa
DROPPED = 17


#: the smallest significand of more than 127 mantissa units, and the one of 127.5 units
ABOVE_127, HALFWAY = (127 << DROPPED) + 1, 255 << (DROPPED - 1)


#: this many places down a member is below a quarter of a unit, and every mode treats it like any smaller one
FAR = 10


#: the smallest significand whose magnitude a mode rounds to 128, of a positive and of a negative leader
REACHES: dict[str, tuple[int | None, int | None]] = {
    "floor": (None, ABOVE_127),
    "ceil": (ABOVE_127, None),
    "sym_floor": (None, None),
    "sym_ceil": (ABOVE_127, ABOVE_127),
    "neg_inf": (HALFWAY + 1, HALFWAY),
    "pos_inf": (HALFWAY, HALFWAY + 1),
    "sym_zero": (HALFWAY + 1, HALFWAY + 1),
    "sym_inf": (HALFWAY, HALFWAY),
    "conv_even": (HALFWAY, HALFWAY),
    "conv_odd": (HALFWAY + 1, HALFWAY + 1),
}
SYMMETRIC = ("sym_floor", "sym_ceil", "sym_zero", "sym_inf", "conv_even", "conv_odd")


class Member(NamedTuple):
    """An FP32 member as its fields stand; the significand has the hidden bit, or is zero where the exponent is."""

    negative: FNode
    exponent: Number
    fraction: Number
    significand: Number


def read(word: Int) -> Member:
    """Read an FP32 word. A subnormal has the significand 0: the hardware flushes it."""
    exponent, fraction = bit_field(word, 30, 23), bit_field(word, 22, 0)
    significand = select(equal(exponent, 0), 0, arithmetic.add(fraction, 1 << 23))
    return Member(equal(bit_field(word, 31, 31), 1), exponent, fraction, significand)


def opposite(word: Int) -> Int:
    """Return the FP32 word with the other sign."""
    return Int(BVConcat(BVNot(BVExtract(word.term, 31, 31)), BVExtract(word.term, 0, 30)), word.low, word.high)


def largest_field(words: Iterable[Int], shared: Number) -> FNode:
    """State that a number is the largest exponent field of some FP32 words."""
    fields = [bit_field(word, 30, 23) for word in words]
    return conjoin(*(at_most(field, shared) for field in fields), disjoin(*(equal(field, shared) for field in fields)))


class Quantised:
    """The members of a block, their largest exponent field, and what the model makes of them."""

    def __init__(self, case: Any) -> None:
        self.case = case
        self.mode: str = case.rounding
        self.members = [read(word) for word in case.members]
        self.shared = symbol("in.shared", 0, 255)
        self.block = case.convert(case.members)
        self.passes = case.passes(case.members)

    def claim(self, claim: FNode, assumption: FNode | None = None, steps: Iterable[FNode] = ()) -> Claim:
        """Claim something of every block under an assumption."""
        assumed = conjoin(largest_field(self.case.members, self.shared), TRUE() if assumption is None else assumption)
        found = Equals(self.shared.term, fit(self.passes.shared, 8))
        return Claim(claim, (*self.case.inputs, self.shared.term), assumed, steps=(found, *steps))

    def leads(self, member: Member) -> FNode:
        """State that a member has the largest exponent field, and is not flushed."""
        return conjoin(equal(member.exponent, self.shared), less(0, self.shared))

    def reaches(self, member: Member) -> FNode:
        """State that a member's magnitude rounds to 128 under the largest exponent field."""
        limits = REACHES[self.mode]
        positive, negative = (FALSE() if least is None else at_most(least, member.significand) for least in limits)
        return conjoin(self.leads(member), choose(member.negative, negative, positive))

    def moves(self, member: Member) -> FNode:
        """State that a member's mantissa must not be emitted: ±128, but for the -128 of floor."""
        return FALSE() if self.mode == "floor" else self.reaches(member)

    @property
    def renormalises(self) -> FNode:
        """State that a mantissa of the block must not be emitted."""
        return disjoin(*(self.moves(member) for member in self.members))

    @property
    def agree(self) -> list[FNode]:
        """State lane by lane that the model finds what must not be emitted."""
        return [iff(self.moves(one), two) for one, two in zip(self.members, self.passes.beyond, strict=True)]

    @property
    def pairs(self) -> list[tuple[Member, Number]]:
        """The members with their emitted mantissas."""
        return list(zip(self.members, self.block.mantissas, strict=True))

    @property
    def cases(self) -> tuple[Emitted, ...]:
        """What is emitted under the exponent 255, without renormalisation, and with it."""
        at_255, beyond = equal(self.passes.shared, 255), disjoin(*self.passes.beyond)
        conditions = (at_255, conjoin(negate(at_255), negate(beyond)), conjoin(negate(at_255), beyond))
        guards = (TRUE(), TRUE(), less(self.shared, 255))
        return tuple(self.emitted(condition, guard) for condition, guard in zip(conditions, guards, strict=True))

    def emitted(self, condition: FNode, guard: FNode) -> Emitted:
        """Return what is emitted where a condition holds."""
        exponent = where(condition, self.block.exponent)
        lanes = [(member, where(condition, each), exponent) for member, each in self.pairs]
        return Emitted(condition, guard, exponent, lanes)


class Emitted(NamedTuple):
    """The members with their mantissas and their exponent, as they are where a condition holds.

    guard: what follows from the condition and is enough for a claim about one lane.
    """

    condition: FNode
    guard: FNode
    exponent: Number
    lanes: list[tuple[Member, Number, Number]]

    def each(self, claim: Callable[[Member, Number, Number], FNode]) -> list[FNode]:
        """State a claim of every lane."""
        return [implies(self.guard, claim(*lane)) for lane in self.lanes]

    def all(self, claims: Iterable[FNode]) -> FNode:
        """State claims where the condition holds."""
        return implies(self.condition, conjoin(*claims))


def where(condition: FNode, value: Number) -> Number:
    """Return a number that is the given one where a condition holds, simplified by it."""
    return value if isinstance(value, int) else Int(specialise(value.term, condition), value.low, value.high)


def large(mantissa: Number) -> FNode:
    """State that a mantissa has its top digit set."""
    return negate(between(-63, mantissa, 63))


class Scaled(NamedTuple):
    """A member and its mantissa counted in one place: the value, the mantissa, and the mantissa's last place."""

    value: Number
    candidate: Number
    unit: Number


def at_scale(member: Member, mantissa: Number, exponent: Number) -> Scaled:
    """Bring a member and its mantissa under a shared exponent to a common scale, no farther than `FAR` places."""
    distance = arithmetic.subtract(exponent, member.exponent)
    places = arithmetic.add(arithmetic.maximum(arithmetic.minimum(distance, FAR), -1), DROPPED)
    value = select(member.negative, arithmetic.minus(member.significand), member.significand)
    return Scaled(value, arithmetic.shift_left(mantissa, places), arithmetic.shift_left(1, places))


def floor_bound(scaled: Scaled) -> FNode:
    """Candidate <= value < candidate + 1."""
    following = arithmetic.add(scaled.candidate, scaled.unit)
    return conjoin(at_most(scaled.candidate, scaled.value), less(scaled.value, following))


def ceiling_bound(scaled: Scaled) -> FNode:
    """Candidate - 1 < value <= candidate."""
    previous = arithmetic.subtract(scaled.candidate, scaled.unit)
    return conjoin(less(previous, scaled.value), at_most(scaled.value, scaled.candidate))


def nearest(scaled: Scaled, tie: FNode) -> FNode:
    """The candidate is at most half a unit away, and exactly half a unit only where the tie goes there."""
    value, candidate = (arithmetic.shift_left(number, 1) for number in (scaled.value, scaled.candidate))
    low, high = arithmetic.subtract(candidate, scaled.unit), arithmetic.add(candidate, scaled.unit)
    return conjoin(between(low, value, high), implies(disjoin(equal(low, value), equal(value, high)), tie))


def rule(mode: str, member: Member, mantissa: Number, exponent: Number) -> FNode:
    """State that a mantissa is what a rounding mode makes of a member under a shared exponent."""
    scaled = at_scale(member, mantissa, exponent)
    floor, ceiling = floor_bound(scaled), ceiling_bound(scaled)
    above = less(scaled.value, scaled.candidate)
    away = choose(member.negative, negate(above), above)
    return {
        "floor": floor,
        "ceil": ceiling,
        "sym_floor": choose(member.negative, ceiling, floor),
        "sym_ceil": choose(member.negative, floor, ceiling),
        "neg_inf": nearest(scaled, negate(above)),
        "pos_inf": nearest(scaled, above),
        "sym_zero": nearest(scaled, negate(away)),
        "sym_inf": nearest(scaled, away),
        "conv_even": nearest(scaled, negate(odd(mantissa))),
        "conv_odd": nearest(scaled, odd(mantissa)),
    }[mode]


def mode_of(name: str) -> str:
    """Return the rounding mode in a conversion's name."""
    return name.rpartition(".")[2]


def is_symmetric(name: str) -> bool:
    """Tell whether a mode treats both signs alike."""
    return mode_of(name) in SYMMETRIC


def is_ceil(name: str) -> bool:
    """Tell whether the mode is ceil."""
    return mode_of(name) == "ceil"


def renormalises(name: str) -> bool:
    """Tell whether a mode renormalises any block at all."""
    return mode_of(name) != "floor" and any(REACHES[mode_of(name)])


def leaves_minimum_open(name: str) -> bool:
    """Tell whether a mode rounds a negative member to -128 and is not floor."""
    return mode_of(name) != "floor" and REACHES[mode_of(name)][1] is not None
