"""Plain conversions between formats, under the encoder rows of a rule set: `cvt.fp32.e4m3.rne.sat`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from .encode import encode, encode_infinity, encode_nan
from .exact import Exact, from_integer, is_integer
from .floats import is_infinite, is_nan, is_negative, with_sign
from .formats import finite_value, is_valid
from .integers import in_range, narrowed, stands_for, wrap
from .loader import default_rules
from .result import Result
from .rounding import round_to_integer
from .rows import Encoder, Flags, Format, Rounding, Rules

#: the rule set that the listed conversions follow
PLAIN_RULES = "ieee-ocp"

SOURCES = (
    "FP64", "FP32", "TF32", "FP16", "BF16", "E5M2", "E4M3", "E3M2", "E2M3", "E2M1", "S32", "U32", "S16", "S8", "U8",
)  # fmt: skip
DESTINATIONS = (
    "FP32", "TF32", "FP16", "BF16", "E5M2", "E4M3", "E3M2", "E2M3", "E2M1", "S32", "U32", "S16", "S8", "U8", "S4",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlainConversion:
    """A conversion from one format to another, every rule resolved to its row."""

    name: str
    source: Format
    destination: Format
    rounding: Rounding
    saturate: bool
    encoder: Encoder | None
    out_of_range: int
    flags: Flags


def convert_code(conversion: PlainConversion, bits: int) -> Result:
    """Convert a valid code of the source; the result's word is the destination's code at its own width."""
    source, destination, saturate = conversion.source, conversion.destination, conversion.saturate
    if source.is_integer:
        return convert_number(conversion, from_integer(wrap(bits, source)))
    nan = is_nan(source, bits)
    if not nan and not is_infinite(source, bits):
        return convert_number(conversion, finite_value(source, bits))
    negative = is_negative(source, bits)
    if destination.is_integer:
        code = stands_for(destination, nan, negative, saturate) % (1 << destination.carrier_bits)
        return Result(code, conversion.flags.nv if nan or not saturate else conversion.out_of_range)
    assert conversion.encoder is not None
    if nan:
        return encode_nan(source, bits, destination, saturate, conversion.encoder, conversion.flags)
    return encode_infinity(destination, negative, saturate, conversion.encoder, conversion.flags)


def convert_number(conversion: PlainConversion, value: Exact) -> Result:
    """Round an exact number once into the destination; a zero keeps its sign where the destination has one."""
    destination, flags = conversion.destination, conversion.flags
    if destination.is_integer:
        rounded = round_to_integer(value, conversion.rounding)
        code = narrowed(rounded, destination, conversion.saturate) % (1 << destination.carrier_bits)
        if not in_range(rounded, destination):
            return Result(code, conversion.out_of_range)
        return Result(code, 0 if is_integer(value) else flags.nx)
    if value.significand == 0:
        return Result(with_sign(destination, 0, value.negative), 0)
    assert conversion.encoder is not None
    return encode(value, destination, conversion.rounding, conversion.saturate, conversion.encoder, flags)


def legal_code(conversion: PlainConversion, bits: int) -> bool:
    """Tell whether a code of the source keeps the bits clear that its format requires."""
    return is_valid(conversion.source, bits)


@cache
def plain_conversions() -> dict[str, PlainConversion]:
    """Return every listed conversion of the shipped rules by name."""
    return {conversion.name: conversion for conversion in build_plain_conversions(default_rules())}


def build_plain_conversions(rules: Rules) -> Iterator[PlainConversion]:
    """Yield the conversions between all different formats of the lists, in every rounding mode, Sat 0 and 1."""
    for source in SOURCES:
        for destination in DESTINATIONS:
            if source != destination:
                for rounding in rules.roundings:
                    for saturate in (False, True):
                        yield build_plain_conversion(rules, PLAIN_RULES, source, destination, rounding, saturate)


def build_plain_conversion(
    rules: Rules, rule_set: str, source: str, destination: str, rounding: str, saturate: bool
) -> PlainConversion:
    """Resolve the rows of one conversion."""
    kind = "sat" if saturate else "nosat"
    return PlainConversion(
        name=f"cvt.{source.lower()}.{destination.lower()}.{rounding.lower()}.{kind}",
        source=rules.formats[source],
        destination=rules.formats[destination],
        rounding=rules.roundings[rounding],
        saturate=saturate,
        encoder=rules.encoders[rule_set].get(destination),
        out_of_range=rules.out_of_range[rule_set],
        flags=rules.flags,
    )
