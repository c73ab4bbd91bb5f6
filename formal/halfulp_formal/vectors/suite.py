"""A conversion's vectors as values: description, classes with their witnesses, cases with the model's results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from halfulp_formal.vectors.family import Description, Family

#: a file that people open and read
MOST_CASES = 1000


@dataclass(frozen=True)
class ClassEntry:
    """What a header says of a class. `unreachable` is the obligation that proves it empty, None if it has witnesses."""

    name: str
    sentence: str
    witnesses: int
    unreachable: str | None = None


@dataclass(frozen=True)
class VectorCase:
    """One case; `tc` counts from 1. Inputs and outputs are bit patterns of the declared widths."""

    tc: int
    corner: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    why: str


@dataclass(frozen=True)
class Suite:
    """All that a vector file holds. `minimised`: cases that are not needed were left out."""

    description: Description
    classes: tuple[ClassEntry, ...]
    cases: tuple[VectorCase, ...]
    minimised: bool = False

    @property
    def recipe(self) -> str:
        """The command that writes the suite."""
        return recipe(self.description.conversion, minimised=self.minimised)


def recipe(conversion: str, *, minimised: bool) -> str:
    """Return the command that writes a conversion's suite."""
    return f"halfulp vectors minimise {conversion}.jsonl" if minimised else f"halfulp vectors write {conversion}"


def assemble(family: Family, name: str, found: Sequence[tuple[ClassEntry, Sequence[tuple[int, ...]]]]) -> Suite:
    """Make a suite of the classes and their witnesses; every result is the model's.

    Raises ValueError where a file would have more cases than `MOST_CASES`.
    """
    cases: list[VectorCase] = []
    for entry, points in found:
        for point in points:
            outputs, why = family.run(name, point), family.why(name, point)
            cases.append(VectorCase(len(cases) + 1, entry.name, point, outputs, why))
    if len(cases) > MOST_CASES:
        raise ValueError(f"{name} has {len(cases)} cases; expected at most {MOST_CASES}")
    return Suite(family.describe(name), tuple(entry for entry, _ in found), tuple(cases))
