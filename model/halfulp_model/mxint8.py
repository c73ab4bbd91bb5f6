"""Decomposition of an OCP block into the smaller blocks of a matrix unit, and back."""

from __future__ import annotations

from .blocks import Block


def split_block(block: Block, size: int) -> tuple[Block, ...]:
    """Cut a block into blocks of `size` members, each with the whole block's exponent: every value stays the same."""
    starts = range(0, len(block.mantissas), size)
    return tuple(Block(block.exponent, members(block, start, size)) for start in starts)


def members(block: Block, start: int, count: int) -> tuple[int, ...]:
    """Return some mantissas of a block."""
    return tuple(block.mantissas[start + k] for k in range(count))


def join_blocks(blocks: tuple[Block, ...]) -> Block:
    """Put blocks of one exponent together."""
    exponent = blocks[0].exponent
    assert all(block.exponent == exponent for block in blocks)
    return Block(exponent, tuple(mantissa for block in blocks for mantissa in block.mantissas))
