"""What somebody else's vectors for a conversion cover: which corner classes, and which mutants of the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from halfulp_formal.evaluate import compile_term
from halfulp_formal.mutants.foreign import Foreign
from halfulp_formal.mutants.killing import Kill, candidates, kills, tries
from halfulp_formal.mutants.mutated import mutated
from halfulp_formal.vectors.family import family_of
from halfulp_formal.vectors.membership import classifier
from halfulp_model import Rejected


@dataclass(frozen=True)
class Different:
    """A case whose outputs are not the model's, which are `right`."""

    case: Foreign
    right: tuple[int, ...]


@dataclass
class Coverage:
    """What cases cover.

    cases: how many were given. illegal: those that the model rejects, each with the reason; they cover nothing. different:
    those whose outputs are not the model's; their inputs count all the same. repeated: inputs that stand a second time.
    ties: cases whose number lies exactly halfway, None where nothing is rounded. classes: how many cases each class has.
    killed, missed: mutants that some case tells from the model, and the others, by name with what they are.
    """

    conversion: str
    cases: int = 0
    illegal: list[tuple[Foreign, str]] = field(default_factory=list)
    different: list[Different] = field(default_factory=list)
    repeated: int = 0
    ties: int | None = None
    classes: dict[str, int] = field(default_factory=dict)
    killed: dict[str, str] = field(default_factory=dict)
    missed: dict[str, str] = field(default_factory=dict)

    @property
    def empty(self) -> list[str]:
        """The classes without a case."""
        return [name for name, number in self.classes.items() if not number]


def coverage(conversion: str, cases: Sequence[Foreign], own: Sequence[tuple[int, ...]] | None) -> Coverage:
    """Return what cases cover.

    own: the inputs of the conversion's shipped file. The mutants to be covered are those that it kills: the others are
    equivalent, as far as is known. Without it they are all that the conversion uses. Raises UnknownConversion.
    """
    family = family_of(conversion)
    found = Coverage(conversion, len(cases))
    right: dict[tuple[int, ...], tuple[int, ...]] = {}
    for case in cases:
        found.repeated += case.inputs in right
        try:
            right[case.inputs] = right.get(case.inputs) or family.run(conversion, case.inputs)
        except Rejected as error:
            found.illegal.append((case, str(error)))
            continue
        if right[case.inputs] != case.outputs:
            found.different.append(Different(case, right[case.inputs]))
    count_classes(found, list(right))
    count_mutants(found, right, None if own is None else {each: family.run(conversion, each) for each in own})
    return found


def count_classes(found: Coverage, points: Sequence[tuple[int, ...]]) -> None:
    """Count the points of every class, and the ties."""
    family = family_of(found.conversion)
    facts, corners = family.facts(found.conversion), family.classes(found.conversion)
    classes_of = classifier(facts, corners)
    counts = Counter(name for point in points for name in classes_of(point))
    found.classes = {corner.name: counts[corner.name] for corner in corners}
    tie = mutated(found.conversion).tie(facts)
    if tie is not None:
        is_tie = compile_term([tie.term], facts.inputs)
        found.ties = sum(bool(is_tie(*point)[0]) for point in points)


def count_mutants(
    found: Coverage,
    right: dict[tuple[int, ...], tuple[int, ...]],
    own: dict[tuple[int, ...], tuple[int, ...]] | None,
) -> None:
    """Run the mutants on the points, and tell those that no point kills."""
    names = {each.name: each.what for each in candidates(found.conversion)}
    killed = kills({found.conversion: tries(found.conversion, right.items())})[found.conversion]
    wanted = {name for name, ending in killed.items() if ending is None}
    if own is not None:
        by_own = kills({found.conversion: tries(found.conversion, own.items())})[found.conversion]
        wanted = {name for name, ending in by_own.items() if isinstance(ending, Kill)}
    for name, ending in killed.items():
        if isinstance(ending, Kill):
            found.killed[name] = names[name]
        elif name in wanted:
            found.missed[name] = names[name]
