"""Cases of a vector file against the formulas of the classes, which are built and evaluated; no solver is needed."""

from __future__ import annotations

from halfulp_formal.evaluate import compile_term
from halfulp_formal.vectors.family import Family
from halfulp_formal.vectors.reading import VectorFile, short, show


def check_membership(file: VectorFile, family: Family) -> None:
    """Note cases that are not in their class, and cases in a class that the header calls unreachable.

    The header's inputs are those of its conversion. Cases whose inputs have been found illegal are in no class.
    """
    assert file.header is not None
    name = file.header["conversion"]
    facts, names = family.facts(name), [corner.name for corner in family.classes(name)]
    terms = [(facts.legal & corner.when(facts)).term for corner in family.classes(name)]
    holds = compile_term(terms, facts.inputs)
    unreachable = {each["name"] for each in file.header["classes"] if each["witnesses"] == "unreachable"}
    illegal = {problem.line for problem in file.problems if problem.field == "in" and not problem.malformed}
    for line in file.lines:
        if line.number in illegal:
            continue
        own = [each for each, holding in zip(names, holds(*line.inputs), strict=True) if holding]
        # a class that is none has been told of already
        if line.corner in names and line.corner not in own:
            expected = short(f"one that holds of the inputs: {', '.join(own) or 'none does'}")
            file.wrong(line.number, "class", show(line.corner), expected)
        for each in own:
            if each in unreachable:
                file.wrong(line.number, "class", f"inputs of {each}", "none, as the header calls it unreachable")
