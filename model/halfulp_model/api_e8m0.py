"""Public calls to a power-of-two scale, and the names behind them: `e8m0.fp32.rto.sat`, `scale.fp32.rceil.e4m3`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from .api_formats import checked_code, find_format
from .arguments import checked_name, checked_switch
from .e8m0 import ONE, ScaleConversion, to_scale
from .exact import Exact
from .formats import finite_value
from .loader import default_rules
from .result import Rejected, Result
from .rows import Format, Rules, ScaleTable

#: families of the rule data's scale tables
TCVT, MX_SCALE = "tcvt", "mx_scale"

#: B.DATR.RMode NONE, and the mode that TCVT then uses
RMODE_NONE, DEFAULT_ROUNDING = "NONE", "RNE"


@cache
def e8m0_conversions() -> dict[str, ScaleConversion]:
    """Return every conversion of TCVT to E8M0 by name: source, rounding mode and Sat."""
    rules = default_rules()
    return {
        conversion.name: conversion
        for source in rules.scale_tables[TCVT].sources
        for rounding in rules.roundings
        for saturate in (False, True)
        for conversion in [build_e8m0(rules, source, rounding, saturate)]
    }


@cache
def scale_conversions() -> dict[str, ScaleConversion]:
    """Return every MX scale choice by name: source, rule, and the element format where the rule needs one."""
    return {conversion.name: conversion for conversion in build_scales(default_rules())}


def build_scales(rules: Rules) -> Iterator[ScaleConversion]:
    """Yield every MX scale choice of the rules."""
    for source in rules.scale_tables[MX_SCALE].sources:
        for name, rule in rules.scale_rules.items():
            for element in rule.elements or (None,):
                yield build_scale(rules, source, name, element)


def build_e8m0(rules: Rules, source: str, rounding: str, saturate: bool) -> ScaleConversion:
    """Resolve the rows of one conversion of TCVT to E8M0."""
    table = rules.scale_tables[TCVT]
    return ScaleConversion(
        name=".".join([table.destination.lower(), source.lower(), rounding.lower(), "sat" if saturate else "nosat"]),
        table=table,
        source=rules.formats[source],
        destination=rules.formats[table.destination],
        rounding=rules.roundings[rounding],
        logarithmic=True,
        divisor=ONE,
        saturate=saturate,
    )


def build_scale(rules: Rules, source: str, rule: str, element: str | None) -> ScaleConversion:
    """Resolve the rows of one MX scale choice."""
    table = rules.scale_tables[MX_SCALE]
    parts = ["scale", source.lower(), rule, *([] if element is None else [element.lower()])]
    return ScaleConversion(
        name=".".join(parts),
        table=table,
        source=rules.formats[source],
        destination=rules.formats[table.destination],
        rounding=rules.scale_rules[rule].rounding,
        logarithmic=False,
        divisor=ONE if element is None else largest_number(rules.formats[element]),
        saturate=False,
    )


def largest_number(fmt: Format) -> Exact:
    """Return the largest finite number of a floating format."""
    return finite_value(fmt, fmt.largest_finite)


def tcvt_e8m0(bits: int, source: str | int, *, rounding: str = DEFAULT_ROUNDING, sat: bool = False) -> Result:
    """Convert a code to E8M0, the power-of-two scale 2^(code - 127), as TCVT does.

    bits: a code of `source`, which is FP16, BF16 or FP32 (name or DataType code).
    rounding: mode that rounds log2 of the value; "NONE" is RNE. sat: B.DATR.Sat.

    A power of two in range is exact; any other number in range raises NX. NaN, zero and negative values give ff with NV.
    Whatever the mode, a number above 2^127 and +infinity give ff, or fe if `sat`, with OF and NX; a number below 2^-127
    gives ff, or 00 if `sat`, with UF and NX. Raises Rejected for any other source, code, mode or Sat.
    Source: ReferenceFloatToE8M0.
    """
    rules = default_rules()
    table = rules.scale_tables[TCVT]
    row = pick_source(table, source)
    checked_name("B.DATR.RMode", rounding, [*rules.roundings, RMODE_NONE], "rounding mode")
    saturate = checked_switch("B.DATR.Sat", sat)
    mode = DEFAULT_ROUNDING if rounding == RMODE_NONE else rounding
    return to_scale(build_e8m0(rules, row.name, mode, saturate), checked_code(row, bits))


def mx_scale(bits: int, source: str | int, *, rule: str, element: str | int | None = None) -> Result:
    """Return the E8M0 scale that an MX quantiser chooses for the greatest magnitude of a block.

    bits: a code of `source`, which is FP16, BF16 or FP32 (name or DataType code).
    rule: "floor", the largest power of two <= x; "ceil", the smallest >= x; "even", the nearest one, where a tie
        (x = 1.5 · 2^e) takes the even exponent; "rceil", the smallest power of two >= x divided by the largest number
        of `element`. The quotient is exact: no rounding happens but the choice of the exponent.
    element: the element format, for "rceil" only: HiF8, E4M3, E5M2, E3M2, E2M3 or E2M1.

    NaN and negative values give ff (NaN) with NV; +infinity gives ff with OF and NX; zero gives 00 without flags. A
    chosen exponent below -127 gives 00 with UF and NX, above 127 fe with OF and NX. Any other quotient that is not a
    power of two raises NX. No standard says what the special values give: `rules/e8m0.yaml` has the choices made here.
    Raises Rejected for any other source, code, rule or element.
    """
    rules = default_rules()
    row = pick_source(rules.scale_tables[MX_SCALE], source)
    checked_name("rule", rule, rules.scale_rules, "scale rule")
    name = pick_element(rules, rule, element)
    return to_scale(build_scale(rules, row.name, rule, name), checked_code(row, bits))


def pick_source(table: ScaleTable, source: str | int) -> Format:
    """Return the row of a source that a family accepts."""
    row = find_format(source)
    if row.name not in table.sources:
        expected = ", ".join(table.sources)
        raise Rejected("source", f"{row.name} does not convert to {table.destination}; expected {expected}")
    return row


def pick_element(rules: Rules, rule: str, element: str | int | None) -> str | None:
    """Return the name of the element format that a rule divides by, None for a rule that does not."""
    elements = rules.scale_rules[rule].elements
    if not elements:
        if element is None:
            return None
        raise Rejected("element", f"{rule} takes no element format; got {element!r}")
    if element is None:
        raise Rejected("element", f"{rule} needs an element format; expected {', '.join(elements)}")
    name = find_format(element).name
    if name not in elements:
        raise Rejected("element", f"{rule} does not divide by {name}; expected {', '.join(elements)}")
    return name
