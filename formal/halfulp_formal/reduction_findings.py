"""Findings on row and group maximum, and where a maximum is less plain than it looks."""

from __future__ import annotations

from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import TRUE, Equals

from halfulp_formal.findings import Finding, Reading
from halfulp_formal.lift.values import conjoin, disjoin, fit, negate
from halfulp_formal.properties.claim import Kind
from halfulp_formal.properties.numbers import Number, equal, iff, implies, less, select
from halfulp_formal.properties.reductions import (
    CANONICAL_NAN,
    INVALID,
    LEAST,
    Outcome,
    is_nan,
    is_signalling,
    same,
)

MINUS_INFINITY = 0xFF800000


def outcomes(case: Any) -> dict[str, tuple[tuple[Number, ...], Outcome]]:
    """Return the operands and the maximum of a row by its shape."""
    one, two, *_ = case.elements
    return {
        "lone": ((one,), case.row((one,))),
        "pair": ((one, two), case.row((one, two))),
        "initial": ((case.initial, one), case.row((one,), case.initial)),
    }


def canonical(case: Any) -> Reading:
    """A maximum that is a NaN is the canonical one."""
    found = outcomes(case)
    claims = [implies(is_nan(case.name, each.value), equal(each.value, CANONICAL_NAN)) for _, each in found.values()]
    lone = case.elements[0]
    fails = conjoin(is_nan(case.name, lone), negate(equal(lone, CANONICAL_NAN)))
    return Reading(TRUE(), conjoin(*claims), fails, case.inputs)


def signalling(case: Any) -> Reading:
    """A row raises NV if and only if it has a signalling NaN."""
    claims = []
    for operands, each in outcomes(case).values():
        invalid = disjoin(*(is_signalling(case.name, value) for value in operands))
        claims.append(iff(Equals(each.flags, fit(INVALID, 5)), invalid))
    return Reading(TRUE(), conjoin(*claims), is_signalling(case.name, case.elements[0]), case.inputs)


def signed_maximum(case: Any) -> Reading:
    """Without MaxAbsEn the maximum of two accumulators is the greater one as signed numbers."""
    one, two, *_ = case.elements
    bound = 1 << 31
    negative_one, negative_two = less(bound - 1, one), less(bound - 1, two)
    smaller = disjoin(
        conjoin(negative_one, negate(negative_two)), conjoin(iff(negative_one, negative_two), less(one, two))
    )
    expected = select(smaller, two, one)
    return Reading(
        TRUE(),
        equal(case.row((one, two)).value, expected),
        negate(iff(negative_one, negative_two)),
        case.inputs,
    )


def repeated(case: Any) -> Reading:
    """A column that stands twice changes nothing."""
    lone = case.elements[0]
    sentence = same(case.row((lone,)), case.row((lone, lone)))
    return Reading(TRUE(), sentence, conjoin(is_nan(case.name, lone), negate(equal(lone, CANONICAL_NAN))), case.inputs)


def padded(case: Any) -> Reading:
    """A column of the least value changes nothing: -infinity, the least S32, or 0 where all are made absolute."""
    lone = case.elements[0]
    pad, fails = padding(case.name, lone)
    return Reading(TRUE(), same(case.row((lone,)), case.row((lone, pad))), fails, case.inputs)


def padding(name: str, lone: Number) -> tuple[Number, FNode]:
    """Return the least value of a reduction's accumulators, and when it changes a maximum."""
    if name == "reduce.s32.maxabs":
        return LEAST, negate(equal(lone, LEAST))
    return (0 if name.endswith(".maxabs") else MINUS_INFINITY), is_nan(name, lone)


FINDINGS = (
    Finding(
        "canonical",
        "The maximum of a single column keeps its NaN",
        "Matrix post-processing MUST canonicalize special results.",
        "PTO-MATRIX-POSTPROCESS-BITEXACT-001",
        "MatrixRowMaxResult and MatrixGroupMaxResult copy the first element, and only a step makes a NaN canonical",
        "the row or the group has one column, without RowMaxIn, and it is a NaN other than 7fc00000",
        lambda name: name == "reduce.fp32",
        canonical,
        "reduce_lone_steps",
    ),
    Finding(
        "signalling",
        "The maximum of a single signalling NaN is not invalid",
        "Signaling NaN reports invalid.",
        "asl/tile/elementwise-tile-tile/arithmetic/TMAX.asl, defaults",
        "MatrixRowMaxResult and MatrixGroupMaxResult copy the first element without a step that could raise NV",
        "the row or the group has one column, without RowMaxIn, and it is a signalling NaN",
        lambda name: name == "reduce.fp32",
        signalling,
        "reduce_lone_steps",
    ),
    Finding(
        "signed_maximum",
        "The maximum of U32 accumulators is not a signed one",
        "MaxAbsEn=0: use signed maximum rather than maximum absolute value for enabled reductions.",
        "asl/block/attributes/B.FPATR.asl, field_zero_meanings",
        "TileIntegerMinMaxValue compares U32 as unsigned numbers",
        "exactly one of the two accumulators is 80000000 or more",
        lambda name: name == "reduce.u32",
        signed_maximum,
        "reduce_unsigned_is_signed",
    ),
)

OURS = "tail groups of hardware that has no shorter ones"
DIFFERENCES = (
    Finding(
        "repeated",
        "A last group filled up with copies of a column",
        "A column that stands twice changes nothing.",
        OURS,
        "a step makes a NaN canonical and reports a signalling one; a lone column meets no step",
        "the group's only column is a NaN other than 7fc00000",
        lambda name: name == "reduce.fp32",
        repeated,
        "reduce_lone_steps",
    ),
    Finding(
        "padded",
        "A last group filled up with the least value",
        "A column of the least value changes nothing: -infinity, or under MaxAbsEn the zero of FP32 or the least S32.",
        OURS,
        "a NaN gives way to any number; the absolute of the least S32 is the greatest one, and raises OF",
        "the group's only column is a NaN; for S32 under MaxAbsEn, it is any other number than the least",
        lambda name: name in ("reduce.fp32", "reduce.fp32.maxabs", "reduce.s32.maxabs"),
        padded,
        "reduce_nan_wins",
    ),
)

KINDS: tuple[Kind, ...] = tuple(kind for finding in (*FINDINGS, *DIFFERENCES) for kind in finding.kinds())
