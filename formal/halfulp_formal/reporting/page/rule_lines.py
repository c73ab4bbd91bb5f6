"""The rule of a conversion in lines: the rows that the model reads, each with its values, and nothing that is not in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, singledispatch
from typing import Any

from halfulp_formal.explain.numerals import decimal_text
from halfulp_formal.explain.stages import flags_text
from halfulp_formal.wording import counted
from halfulp_model.adder import adders
from halfulp_model.api_e8m0 import e8m0_conversions, scale_conversions
from halfulp_model.arguments import of_bits
from halfulp_model.block_rows import BlockFormat
from halfulp_model.blocks import block_conversions
from halfulp_model.conversions import conversions
from halfulp_model.convert import plain_conversions
from halfulp_model.exact import Exact
from halfulp_model.fpatr_rows import InstructionField
from halfulp_model.loader import default_rules
from halfulp_model.rows import Choice, Encoder, Format, Outcome, PreQuantMode, Rounding, ScaleTable

from .code_bits import word_fields

#: what a field of a conversion is called on the page, where its own name would not do
LABELS = {"fp19": "factor", "fmt": "format", "saturate": "Sat", "logarithmic": "midpoint"}

DIRECTIONS = {
    Choice.FLOOR: "toward -infinity",
    Choice.CEILING: "toward +infinity",
    Choice.ZERO: "toward zero",
    Choice.AWAY: "away from zero",
    Choice.EVEN: "to even",
    Choice.ODD: "to odd",
}

#: fields that say nothing beside the others
SILENT = ("name", "layout", "flags")


@cache
def rows_by_name() -> Mapping[str, Any]:
    """Return the row, or the rows, that each conversion of the model stands for, by its name."""
    rules = default_rules()
    return {
        **conversions(),
        **plain_conversions(),
        **e8m0_conversions(),
        **scale_conversions(),
        **block_conversions(),
        **adders(),
        **{f"format.{name.lower()}": row for name, row in rules.formats.items()},
        "fp19.fp32": (rules.formats["FP32"], rules.formats["FP19"]),
    }


def rule_of(conversion: str) -> list[tuple[str, str]]:
    """Return the rule of a conversion as labels and values; nothing of one that has no row of its own."""
    row = rows_by_name().get(conversion)
    if conversion == "fpatr":
        return [(field.name, told(field)) for field in word_fields()]
    if row is None:
        return []
    if isinstance(row, tuple):
        return [("source", told(row[0])), ("destination", told(row[1]))]
    if isinstance(row, Format):
        return [("format", told(row))]
    return list(lines_of(row))


def lines_of(row: Any) -> Iterator[tuple[str, str]]:
    """Yield a line a field of a conversion."""
    for each in fields(row):
        value = getattr(row, each.name)
        if each.name in SILENT or value is None:
            continue
        label = LABELS.get(each.name, each.name.replace("_", " "))
        if each.name == "saturate":
            yield label, str(int(value))
        elif each.name == "logarithmic":
            yield label, "of log2" if value else "of the value"
        elif each.name == "out_of_range":
            yield label, f"raises {flag_names(value)}"
        else:
            yield label, told(value)


@singledispatch
def told(value: Any) -> str:
    """Return a value of the rule data as one line."""
    if isinstance(value, Enum):
        return str(value.value).replace("_", " ")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if is_dataclass(value):
        parts = ((each.name, getattr(value, each.name)) for each in fields(value))
        return "; ".join(f"{name.replace('_', ' ')}: {told(part)}" for name, part in parts)
    if isinstance(value, tuple):
        return ", ".join(map(told, value))
    return str(value)


@told.register
def _(value: Rounding) -> str:
    return f"{value.name}: {'to nearest, ties ' if value.nearest else ''}{DIRECTIONS[value.choice]}"


@told.register
def _(value: Format) -> str:
    if value.is_integer:
        return f"{value.name}: integer, {value.code_bits} bits, {value.minimum:,} to {value.maximum:,}"
    parts = [f"{value.name}: {value.kind.value}, {value.code_bits} bits"]
    if value.bands:
        parts.append(f"{counted(len(value.bands), 'band')} of codes")
    else:
        parts.append(f"{value.exponent_bits} exponent, bias {value.bias}")
    if value.fraction_bits:
        parts.append(f"{'up to ' if value.bands else ''}{value.fraction_bits} fraction")
    special = {"ieee": "infinities and NaNs", "nan_only": "a NaN, no infinity", "none": "neither infinity nor NaN"}
    parts.append(special.get(value.specials.value, "one NaN code, one magnitude of infinity"))
    constrained = value.low_zero_bits + value.high_zero_bits
    if constrained:
        parts.append(f"{constrained} bits that must be zero")
    return ", ".join(parts)


@told.register
def _(value: PreQuantMode) -> str:
    carried = {"none": "no parameter", "scale": "an FP19 scale", "shift": "a shift"}[value.parameter.value]
    offset = f" and {of_bits(value.offset_bits, 'offset')}" if value.offset_bits else ""
    where = "" if value.operand == "none" else f" in a {value.operand} parameter word"
    return f"{value.name}, PreQuantMode {value.code}: {carried}{offset}{where}"


@told.register
def _(value: Encoder) -> str:
    return "; ".join(
        (
            f"overflow judged {'before' if value.overflow_before_rounding else 'after'} rounding",
            f"an overflow {'follows the direction' if value.overflow_directed else 'ignores the direction'}",
            f"tiny {'after' if value.tiny_after_rounding else 'before'} rounding",
            f"underflow to zero {'keeps' if value.underflow_keeps_sign else 'loses'} the sign",
            f"a NaN {'is quieted, sign and payload kept' if value.nan_keeps_payload else 'becomes the canonical one'}",
            f"under Sat 1 a NaN gives {'zero' if value.nan_saturates_to_zero else 'a NaN'}",
        )
    )


@told.register
def _(value: ScaleTable) -> str:
    outcomes = ("nan", "zero", "negative", "infinity", "overflow", "underflow")
    listed = "; ".join(f"{name}: {told(getattr(value, name))}" for name in outcomes)
    return f"range judged {'before' if value.range_before_rounding else 'after'} rounding; {listed}"


@told.register
def _(value: Outcome) -> str:
    code = f"{value.code:#04x}" if value.code == value.saturated else f"{value.code:#04x}, Sat 1 {value.saturated:#04x}"
    return f"{code} ({flag_names(value.flags)})"


@told.register
def _(value: BlockFormat) -> str:
    return (
        f"{value.name}: {value.size} members of {value.member}; shared exponent {value.exponent_bits} bits from the "
        f"{told(value.selection)}; mantissas of {value.mantissa_bits} bits; beyond the largest: {told(value.overflow)}; "
        f"least mantissa: {told(value.minimum)}; subnormal members {'flushed' if value.flushes_subnormals else 'kept'}"
    )


@told.register
def _(value: InstructionField) -> str:
    high = value.low + value.bits - 1
    bits = f"bit {value.low}" if value.bits == 1 else f"bits {high} to {value.low}"
    return f"{bits}, assigned {', '.join(map(str, value.assigned))}"


@told.register
def _(value: Exact) -> str:
    return decimal_text(value)


def flag_names(mask: int) -> str:
    """Return the names of the flags of a mask."""
    return flags_text(default_rules().flags, mask)
