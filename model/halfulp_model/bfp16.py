"""bfp16ebs8 as it lies in memory and as numbers: v64 planes, exact member values."""

from __future__ import annotations

from .block_rows import BlockFormat
from .blocks import Block
from .exact import Exact

#: blocks of a v64
V64_BLOCKS = 8


def pack_v64(block: BlockFormat, blocks: tuple[Block, ...]) -> tuple[int, ...]:
    """Return the bytes: the mantissa plane, block after block in two's complement, then the plane of exponent bytes."""
    places = range(len(blocks) * block.size)
    plane = tuple(blocks[k // block.size].mantissas[k % block.size] % (1 << block.mantissa_bits) for k in places)
    return plane + tuple(each.exponent for each in blocks)


def unpack_v64(block: BlockFormat, data: tuple[int, ...]) -> tuple[Block, ...]:
    """Return the blocks of the bytes of two planes."""
    count = len(data) // (block.size + 1)
    return tuple(Block(data[count * block.size + i], row_mantissas(block, data, i)) for i in range(count))


def row_mantissas(block: BlockFormat, data: tuple[int, ...], row: int) -> tuple[int, ...]:
    """Return the mantissas of one block of the plane."""
    return tuple(signed_mantissa(block, data[row * block.size + k]) for k in range(block.size))


def signed_mantissa(block: BlockFormat, byte: int) -> int:
    """Return the number of a mantissa in two's complement."""
    return byte - (1 << block.mantissa_bits) if byte > block.largest else byte


def mantissa_value(block: BlockFormat, exponent: int, mantissa: int) -> Exact:
    """Return m · 2^(e - scale_bits). Under e = 255 that is a formula, not a number the format stands for."""
    return Exact(mantissa < 0, abs(mantissa), exponent - block.scale_bits)
