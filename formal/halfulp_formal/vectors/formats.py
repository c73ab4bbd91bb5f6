"""The family of number formats: what a code stands for, its class, its exact number and its place in the order."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from halfulp_formal.vectors.classes import formats as classes
from halfulp_formal.vectors.digest import digest
from halfulp_formal.vectors.family import Description, Field
from halfulp_formal.vectors.narrate import describe_number
from halfulp_formal.vectors.row_family import RowFamily
from halfulp_model.exact import Exact
from halfulp_model.formats import Decomposition, ValueClass, order_key
from halfulp_model.loader import default_rules
from halfulp_model.rows import Format

#: the rule set that lists the formats
RULE_SET = "pto"

#: widths of a class, which is its place among the eleven, and of an exponent, in two's complement
CLASS_BITS, EXPONENT_BITS = 4, 16

#: classes of codes that have no place in the order
UNORDERED = (ValueClass.INVALID_ENCODING, ValueClass.QUIET_NAN, ValueClass.SIGNALING_NAN)


class Formats(RowFamily):
    """Every format of the rule data."""

    def __init__(self, package: str = "halfulp_model") -> None:
        super().__init__(rows, classes.GROUPS, description, package)

    def run(self, name: str, inputs: tuple[int, ...]) -> tuple[int, ...]:
        """Run the model's public calls on a code, or on one lane of a carrier."""
        row, calls = rows()[name], import_module(f"{self.package}.api_formats")
        code = calls.lanes(row.name, inputs[0])[inputs[1]] if row.lanes > 1 else inputs[0]
        lane = (code,) if row.lanes > 1 else ()
        # a patched model has an enumeration of its own
        value_class = ValueClass(calls.classify(row.name, code).value)
        number = decomposition_fields(calls.decompose(row.name, code))
        order = (0, 0) if value_class in UNORDERED else (1, calls.order_key(row.name, code))
        return (*lane, list(ValueClass).index(value_class), *number, *order)

    def why(self, name: str, inputs: tuple[int, ...]) -> str:
        """Say what the code stands for."""
        row = rows()[name]
        calls = import_module("halfulp_model.api_formats")
        code = calls.lanes(row.name, inputs[0])[inputs[1]] if row.lanes > 1 else inputs[0]
        where = f"lane {inputs[1]} is {code:#x}: " if row.lanes > 1 else ""
        return where + meaning(row, code, calls.classify(row.name, code), calls.decompose(row.name, code))

    def facts(self, name: str) -> Any:
        """Return the facts of the model as it is shipped."""
        # the solver side is loaded only where formulas are wanted
        from halfulp_formal.families.formats import FormatCase  # noqa: PLC0415
        from halfulp_formal.subject import base_subject  # noqa: PLC0415
        from halfulp_formal.vectors.facts.formats import FormatFacts  # noqa: PLC0415

        return FormatFacts(FormatCase(base_subject(), name))


@cache
def rows() -> dict[str, Format]:
    """Return every format's row by the name of its file."""
    return {f"format.{name.lower()}": row for name, row in default_rules().formats.items()}


@cache
def description(name: str) -> Description:
    """Return the description of a format's file."""
    row = rows()[name]
    packed = row.lanes > 1
    return Description(
        conversion=name,
        twins=(),
        rules=(RULE_SET, digest(row)),
        rounding=None,
        saturate=False,
        relu=None,
        inputs=(Field("carrier", row.name, row.carrier_bits), Field("lane", "lane", (row.lanes - 1).bit_length()))
        if packed
        else (Field("code", row.name, row.code_bits),),
        outputs=(
            *((Field("lane_code", row.name, row.code_bits),) if packed else ()),
            Field("value_class", "ValueClass", CLASS_BITS),
            # (-1)^negative · significand · 2^exponent, all zero where there is no such number
            Field("available", "truth", 1),
            Field("negative", "truth", 1),
            Field("significand", "number", row.fraction_bits + 1),
            Field("exponent", "signed number", EXPONENT_BITS),
            Field("ordered", "truth", 1),
            Field("order_key", "number", key_bits(row)),
        ),
    )


def key_bits(row: Format) -> int:
    """Return the width of the greatest order key: that of a code, or of an infinity where codes are not in order."""
    return max(row.lane_bits, order_key(row, row.infinity).bit_length())


def decomposition_fields(number: Decomposition) -> tuple[int, int, int, int]:
    """Return a decomposition as its fields have it."""
    return int(number.available), int(number.negative), number.significand, number.exponent % (1 << EXPONENT_BITS)


def meaning(row: Format, code: int, value_class: ValueClass, number: Decomposition) -> str:
    """Say what a code stands for: its class, and its number where it has one."""
    words = value_class.value.replace("_", " ")
    if row.is_integer:
        return f"{words}: {code - (1 << row.code_bits) if code > row.maximum else code}"
    if not number.available or number.significand == 0:
        return words
    return f"{words}: {describe_number(Exact(number.negative, number.significand, number.exponent))}"
