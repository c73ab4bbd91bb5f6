"""The matrix multiply: what the characterisation on silicon says of a block product.

Where a claim is about every sum of products, the sum is one free number, in.sum, of at most 2^17 in magnitude; that block
sums are such numbers is a claim of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pysmt.fnode import FNode
from pysmt.shortcuts import BVMul, Equals

from halfulp_formal.abstraction import substitute
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import Int, bounds, conjoin, disjoin, fit, negate, symbol
from halfulp_formal.obligation import Verdict
from halfulp_formal.widening import widened_sums

from .claim import Claim, Kind
from .numbers import Number, at_most, between, clamped, equal, iff, implies, less, odd
from .pipeline import Fp32

#: the largest magnitudes of a product of two int8, and of the sum of eight
LARGEST_PRODUCT, LARGEST_SUM = 1 << 14, 1 << 17
#: the sums of two exponent bytes under which FP32 holds every sum of products, and what the scale is counted from
LOWEST, HIGHEST, SCALE = 117, 376, 266
#: the exponent of FP32's smallest subnormal, and of the first power of two that it does not hold
SMALLEST, INFINITE = -149, 128


class FreeRow(NamedTuple):
    """A block of free symbols: mantissas of int8, and the exponent byte."""

    mantissas: tuple[Number, ...]
    exponent: Number


def free_row(name: str, size: int = 8, limit: int = 128) -> FreeRow:
    """Return a block as in.NAME0 and so on, mantissas from -limit to limit - 1, and in.NAME_exponent."""
    mantissas = tuple(symbol(f"in.{name}{k}", -limit, limit - 1) for k in range(size))
    return FreeRow(mantissas, symbol(f"in.{name}_exponent", 0, 255))


def free_rows(name: str, count: int) -> tuple[FreeRow, ...]:
    """Return some blocks."""
    return tuple(free_row(f"{name}{k}_") for k in range(count))


def terms_of(*rows: FreeRow) -> tuple[FNode, ...]:
    """Return the symbols of some blocks."""
    return tuple(value.term for row in rows for value in (*row.mantissas, row.exponent) if isinstance(value, Int))


class FreeSum:
    """Any sum of products of two blocks, and the sum of their exponent bytes."""

    def __init__(self, name: str = "sum") -> None:
        self.total = symbol(f"in.{name}", -(1 << 18), (1 << 18) - 1)
        self.exponents = symbol("in.exponents", 0, 511)
        self.inputs = (self.total.term, self.exponents.term)
        self.possible = conjoin(between(-LARGEST_SUM, self.total, LARGEST_SUM), at_most(self.exponents, 510))

    @property
    def magnitude(self) -> Number:
        """The sum without its sign."""
        return clamped(arithmetic.absolute(self.total), 0, LARGEST_SUM)


class FreeProducts:
    """The products of two blocks' mantissas, and in their place free numbers of the same range, in.product0.16 …

    What is claimed of all such numbers holds of the products, once these are known to be in that range.
    """

    def __init__(self, products: Sequence[Number]) -> None:
        self.products = [product for product in products if isinstance(product, Int)]
        self.numbers = [like(f"in.product{k}", product) for k, product in enumerate(self.products)]
        pairs = list(zip(self.products, self.numbers, strict=True))
        self.inputs = tuple(number.term for number in self.numbers)
        self.possible = conjoin(*(between(product.low, number, product.high) for product, number in pairs))
        self.replacement = {product.term: number.term for product, number in pairs}

    @property
    def bounded(self) -> list[FNode]:
        """State of each product that it is in its range."""
        return [in_range(product) for product in self.products]

    def of_any(self, claim: FNode) -> FNode:
        """Claim something of all such numbers instead of the products."""
        return substitute(claim, self.replacement)


class FreeTotal:
    """The sum of two blocks' products, and in its place a free number of the same range, in.sum.19.

    What is claimed of all such numbers holds of the sum, once it is known to be in that range, and of all that is known to
    equal the sum.
    """

    def __init__(self, total: Number) -> None:
        self.total = total
        self.number = like("in.sum", total) if isinstance(total, Int) else total
        self.inputs = tuple(each.term for each in (self.number,) if isinstance(each, Int))
        low, high = bounds(total)
        self.possible = between(low, self.number, high)
        self.bounded = between(low, unbounded(total), high)

    def of_any(self, claim: FNode, known: Mapping[FNode, FNode]) -> FNode:
        """Claim something of all such numbers instead of the sum; `known` has what stands for terms that follow from it."""
        mine = {self.total.term: self.inputs[0]} if isinstance(self.total, Int) else {}
        return substitute(claim, {**known, **mine})


def like(name: str, value: Int) -> Int:
    """Return a free number of as many bits as a number has, its width in its name."""
    half = 1 << (value.width - 1)
    return symbol(f"{name}.{value.width}", -half, half - 1)


def unbounded(value: Number) -> Number:
    """Return a number without what the lifter knows of its range, so that the solver has to find out."""
    width = value.width if isinstance(value, Int) else value.bit_length() + 1
    return Int(fit(value, width + 1), -(1 << width), (1 << width) - 1)


def in_range(value: Int) -> FNode:
    """State that a number is in the range that the lifter gives it."""
    return between(value.low, unbounded(value), value.high)


def sum_range(case: Any) -> Claim:
    """Eight products of two int8 sum up to at most 2^17 in magnitude, each to at most 2^14."""
    left, right = free_row("a"), free_row("b")
    free = FreeProducts(case.products(left, right))
    products = (between(-LARGEST_PRODUCT, unbounded(each), LARGEST_PRODUCT) for each in free.products)
    bounded = between(-LARGEST_SUM, unbounded(case.total(left, right)), LARGEST_SUM)
    parts = (*free.bounded, *products, free.of_any(bounded))
    return Claim(conjoin(*parts), (*terms_of(left, right), *free.inputs), free.possible, steps=parts)


def held(free: FreeSum) -> FNode:
    """State that FP32 holds a sum at its scale: no bit below the smallest subnormal, and less than 2^128."""
    # a sum has fewer bits than an FP32 significand, so that the two ends alone count
    dropped = arithmetic.maximum(arithmetic.minimum(arithmetic.subtract(SCALE + SMALLEST, free.exponents), 18), 0)
    whole = equal(arithmetic.modulo(free.magnitude, arithmetic.shift_left(1, dropped)), 0)
    room = arithmetic.maximum(arithmetic.minimum(arithmetic.subtract(SCALE + INFINITE, free.exponents), 18), 0)
    return conjoin(whole, less(free.magnitude, arithmetic.shift_left(1, room)))


def exact(case: Any) -> Claim:
    """A lane is characterised exactly where FP32 holds the sum, and then it is the sum."""
    free = FreeSum()
    lane = case.scaled(free.total, free.exponents)
    code = Fp32(Int(lane.code, 0, (1 << 32) - 1))
    # equal numbers with at most 24 bits each are that far apart at most
    distance = arithmetic.subtract(arithmetic.subtract(free.exponents, SCALE), code.exponent)
    left, right = (clamped(each, 0, 24) for each in (distance, arithmetic.minus(distance)))
    mine, value = arithmetic.shift_left(code.magnitude, right), arithmetic.shift_left(free.magnitude, left)
    near = disjoin(equal(free.total, 0), between(-24, distance, 24))
    settled = iff(lane.characterised, held(free))
    same = implies(lane.characterised, conjoin(iff(code.sign, less(free.total, 0)), near, equal(mine, value)))
    return Claim(conjoin(settled, same), free.inputs, free.possible, steps=(settled, same))


def exact_range(case: Any) -> Claim:
    """Every sum is exact from 117 to 376; below that no odd one is, above it 2^17 is not."""
    free = FreeSum()
    lane = case.scaled(free.total, free.exponents)
    inside = between(LOWEST, free.exponents, HIGHEST)
    below = conjoin(less(free.exponents, LOWEST), odd(free.total))
    above = conjoin(less(HIGHEST, free.exponents), equal(free.total, LARGEST_SUM))
    claim = conjoin(
        implies(inside, lane.characterised),
        implies(below, negate(lane.characterised)),
        implies(above, negate(lane.characterised)),
    )
    return Claim(claim, free.inputs, free.possible)


def outside(exponents: int) -> Any:
    """Return the claim that every block product is exact under one sum of exponents."""

    def build(case: Any) -> Claim:
        """Every two blocks with these exponents have an exact product."""
        left, right = free_row("a"), free_row("b")
        assumption = equal(arithmetic.add(left.exponent, right.exponent), exponents)
        return Claim(case.multiply(left, right).characterised, terms_of(left, right), assumption)

    return build


def halved(case: Any) -> Claim:
    """A block of even mantissas, and the halves under the next exponent, have the same product bit by bit."""
    half, right = free_row("half", limit=64), free_row("b")
    doubled = FreeRow(tuple(arithmetic.shift_left(each, 1) for each in half.mantissas), half.exponent)
    raised = FreeRow(half.mantissas, arithmetic.add(arithmetic.narrow(half.exponent, 0, 254), 1))
    free = FreeProducts(case.products(raised, right))
    products = [
        Equals(fit(arithmetic.shift_left(small, 1), 16), fit(big, 16))
        for big, small in zip(case.products(doubled, right), free.products, strict=True)
    ]
    # multiplied in as many bits as the double, a product shows solvers that it is half of it
    wide = [
        Equals(fit(Int(BVMul(fit(one, 16), fit(two, 16)), -(1 << 15), (1 << 15) - 1), small.width), small.term)
        for one, two, small in zip(half.mantissas, right.mantissas, free.products, strict=True)
    ]
    twice = {product.arg(1): product.arg(0) for product in products}
    sums = [number for number in (case.total(doubled, right), case.total(raised, right)) if isinstance(number, Int)]
    big, small = sums
    any_sum = FreeTotal(small)
    total = Equals(fit(arithmetic.shift_left(small, 1), big.width), big.term)
    totals = [free.of_any(substitute(each, twice)) for each in (any_sum.bounded, total)]
    one, other = case.multiply(doubled, right), case.multiply(raised, right)
    same = conjoin(Equals(one.code, other.code), iff(one.characterised, other.characterised))
    # what is claimed of every sum, and of twice that sum, holds of these two
    twofold = {big.term: fit(arithmetic.shift_left(any_sum.number, 1), big.width)}
    claims = (*free.bounded, *products, *totals, any_sum.of_any(same, twofold))
    return Claim(
        conjoin(*claims),
        (*terms_of(half, right), *free.inputs, *any_sum.inputs),
        conjoin(free.possible, any_sum.possible, less(half.exponent, 255)),
        steps=(*free.bounded, *wide, *products, *widened_sums(totals), *totals, claims[-1]),
    )


def decomposed(case: Any) -> Claim:
    """The sum over a block of 32 is that over its four blocks of eight, each with the whole block's exponent."""
    left, right = free_row("a", 32), free_row("b", 32)
    free = FreeProducts(case.products(left, right))
    parts = list(zip(case.split(left), case.split(right), strict=True))
    total: Number = 0
    for one, other in parts:
        total = arithmetic.add(total, case.total(one, other))
    same = free.of_any(equal(unbounded(total), unbounded(case.total(left, right))))
    exponents = (conjoin(equal(one.exponent, left.exponent), equal(two.exponent, right.exponent)) for one, two in parts)
    claim = conjoin(*free.bounded, same, *exponents)
    inputs = (*terms_of(left, right), *free.inputs)
    return Claim(claim, inputs, free.possible, steps=(*free.bounded, *widened_sums([same]), same))


