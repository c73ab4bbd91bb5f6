"""The fold: block sums accumulated in FP32, what its order changes, and the envelope in which it changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import Equals

from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import Int, conjoin, fit, negate, symbol
from halfulp_formal.obligation import Verdict

from .claim import Claim, Kind
from .matmul import HIGHEST, LARGEST_SUM, LOWEST, SCALE, SILICON, SMALLEST, FreeRow, FreeSum, every
from .numbers import Number, between, clamped, equal, iff, implies, less

#: the largest magnitude up to which FP32 holds every integer, and the largest one before the last block of K = 1024
INTEGERS = 1 << 24
BEFORE_LAST = 127 * LARGEST_SUM


class Integers:
    """An accumulator and a block's sum that are integers, in.so_far and in.sum, at the scale of one sum of exponents.

    Together they are at most 2^24 in magnitude.
    """

    def __init__(self, case: Any) -> None:
        free, so_far = FreeSum(), symbol("in.so_far", -(1 << 25), (1 << 25) - 1)
        # under larger exponents 2^24 is out of range
        highest = HIGHEST - 7
        self.given = conjoin(
            free.possible,
            between(-BEFORE_LAST, so_far, BEFORE_LAST),
            between(LOWEST, free.exponents, highest),
            *(negate(equal(number, 0)) for number in (so_far, free.total)),
        )
        self.inputs = (so_far.term, *free.inputs)
        exponents = arithmetic.narrow(free.exponents, LOWEST, highest)
        self.scale = arithmetic.subtract(exponents, SCALE)
        self.so_far = arithmetic.narrow(so_far, -BEFORE_LAST, BEFORE_LAST)
        self.block = arithmetic.narrow(free.total, -LARGEST_SUM, LARGEST_SUM)
        self.total = arithmetic.add(self.so_far, self.block)
        numbers = (self.so_far, self.block, self.total)
        self.accumulator, self.addend, self.expected = (case.scaled(each, exponents) for each in numbers)


def read_exponent(number: Number, scale: Number) -> Number:
    """Return the exponent of FP32's last place at the magnitude of a nonzero integer of up to 24 bits times 2^scale."""
    room = arithmetic.subtract(24, arithmetic.bit_length(arithmetic.absolute(number)))
    return arithmetic.maximum(arithmetic.subtract(scale, room), SMALLEST)


def step(case: Any) -> Claim:
    """A block's sum is added exactly to an accumulator that is an integer of bounded magnitude at its scale.

    That neither is zero loses nothing: zeros are the adder's own claims, `fp32_add.rne.neutral` and `.cancelled`.
    """
    integers = Integers(case)
    aligned = case.aligned(integers.accumulator, integers.addend)
    pairs = ((aligned.left, integers.so_far), (aligned.right, integers.block))
    exponents = [read_exponent(number, integers.scale) for _, number in pairs]
    steps = []
    for (read, number), exponent in zip(pairs, exponents, strict=True):
        significand = arithmetic.shift_left(arithmetic.absolute(number), places_to(exponent, integers.scale))
        steps += [same_term(exponent, read.exponent), same_term(significand, read.significand)]
    least = arithmetic.minimum(*exponents)
    places = places_to(least, integers.scale)
    one, two = (arithmetic.absolute(number) for _, number in pairs)
    total = arithmetic.absolute(integers.total)
    steps += [
        same_term(least, aligned.total.exponent),
        *(
            same_term(arithmetic.shift_left(mine, places), theirs)
            for mine, theirs in ((one, aligned.one), (two, aligned.two))
        ),
        same_term(arithmetic.shift_left(arithmetic.add(one, two), places), arithmetic.add(aligned.one, aligned.two)),
        same_term(
            arithmetic.shift_left(arithmetic.subtract(one, two), places), arithmetic.subtract(aligned.one, aligned.two)
        ),
        same_term(arithmetic.shift_left(total, places), aligned.total.significand),
    ]
    added = case.add(integers.accumulator, integers.addend)
    claim = conjoin(integers.expected.characterised, Equals(added.code, integers.expected.code))
    return Claim(claim, integers.inputs, integers.given, steps=(*steps, integers.expected.characterised))


def places_to(exponent: Number, scale: Number) -> Number:
    """Return how many places an integer at a scale is shifted to stand under an exponent."""
    return clamped(arithmetic.subtract(scale, exponent), 0, 23)


def same_term(expected: Number, found: Number) -> FNode:
    """State that a number is what the model has, in as many bits as the model has."""
    return Equals(fit(expected, found.width), found.term) if isinstance(found, Int) else equal(expected, found)


def beyond(case: Any) -> Claim:
    """After K = 1024 blocks of -128 times -128 the accumulator is 2^24; one block more is added exactly too."""
    total = symbol("in.sum", -(1 << 18), (1 << 18) - 1)
    block = arithmetic.narrow(total, -LARGEST_SUM, LARGEST_SUM)
    expected = case.scaled(arithmetic.add(INTEGERS, block), SCALE)
    added = case.add(case.scaled(INTEGERS, SCALE), case.scaled(block, SCALE))
    claim = conjoin(expected.characterised, Equals(added.code, expected.code))
    return Claim(claim, (total.term,), between(-LARGEST_SUM, total, LARGEST_SUM))


