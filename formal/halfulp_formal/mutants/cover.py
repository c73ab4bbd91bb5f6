"""As few cases of a vector file as still have a witness of every class and kill every mutant that the file kills."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from halfulp_formal.mutants.killing import killing_cases, tries
from halfulp_formal.vectors.family import family_of
from halfulp_formal.vectors.reading import VectorFile
from halfulp_formal.vectors.suite import ClassEntry, Suite, VectorCase
from halfulp_formal.vectors.writing import is_minimised


@dataclass(frozen=True)
class Minimised:
    """What is left of a file. `cases`: how many it had. `mutants`: how many its cases kill."""

    suite: Suite
    cases: int
    mutants: int


def minimised(files: Sequence[VectorFile]) -> list[Minimised]:
    """Leave out of files that pass their check every case that is not needed."""
    suites = {file.header["conversion"]: suite_of(file) for file in files if file.header is not None}
    tried = {name: tries(name, [(case.inputs, case.outputs) for case in suite.cases]) for name, suite in suites.items()}
    killed = killing_cases(tried)
    return [fewest(suite, killed[name]) for name, suite in suites.items()]


def fewest(suite: Suite, killed: Mapping[str, Sequence[int]]) -> Minimised:
    """Return a suite with the chosen cases alone, numbered anew; `killed`: the cases that kill each mutant."""
    parts: list[set[str]] = [{f"class {case.corner}"} for case in suite.cases]
    for mutant, cases in killed.items():
        for number in cases:
            parts[number - 1].add(f"mutant {mutant}")
    kept = [suite.cases[place] for place in cover(parts)]
    counts = [case.corner for case in kept]
    return Minimised(
        Suite(
            suite.description,
            tuple(replace(entry, witnesses=counts.count(entry.name)) for entry in suite.classes),
            tuple(replace(case, tc=number) for number, case in enumerate(kept, start=1)),
            minimised=True,
        ),
        len(suite.cases),
        sum(map(bool, killed.values())),
    )


def cover(parts: Sequence[AbstractSet[Hashable]]) -> list[int]:
    """Return in ascending order the places of sets that together hold what all of them hold, and none of them in vain.

    Greedy: the set with most that is new goes in, of equal ones the first; then every set that the others make needless
    goes out, in the order in which they went in.
    """
    left: set[Hashable] = set().union(*parts)
    chosen: list[int] = []
    while left:
        best = max(range(len(parts)), key=lambda place: (len(parts[place] & left), -place))
        chosen.append(best)
        left -= parts[best]
    for place in list(chosen):
        others: set[Hashable] = set().union(*(parts[other] for other in chosen if other != place))
        if parts[place] <= others:
            chosen.remove(place)
    return sorted(chosen)


def suite_of(file: VectorFile) -> Suite:
    """Return what a file that passes its check holds."""
    assert file.header is not None
    classes = tuple(
        ClassEntry(each["name"], each["sentence"], 0, each["obligation"])
        if each["witnesses"] == "unreachable"
        else ClassEntry(each["name"], each["sentence"], each["witnesses"])
        for each in file.header["classes"]
    )
    cases = tuple(VectorCase(line.tc, line.corner, line.inputs, line.outputs, line.why) for line in file.lines)
    name = file.header["conversion"]
    return Suite(family_of(name).describe(name), classes, cases, minimised=is_minimised(file.header))
