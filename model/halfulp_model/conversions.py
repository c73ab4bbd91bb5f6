"""Conversion names, and the rows behind each: `req8.rne.nosat` is mode, rounding mode and Sat."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from .loader import default_rules
from .postprocess import Conversion
from .rows import PreQuantMode, Rules

PROGRAMMABLE, NO_CHOICE = "programmable", "none"

#: whose encoder rows the post-processing follows
RULE_SET = "pto"

#: the rounding mode of an operation whose RMode field is NONE and whose mode does not fix one
DEFAULT_ROUNDING = "RNE"


@cache
def conversions() -> dict[str, Conversion]:
    """Return every conversion of the shipped rules by name, in table order."""
    return {conversion.name: conversion for conversion in build_conversions(default_rules())}


def build_conversions(rules: Rules) -> Iterator[Conversion]:
    """Yield every conversion that the rules define and the model can carry out."""
    for mode in sorted(rules.modes.values(), key=lambda mode: mode.code):
        for accumulator in mode.accumulators:
            destination = mode.destination or accumulator
            if destination in rules.encoders[RULE_SET] or rules.formats[destination].is_integer:
                for rounding in rounding_choices(rules, mode):
                    for saturate in saturate_choices(mode):
                        yield build_conversion(rules, mode, accumulator, rounding, saturate)


def rounding_choices(rules: Rules, mode: PreQuantMode) -> list[str]:
    """Return the rounding modes that a mode can run under."""
    if mode.rounding == PROGRAMMABLE:
        return list(rules.roundings)
    return [DEFAULT_ROUNDING if mode.rounding == NO_CHOICE else mode.rounding]


def saturate_choices(mode: PreQuantMode) -> list[bool]:
    """Return the values of Sat that a mode accepts."""
    return [False, True] if mode.saturate == PROGRAMMABLE else [False]


def conversion_name(mode: PreQuantMode, accumulator: str, rounding: str, saturate: bool) -> str:
    """Return the one name of a conversion: mode, then accumulator, rounding and Sat where the mode leaves them open."""
    parts = [mode.name.lower()]
    if len(mode.accumulators) > 1:
        parts.append(accumulator.lower())
    if mode.rounding != NO_CHOICE:
        parts.append(rounding.lower())
    if mode.saturate == PROGRAMMABLE:
        parts.append("sat" if saturate else "nosat")
    return ".".join(parts)


def build_conversion(rules: Rules, mode: PreQuantMode, accumulator: str, rounding: str, saturate: bool) -> Conversion:
    """Resolve the rows of one conversion."""
    destination = mode.destination or accumulator
    return Conversion(
        name=conversion_name(mode, accumulator, rounding, saturate),
        mode=mode,
        accumulator=rules.formats[accumulator],
        destination=rules.formats[destination],
        rounding=rules.roundings[rounding],
        saturate=saturate,
        layout=rules.parameter_word,
        fp19=rules.formats["FP19"],
        encoder=rules.encoders[RULE_SET].get(destination),
        out_of_range=rules.out_of_range[RULE_SET],
        flags=rules.flags,
    )
