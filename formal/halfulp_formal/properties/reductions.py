"""Row and group maximum by the specification's sentences: which element is the greatest, what is raised, what order does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, Equals

from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import Int, conjoin, disjoin, fit, negate

from .claim import Claim, Kind
from .numbers import Number, at_most, bit_field, equal, implies, select
from .pipeline import Fp32

DECISION = "ADR 0085, Decision 175"
CARRIERS = "ADR 0085, Decision 181"
MINMAX = "asl/arch/features/mx-formats.asl, HardwareNumericMinMaxSpecial"
POSTPROCESS = "asl/arch/profile/matrix-postprocess.asl, MatrixReductionAbsoluteWithFlags"

CANONICAL_NAN = 0x7FC00000
INVALID, OVERFLOW_ALONE = 0x01, 0x04
GREATEST, LEAST = (1 << 31) - 1, -(1 << 31)

#: rows of so many columns stand for all: longer ones follow from `commutes` and `associates`
LENGTHS = (1, 2, 3)
#: columns of a group and of the row: shorter than a group, a whole group, tails of one and of two columns
GROUP_SHAPES = ((8, 7), (8, 8), (8, 9), (3, 5))
#: the same for small groups, whose maxima are reduced again
SMALL_GROUPS = ((2, 5), (3, 4))


class Outcome(NamedTuple):
    """A reduced accumulator and its flags."""

    value: Number
    flags: FNode


def accumulator_of(name: str) -> str:
    """Return the accumulator's type in a reduction's name: `reduce.fp32.maxabs`."""
    return name.split(".")[1]


def is_fp32(name: str) -> bool:
    """Tell whether the accumulators are FP32."""
    return accumulator_of(name) == "fp32"


def is_absolute(name: str) -> bool:
    """Tell whether MaxAbsEn is 1."""
    return name.endswith(".maxabs")


def every(_name: str) -> bool:
    """Every reduction has this obligation."""
    return True


def absolute(name: str, value: Number) -> Number:
    """Return the operand of a comparison: absolute if asked for; the absolute of the least S32 is the greatest."""
    if not is_absolute(name) or accumulator_of(name) == "u32":
        return value
    if is_fp32(name):
        assert isinstance(value, Int)
        return bit_field(value, 30, 0)
    magnitude = arithmetic.absolute(value)
    number: Number = select(equal(value, LEAST), GREATEST, magnitude)
    return number


def is_nan(name: str, value: Number) -> FNode:
    """State that an accumulator is a NaN."""
    return Fp32(as_int(value)).nan if is_fp32(name) else FALSE()


def is_signalling(name: str, value: Number) -> FNode:
    """State that an accumulator is a signalling NaN."""
    if not is_fp32(name):
        return FALSE()
    reading = Fp32(as_int(value))
    return conjoin(reading.nan, negate(reading.quiet))


def as_int(value: Number) -> Int:
    """Return a code at its full width."""
    return Int(fit(value, 32), 0, (1 << 32) - 1)


def rank(name: str, value: Number) -> Number:
    """Return a number in the order of values: of FP32 the magnitude's code with its sign, so that both zeros are 0."""
    if not is_fp32(name):
        return value
    code = as_int(value)
    magnitude = bit_field(code, 30, 0)
    number: Number = select(Fp32(code).sign, arithmetic.minus(magnitude), magnitude)
    return number


def same(left: Outcome, right: Outcome) -> FNode:
    """State that two outcomes are one."""
    return conjoin(equal(left.value, right.value), Equals(left.flags, right.flags))


def is_greatest(name: str, row: Sequence[Number], result: Number) -> FNode:
    """State that a result is the greatest number of a row, +0 before -0, or the NaN that takes its place."""
    operands = [absolute(name, value) for value in row]
    numbers = [negate(is_nan(name, value)) for value in operands]
    bounds = conjoin(
        *(
            implies(is_number, at_most(rank(name, value), rank(name, result)))
            for is_number, value in zip(numbers, operands, strict=True)
        )
    )
    one_of_them = disjoin(
        *(conjoin(is_number, equal(value, result)) for is_number, value in zip(numbers, operands, strict=True))
    )
    if not is_fp32(name):
        return conjoin(bounds, one_of_them)
    negative_zero = equal(result, 1 << 31)
    no_positive_zero = conjoin(*(negate(equal(value, 0)) for value in operands))
    lone = len(row) == 1 and not is_absolute(name)
    nothing = conjoin(*(negate(is_number) for is_number in numbers))
    nan = equal(result, row[0] if lone else CANONICAL_NAN)
    number = conjoin(bounds, one_of_them, implies(negative_zero, no_positive_zero))
    return conjoin(implies(nothing, nan), implies(negate(nothing), number))


def raised_by(name: str, row: Sequence[Number]) -> Number:
    """Return the flags that a row raises by the specification: a lone element is no operand of a step."""
    lone = len(row) == 1 and not is_absolute(name)
    if is_fp32(name):
        operands = [absolute(name, value) for value in row]
        invalid = disjoin(*(is_signalling(name, value) for value in operands))
        flags: Number = 0 if lone else select(invalid, INVALID, 0)
        return flags
    if accumulator_of(name) == "s32" and is_absolute(name):
        least = disjoin(*(equal(value, LEAST) for value in row))
        overflow: Number = select(least, OVERFLOW_ALONE, 0)
        return overflow
    return 0