#: a block whose product with any other is that one's first member: m = 1 under e = 133 stands for 1
ONE = FreeRow((1, *[0] * 7), 133)

#: how far the second of three blocks may be above the others, in binades
DISTANCES = range(32)


def power(exponent: Number) -> FreeRow:
    """Return a block whose first member is 2^exponent and whose others are zero."""
    return FreeRow(ONE.mantissas, arithmetic.add(exponent, ONE.exponent))


def fold(case: Any, blocks: Sequence[FreeRow]) -> FNode:
    """Return the code of a fold of some blocks times 1 from +0."""
    code: FNode = case.fold(case.lane(0), blocks, [ONE] * len(blocks)).code
    return code


def by_steps(case: Any, blocks: Sequence[FreeRow]) -> FNode:
    """Return the code after adding some blocks times 1 one after the other to +0."""
    lane = case.lane(0)
    for block in blocks:
        lane = case.accumulate(lane, block, ONE)
    code: FNode = lane.code
    return code


def by_distance(claim: Callable[[tuple[FreeRow, FreeRow]], FNode]) -> tuple[FNode, Int]:
    """Claim something of 1 and 2^d for every distance d, and return the symbol of d, in.distance."""
    distance = symbol("in.distance", DISTANCES.start, DISTANCES.stop - 1)
    cases = (implies(equal(distance, d), claim((power(0), power(d)))) for d in DISTANCES)
    return conjoin(*cases), distance


def ascending(case: Any) -> Claim:
    """A fold of three blocks, of any exponents, is three steps: the first block, then the second, then the third."""
    exponents = [symbol(f"in.e{index}", 0, 255) for index in range(3)]
    blocks = [FreeRow(ONE.mantissas, exponent) for exponent in exponents]
    small, distance = by_distance(
        lambda pair: Equals(fold(case, (pair[1], pair[0], pair[0])), by_steps(case, (pair[1], pair[0], pair[0])))
    )
    inputs = (*(exponent.term for exponent in exponents), distance.term)
    finite = conjoin(*(less(exponent, 255) for exponent in exponents))
    return Claim(conjoin(small, Equals(fold(case, blocks), by_steps(case, blocks))), inputs, finite)


def once(case: Any, blocks: Sequence[FreeRow]) -> FNode:
    """Return the code of the exact sum of some blocks times 1."""
    code: FNode = case.rounded_once(blocks, [ONE] * len(blocks)).code
    return code


def rounded_once(case: Any) -> Claim:
    """A fold of 1, 2^d and 1 is the exact sum, rounded once."""
    claim, distance = by_distance(
        lambda pair: Equals(fold(case, (pair[0], pair[1], pair[0])), once(case, (pair[0], pair[1], pair[0])))
    )
    return Claim(claim, (distance.term,))


def rounded_once_exactly(case: Any) -> Claim:
    """A fold of 1, 2^d and 1 is not the exact sum, rounded once, for d = 24 alone."""
    distance = symbol("in.distance", DISTANCES.start, DISTANCES.stop - 1)
    return Claim(iff(negate(rounded_once(case).claim), equal(distance, 24)), (distance.term,))


def descending(case: Any) -> Claim:
    """A fold of 2^d, 1 and 1 is that of 1, 1 and 2^d."""
    claim, distance = by_distance(
        lambda pair: Equals(fold(case, (pair[1], pair[0], pair[0])), fold(case, (pair[0], pair[0], pair[1])))
    )
    return Claim(claim, (distance.term,))


KINDS = (
    Kind(
        "step",
        "Integer-exact accumulation: an accumulator n 2^(s-266) and a block p 2^(s-266), |n| <= 127 2^17 and |p| <= 2^17, "
        "neither zero, 117 <= s <= 369, give exactly (n + p) 2^(s-266). By induction over blocks K <= 1024 is exact under "
        "equal exponents.",
        SILICON,
        every,
        step,
        ("addend_sign_lost", "sum_of_magnitudes"),
    ),
    Kind(
        "envelope_exceeded",
        "Integer-exact accumulation holds for K = 1032 too.",
        SILICON,
        every,
        beyond,
        (),
        Verdict.REFUTED,
    ),
    Kind(
        "ascending",
        "The numerical contract is an FP32 fold in ascending-k order, one addition a block.",
        "virtio-accel pull request 161, fold-order oracle of the K = 512 kernel",
        every,
        ascending,
        ("fold_descending",),
    ),
    Kind(
        "single_rounded",
        "The fold is the exact sum rounded once, for K = 24 and 1 + 2^d + 1 too.",
        SILICON,
        every,
        rounded_once,
        (),
        Verdict.REFUTED,
    ),
    Kind(
        "single_rounded_exactly",
        "Of 1 + 2^d + 1, d < 32, the fold differs from the exact sum rounded once for d = 24 alone.",
        SILICON,
        every,
        rounded_once_exactly,
        ("tie_even_is_odd",),
    ),
    Kind(
        "order",
        "The order of the blocks makes no difference to a fold, for K = 24 and 2^d + 1 + 1 too.",
        SILICON,
        every,
        descending,
        (),
        Verdict.REFUTED,
    ),
)
