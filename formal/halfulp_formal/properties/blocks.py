"""Block conversions: what the characterisation of bfp16ebs8 on silicon says of every whole block.

Every claim is about all members of a block at once and about their largest exponent field, `in.shared`. Its steps are what
holds of one lane.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, TRUE, BVConcat, BVExtract, BVNot, Equals

from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import Int, choose, conjoin, disjoin, fit, negate, symbol
from halfulp_formal.obligation import Verdict
from halfulp_formal.specialise import specialise

from .claim import Claim, Kind
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


def characterised(case: Any) -> Claim:
    """The evidence leaves open a magnitude of 128 under the exponents 254 (where it renormalises) and 255."""
    block = Quantised(case)
    at_254 = conjoin(equal(block.shared, 254), block.renormalises)
    at_255 = conjoin(equal(block.shared, 255), disjoin(*(block.reaches(member) for member in block.members)))
    return block.claim(iff(block.block.characterised, negate(disjoin(at_254, at_255))), steps=block.agree)


def exponent(case: Any) -> Claim:
    """The largest exponent field, and one more where a mantissa would be 128; under 255 nothing moves."""
    block = Quantised(case)
    grown = conjoin(block.renormalises, less(block.shared, 255))
    moved = equal(block.block.exponent, select(grown, arithmetic.add(block.shared, 1), block.shared))
    return block.claim(conjoin(moved, iff(block.block.renormalised, grown)), steps=block.agree)


def mantissa_range(case: Any) -> Claim:
    """No mantissa exceeds 127, and none of a renormalised block 64; -128 is floor's alone."""
    block = Quantised(case)
    low = -128 if block.mode == "floor" else -127
    *first, again = block.cases
    small = again.each(lambda _member, mantissa, _exponent: between(-64, mantissa, 64))
    fits = [case.all(case.each(lambda _member, mantissa, _exponent: between(low, mantissa, 127))) for case in first]
    claim = implies(block.block.characterised, conjoin(*fits, again.all(small)))
    return block.claim(claim, steps=small)


def minimum(case: Any) -> Claim:
    """Floor emits -128 exactly for a negative leader beyond -127, and never renormalises."""
    block = Quantised(case)
    lanes = (iff(block.reaches(member), equal(mantissa, -128)) for member, mantissa in block.pairs)
    claim = conjoin(*lanes, negate(block.block.renormalised))
    return block.claim(claim, block.block.characterised, (negate(beyond) for beyond in block.passes.beyond))


def leader(case: Any) -> Claim:
    """Every leader has a mantissa of magnitude 64 or more; of a renormalised block those that reached 128 have."""
    block = Quantised(case)
    _, first, again = block.cases
    leads = first.each(lambda member, mantissa, _exponent: implies(block.leads(member), large(mantissa)))
    reaches = again.each(lambda member, mantissa, _exponent: implies(block.moves(member), large(mantissa)))
    claim = conjoin(first.all(leads), again.all((*reaches, block.renormalises)))
    return block.claim(claim, less(0, block.shared), (*block.agree, *leads, *reaches))


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


def rounding(case: Any) -> Claim:
    """Every mantissa is its member's exact one under the emitted exponent, rounded once by the mode's rule."""
    block = Quantised(case)
    cases = [(each, each.each(partial(rule, block.mode))) for each in block.cases]
    claim = conjoin(*(each.all(lanes) for each, lanes in cases))
    return block.claim(claim, steps=(lane for _, lanes in cases for lane in lanes))


def mirrored(case: Any) -> Claim:
    """A block of opposite members gives the same exponent and opposite mantissas."""
    block = Quantised(case)
    words = tuple(opposite(word) for word in case.members)
    other, passes = case.convert(words), case.passes(words)
    signs = (equal(two, arithmetic.minus(one)) for one, two in zip(block.block.mantissas, other.mantissas, strict=True))
    opposites = conjoin(equal(block.block.exponent, other.exponent), *signs)
    steps = (Equals(block.shared.term, fit(passes.shared, 8)),)
    return block.claim(implies(conjoin(block.block.characterised, other.characterised), opposites), steps=steps)


