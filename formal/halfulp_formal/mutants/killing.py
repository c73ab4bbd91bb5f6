"""Mutants run on the cases of vector files: each is killed by the first case that it answers otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from halfulp_formal.mutants.bench import Bench, Outputs, bench
from halfulp_formal.mutants.mutant import Mutant
from halfulp_formal.mutants.mutated import mutated
from halfulp_formal.mutants.reads import differing
from halfulp_formal.mutants.sources import ROW_FUNCTIONS, seeded_mutants, source_mutants
from halfulp_formal.mutants.usage import Line, passed_lines, passes, usage_of
from halfulp_formal.subject import base_subject


@dataclass(frozen=True)
class Try:
    """One case of a file as mutants are tried on it: its number, its inputs and results, and the lines that it passes."""

    tc: int
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    passed: frozenset[Line]


@dataclass(frozen=True)
class Kill:
    """The case that a mutant answers otherwise, and its answer: outputs, or the name of an exception."""

    tc: int
    answer: Outputs


@dataclass(frozen=True)
class Refusal:
    """That no model can be built with a mutant, by the name of the exception that its rule data or its rows raise."""

    error: str


#: what becomes of a mutant on cases; None where every answer is the model's
Ending = Kill | Refusal | None


@lru_cache(maxsize=32)
def candidates(conversion: str) -> tuple[Mutant, ...]:
    """Return what may be a mutant of a conversion: rule data first, then seeded mistakes, then every line of source."""
    family = mutated(conversion)
    return (*family.rules(family.row(base_subject(), conversion)), *seeded_mutants(), *source_mutants())


def changes_lines(mutant: Mutant) -> bool:
    """Tell whether a mutant changes lines that run for an input; any other changes rows."""
    return mutant.place is not None and mutant.place.module not in ROW_FUNCTIONS


def tries(conversion: str, cases: Iterable[tuple[tuple[int, ...], tuple[int, ...]]]) -> list[Try]:
    """Return cases, given as inputs and right results, with the lines that the model passes for each."""
    place = bench()
    package = place.subject.package
    made: list[Try] = []
    for inputs, outputs in cases:
        passed = passed_lines(package, lambda inputs=inputs: place.run(conversion, inputs))  # type: ignore[misc]
        made.append(Try(len(made) + 1, inputs, outputs, passed))
    return made


def worth_trying(mutant: Mutant, given: Sequence[Try]) -> Iterable[Try]:
    """Return the cases that a mutant may answer otherwise: those that pass its statement."""
    return (each for each in given if passes_lines(mutant, each.passed)) if changes_lines(mutant) else given


def answered_otherwise(place: Bench, mutant: Mutant, conversion: str, given: Sequence[Try]) -> Iterator[Kill]:
    """Yield the cases that the mutant, which the bench has taken on, answers otherwise."""
    for each in worth_trying(mutant, given):
        answer = place.run(conversion, each.inputs)
        if answer != each.outputs:
            yield Kill(each.tc, answer)


def kills(
    files: Mapping[str, Sequence[Try]], on_mutant: Callable[[str], None] = lambda _: None
) -> dict[str, dict[str, Ending]]:
    """Try the mutants of several conversions on their cases; return what becomes of each, by conversion and name."""
    found: dict[str, dict[str, Ending]] = {conversion: {} for conversion in files}
    for conversion, mutant, those in every_mutant(files, on_mutant):
        found[conversion][mutant] = those if isinstance(those, Refusal) else next(those, None)
    return found


def killing_cases(files: Mapping[str, Sequence[Try]]) -> dict[str, dict[str, list[int]]]:
    """Return the numbers of all cases that kill each mutant, by conversion and name; one that is refused needs none."""
    found: dict[str, dict[str, list[int]]] = {conversion: {} for conversion in files}
    for conversion, mutant, those in every_mutant(files):
        if not isinstance(those, Refusal):
            found[conversion][mutant] = [kill.tc for kill in those]
    return found


def every_mutant(
    files: Mapping[str, Sequence[Try]], on_mutant: Callable[[str], None] = lambda _: None
) -> Iterator[tuple[str, str, Iterator[Kill] | Refusal]]:
    """Yield every conversion with each of its mutants and what kills it, which must be used before the next is asked for."""
    offered: dict[str, tuple[Mutant, list[str]]] = {}
    for conversion in files:
        for mutant in candidates(conversion):
            offered.setdefault(mutant.name, (mutant, []))[1].append(conversion)
    for mutant, asked in offered.values():
        mine = [name for name in asked if not changes_lines(mutant) or passes_lines(mutant, usage_of(name).lines)]
        if mine:
            yield from ((name, mutant.name, those) for name, those in tried(mutant, mine, files))
        on_mutant(mutant.name)


def tried(
    mutant: Mutant, names: Sequence[str], files: Mapping[str, Sequence[Try]]
) -> Iterator[tuple[str, Iterator[Kill] | Refusal]]:
    """Yield the conversions of which a mutant is one, with what kills it or refuses it."""
    place = bench()
    with ExitStack() as stack:
        try:
            stack.enter_context(place.changed(mutant))
            rows = {} if changes_lines(mutant) else {name: place.row(name) for name in names}
        except Exception as error:  # noqa: BLE001  # rows that cannot be made
            yield from ((name, Refusal(type(error).__name__)) for name in names)
            return
        for name in names:
            if changes_lines(mutant) or reads_change(name, rows[name]):
                yield name, answered_otherwise(place, mutant, name, files[name])


def reads_change(conversion: str, row: Any) -> bool:
    """Tell whether a conversion reads a value of its rows that a mutant's rows have otherwise."""
    own = mutated(conversion).row(base_subject(), conversion)
    return not usage_of(conversion).reads.isdisjoint(differing(own, row))


def passes_lines(mutant: Mutant, passed: frozenset[Line]) -> bool:
    """Tell whether a mutant's statement is among some lines."""
    return mutant.place is not None and passes(mutant.place, passed)