def rows(case: Any) -> list[tuple[tuple[Number, ...], Outcome]]:
    """Return rows with what they reduce to; RowMaxIn is an operand beside one column less."""
    found: list[tuple[tuple[Number, ...], Outcome]] = []
    for length in LENGTHS:
        row = case.elements[:length]
        found.append((row, case.row(row)))
        if length > 1:
            found.append(((case.initial, *row[1:]), case.row(row[1:], case.initial)))
    return found


def greatest(case: Any) -> Claim:
    """The maximum of a row is the greatest of its elements, and of RowMaxIn where it is given."""
    claims = [is_greatest(case.name, operands, found.value) for operands, found in rows(case)]
    return Claim(conjoin(*claims), case.inputs)


def flags(case: Any) -> Claim:
    """A row raises OF if and only if an absolute value saturates, NV if and only if a step meets a signalling NaN."""
    claims = [Equals(found.flags, fit(raised_by(case.name, operands), 5)) for operands, found in rows(case)]
    return Claim(conjoin(*claims), case.inputs)


def commutes(case: Any) -> Claim:
    """A step does not tell its operands apart: same result, same flags."""
    one, two, *_ = case.elements
    return Claim(same(case.step(one, two), case.step(two, one)), case.inputs)


def associates(case: Any) -> Claim:
    """Two steps give one result in either grouping, and the same flags together."""
    one, two, three, *_ = case.elements
    left = case.step(one, two)
    right = case.step(two, three)
    first = case.then(left, case.step(left.value, three))
    second = case.then(right, case.step(one, right.value))
    return Claim(same(first, second), case.inputs)


def order(case: Any) -> Claim:
    """Any two neighbouring columns may change places, so that a row of three reduces alike in every order."""
    row = case.elements[:3]
    expected = case.row(row)
    claims = []
    for place in range(2):
        swapped = [*row]
        swapped[place], swapped[place + 1] = swapped[place + 1], swapped[place]
        claims.append(same(case.row(tuple(swapped)), expected))
    return Claim(conjoin(*claims), case.inputs)


def groups(case: Any) -> Claim:
    """Group g is the maximum of columns g · GroupN up to the next group or the row's end, and of nothing else."""
    claims = []
    for columns, length in GROUP_SHAPES:
        row = case.elements[:length]
        found = case.groups(columns, row)
        expected = [case.row(row[first : first + columns]) for first in range(0, length, columns)]
        claims.append(equal(len(found), len(expected)))
        claims += [same(one, two) for one, two in zip(found, expected, strict=False)]
    return Claim(conjoin(*claims), case.all_inputs)


def regrouped(case: Any) -> Claim:
    """The maximum of a row is that of its groups' maxima, flags and all."""
    claims = []
    for columns, length in SMALL_GROUPS:
        row = case.elements[:length]
        found = case.groups(columns, row)
        total = case.row(tuple(each.value for each in found))
        for each in found:
            total = case.then(each, total)
        claims.append(same(total, case.row(row)))
    return Claim(conjoin(*claims), case.inputs)


KINDS = (
    Kind(
        "greatest",
        "Matrix RowMax and GroupMax consume the complete raw accumulator result. One NaN selects the numeric operand, two "
        "NaNs produce the canonical NaN, and MAX chooses +0.",
        f"{DECISION}; {MINMAX}",
        every,
        greatest,
        ("reduce_skips_second_column", "reduce_first_not_absolute", "reduce_nan_wins", "reduce_zeros_keep_current"),
    ),
    Kind(
        "flags",
        "All post-processing and reduction flags are accumulated before commit.",
        f"{CARRIERS}; {POSTPROCESS}",
        every,
        flags,
        ("reduce_flags_of_last_step", "reduce_absolute_overflow_inexact", "reduce_quiet_nan_invalid"),
    ),
    Kind(
        "commutes",
        "One NaN selects the numeric operand, whichever it is; two zeros give +0 unless both are -0.",
        MINMAX,
        every,
        commutes,
        ("reduce_second_nan_kept", "reduce_zeros_keep_current"),
    ),
    Kind(
        "associates",
        "Reductions observe the fixed increasing-column order; no other order gives another result.",
        CARRIERS,
        every,
        associates,
        ("reduce_nan_keeps_current", "reduce_absolute_forgets_flags"),
    ),
    Kind(
        "order",
        "Reductions observe the fixed increasing-column order; no other order gives another result.",
        CARRIERS,
        every,
        order,
        ("reduce_flags_of_last_step", "reduce_skips_second_column"),
    ),
    Kind(
        "groups",
        "GroupMaxOut uses row-major M x ceil(N/GroupN) shapes: a last partial group is shorter.",
        f"{CARRIERS}; asl/tile/model/execution/postprocess.asl, MatrixGroupMaxResult",
        every,
        groups,
        ("group_tail_reads_zeros", "group_tail_dropped"),
    ),
    Kind(
        "regrouped",
        "Matrix RowMax and GroupMax consume the complete raw accumulator result.",
        DECISION,
        every,
        regrouped,
        ("group_tail_reads_zeros", "group_tail_dropped"),
    ),
)
