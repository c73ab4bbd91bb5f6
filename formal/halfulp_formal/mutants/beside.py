"""A mutant run beside the model where it is proved to give the same: a guard against a wrong condition for where it shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice, product
from random import Random
from typing import Any

from halfulp_formal.dag import symbol_width
from halfulp_formal.evaluate import compile_term
from halfulp_formal.lift.validate import completed, corner_points, random_points
from halfulp_formal.mutants.bench import bench
from halfulp_formal.mutants.killing import Try, answered_otherwise, tries, worth_trying
from halfulp_formal.mutants.lifted import lifted
from halfulp_formal.mutants.mutant import Mutant
from halfulp_formal.obligation import Mismatch, Replay
from halfulp_formal.subject import base_subject
from halfulp_formal.vectors.family import family_of

#: points that are drawn for a conversion: of the legal ones, those that pass a mutant's statement are for it
POOL = 240

#: up to so many bits of input, every input is there
EXHAUSTIVE = 8


@dataclass(frozen=True)
class Beside:
    """Runs a mutant itself: wherever it is proved to do as the model does, it has to answer as the model does.

    A proof asks only where the change shows, and no sample of the terms tells whether that is known rightly. terms: the
    replays of an obligation whose terms are the model's alone; a witness is put to them, but they are sampled elsewhere.
    """

    conversion: str
    mutant: Mutant
    terms: tuple[Replay, ...] = ()

    def check(self, assignment: Mapping[str, int]) -> str | None:
        """Put a witness to the replays of the terms; None where all agree. A witness says nothing of the mutant's answer."""
        return next(filter(None, (each.check(assignment) for each in self.terms)), None)

    def validate(self, samples: int) -> int:
        """Run the mutant at so many legal points that pass its statement; return how many there were.

        Raises Mismatch at the first that it answers otherwise than the model.
        """
        given = list(islice(worth_trying(self.mutant, points(self.conversion)), samples))
        with bench().changed(self.mutant) as place:
            kill = next(answered_otherwise(place, self.mutant, self.conversion, given), None)
        if kill is not None:
            point = next(each for each in given if each.tc == kill.tc)
            shown = " ".join(f"{value:#x}" for value in point.inputs)
            raise Mismatch(
                f"the mutant answers {shown} with {answer(kill.answer)}, the model with {answer(point.outputs)}"
            )
        return len(given)


def answer(given: tuple[int, ...] | str) -> str:
    """Return outputs, or the name of an exception, as a message has them."""
    return given if isinstance(given, str) else " ".join(f"{value:#x}" for value in given)


@lru_cache(maxsize=32)
def points(conversion: str) -> tuple[Try, ...]:
    """Return legal points of a conversion with the model's answers and the lines that it passes; the same ones every time."""
    family, place = lifted(conversion), bench()
    case = family.case(base_subject(), conversion)
    family.result(case)  # lifted: what has been lifted knows which points are worth trying
    symbols = family_of(conversion).facts(conversion).inputs
    is_legal = compile_term([family.legal(case)], symbols)
    drawn = dict.fromkeys(point for point in draw(conversion, case, symbols) if all(is_legal(*point)))
    answers = ((point, place.run(conversion, point)) for point in drawn)
    return tuple(tries(conversion, [(point, given) for point, given in answers if not isinstance(given, str)]))


def draw(conversion: str, case: Any, symbols: Any) -> Iterator[tuple[int, ...]]:
    """Yield inputs in the order of the vector file: all where there are few, else half of them as the case prefers them."""
    widths = [symbol_width(symbol) or 1 for symbol in symbols]
    if sum(widths) <= EXHAUSTIVE:
        return product(*(range(1 << width) for width in widths))
    random = Random(conversion)  # noqa: S311  # test inputs, no secrets
    corners = [[0, 1, (1 << width >> 1) - 1, 1 << width >> 1, (1 << width) - 1] for width in widths]
    chosen = completed(case.replays[0].points(POOL // 2), symbols, random)
    others = chain(corner_points(widths, corners, random), random_points(widths, corners, random))
    return islice(chain(chosen, others), POOL)
