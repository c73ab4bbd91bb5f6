"""Operands of K = 512 on which all 64 lanes tell an FP32 fold from a sum that is rounded once, as v64 planes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from halfulp_model import Block, fold, v64_pack
from halfulp_model.adder import add_exact
from halfulp_model.exact import ZERO
from halfulp_model.matmul import as_lane, block_sum, matrix_unit

SCHEMA = "halfulp-fold/1"
RECIPE = "halfulp vectors fold --out FILE"

#: blocks of a row and of a column, for K = 512, and rows of an operand
STEPS, ROWS, SIZE = 64, 8, 8

#: exponent bytes of the first block of a row, of the later ones of A, and of the later ones of B: the first product of a
#: lane is from 2^24 to 2^25, where a last place is 2, and the later ones are m_a m_b / 256
LARGE, SMALL_A, SMALL_B = 139, 131, 127

#: members of A whose products are below half a last place, and above it; how often the second kind comes
BELOW_HALF, ABOVE_HALF, EVERY = 3, 5, 8

Operand = tuple[tuple[Block, ...], ...]


def operands() -> tuple[Operand, Operand]:
    """Return the rows of A and the rows of B transposed, 64 blocks each.

    Of the later block products of a lane a fold drops those below half a last place one by one, and counts the others
    as a whole one; rounded once, their sum counts as it is.
    """
    return tuple(left_row(i) for i in range(ROWS)), tuple(right_row(j) for j in range(ROWS))


def left_row(i: int) -> tuple[Block, ...]:
    """Return row i of A; rows alternate in sign."""
    sign = -1 if i % 2 else 1
    first = Block(LARGE, member(0, sign * (64 + i)))
    later = (member((i + t) % SIZE, sign * (BELOW_HALF if t % EVERY else ABOVE_HALF)) for t in range(1, STEPS))
    return first, *(Block(SMALL_A, mantissas) for mantissas in later)


def right_row(j: int) -> tuple[Block, ...]:
    """Return row j of B transposed."""
    first = Block(LARGE, member(0, 64 + 7 * j))
    return first, *(Block(SMALL_B, tuple(64 + j + k for k in range(SIZE))) for _ in range(1, STEPS))


def member(place: int, mantissa: int) -> tuple[int, ...]:
    """Return mantissas of which one is not zero."""
    return tuple(mantissa if k == place else 0 for k in range(SIZE))


def lanes() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the FP32 codes of the 64 lanes, 8·i + j: folded, and as exact sums rounded once."""
    left, right = operands()
    pairs = [(row, column) for row in left for column in right]
    folded = tuple(code for code in (fold(row, column) for row, column in pairs) if isinstance(code, int))
    assert len(folded) == len(pairs)
    return folded, tuple(rounded_once(row, column) for row, column in pairs)


def rounded_once(row: tuple[Block, ...], column: tuple[Block, ...]) -> int:
    """Return the exact sum of a lane's block products as an FP32 code."""
    unit, total = matrix_unit(), ZERO
    for left, right in zip(row, column, strict=True):
        total = add_exact(total, block_sum(unit, left, right))
    return as_lane(unit, total).code


def records() -> Iterator[dict[str, Any]]:
    """Yield the lines of the file: what it is, the planes of each step of eight, then the lanes."""
    left, right = operands()
    yield {"schema": SCHEMA, "k": STEPS * SIZE, "steps": STEPS, "recipe": RECIPE}
    for t in range(STEPS):
        planes = (v64_pack([row[t] for row in operand]) for operand in (left, right))
        yield dict(zip(("a", "b"), (plane.hex() for plane in planes), strict=True))
    folded, once = lanes()
    yield {"fold": [f"{code:08x}" for code in folded], "rounded_once": [f"{code:08x}" for code in once]}


def text() -> str:
    """Return the file: one JSON object a line."""
    return "".join(json.dumps(record) + "\n" for record in records())
