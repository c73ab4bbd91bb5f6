"""Outcomes of several runs of `halfulp mutants --json` as those of one, for instance a run a family."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from halfulp_formal.mutants.killing import Kill
from halfulp_formal.mutants.mutated import has_mutants
from halfulp_formal.mutants.outcome import Fate, Outcome
from halfulp_formal.reporting.checked import MalformedResults
from halfulp_formal.reporting.page.mutants import checked_record
from halfulp_formal.vectors.family import all_names


def read_outcomes(path: Path) -> list[Outcome]:
    """Read what a run wrote. Raises OSError, and MalformedResults for anything but such a file."""
    rows = checked_record(path)["mutants"]
    for number, row in enumerate(rows):
        if not has_mutants(row["conversion"]):
            given = f'given "{row["conversion"]}", expected a conversion of which mutants are made'
            raise MalformedResults(f"{path}: mutants[{number}].conversion: {given}")
    return [outcome(row) for row in rows]


def outcome(row: dict[str, Any]) -> Outcome:
    """Return the outcome that a record tells of."""
    kill, witness = None, row.get("witness")
    if row.get("killed_by") is not None:
        given = row["answer"]
        kill = Kill(row["killed_by"], given if isinstance(given, str) else numbers(given))
    return Outcome(
        conversion=row["conversion"],
        mutant=row["mutant"],
        what=row["what"],
        where=row["where"],
        fate=Fate(row["fate"]),
        kill=kill,
        query=row["proof"] or "",
        detail=row["detail"],
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
