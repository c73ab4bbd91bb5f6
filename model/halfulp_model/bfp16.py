"""bfp16ebs8 as it lies in memory and as numbers: v64 planes, exact member values."""

from __future__ import annotations

from .block_rows import BlockFormat
from .blocks import Block
from .exact import Exact

#: blocks of a v64
V64_BLOCKS = 8


def pack_v64(block: BlockFormat, blocks: tuple[Block, ...]) -> bytes:
    """Return the mantissa plane, block after block in two's complement, then the plane of exponent bytes."""
    mantissas = bytes(mantissa % (1 << block.mantissa_bits) for each in blocks for mantissa in each.mantissas)
    return mantissas + bytes(each.exponent for each in blocks)


def unpack_v64(block: BlockFormat, data: bytes) -> tuple[Block, ...]:
    """Return the blocks of the two planes."""
    count = len(data) // (block.size + 1)
    exponents = data[count * block.size :]
    mantissas = tuple(signed_mantissa(block, byte) for byte in data[: count * block.size])
    return tuple(Block(exponents[i], mantissas[i * block.size : (i + 1) * block.size]) for i in range(count))


def signed_mantissa(block: BlockFormat, byte: int) -> int:
    """Return the number of a mantissa in two's complement."""
    return byte - (1 << block.mantissa_bits) if byte > block.largest else byte


def mantissa_value(block: BlockFormat, exponent: int, mantissa: int) -> Exact:
    """Return m · 2^(e - scale_bits). Under e = 255 that is a formula, not a number the format stands for."""
    return Exact(mantissa < 0, abs(mantissa), exponent - block.scale_bits)
