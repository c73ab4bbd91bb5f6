"""Outcomes of several runs of `halfulp mutants --json` as those of one, for instance a run a family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from halfulp_formal.mutants.killing import Kill
from halfulp_formal.mutants.mutated import has_mutants
from halfulp_formal.mutants.outcome import Fate, Outcome, why_refused
from halfulp_formal.reporting.checked import MalformedResults, Mistake, read_json, refuse, schema_mistakes, shown
from halfulp_formal.vectors.family import all_names

SCHEMA_FILE = Path(__file__).with_name("mutants.schema.json")


def read_outcomes(path: Path) -> list[Outcome]:
    """Read what `halfulp mutants --json` wrote. Raises OSError, and MalformedResults for anything but such a file."""
    record = read_json(path, "halfulp mutants --json")
    refuse(path, schema_mistakes(SCHEMA_FILE, record))
    rows = record["mutants"]
    for number, row in enumerate(rows):
        if not has_mutants(row["conversion"]):
            given = f'given "{row["conversion"]}", expected a conversion of which mutants are made'
            raise MalformedResults(f"{path}: mutants[{number}].conversion: {given}")
        refuse(path, contradictions(row, f"mutants[{number}]"))
    return [outcome(row) for row in rows]


def contradictions(row: dict[str, Any], place: str) -> Iterator[Mistake]:
    """Yield the members of a record, which stands at a place, that do not go with its fate."""
    fate = row["fate"]
    for name, what in (("killed_by", "a case's number"), ("answer", "what the mutant answered")):
        if (row[name] is None) is (fate == "killed"):
            yield f"{place}.{name}", shown(row[name]), f"{what if fate == 'killed' else 'null'}, as the fate is {fate}"
    if row["killed_by"] == 0 and not isinstance(row["answer"], str):
        yield f"{place}.answer", shown(row["answer"]), "the name of an exception, as no case is needed"


def outcome(row: dict[str, Any]) -> Outcome:
    """Return the outcome that a record tells of; an older run says of a refused mutant that case 0 killed it."""
    fate, detail, kill, witness = Fate(row["fate"]), row["detail"], None, row.get("witness")
    if row["killed_by"] == 0:
        fate, detail = Fate.REFUSED, why_refused(row["answer"])
    elif row["killed_by"] is not None:
        given = row["answer"]
        kill = Kill(row["killed_by"], given if isinstance(given, str) else numbers(given))
    return Outcome(
        conversion=row["conversion"],
        mutant=row["mutant"],
        what=row["what"],
        where=row["where"],
        fate=fate,
        kill=kill,
        query=row["proof"] or "",
        detail=detail,
        witness=None if witness is None else numbers(witness),
    )


def numbers(words: Sequence[str]) -> tuple[int, ...]:
    """Return hex words as numbers."""
    return tuple(int(word, 16) for word in words)


def merged(runs: Sequence[tuple[str, Sequence[Outcome]]]) -> list[Outcome]:
    """Return the outcomes of runs, each with the name of its file, in the order of the conversions' files.

    Raises MalformedResults where two runs tell of one conversion.
    """
    owner: dict[str, str] = {}
    for file, those in runs:
        for conversion in dict.fromkeys(each.conversion for each in those):
            if conversion in owner:
                raise MalformedResults(f"{file}: {conversion} is in {owner[conversion]}, too; expected it in one file")
            owner[conversion] = file
    place = {name: number for number, name in enumerate(all_names())}
    # within a conversion the mutants keep the order of their run
    return sorted((each for _, those in runs for each in those), key=lambda each: place[each.conversion])