def opposite(word: Int) -> Int:
    """Return the FP32 word with the other sign."""
    return Int(BVConcat(BVNot(BVExtract(word.term, 31, 31)), BVExtract(word.term, 0, 30)), word.low, word.high)


def flushed(case: Any) -> Claim:
    """A subnormal member counts as zero."""
    block = Quantised(case)
    words = tuple(
        Int(choose(equal(member.exponent, 0), fit(0, 32), word.term), word.low, word.high)
        for member, word in zip(block.members, case.members, strict=True)
    )
    other, passes = case.convert(words), case.passes(words)
    mantissas = zip(block.block.mantissas, other.mantissas, strict=True)
    claim = conjoin(equal(block.block.exponent, other.exponent), *(equal(one, two) for one, two in mantissas))
    lanes = zip((*block.passes.first, *block.passes.second), (*passes.first, *passes.second), strict=True)
    steps = (Equals(block.shared.term, fit(passes.shared, 8)), *(equal(one, two) for one, two in lanes))
    return block.claim(claim, steps=steps)


def zero(case: Any) -> Claim:
    """A block of zeros and subnormals is the zero block."""
    block = Quantised(case)
    claim = conjoin(equal(block.block.exponent, 0), *(equal(mantissa, 0) for mantissa in block.block.mantissas))
    steps = (equal(mantissa, 0) for mantissa in block.passes.first)
    return block.claim(claim, equal(block.shared, 0), steps)


def special(case: Any) -> Claim:
    """Under the exponent 255 an infinity has the mantissa ±64 and a quiet NaN without payload ±96."""
    block = Quantised(case)
    lanes = []
    for member, mantissa in block.pairs:
        for fraction, magnitude in ((0, 64), (1 << 22, 96)):
            expected = select(member.negative, -magnitude, magnitude)
            code = conjoin(equal(member.exponent, 255), equal(member.fraction, fraction))
            lanes.append(implies(code, equal(mantissa, expected)))
    claim = conjoin(equal(block.block.exponent, 255), *lanes)
    return block.claim(claim, conjoin(block.block.characterised, equal(block.shared, 255)))


def infinity_encoding(case: Any) -> Claim:
    """A finite block gets an infinity's exponent exactly where 254 renormalises, and that is not characterised."""
    block = Quantised(case)
    at_254 = conjoin(equal(block.shared, 254), block.renormalises)
    infinite = conjoin(negate(block.block.characterised), disjoin(*(large(each) for each in block.block.mantissas)))
    claim = conjoin(iff(equal(block.block.exponent, 255), at_254), implies(at_254, infinite))
    return block.claim(claim, at_most(block.shared, 254), block.agree)


def largest(case: Any) -> Claim:
    """The member of the largest magnitude has a mantissa of magnitude 64 or more, renormalised or not."""
    block = Quantised(case)
    _, first, again = block.cases
    magnitudes = [bit_field(word, 30, 0) for word in case.members]
    greatest = [conjoin(*(at_most(other, each) for other in magnitudes)) for each in magnitudes]
    plain = first.each(lambda member, mantissa, _exponent: implies(block.leads(member), large(mantissa)))
    again_large = again.each(lambda _member, mantissa, _exponent: large(mantissa))
    leads = [implies(one, block.leads(member)) for one, member in zip(greatest, block.members, strict=True)]
    moved = [implies(conjoin(block.renormalises, one), each) for one, each in zip(greatest, again_large, strict=True)]
    claim = conjoin(first.all((*leads, *plain)), again.all(moved))
    given = conjoin(less(0, block.shared), less(block.shared, 255))
    return block.claim(claim, given, (*block.agree, *leads, *plain, *moved))