def every(_name: str) -> bool:
    """Every conversion of the family has this obligation."""
    return True


SILICON = "virtio-accel pull request 161, probes P4 and P5"

KINDS = (
    Kind(
        "sum_range",
        "Every block-8 MAC result is an integer times a power of two, the integer at most 2^17 in magnitude.",
        SILICON,
        every,
        sum_range,
        ("last_product_twice",),
    ),
    Kind(
        "exact",
        "Every block-8 MAC result that FP32 holds is exact in FP32; where FP32 does not hold it, the result is open.",
        SILICON,
        every,
        exact,
        ("product_bias_once", "open_sum_settled"),
    ),
    Kind(
        "exact_range",
        "Every block-8 MAC result is exact in FP32 for 117 <= e_a + e_b <= 376. For any smaller sum of exponents no odd "
        "integer is, for any larger one 2^17 is not.",
        SILICON,
        every,
        exact_range,
        ("product_bias_once", "open_sum_settled"),
    ),
    Kind(
        "below_range",
        "Every block-8 MAC result is exact in FP32 for e_a + e_b = 116 too.",
        SILICON,
        every,
        outside(LOWEST - 1),
        (),
        Verdict.REFUTED,
    ),
    Kind(
        "above_range",
        "Every block-8 MAC result is exact in FP32 for e_a + e_b = 377 too.",
        SILICON,
        every,
        outside(HIGHEST + 1),
        (),
        Verdict.REFUTED,
    ),
    Kind(
        "halved",
        "(m, e) against (m/2, e+1) operands produce bit-identical lanes, so results depend on values rather than block "
        "normalization.",
        SILICON,
        every,
        halved,
        ("larger_exponent_counts_twice",),
    ),
    Kind(
        "decomposed",
        "A block-32 MXINT8 dot product decomposed into four equal-exponent block-8 groups has the same integer sum.",
        SILICON,
        every,
        decomposed,
        ("split_repeats_first",),
    ),
)
