"""Corner classes of inputs that tell a mutant of the model from the model: those that no other class gives a case for."""

from __future__ import annotations

import json
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halfulp_formal.vectors.corner import CornerClass

if TYPE_CHECKING:
    from halfulp_formal.bits import Bool

#: the mutants by conversion, each with its change in words; written by `halfulp mutants --update`
DATA = Path(__file__).with_suffix(".json")


@cache
def known() -> dict[str, list[dict[str, str]]]:
    """Return the mutants that have a class of their own, by conversion."""
    found: dict[str, list[dict[str, str]]] = json.loads(DATA.read_text(encoding="ascii"))
    return found


def classes(conversion: str) -> tuple[CornerClass[Any], ...]:
    """Return the classes of a conversion's mutants."""
    return tuple(
        CornerClass(
            class_name(each["mutant"]),
            f"A model with one small change gives another result: {each['change']}.",
            partial(told_apart, mutant=each["mutant"]),
        )
        for each in known().get(conversion, ())
    )


def class_name(mutant: str) -> str:
    """Return the name of a mutant's class."""
    return "mutant/" + mutant.replace(".", "-").replace("_", "-").lower()


def told_apart(facts: Any, mutant: str) -> Bool:
    """Return that the mutant gives another result, or none."""
    # the solver side and the model's copies are loaded only where formulas are wanted
    from halfulp_formal.bits import Bool  # noqa: PLC0415
    from halfulp_formal.mutants.equivalence import difference  # noqa: PLC0415

    return Bool(difference(facts.case, mutant))
