"""What a tile publishes, by the specification's sentences: each element by itself, raw maxima, every flag."""

from __future__ import annotations

from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import BV, BVOr, Equals

from halfulp_formal.lift.values import conjoin, fit

from .claim import Claim, Kind

ROUTING = "asl/tile/model/execution/postprocess.asl, MatrixPostProcessResult"
COMMIT = "asl/tile/model/execution/postprocess.asl, CommitMatrixResult"


def every(_name: str) -> bool:
    """Every conversion has this obligation."""
    return True


def same_words(one: Any, two: Any) -> FNode:
    """State that two 64-bit words are equal."""
    return Equals(fit(one, 64), fit(two, 64))


def elements(case: Any) -> Claim:
    """Every element of D is the conversion of its accumulator under its column's words."""
    claims = []
    for row, words in zip(case.tile, case.published.d, strict=True):
        for column, (value, word) in enumerate(zip(row, words, strict=True)):
            alone = case.element(value, case.quant_words[column], case.relu_words[column])
            claims.append(same_words(word, alone.word))
    return Claim(conjoin(*claims), case.inputs)


def neighbours(case: Any) -> Claim:
    """An element of D stays what it is whatever the other accumulators and the other columns' words are."""
    claims = []
    for row, column in case.corners:
        other = case.elsewhere(row, column)
        claims.append(same_words(other.d[row][column], case.published.d[row][column]))
    return Claim(conjoin(*claims), case.all_inputs)


def auxiliary(case: Any) -> Claim:
    """RowMaxOut and GroupMaxOut are those of NoQuant without an activation, under any words."""
    plain = case.unconverted()
    pairs = [*zip(case.published.row_max, plain.row_max, strict=True)]
    for one, two in zip(case.published.group_max, plain.group_max, strict=True):
        pairs += zip(one, two, strict=True)
    return Claim(conjoin(*(same_words(one, two) for one, two in pairs)), case.inputs)


def flags(case: Any) -> Claim:
    """The flags published are those of every element and of every maximum that is enabled, and no others.

    A row raises what its groups raise, so that either reduction is looked at without the other.
    """
    claims = []
    for row_max, groups in ((True, False), (False, True)):
        union = BV(0, 5)
        for raised in case.every_flag(row_max, groups):
            union = BVOr(union, fit(raised, 5))
        claims.append(Equals(fit(case.reducing(row_max, groups).flags, 5), union))
    return Claim(conjoin(*claims), case.inputs)


KINDS = (
    Kind(
        "elements",
        "A scalar-parameter PreQuant mode multiplies every raw accumulator element by one scalar scale. A vector-parameter "
        "mode multiplies each element by the scale selected by its destination column.",
        f"ADR 0085, Decision 177; {ROUTING}",
        every,
        elements,
        ("tile_words_reversed", "tile_first_activation"),
    ),
    Kind(
        "neighbours",
        "Identical input encodings, parameters, dimensions, and numeric controls MUST produce identical destination "
        "encodings.",
        f"ADR 0085, Decision 174; {ROUTING}",
        every,
        neighbours,
        ("tile_words_reversed", "tile_first_activation"),
    ),
    Kind(
        "auxiliary",
        "PreQuant and activation do not alter RowMaxOut or GroupMaxOut.",
        "ADR 0085, Decision 175",
        every,
        auxiliary,
        ("tile_reduces_converted",),
    ),
    Kind(
        "flags",
        "All post-processing and reduction flags are accumulated before commit.",
        f"ADR 0085, Decision 181; {COMMIT}",
        every,
        flags,
        ("tile_flags_of_last_element", "tile_group_flags_lost"),
    ),
)
