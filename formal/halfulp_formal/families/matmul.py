"""The matrix multiply and what lies around it: `bfp16_v64`, `bfp16_matmul` and `bfp16_fold`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pysmt.fnode import FNode
from pysmt.shortcuts import Equals

from halfulp_formal.bits import Bits
from halfulp_formal.case import CallReplay, magnitude, part
from halfulp_formal.encodings import matmul as encoding
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.interpreter import Lifter
from halfulp_formal.lift.values import Int, Record, conjoin, equivalent, fit, truth_term
from halfulp_formal.properties import fold, matmul, v64
from halfulp_formal.properties.claim import Claim, Kind
from halfulp_formal.properties.matmul import FreeProducts, FreeRow, FreeTotal, free_row, terms_of
from halfulp_formal.properties.numbers import Magnitude, Number, implies
from halfulp_formal.subject import Subject
from halfulp_formal.widening import widened_sums

from .family import Family, Group

SIZE = 8


class Sum(NamedTuple):
    """An accumulator as the model gives it: the FP32 code, and whether it is characterised."""

    code: FNode
    characterised: FNode
    record: Any


class Aligned(NamedTuple):
    """Two accumulators as they are read, their significands under the smaller exponent, and the exact sum."""

    left: Magnitude
    right: Magnitude
    one: Number
    two: Number
    total: Magnitude


class MatmulCase:
    """The matrix unit; each claim names the symbols that it is about."""

    def __init__(self, subject: Subject, name: str) -> None:
        self.subject = subject
        self.name = name
        self.model = subject.module("matmul")
        self.unit = self.model.matrix_unit()
        self.lifter = Lifter(subject.package)

    @property
    def replays(self) -> tuple[CallReplay, ...]:
        """A replay of every lifted call."""
        return tuple(CallReplay(call) for call in self.lifter.calls)

    def block(self, row: FreeRow) -> Any:
        """Return a block in the model's own type."""
        return Record(self.subject.module("blocks").Block, {"exponent": row.exponent, "mantissas": row.mantissas})

    def products(self, left: FreeRow, right: FreeRow) -> tuple[Number, ...]:
        """Return the products of two blocks' mantissas."""
        found: tuple[Number, ...] = self.lifter.call(self.model.products, self.block(left), self.block(right))
        return found

    def total(self, left: FreeRow, right: FreeRow) -> Number:
        """Return the sum of the products of two blocks' mantissas."""
        number: Number = self.lifter.call(self.model.mantissa_sum, self.block(left), self.block(right))
        return number

    def multiply(self, left: FreeRow, right: FreeRow) -> Sum:
        """Return one lane of `mul`."""
        return self.sum_of(self.lifter.call(self.model.multiply_blocks, self.unit, self.block(left), self.block(right)))

    def scaled(self, total: Number, exponents: Number) -> Sum:
        """Return a sum of products under the sum of two exponent bytes as an accumulator."""
        value = self.lifter.call(self.model.scaled_sum, self.unit, total, exponents)
        return self.sum_of(self.lifter.call(self.model.as_lane, self.unit, value))

    def accumulate(self, lane: Sum, left: FreeRow, right: FreeRow) -> Sum:
        """Return one lane of `mac`."""
        blocks = (self.block(left), self.block(right))
        return self.sum_of(self.lifter.call(self.model.accumulate, self.unit, lane.record, *blocks))

    def add(self, one: Sum, other: Sum) -> Sum:
        """Add two accumulators as `mac` does."""
        return self.sum_of(self.lifter.call(self.model.add_lanes, self.unit, one.record, other.record))

    def aligned(self, one: Sum, other: Sum) -> Aligned:
        """Return what adding two accumulators goes through: the same terms as inside `add`."""
        follow, adder = Lifter(self.subject.package).follow, self.subject.module("adder")
        read = self.subject.module("floats").exact_value
        values = [follow(read, (self.unit.adder.fmt, part(each.record, "code")), {}) for each in (one, other)]
        left, right = (magnitude(value) for value in values)
        least = arithmetic.minimum(left.exponent, right.exponent)
        terms = [
            arithmetic.shift_left(each.significand, arithmetic.subtract(each.exponent, least)) for each in (left, right)
        ]
        return Aligned(left, right, terms[0], terms[1], magnitude(follow(adder.add_exact, tuple(values), {})))

    def fold(self, lane: Sum, left: Sequence[FreeRow], right: Sequence[FreeRow]) -> Sum:
        """Accumulate block after block."""
        rows = (tuple(self.block(row) for row in operand) for operand in (left, right))
        return self.sum_of(self.lifter.call(self.model.fold_blocks, self.unit, lane.record, *rows))

    def rounded_once(self, left: Sequence[FreeRow], right: Sequence[FreeRow]) -> Sum:
        """Return the exact sum of all block sums, rounded once."""
        total: Any = None
        for one, other in zip(left, right, strict=True):
            value = self.lifter.call(self.model.block_sum, self.unit, self.block(one), self.block(other))
            add = self.subject.module("adder").add_exact
            total = value if total is None else self.lifter.call(add, total, value)
        return self.sum_of(self.lifter.call(self.model.as_lane, self.unit, total))

    def lane(self, code: Int | int) -> Sum:
        """Return an accumulator of a code."""
        fields = {"code": code, "characterised": True}
        record = self.model.Lane(**fields) if isinstance(code, int) else Record(self.model.Lane, fields)
        return self.sum_of(record)

    def sum_of(self, record: Any) -> Sum:
        """Read an accumulator."""
        return Sum(fit(part(record, "code"), 32), truth_term(part(record, "characterised")), record)

    def split(self, row: FreeRow) -> tuple[FreeRow, ...]:
        """Decompose a block into blocks of eight."""
        parts = self.lifter.call(self.subject.module("mxint8").split_block, self.block(row), SIZE)
        return tuple(FreeRow(part(each, "mantissas"), part(each, "exponent")) for each in parts)

    def pack(self, rows: Sequence[FreeRow]) -> tuple[Number, ...]:
        """Return the bytes of a v64."""
        blocks = tuple(self.block(row) for row in rows)
        planes: tuple[Number, ...] = self.lifter.call(self.subject.module("bfp16").pack_v64, self.unit.block, blocks)
        return planes

    def unpack(self, planes: tuple[Number, ...]) -> tuple[FreeRow, ...]:
        """Return the blocks of the bytes of a v64."""
        blocks = self.lifter.call(self.subject.module("bfp16").unpack_v64, self.unit.block, planes)
        return tuple(FreeRow(part(each, "mantissas"), part(each, "exponent")) for each in blocks)


