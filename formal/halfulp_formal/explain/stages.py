"""An explanation as data: the stages of one case in the order in which the model went through them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Stage:
    """One stage: what it is called, the value that left it, and the bits where it has any."""

    name: str  #: "accumulator", "product", "intermediate"
    value: str  #: the value in decimal, or what takes its place: "300", "quiet NaN", "no"
    bits: str = ""  #: hex at the stage's width: "0x0ff"
    type: str = ""  #: the type those bits are of: "S9"
    exact: str = ""  #: the exact value as integer · 2^k: "307200·2^-10"
    note: str = ""  #: what the stage did: "RNE, exact"


@dataclass(frozen=True)
class Explanation:
    """One case of one conversion, stage by stage, as the model computed it."""

    conversion: str
    summary: str  #: what the conversion is: "S32 × FP19 → S9 → S8, RNE, Sat 0"
    command: str  #: prints this explanation again
    stages: tuple[Stage, ...]
    #: `word`, `flags`, `out` and `value`, or nothing where `failure` says why: illegal inputs, or a model that broke down
    outcome: Mapping[str, Any] = field(default_factory=dict)
    failure: str = ""
    #: numbers that were rounded before the model saw them, one sentence a field
    notes: tuple[str, ...] = ()


def command_for(name: str, words: Iterable[str]) -> str:
    """Return the command that prints the explanation of a case again."""
    return shlex.join(["halfulp", "explain", name, *words])


def as_record(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as plain JSON values; a stage's empty parts are left out."""
    record = asdict(explanation)
    record["stages"] = [{key: text for key, text in stage.items() if text} for stage in record["stages"]]
    record["outcome"] = dict(explanation.outcome)
    record["notes"] = list(explanation.notes)
    for part in ("failure", "notes"):
        if not record[part]:
            del record[part]
    return record


def as_lines(explanation: Explanation) -> list[str]:
    """Return an explanation as text: a heading, what was rounded, one line a stage in aligned columns, what went wrong."""
    rows = [(stage.name, stage.value, stage.bits, remarks(stage)) for stage in explanation.stages]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    lines = [f"{explanation.conversion}: {explanation.summary}", *(f"  {note}" for note in explanation.notes)]
    for row in rows:
        cells = [text.ljust(width) for text, width in zip(row, widths, strict=False)]
        lines.append("  ".join(["", *cells, row[3]]).rstrip())
    if explanation.failure:
        lines.append(f"  {explanation.failure}")
    return lines


def remarks(stage: Stage) -> str:
    """Return the last column of a stage: exact value, type of the bits, what happened."""
    exact = "" if stage.exact in ("", stage.value) else f"= {stage.exact}"
    return "; ".join(part for part in (stage.type, exact, stage.note) if part)


def flags_text(flags: Any, mask: int) -> str:
    """Return the names of the raised flags joined by |, or none; `flags` has the masks of all five."""
    return "|".join(name.upper() for name in ("nv", "dz", "of", "uf", "nx") if mask & getattr(flags, name)) or "none"