def readings(case: Any) -> Claim:
    """The bits of a block do not depend on whether every mode emits -128 or floor alone."""
    return under_both_readings(case, lambda one, two: (equal(one, two), FALSE()))


def readings_values(case: Any) -> Claim:
    """The values of a block do not depend on whether every mode emits -128 or floor alone."""
    return under_both_readings(case, lambda one, two: (equal(one, two), equal(arithmetic.shift_left(one, 1), two)))


def under_both_readings(case: Any, same: Callable[[Number, Number], tuple[FNode, FNode]]) -> Claim:
    """Claim that mantissas are the same in some sense: under one exponent, and where renormalising raised it by one."""
    block = Quantised(case)
    other, passes = case.convert(case.members, case.fits_int8), case.passes(case.members, case.fits_int8)
    raised = negate(equal(block.block.exponent, other.exponent))
    pairs = [same(one, two) for one, two in zip(block.block.mantissas, other.mantissas, strict=True)]
    claim = choose(raised, conjoin(*(moved for _, moved in pairs)), conjoin(*(kept for kept, _ in pairs)))
    settled = conjoin(block.block.characterised, other.characterised)
    steps = (iff(one, two) for one, two in zip(block.passes.beyond, passes.beyond, strict=True))
    return block.claim(implies(settled, claim), steps=steps)


def nan_reaches_128(case: Any) -> Claim:
    """Every block under the exponent 255 is characterised."""
    block = Quantised(case)
    return block.claim(block.block.characterised, equal(block.shared, 255))


def renormalised_to_255(case: Any) -> Claim:
    """Every finite block is characterised."""
    block = Quantised(case)
    return block.claim(block.block.characterised, less(block.shared, 255))


def nan_payload(case: Any) -> Claim:
    """A NaN has another mantissa than an infinity."""
    block = Quantised(case)
    lanes = []
    for member, mantissa in block.pairs:
        nan = conjoin(equal(member.exponent, 255), less(0, member.fraction))
        lanes.append(implies(nan, negate(disjoin(equal(mantissa, 64), equal(mantissa, -64)))))
    return block.claim(conjoin(*lanes), block.block.characterised)


def mode_of(name: str) -> str:
    """Return the rounding mode in a conversion's name."""
    return name.rpartition(".")[2]


def every(_name: str) -> bool:
    """Every mode has this obligation."""
    return True


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


SILICON = "virtio-accel pull request 161, probes P0 to P3"
NOT_CHARACTERISED = "virtio-accel pull request 161: outside the evidence"

