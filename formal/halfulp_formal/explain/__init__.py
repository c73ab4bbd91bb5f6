"""One case of a conversion, stage by stage, as the model itself computed it: data for people, reports and replays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from halfulp_formal.nearest import nearest
from halfulp_formal.subject import Subject, base_subject

from . import (
    adder,
    blocks,
    codes,
    comparison,
    formats,
    fpatr,
    layouts,
    matmul,
    narrowing,
    operations,
    pipeline,
    postprocess,
    reductions,
    tiles,
)
from .formats import explain_format
from .literals import rounded_fields
from .numerals import FieldError
from .stages import Explanation, Stage, as_lines, as_record

__all__ = [
    "FAMILIES",
    "Explanation",
    "Family",
    "FieldError",
    "Stage",
    "UnknownConversion",
    "all_names",
    "as_lines",
    "as_record",
    "evaluate",
    "explain",
    "explain_format",
    "explain_witness",
    "family_of",
]


class UnknownConversion(ValueError):
    """No conversion has this name."""


@dataclass(frozen=True)
class Family:
    """Conversions that share their inputs and stages; a case is whatever the family makes of its fields.

    names: its conversions. read: fields to case. witness: a solver's values to case, None for values of another kind.
    explain: case to stages. evaluate: case to the result as JSON values.
    """

    names: Callable[[Subject], Mapping[str, Any]]
    read: Callable[[Subject, str, Mapping[str, Any]], Any]
    witness: Callable[[Subject, str, Mapping[str, int]], Any]
    explain: Callable[[Subject, Any], Explanation]
    evaluate: Callable[[Subject, Any], dict[str, Any]]


#: every family of conversions; a new one is a line here
FAMILIES = (
    Family(postprocess.names, postprocess.read, postprocess.witness, pipeline.explain, postprocess.evaluate),
    Family(codes.names, codes.read, codes.witness, codes.explain, codes.evaluate),
    Family(formats.names, formats.read, formats.witness, formats.explain, formats.evaluate),
    Family(narrowing.names, narrowing.read, narrowing.witness, narrowing.explain, narrowing.evaluate),
    Family(blocks.names, blocks.read, blocks.witness, blocks.explain, blocks.evaluate),
    Family(comparison.names, comparison.read, comparison.witness, comparison.explain, comparison.evaluate),
    Family(layouts.names, layouts.read, layouts.witness, layouts.explain, layouts.evaluate),
    Family(matmul.names, matmul.read, matmul.witness, matmul.explain, matmul.evaluate),
    Family(adder.names, adder.read, adder.witness, adder.explain, adder.evaluate),
    Family(fpatr.names, fpatr.read, fpatr.witness, fpatr.explain, fpatr.evaluate),
    Family(operations.names, operations.read, operations.witness, operations.explain, operations.evaluate),
    Family(reductions.names, reductions.read, reductions.witness, reductions.explain, reductions.evaluate),
    Family(tiles.names, tiles.read, tiles.witness, tiles.explain, tiles.evaluate),
)


def family_of(name: str, subject: Subject | None = None) -> Family:
    """Return the family of a conversion. Raises UnknownConversion, which names the nearest conversion."""
    subject = subject or base_subject()
    for family in FAMILIES:
        if name in family.names(subject):
            return family
    every = [*all_names(subject), *(each.removeprefix("format.") for each in formats.names(subject))]
    near = nearest(name, every)
    hint = f"did you mean {near!r}?" if near else "`halfulp list` names them all"
    raise UnknownConversion(f"unknown conversion {name!r}; {hint}")


def all_names(subject: Subject | None = None) -> list[str]:
    """Return every conversion that can be explained."""
    return [name for family in FAMILIES for name in family.names(subject or base_subject())]


def full_name(name: str, subject: Subject) -> str:
    """Return the conversion that people mean by a name: in any case, and a format by its own name alone."""
    lower = name.lower()
    return f"format.{lower}" if f"format.{lower}" in formats.names(subject) else lower


def explain(name: str, fields: Mapping[str, Any], subject: Subject | None = None) -> Explanation:
    """Explain one case. Raises UnknownConversion, FieldError, or the model's Rejected for an illegal operation."""
    subject = subject or base_subject()
    name = full_name(name, subject)
    family = family_of(name, subject)
    with rounded_fields() as notes:
        case = family.read(subject, name, fields)
    return replace(family.explain(subject, case), notes=tuple(notes))


def explain_witness(name: str, witness: Mapping[str, int], subject: Subject | None = None) -> Explanation | None:
    """Explain a solver's witness of a conversion, None where its values are no case that can be explained."""
    subject = subject or base_subject()
    for family in FAMILIES:
        if name in family.names(subject):
            case = family.witness(subject, name, witness)
            return None if case is None else family.explain(subject, case)
    return None


def evaluate(name: str, fields: Mapping[str, Any], subject: Subject | None = None) -> dict[str, Any]:
    """Run one case: word, flags, destination code and value as JSON values, and `notes` on numbers that were rounded.

    Raises like `explain`.
    """
    subject = subject or base_subject()
    name = full_name(name, subject)
    family = family_of(name, subject)
    with rounded_fields() as notes:
        case = family.read(subject, name, fields)
    return family.evaluate(subject, case) | ({"notes": list(notes)} if notes else {})
