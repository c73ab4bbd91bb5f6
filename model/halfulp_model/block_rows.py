"""Rows of block floating point: block formats, what their conversions do, adders and open questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any


class Selection(Enum):
    """Where a block's shared exponent comes from."""

    EXPONENT_FIELD = "exponent_field"
    LARGEST_MAGNITUDE = "largest_magnitude"


class Overflow(Enum):
    """What happens to a rounded mantissa beyond the largest magnitude."""

    RENORMALISE = "renormalise"
    CLAMP = "clamp"


class Minimum(Enum):
    """Which conversions emit the most negative mantissa, -2^(mantissa_bits - 1)."""

    FLOOR_ONLY = "floor_only_emits_-128"
    FITS_INT8 = "fits_int8"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockFormat:
    """A block format and its conversion. Widths are in bits; `scale_bits` is bias + fraction_bits.

    A mantissa m under the shared exponent byte e stands for m · 2^(e - scale_bits).
    """

    name: str
    size: int
    member: str
    exponent_bits: int
    bias: int
    mantissa_bits: int
    fraction_bits: int
    selection: Selection
    flushes_subnormals: bool
    overflow: Overflow
    minimum: Minimum
    roundings: tuple[str, ...]
    default_rounding: str
    #: all-ones exponent byte, largest mantissa, weight of an integer mantissa under e = 0
    exponent_mask: int
    largest: int
    scale_bits: int


@dataclass(frozen=True, slots=True)
class AdderRow:
    """How two codes of a format are added: a rule set of the encoders, and names of rounding modes."""

    encoder: str
    roundings: tuple[str, ...]
    default_rounding: str


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """Something the evidence does not say; `uncharacterised` where the model gives no result, else it names a reading."""

    name: str
    uncharacterised: bool
    text: str


def build_block(name: str, row: Mapping[str, Any]) -> BlockFormat:
    """Make a block row of a checked section."""
    return BlockFormat(
        name=name,
        size=row["size"],
        member=row["member"],
        exponent_bits=row["exponent_bits"],
        bias=row["bias"],
        mantissa_bits=row["mantissa_bits"],
        fraction_bits=row["fraction_bits"],
        selection=Selection(row["selection"]),
        flushes_subnormals=row["subnormals"] == "flushed",
        overflow=Overflow(row["overflow"]),
        minimum=Minimum(row["minimum"]),
        roundings=tuple(row["roundings"]),
        default_rounding=row["default_rounding"],
        exponent_mask=(1 << row["exponent_bits"]) - 1,
        largest=(1 << (row["mantissa_bits"] - 1)) - 1,
        scale_bits=row["bias"] + row["fraction_bits"],
    )


def build_adder(row: Mapping[str, Any]) -> AdderRow:
    """Make an adder row of a checked section."""
    return AdderRow(row["encoder"], tuple(row["roundings"]), row["default_rounding"])


def build_question(name: str, row: Mapping[str, Any]) -> OpenQuestion:
    """Make an open question of a checked section."""
    return OpenQuestion(name, row["outcome"] == "uncharacterised", row["text"])


def block_mistakes(document: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield what a schema cannot refuse in the block sections: names of rows that do not exist."""
    formats, encoders = document["formats"], document["encoders"]
    for name, row in document["blocks"].items():
        if formats.get(row["member"], {}).get("kind") != "binary":
            yield ("blocks", name, "member"), f"no binary format is called {row['member']!r}"
        yield from rounding_mistakes(row, ("blocks", name), document["crrnd"])
    for name, row in document["adders"].items():
        if name not in formats:
            yield ("adders", name), f"no format is called {name!r}"
        if name not in encoders.get(row["encoder"], {}):
            yield ("adders", name, "encoder"), f"rule set {row['encoder']!r} has no encoder of {name!r}"
        yield from rounding_mistakes(row, ("adders", name), document["rounding"])


def rounding_mistakes(
    row: Mapping[str, Any], place: tuple[str | int, ...], roundings: Mapping[str, Any]
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the rounding modes of a row that are not in a section, and a default that is not among them."""
    for index, rounding in enumerate(row["roundings"]):
        if rounding not in roundings:
            yield (*place, "roundings", index), f"no rounding mode is called {rounding!r}"
    if row["default_rounding"] not in row["roundings"]:
        yield (*place, "default_rounding"), f"{row['default_rounding']!r} is not among the roundings"
