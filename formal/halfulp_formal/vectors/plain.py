"""The family of plain conversions between formats: `cvt.fp32.e4m3.rne.sat` and its like."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from halfulp_formal.vectors.classes import plain as classes
from halfulp_formal.vectors.digest import digest
from halfulp_formal.vectors.family import Description, Field
from halfulp_formal.vectors.narrate import floating, integer
from halfulp_formal.vectors.row_family import RowFamily
from halfulp_model.convert import PLAIN_RULES, PlainConversion, convert_code, plain_conversions
from halfulp_model.floats import is_infinite, is_nan
from halfulp_model.formats import finite_value
from halfulp_model.integers import in_range, wrap
from halfulp_model.rounding import round_to_integer
from halfulp_model.rows import Format


class Plain(RowFamily):
    """Every plain conversion."""

    def __init__(self, package: str = "halfulp_model") -> None:
        super().__init__(plain_conversions, classes.GROUPS, description, package)

    def run(self, name: str, inputs: tuple[int, ...]) -> tuple[int, ...]:
        """Run the model's public call on a code."""
        row = plain_conversions()[name]
        call = import_module(f"{self.package}.api_convert").convert
        result = call(*inputs, row.source.name, row.destination.name, rounding=row.rounding.name, sat=row.saturate)
        return result.word, result.flags

    def why(self, name: str, inputs: tuple[int, ...]) -> str:
        """Say how the result comes about."""
        return narrate(plain_conversions()[name], inputs[0])

    def facts(self, name: str) -> Any:
        """Return the facts of the model as it is shipped."""
        # the solver side is loaded only where formulas are wanted
        from halfulp_formal.families.plain import PlainCase  # noqa: PLC0415
        from halfulp_formal.subject import base_subject  # noqa: PLC0415
        from halfulp_formal.vectors.facts.plain import PlainFacts  # noqa: PLC0415

        return PlainFacts(PlainCase(base_subject(), name))


@cache
def description(name: str) -> Description:
    """Return the description of a conversion."""
    row = plain_conversions()[name]
    return Description(
        conversion=name,
        twins=(),
        rules=(PLAIN_RULES, digest(row)),
        rounding=row.rounding.name,
        saturate=row.saturate,
        relu=None,
        inputs=(Field("value", row.source.name, row.source.lane_bits),),
        outputs=(Field("result", row.destination.name, row.destination.lane_bits), Field("flags", "flags", 5)),
    )


def narrate(row: PlainConversion, bits: int) -> str:
    """Return the line for one code: what it stands for, and what becomes of it."""
    word = convert_code(row, bits).word
    if not row.destination.is_integer:
        return f"{meaning(row.source, bits)} -> {meaning(row.destination, word)}"
    number = wrap(word, row.destination)
    if is_nan(row.source, bits) or is_infinite(row.source, bits):
        return f"{meaning(row.source, bits)} -> {number}, as Sat is {int(row.saturate)}"
    if row.source.is_integer:
        rounded = wrap(bits, row.source)
    else:
        rounded = round_to_integer(finite_value(row.source, bits), row.rounding)
    given = meaning(row.source, bits)
    step = "" if row.source.is_integer else f" -> {integer(rounded)}"
    if in_range(rounded, row.destination):
        return f"{given} -> {number}"
    return f"{given}{step}; {row.destination.name} {'clamps' if row.saturate else 'wraps'} to {number}"


def meaning(fmt: Format, bits: int) -> str:
    """Say what a code stands for."""
    return str(wrap(bits, fmt)) if fmt.is_integer else floating(fmt, bits)