class Agreement(NamedTuple):
    """Model and encoding on two blocks: what is claimed of them, and both sides' terms for the sum of the products."""

    same: FNode
    settled: FNode
    code: FNode
    expected_total: FNode
    total: Number


def agreement(case: MatmulCase, left: FreeRow, right: FreeRow) -> Agreement:
    """Return what it is for model and encoding to agree on two blocks: in the sum, its range, and its FP32 code."""
    total, lane = case.total(left, right), case.multiply(left, right)
    words = [[Bits(fit(mantissa, 8)) for mantissa in row.mantissas] for row in (left, right)]
    exponents = [Bits(fit(row.exponent, 8)) for row in (left, right)]
    expected = encoding.block_product(words[0], exponents[0], words[1], exponents[1])
    return Agreement(
        same=Equals(expected.total.term, fit(total, expected.total.width)),
        settled=equivalent(expected.in_range.term, lane.characterised),
        code=implies(lane.characterised, Equals(expected.code.term, lane.code)),
        expected_total=expected.total.term,
        total=total,
    )


def equivalent_to_encoding(case: MatmulCase) -> Claim:
    """Sum, FP32 code and range of model and encoding agree for every two blocks.

    The claim has free numbers: for products, and for the sum as both sides have it. It says of any products in their
    range that both sides' sums are equal and in range, and of any such sum that range and code agree. As products in
    range it then holds of the blocks' own, and as a sum of the one that both sides have: which is the agreement.
    """
    left, right = free_row("a"), free_row("b")
    plain = agreement(case, left, right)
    free, any_sum = FreeProducts(case.products(left, right)), FreeTotal(plain.total)
    sums = [free.of_any(each) for each in (plain.same, any_sum.bounded)]
    both = {plain.expected_total: fit(any_sum.number, plain.expected_total.bv_width())}
    of_sum = [free.of_any(any_sum.of_any(each, both)) for each in (plain.settled, plain.code)]
    conditions = [free.of_any(condition.term) for condition in case.lifter.side_conditions]
    steps = (*free.bounded, *widened_sums(sums), *sums, *of_sum)
    inputs = (*terms_of(left, right), *free.inputs, *any_sum.inputs)
    possible = conjoin(free.possible, any_sum.possible)
    return Claim(conjoin(*free.bounded, *sums, *of_sum, *conditions), inputs, possible, steps=steps)


EQUIVALENT = Kind(
    "equivalent",
    "A block multiply is the sum of m_a m_b 2^(e_a + e_b - 266) in FP32.",
    matmul.SILICON,
    lambda _name: True,
    equivalent_to_encoding,
    ("last_product_twice", "product_bias_once"),
)

#: the kinds of obligation by conversion
KINDS = {
    "bfp16_v64": v64.KINDS,
    "bfp16_matmul": (EQUIVALENT, *matmul.KINDS),
    "bfp16_fold": fold.KINDS,
}


def kinds_of(conversion: str) -> Iterator[Kind]:
    """Yield the kinds of obligation of a conversion."""
    yield from KINDS[conversion]


FAMILY = Family("matrix multiply", Group.ALL, lambda: list(KINDS), kinds_of, MatmulCase)
