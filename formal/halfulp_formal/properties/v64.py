"""v64 planes: where the bytes of eight blocks lie in memory."""

from __future__ import annotations

from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import Equals

from halfulp_formal.lift.values import Int, conjoin, fit, symbol

from .blocks import SILICON
from .claim import Claim, Kind
from .matmul import free_rows, terms_of
from .numbers import Number, equal

BLOCKS, SIZE = 8, 8


def planes(case: Any) -> Claim:
    """Byte 8i + k is mantissa k of block i, byte 64 + i its exponent; so no byte depends on more than one block."""
    rows = free_rows("block", BLOCKS)
    mantissas = [mantissa for row in rows for mantissa in row.mantissas]
    expected = [*mantissas, *(row.exponent for row in rows)]
    found = case.pack(rows)
    claim = conjoin(*(same_byte(one, two) for one, two in zip(expected, found, strict=True)))
    return Claim(claim, terms_of(*rows))


def same_byte(number: Number, byte: Number) -> FNode:
    """State that a byte is a number modulo 2^8, and no more than a byte."""
    return conjoin(Equals(fit(number, 8), fit(byte, 8)), equal(byte, Int(fit(byte, 8), 0, 255)))


def unpacked(case: Any) -> Claim:
    """Any 72 bytes are eight blocks; packed again they are the same bytes."""
    data = tuple(symbol(f"in.byte{k}", 0, 255) for k in range(BLOCKS * (SIZE + 1)))
    found = case.pack(case.unpack(data))
    claim = conjoin(*(equal(one, two) for one, two in zip(data, found, strict=True)))
    return Claim(claim, tuple(byte.term for byte in data))


def every(_name: str) -> bool:
    """Every conversion of the family has this obligation."""
    return True


KINDS = (
    Kind(
        "planes",
        "The native memory layout is the 64-byte mantissa plane then the 8-byte exponent plane, with per-block isolation.",
        SILICON,
        every,
        planes,
        ("plane_transposed",),
    ),
    Kind(
        "unpacked",
        "A v64 is 72 bytes: any 72 bytes are eight blocks, and these eight blocks are those bytes.",
        SILICON,
        every,
        unpacked,
        ("plane_transposed",),
    ),
)
