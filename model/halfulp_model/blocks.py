"""Members of a block to signed mantissas under one shared exponent: bfp16ebs8 and OCP MXINT8 by the same function.

Every function takes the conversion first: the resolved rows of one block format and rounding mode.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from .block_rows import BlockFormat, Minimum, Overflow, Selection
from .exact import Exact, magnitude_exponent
from .floats import exact_value, fields
from .loader import default_rules
from .rounding import round_to_integer
from .rows import Choice, Format, Rounding, Rules


class Block(NamedTuple):
    """A block: the shared exponent byte, and signed mantissas of fraction_bits bits after the point."""

    exponent: int
    mantissas: tuple[int, ...]


class Encoding(NamedTuple):
    """A converted block, and how it came about.

    Where `characterised` is false the evidence does not say what the hardware gives, and the block is only what the
    rules would give if they went on; see `open_question`. `renormalised` blocks were quantised a second time.
    """

    block: Block
    renormalised: bool
    characterised: bool


@dataclass(frozen=True, slots=True)
class BlockConversion:
    """One conversion into a block format, every rule resolved to its row: what `bfp16.conv_even` means."""

    name: str
    block: BlockFormat
    member: Format
    rounding: Rounding


@cache
def block_conversions() -> dict[str, BlockConversion]:
    """Return every block conversion of the shipped rules by name: `bfp16.floor` to `bfp16.conv_odd`, `mxint8`."""
    return {conversion.name: conversion for conversion in build_conversions(default_rules())}


def build_conversions(rules: Rules) -> Iterator[BlockConversion]:
    """Yield every block conversion that the rules define."""
    for block in rules.blocks.values():
        for rounding in block.roundings:
            yield build_conversion(rules, block, rounding)


def build_conversion(rules: Rules, block: BlockFormat, rounding: str) -> BlockConversion:
    """Resolve the rows of one block conversion; the rounding mode is in the name where the format leaves it open."""
    name = block.name.lower() if len(block.roundings) == 1 else f"{block.name.lower()}.{rounding}"
    return BlockConversion(name, block, rules.formats[block.member], rules.crrnd[rounding])


def encode_block(conversion: BlockConversion, members: tuple[int, ...]) -> Encoding:
    """Convert the codes of a block of any size.

    A mantissa beyond the largest magnitude is clamped, or moves the shared exponent up by one: then the whole block is
    quantised again from the exact values. Under the all-ones exponent of infinities and NaNs neither was observed.
    Sources: virtio-accel pull request 161; OCP Microscaling Formats 1.0.
    """
    exponent = shared_exponent(conversion, members)
    mantissas = quantise(conversion, members, exponent)
    if conversion.block.overflow is Overflow.CLAMP:
        clamped = tuple(clamp_mantissa(conversion.block, mantissa) for mantissa in mantissas)
        return Encoding(Block(exponent, clamped), renormalised=False, characterised=True)
    if exponent == conversion.block.exponent_mask:
        settled = all(abs(mantissa) <= conversion.block.largest for mantissa in mantissas)
        return Encoding(Block(exponent, mantissas), renormalised=False, characterised=settled)
    if not any(overflows(conversion, mantissa) for mantissa in mantissas):
        return Encoding(Block(exponent, mantissas), renormalised=False, characterised=True)
    again = quantise(conversion, members, exponent + 1)
    finite = exponent + 1 < conversion.block.exponent_mask
    return Encoding(Block(exponent + 1, again), renormalised=True, characterised=finite)


def shared_exponent(conversion: BlockConversion, members: tuple[int, ...]) -> int:
    """Return the shared exponent byte: the largest exponent field, or floor(log2) of the largest magnitude.

    The second is clamped from below at 2^-bias, so a block of zeros has the exponent byte 0 either way.
    """
    if conversion.block.selection is Selection.EXPONENT_FIELD:
        return max(fields(conversion.member, bits).exponent for bits in members)
    largest = max(bits % (1 << conversion.member.sign_bit) for bits in members)
    bias = conversion.block.bias
    return max(magnitude_exponent(exact_value(conversion.member, largest)), -bias) + bias


def quantise(conversion: BlockConversion, members: tuple[int, ...], exponent: int) -> tuple[int, ...]:
    """Round every member to its mantissa under a shared exponent that is no smaller than any member's own."""
    return tuple(round_member(conversion, bits, exponent) for bits in members)


def round_member(conversion: BlockConversion, bits: int, exponent: int) -> int:
    """Round one member's exact mantissa: at most one beyond the largest magnitude."""
    mantissa = round_to_integer(exact_mantissa(conversion, bits, exponent), conversion.rounding)
    beyond = conversion.block.largest + 1
    assert -beyond <= mantissa <= beyond
    return mantissa


def exact_mantissa(conversion: BlockConversion, bits: int, exponent: int) -> Exact:
    """Return value · 2^(scale_bits - exponent), the member's mantissa before rounding, or 0 where it is flushed.

    The significand of an infinity or a NaN is read like any other: 1 and the fraction.
    """
    value = exact_value(conversion.member, bits)
    if conversion.block.flushes_subnormals and fields(conversion.member, bits).exponent == 0:
        return Exact(value.negative, 0, 0)
    places = value.exponent + conversion.block.scale_bits - exponent
    assert places <= conversion.member.smallest_exponent + conversion.block.scale_bits
    return Exact(value.negative, value.significand, places)


def overflows(conversion: BlockConversion, mantissa: int) -> bool:
    """Tell whether a rounded mantissa must not be emitted; the most negative one may be, in some modes."""
    if mantissa < -conversion.block.largest:
        return not emits_minimum(conversion.block.minimum, conversion.rounding)
    return mantissa > conversion.block.largest


def emits_minimum(minimum: Minimum, rounding: Rounding) -> bool:
    """Tell whether a rounding mode emits the most negative mantissa."""
    if minimum is Minimum.FLOOR_ONLY:
        return not rounding.nearest and rounding.choice is Choice.FLOOR
    return minimum is Minimum.FITS_INT8


def clamp_mantissa(block: BlockFormat, mantissa: int) -> int:
    """Clamp to the largest magnitude, on both signs."""
    return min(max(mantissa, -block.largest), block.largest)


def open_question(encoding: Encoding) -> str | None:
    """Return the name of the open question that a block runs into, None for a characterised one."""
    if encoding.characterised:
        return None
    return "renormalised_to_255" if encoding.renormalised else "nan_reaches_128"
