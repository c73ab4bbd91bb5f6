"""Conversions that are likely to behave alike, and those that are one function under two names."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from halfulp_formal.subject import Subject, base_subject

from .outcome import Entry
from .sides import same_outputs
from .touched import Standing


def like_of(standing: Standing, amended: Subject) -> str:
    """Return a conversion of the base that a new one is one term with, "" for none: only names and codes differ."""
    adapter = standing.adapter
    rows = adapter.names(amended)[standing.name]
    if not nameless(rows):
        return ""
    for name, other in adapter.names(base_subject()).items():
        if nameless(other) == nameless(rows):
            mine, theirs = adapter.lift(amended, standing.name), adapter.lift(base_subject(), name)
            if mine.inputs == theirs.inputs and mine.legal is theirs.legal and same_outputs(theirs, mine).is_true():
                return name
    return ""


def kind_of(entry: Entry) -> tuple[object, ...]:
    """Return what conversions have in common that are likely to differ in regions of the same words."""
    rows = entry.standing.adapter.names(base_subject())[entry.name]
    destination, rounding = getattr(rows, "destination", None), getattr(rows, "rounding", None)
    return (
        entry.standing.adapter.family.name,
        entry.name.split(".")[0] if destination is None else destination.is_integer,
        getattr(rows, "saturate", None),
        rounding is not None and rounding.nearest and rounding.choice,
    )


def nameless(rows: Any) -> str:
    """Return a conversion's rows without its name, and without name, code and operand of its mode."""
    if not is_dataclass(rows) or not hasattr(rows, "mode"):
        return ""
    chosen = {key: value for key, value in vars_of(rows).items() if key not in ("name", "mode")}
    mode = {key: value for key, value in vars_of(rows.mode).items() if key not in ("name", "code", "operand")}
    return repr((chosen, mode))


def vars_of(row: Any) -> dict[str, Any]:
    """Return the fields of a row by name."""
    return {each.name: getattr(row, each.name) for each in fields(row)}
