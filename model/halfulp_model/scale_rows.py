"""Rows of conversions to a power-of-two scale: what each family accepts and gives, and how it chooses the exponent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .rows import Choice, Flags, Outcome, Rounding, ScaleRule, ScaleTable

#: a place in the rule data and what is wrong there
Mistake = tuple[tuple[str | int, ...], str]

OUTCOMES = ("nan", "zero", "negative", "infinity", "overflow", "underflow")


def scale_mistakes(document: Mapping[str, Any]) -> Iterator[Mistake]:
    """Yield what a schema cannot refuse in the sections of scale conversions."""
    formats = document["formats"]
    for family, table in document["scale_tables"].items():
        place = ("scale_tables", family)
        destination = formats.get(table["destination"])
        if destination is None or destination["kind"] != "scale":
            yield (*place, "destination"), f"no scale format is called {table['destination']!r}"
            continue
        for index, name in enumerate(table["sources"]):
            if formats.get(name, {}).get("kind") != "binary":
                yield (*place, "sources", index), f"no binary format is called {name!r}"
        for name in OUTCOMES:
            for key in ("code", "saturated"):
                if table[name].get(key, 0) >> destination["carrier_bits"]:
                    message = f"{table[name][key]:#x} does not fit a carrier of {destination['carrier_bits']} bits"
                    yield (*place, name, key), message
    for name, rule in document["scale_rules"].items():
        for index, element in enumerate(rule.get("elements", [])):
            if formats.get(element, {}).get("kind") not in ("binary", "tapered"):
                message = f"no floating format is called {element!r}"
                yield ("scale_rules", name, "elements", index), message


def build_table(row: Mapping[str, Any], flags: Flags) -> ScaleTable:
    """Make the table of a family."""
    return ScaleTable(
        destination=row["destination"],
        sources=tuple(row["sources"]),
        range_before_rounding=row["range"] == "before_rounding",
        inexact=flag_mask(row["inexact"], flags),
        **{name: build_outcome(row[name], flags) for name in OUTCOMES},
    )


def build_outcome(row: Mapping[str, Any], flags: Flags) -> Outcome:
    """Make an outcome; Sat changes nothing where no saturated code is given."""
    return Outcome(row["code"], row.get("saturated", row["code"]), flag_mask(row["flags"], flags))


def flag_mask(names: list[str], flags: Flags) -> int:
    """Return the mask of some flags."""
    return sum(getattr(flags, name.lower()) for name in names)


def build_rule(name: str, row: Mapping[str, Any]) -> ScaleRule:
    """Make a rule of the MX scale choices."""
    rounding = Rounding(name, row["nearest"], Choice(row["choice"]), 0)
    return ScaleRule(rounding, tuple(row.get("elements", ())))
