"""Cases of a vector file against the formulas of the classes, which are built and evaluated; no solver is needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from halfulp_formal.evaluate import compile_term
from halfulp_formal.vectors.corner import CornerClass
from halfulp_formal.vectors.family import Family
from halfulp_formal.vectors.reading import VectorFile, short, show


def classifier(facts: Any, corners: Sequence[CornerClass[Any]]) -> Callable[[tuple[int, ...]], list[str]]:
    """Return what names the classes that legal inputs are in, in their order; illegal inputs are in none."""
    holds = compile_term([(facts.legal & corner.when(facts)).term for corner in corners], facts.inputs)

    def classes_of(point: tuple[int, ...]) -> list[str]:
        return [corner.name for corner, holding in zip(corners, holds(*point), strict=True) if holding]

    return classes_of


def check_membership(file: VectorFile, family: Family) -> None:
    """Note cases that are not in their class, and cases in a class that the header calls unreachable.

    The header's inputs are those of its conversion. Cases whose inputs have been found illegal are in no class.
    """
    assert file.header is not None
    name = file.header["conversion"]
    corners = family.classes(name)
    classes_of, names = classifier(family.facts(name), corners), {corner.name for corner in corners}
    unreachable = {each["name"] for each in file.header["classes"] if each["witnesses"] == "unreachable"}
    illegal = {problem.line for problem in file.problems if problem.field == "in" and not problem.malformed}
    for line in file.lines:
        if line.number in illegal:
            continue
        own = classes_of(line.inputs)
        # a class that is none has been told of already
        if line.corner in names and line.corner not in own:
            expected = short(f"one that holds of the inputs: {', '.join(own) or 'none does'}")
            file.wrong(line.number, "class", show(line.corner), expected)
        for each in own:
            if each in unreachable:
                file.wrong(line.number, "class", f"inputs of {each}", "none, as the header calls it unreachable")
