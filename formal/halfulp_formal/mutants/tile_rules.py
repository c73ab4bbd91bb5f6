"""Mutants of the rule data that an operation on a tile reads: the word, legality, reductions, and the rows of elements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from halfulp_formal.mutants.mutant import Mutant
from halfulp_formal.mutants.rules import element_rules, mutant
from halfulp_formal.subject import shipped_document
from halfulp_formal.vectors.tiles import Rows
from halfulp_model.fpatr_rows import VARIABLE, FaultKind
from halfulp_model.postprocess import Conversion

#: flags that a step of a reduction may raise by mistake
FLAGS = ((), ("NV",), ("OF",), ("OF", "NX"))
#: what a mode's own column may say of rounding mode and Sat
MODE_CHOICES = {"rounding": ("programmable", "none", "RNE", "RTZ"), "saturate": ("programmable", "none")}


def operation_rules(row: Rows) -> tuple[Mutant, ...]:
    """Return the mutants of the rows of an operation, those that people meet first at the head."""
    document = shipped_document()[0]
    return (
        *word_mutants(document["fpatr"]),
        *assigned_mutants(document["fpatr"]),
        *group_mutants(document["group_columns"]["columns"]),
        *fault_mutants(document["legality"]),
        *reduction_mutants(document["reductions"]),
        *binding_mutants(row.conversion, document["prequant"]),
        *element_rules(row.conversion),
    )


def word_mutants(fields: Mapping[str, Any]) -> Iterator[Mutant]:
    """Yield two fields of the word that stand side by side exchanged, and the border between them moved by a bit."""
    ordered = sorted(fields, key=lambda name: -int(fields[name]["low"]))
    for upper, lower in pairwise(ordered):
        high, low = fields[upper], fields[lower]
        path = f"fpatr/{upper}"
        exchanged = ((f"{path}/low", low["low"]), (f"fpatr/{lower}/low", low["low"] + high["bits"]))
        yield mutant(f"{path}/low", f"and-{lower.lower()}", f"the fields {upper} and {lower} change places", *exchanged)
        for change in (-1, 1):
            if min(high["bits"] - change, low["bits"] + change) > 0:
                what = f"{upper} begins at bit {high['low'] + change} instead of {high['low']}, behind {lower}"
                moved = (
                    (f"{path}/low", high["low"] + change),
                    (f"{path}/bits", high["bits"] - change),
                    (f"fpatr/{lower}/bits", low["bits"] + change),
                )
                yield mutant(f"{path}/low", str(high["low"] + change), what, *moved)


def assigned_mutants(fields: Mapping[str, Any]) -> Iterator[Mutant]:
    """Yield a field with one more or one fewer assigned value, and a fixed part of the word with another value."""
    for name, field in fields.items():
        path, given = f"fpatr/{name}/assigned", field.get("assigned")
        if name not in VARIABLE:
            for value in sorted({given[0] - 1, given[0] + 1} & set(range(1 << field["bits"]))):
                yield mutant(path, str(value), f"{name} has to be {value} instead of {given[0]}", (path, (value,)))
        elif isinstance(given, list):
            yield mutant(path, "fewer", f"{name} {given[-1]} is reserved", (path, tuple(given[:-1])))
            more = given[-1] + 1
            yield mutant(path, "more", f"{name} {more} is assigned", (path, (*given, more)))


def group_mutants(columns: list[int]) -> Iterator[Mutant]:
    """Yield a GroupNCode that stands for one column more or fewer, or for what the next code does."""
    path = "group_columns/columns"
    for code, given in enumerate(columns):
        others = {f"{code}-{given + change}": given + change for change in (-1, 1) if given + change >= 0}
        for variant, count in others.items():
            changed = (*columns[:code], count, *columns[code + 1 :])
            yield mutant(
                path, variant, f"GroupNCode {code} stands for {count} columns instead of {given}", (path, changed)
            )
    for code, (one, two) in enumerate(pairwise(columns)):
        changed = (*columns[:code], two, one, *columns[code + 2 :])
        yield mutant(path, f"{code}-and-{code + 1}", f"GroupNCode {code} and {code + 1} change places", (path, changed))


def fault_mutants(legality: Mapping[str, Any]) -> Iterator[Mutant]:
    """Yield every rule of legality with the other fault."""
    other = {
        FaultKind.ILLEGAL_INSTRUCTION.value: FaultKind.TILE_LEGALITY.value,
        FaultKind.TILE_LEGALITY.value: FaultKind.ILLEGAL_INSTRUCTION.value,
    }
    for name, rule in legality.items():
        path, fault = f"legality/{name}/fault", other[rule["fault"]]
        what = f"breaking {name} raises the fault {fault} instead of {rule['fault']}"
        yield mutant(path, fault.replace("_", "-"), what, (path, fault))


def reduction_mutants(reductions: Mapping[str, Any]) -> Iterator[Mutant]:
    """Yield other flags of an absolute value that saturates, and of a signalling NaN."""
    for key, called in (("absolute_overflow", "an absolute value that saturates"), ("signalling", "a signalling NaN")):
        path = f"reductions/{key}"
        for flags in FLAGS:
            if list(flags) != reductions[key]:
                what = f"{called} raises {' and '.join(flags) or 'nothing'} instead of {' and '.join(reductions[key])}"
                yield mutant(path, "-".join(flags).lower() or "none", what, (path, flags))


def binding_mutants(conversion: Conversion, modes: Mapping[str, Any]) -> Iterator[Mutant]:
    """Yield what legality reads of the mode otherwise: its code, its types, its operand, what it leaves open."""
    own = conversion.mode.name
    given, path = modes[own], f"prequant/{own}"
    for name, other in modes.items():
        if abs(other["code"] - given["code"]) == 1:
            patches = ((f"{path}/code", other["code"]), (f"prequant/{name}/code", given["code"]))
            yield mutant(
                f"{path}/code", f"and-{name.lower()}", f"the codes of {own} and {name} change places", *patches
            )
    for accumulator in ("FP32", "S32", "U32"):
        if accumulator not in given["accumulators"]:
            accumulators = (*given["accumulators"], accumulator)
            what = f"{own} takes {accumulator} accumulators, too"
            yield mutant(f"{path}/accumulators", accumulator.lower(), what, (f"{path}/accumulators", accumulators))
    if given["operand"] != "none":
        operand = {"scalar": "vector", "vector": "scalar"}[given["operand"]]
        what = f"the parameter of {own} is a {operand}"
        yield mutant(f"{path}/operand", operand, what, (f"{path}/operand", operand))
    for key, choices in MODE_CHOICES.items():
        for value in choices:
            if value != given[key]:
                what = f"{own} has {value} for its {'rounding mode' if key == 'rounding' else 'Sat'}, not {given[key]}"
                yield mutant(f"{path}/{key}", value.lower(), what, (f"{path}/{key}", value))
