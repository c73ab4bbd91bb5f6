"""The 8×8 matrix multiply on blocks: exact block sums, accumulated in floating point one block after the other.

Lanes: A's row i and B's row j are blocks over k (B is transposed), and C's lane is 8·i + j.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from .adder import Adder, add, build_adder
from .block_rows import BlockFormat
from .blocks import Block
from .encode import encode
from .exact import Exact
from .loader import default_rules
from .rows import Rules


@dataclass(frozen=True, slots=True)
class MatrixUnit:
    """The rows behind a matrix multiply: the blocks' format and the accumulator's adder."""

    block: BlockFormat
    adder: Adder


class Lane(NamedTuple):
    """An accumulator code; where `characterised` is false, a block sum on the way to it was not exact."""

    code: int
    characterised: bool


@cache
def matrix_unit() -> MatrixUnit:
    """Return the matrix unit of the shipped rules."""
    return build_matrix_unit(default_rules())


def build_matrix_unit(rules: Rules) -> MatrixUnit:
    """Resolve the rows of the matrix unit."""
    return MatrixUnit(rules.blocks["BFP16"], build_adder(rules, "FP32", rules.adders["FP32"].default_rounding))


def mantissa_sum(left: Block, right: Block) -> int:
    """Return Σ m_a · m_b, at most 2^17 in magnitude for blocks of eight."""
    return sum(products(left, right))


def products(left: Block, right: Block) -> tuple[int, ...]:
    """Return the products m_a · m_b, member by member: each at most 2^14 in magnitude."""
    return tuple(left.mantissas[k] * right.mantissas[k] for k in range(len(left.mantissas)))


def block_sum(unit: MatrixUnit, left: Block, right: Block) -> Exact:
    """Return the exact inner product of two blocks, Σ m_a · m_b · 2^(e_a + e_b - 266)."""
    return scaled_sum(unit, mantissa_sum(left, right), left.exponent + right.exponent)


def scaled_sum(unit: MatrixUnit, total: int, exponents: int) -> Exact:
    """Return a sum of mantissas' products at its scale; `exponents` is the sum of the two exponent bytes."""
    return Exact(total < 0, abs(total), exponents - 2 * unit.block.scale_bits)


def multiply_blocks(unit: MatrixUnit, left: Block, right: Block) -> Lane:
    """Return a block sum as an accumulator: one lane of `mul`."""
    return as_lane(unit, block_sum(unit, left, right))


def as_lane(unit: MatrixUnit, value: Exact) -> Lane:
    """Return an exact number as an accumulator: characterised only where the accumulator's format holds it."""
    result = encode(value, unit.adder.fmt, unit.adder.rounding, False, unit.adder.encoder, unit.adder.flags)
    return Lane(result.word, result.flags == 0)


def accumulate(unit: MatrixUnit, lane: Lane, left: Block, right: Block) -> Lane:
    """Add a block sum to an accumulator, rounding once: one lane of `mac`."""
    return add_lanes(unit, lane, multiply_blocks(unit, left, right))


def add_lanes(unit: MatrixUnit, one: Lane, other: Lane) -> Lane:
    """Add two accumulators, rounding once."""
    return Lane(add(unit.adder, one.code, other.code).word, one.characterised and other.characterised)


def fold_blocks(unit: MatrixUnit, lane: Lane, left: tuple[Block, ...], right: tuple[Block, ...]) -> Lane:
    """Accumulate block after block in ascending order, rounding at each: the order changes the result."""
    for k in range(len(left)):
        lane = accumulate(unit, lane, left[k], right[k])
    return lane