KINDS = (
    Kind(
        "characterised",
        "The selection of the exponent is verified through e = 254; infinities and quiet NaNs pass. Left open are a "
        "renormalisation of 254 and a magnitude of 128 under 255.",
        SILICON,
        every,
        characterised,
        ("open_block_settled", "open_nan_settled"),
    ),
    Kind(
        "exponent",
        "The shared exponent is the largest exponent field; one more where a mantissa rounds to 128.",
        SILICON,
        every,
        exponent,
        ("block_saturates", "exponent_after_rounding"),
    ),
    Kind(
        "range",
        "A mantissa never exceeds 127 and is never -128, but for floor; renormalised ones are at most 64.",
        SILICON,
        every,
        mantissa_range,
        ("overflow_off_by_one", "minimum_always_emitted"),
    ),
    Kind(
        "minimum",
        "Floor rounding of a near-maximal negative member emits -128, and floor never renormalises.",
        SILICON,
        lambda name: mode_of(name) == "floor",
        minimum,
        ("minimum_never_emitted",),
    ),
    Kind(
        "leader",
        "The members of the largest exponent are normalised into |m| in [64, 127]; after a renormalisation those that "
        "reached 128 are.",
        SILICON,
        every,
        leader,
        ("renormalised_by_two",),
    ),
    Kind(
        "largest",
        "The largest member is normalised into |m| in [64, 127].",
        SILICON,
        lambda name: not is_ceil(name),
        largest,
        ("renormalised_by_two",),
    ),
    Kind(
        "largest_negative",
        "The largest member is normalised into |m| in [64, 127], under ceil too.",
        SILICON,
        is_ceil,
        largest,
        (),
        Verdict.REFUTED,
    ),
    Kind(
        "rounding",
        "Every mantissa is the exact one under the emitted exponent, rounded once by its crrnd mode: it neither saturates "
        "nor wraps.",
        f"{SILICON}; AIE-ML intrinsics guide, rounding modes",
        every,
        rounding,
        ("conv_even_is_floor", "rounded_mantissas_halved", "shifted_twice", "block_tie_reversed"),
    ),
    Kind(
        "mirrored",
        "Normalisation and rounding are sign-symmetric.",
        SILICON,
        is_symmetric,
        mirrored,
        ("sym_ceil_is_ceil", "sign_decides_exponent"),
    ),
    Kind(
        "mirrored_directed",
        "Normalisation and rounding are sign-symmetric in the modes that round to one side too.",
        SILICON,
        lambda name: not is_symmetric(name),
        mirrored,
        (),
        Verdict.REFUTED,
    ),
    Kind("flushed", "A subnormal member counts as zero.", SILICON, every, flushed, ("subnormals_kept",)),
    Kind(
        "zero",
        "A block of zeros and subnormals is the zero block, e = 0 and m = 0.",
        SILICON,
        every,
        zero,
        ("subnormals_kept", "zero_block_biased"),
    ),
    Kind(
        "special",
        "Infinities and quiet NaNs pass structurally: e = 255, m = ±64 and ±96.",
        SILICON,
        every,
        special,
        ("specials_flushed",),
    ),
    Kind(
        "infinity_encoding",
        "A finite block becomes an infinity's encoding exactly where a renormalisation moves e from 254 to 255.",
        NOT_CHARACTERISED,
        every,
        infinity_encoding,
        ("stops_at_254",),
    ),
    Kind(
        "readings",
        "Whether a negative mantissa that rounds to -128 is emitted or renormalised makes no difference.",
        SILICON,
        lambda name: not leaves_minimum_open(name),
        readings,
        ("ceil_is_sym_ceil",),
    ),
    Kind(
        "minimum_mantissa",
        "Whether a negative mantissa that rounds to -128 is emitted or renormalised makes no difference.",
        NOT_CHARACTERISED,
        leaves_minimum_open,
        readings,
        (),
        Verdict.REFUTED,
    ),
    Kind(
        "minimum_mantissa_values",
        "Whether a negative mantissa that rounds to -128 is emitted or renormalised makes no difference to any value.",
        NOT_CHARACTERISED,
        leaves_minimum_open,
        readings_values,
        (),
        Verdict.REFUTED,
    ),
    Kind(
        "nan_reaches_128",
        "Every block with infinities or NaNs is characterised.",
        NOT_CHARACTERISED,
        lambda name: mode_of(name) != "sym_floor",
        nan_reaches_128,
        (),
        Verdict.REFUTED,
    ),
    Kind(
        "renormalised_to_255",
        "Every block of finite numbers is characterised.",
        NOT_CHARACTERISED,
        renormalises,
        renormalised_to_255,
        (),
        Verdict.REFUTED,
    ),
    Kind(
        "nan_payload",
        "A NaN has another mantissa than an infinity.",
        NOT_CHARACTERISED,
        lambda name: mode_of(name) != "sym_ceil",
        nan_payload,
        (),
        Verdict.REFUTED,
    ),
    Kind(
        "nan_payload_counts",
        "A NaN has another mantissa than an infinity, where every payload counts.",
        NOT_CHARACTERISED,
        lambda name: mode_of(name) == "sym_ceil",
        nan_payload,
        ("sym_ceil_is_ceil",),
    ),
)
