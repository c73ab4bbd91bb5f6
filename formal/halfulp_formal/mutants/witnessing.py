"""Mutants that need a corner class of their own: those that no case kills, until the cases of the classes kill them all."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from halfulp_formal.mutants.equivalence import by_name
from halfulp_formal.mutants.outcome import Fate, Outcome, tells_apart
from halfulp_formal.obligation import Proof
from halfulp_formal.vectors.classes import mutants
from halfulp_formal.vectors.corner import CornerClass
from halfulp_formal.vectors.family import family_of
from halfulp_formal.vectors.witnesses import NoWitness, Searcher

#: conversions with the mutants that have a class
Known = dict[str, list[dict[str, str]]]


def with_survivors(
    known: Known, those: Sequence[Outcome], searcher: Searcher, on_open: Callable[[str], None] = lambda _: None
) -> Known:
    """Return the mutants with classes, and more of them: as many as it takes to kill the surviving ones.

    `on_open` hears of a mutant whose least witness the solver does not find within its limit.
    """
    found = {name: list(each) for name, each in known.items()}
    for conversion in dict.fromkeys(each.conversion for each in those if each.fate is Fate.SURVIVES):
        left = [each.mutant for each in those if each.conversion == conversion and each.fate is Fate.SURVIVES]
        facts = family_of(conversion).facts(conversion)
        while left:
            name = left[0]
            try:
                points = searcher.witnesses(conversion, facts, corner_of(name))
            except NoWitness as error:
                on_open(str(error))
                left.remove(name)
                continue
            assert not isinstance(points, Proof)  # a survivor is told from the model by some input
            entry = {"mutant": name, "change": by_name(conversion)[name].what}
            found.setdefault(conversion, []).append(entry)
            left = [
                each
                for each in left
                if each != name
                and not any(tells_apart(conversion, by_name(conversion)[each], point) for point in points)
            ]
    return found


def corner_of(mutant: str) -> CornerClass[Any]:
    """Return the class of a mutant while it is not declared yet."""
    return CornerClass(mutants.class_name(mutant), "", lambda facts: mutants.told_apart(facts, mutant))


def text(known: Known) -> str:
    """Return the data file, a line a mutant."""
    parts = []
    for conversion, each in sorted(known.items()):
        lines = ",\n".join(f"  {json.dumps(entry)}" for entry in sorted(each, key=lambda entry: entry["mutant"]))
        parts.append(f" {json.dumps(conversion)}: [\n{lines}\n ]")
    return "{\n" + ",\n".join(parts) + "\n}\n" if parts else "{}\n"
