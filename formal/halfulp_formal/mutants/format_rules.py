"""Mutants of the rule data that a format's codes are read by: its fields, constrained bits, special values and lanes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from halfulp_formal.mutants.mutant import Mutant
from halfulp_formal.mutants.rules import mutant, one_format
from halfulp_formal.subject import RulePatch, shipped_document
from halfulp_model.loader import default_rules
from halfulp_model.rows import Format, Kind

#: the widest code that the rule data may have, and the most constrained bits
MOST_BITS, MOST_CONSTRAINED = 64, {"low_zero_bits": 13, "high_zero_bits": 2}


def format_rules(row: Format) -> tuple[Mutant, ...]:
    """Return the mutants of a format's row, and of its lane's where it is packed."""
    lane = lane_row(row)
    packed = packed_format(row) if row.lanes > 1 else ()
    constrained = constrained_bits(lane) if lane.kind is Kind.BINARY else ()
    return (*packed, *filter(is_accepted, one_format(lane)), *constrained, *subnormal_class(row))


def is_accepted(changed: Mutant) -> bool:
    """Tell whether the rule data may say so: a code has 64 bits at most, and lanes fill their carrier."""
    formats = shipped_document()[0]["formats"]
    lanes = {row.get("lane") for row in formats.values()}
    widths = [patch for patch in changed.patches if isinstance(patch, RulePatch) and patch.path[-1] == "carrier_bits"]
    return all(patch.path[1] not in lanes and patch.value <= MOST_BITS for patch in widths)


def lane_row(row: Format) -> Format:
    """Return the row that a packed format has its lanes from; the format's own where it is not packed."""
    lane: str = shipped_document()[0]["formats"][row.name].get("lane", row.name)
    return default_rules().formats[lane]


def packed_format(row: Format) -> Iterator[Mutant]:
    """Yield a packed format with the lanes of another format of the same width."""
    document, path = shipped_document()[0]["formats"], f"formats/{row.name}"
    own = document[row.name]["lane"]
    for name, other in document.items():
        alike = all(other.get(key) == document[own].get(key) for key in ("kind", "carrier_bits"))
        if name != own and alike and other["kind"] != "packed":
            what = f"the lanes of {row.name} are {name} instead of {own}"
            yield mutant(f"{path}/lane", name.lower(), what, (f"{path}/lane", name))


def constrained_bits(row: Format) -> Iterator[Mutant]:
    """Yield a binary format with one constrained bit more or less, in exchange for one of its fields'."""
    path = f"formats/{row.name}"
    given: dict[str, Any] = shipped_document()[0]["formats"][row.name]
    for key, field in (("low_zero_bits", "fraction_bits"), ("high_zero_bits", "exponent_bits")):
        for change in (-1, 1) if given.get(key) else ():
            bits, other = given[key] + change, given[field] - change
            if bits > MOST_CONSTRAINED[key]:
                continue
            what = f"{row.name}: {key} is {bits} instead of {given[key]}, {field} {other}"
            yield mutant(f"{path}/{key}", str(bits), what, (f"{path}/{key}", bits), (f"{path}/{field}", other))


def subnormal_class(row: Format) -> Iterator[Mutant]:
    """Yield a format with the other class of its subnormal numbers, where its own row says which."""
    path = f"formats/{row.name}"
    if "subnormal_class" in shipped_document()[0]["formats"][row.name]:
        what = f"{row.name} has {'no' if row.subnormal_class else 'a'} class of subnormal numbers"
        patch = (f"{path}/subnormal_class", not row.subnormal_class)
        yield mutant(f"{path}/subnormal_class", "other", what, patch)
