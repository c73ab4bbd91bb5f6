"""Where two versions differ, in words: the strongest conjunction of declared predicates, proved equal to the difference.

Where no conjunction equals it, the strongest one around it and, if there is one, a conjunction inside it are given.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pysmt.fnode import FNode
from pysmt.shortcuts import TRUE, And, Not

from halfulp_formal.dag import symbols
from halfulp_formal.evaluate import evaluate
from halfulp_formal.lift.values import conjoin
from halfulp_formal.obligation import Obligation, Verdict
from halfulp_formal.properties.numbers import iff, implies
from halfulp_formal.solvers import Answer, open_solver
from halfulp_formal.specialise import specialise
from halfulp_formal.subject import Patch

from .compare import Pair, pair
from .predicates import Predicate, predicates_of

#: the search for a region only suggests it; what it suggests is then proved within the run's own limit
SEARCH_SECONDS = 15.0


@dataclass(frozen=True)
class Region:
    """A region as predicates that hold together: `around` the difference, and `inside` it where they are not one.

    Each is its key and its words. inside is None where nothing was found.
    """

    around: tuple[tuple[str, str], ...]
    inside: tuple[tuple[str, str], ...] | None

    @property
    def exact(self) -> bool:
        """The difference is exactly the region."""
        return self.inside == self.around

    @property
    def keys(self) -> str:
        """The keys as text, for a question about another conversion."""
        return self.keys_of(self.around, self.inside)

    @property
    def keys_around(self) -> str:
        """The keys of what is around the difference, as text."""
        return self.keys_of(self.around, None)

    @staticmethod
    def keys_of(*parts: tuple[tuple[str, str], ...] | None) -> str:
        """Return keys as text."""
        return "|".join("-" if part is None else "+".join(key for key, _ in part) for part in parts)

    def __str__(self) -> str:
        return json.dumps([self.around, self.inside], ensure_ascii=False)


def read_region(text: str) -> Region:
    """Read a region back from its text."""
    around, inside = json.loads(text)
    pairs = [None if part is None else tuple((key, words) for key, words in part) for part in (around, inside)]
    return Region(pairs[0] or (), pairs[1])


def in_words(predicates: Sequence[tuple[str, str]]) -> str:
    """Return a conjunction in words."""
    return " and ".join(words for _, words in predicates) or "the input is legal"


def build_where(patches: tuple[Patch, ...], name: str, solver: str, keys: str = "") -> Obligation:
    """Build the proof of a region: of the one that keys name, or of one that is searched. Its name ends in its text."""
    versions = pair(patches, name)
    region = named(predicates_of(versions), keys) if keys else search(versions, solver)
    terms = {each.key: each.term for each in predicates_of(versions)}
    around = conjoin(*(terms[key] for key, _ in region.around))
    differs = Not(versions.claim)
    claim = implies(differs, around)
    if region.exact:
        claim = iff(differs, around)
    elif region.inside is not None:
        claim = conjoin(claim, implies(conjoin(*(terms[key] for key, _ in region.inside)), differs))
    return Obligation(
        name=f"{name} {region}",
        conversion=name,
        sentence="The two versions differ where the region says.",
        source="the amendment",
        assumption=versions.assumption,
        claim=claim,
        inputs=versions.inputs,
        replays=(*versions.base.replays, *versions.amended.replays),
        expect=Verdict.PROVED,
    )


def named(predicates: Sequence[Predicate], keys: str) -> Region:
    """Return the region that keys name among a conversion's predicates; those that it has not are left out."""
    words = {each.key: each.words for each in predicates}
    parts = [None if part == "-" else [key for key in part.split("+") if key in words] for part in keys.split("|")]
    pairs = [None if part is None else tuple((key, words[key]) for key in part) for part in parts]
    return Region(pairs[0] or (), pairs[1])


class Search:
    """Questions about one difference; each is answered within a short limit or not at all."""

    def __init__(self, versions: Pair, solver: str) -> None:
        self.versions = versions
        self.solver = solver
        self.differs = Not(versions.claim)
        self.predicates = predicates_of(versions)

    def witness(self, *formulas: FNode) -> dict[str, int] | None:
        """Return a legal point at which formulas hold, None where there is none. Raises TimeoutError."""
        with open_solver(self.solver, SEARCH_SECONDS) as session:
            session.add(self.versions.assumption, *formulas)
            answer = session.check()
            if answer is Answer.UNKNOWN:
                raise TimeoutError
            if answer is Answer.UNSAT:
                return None
            used = set(symbols([self.versions.assumption, *formulas]))
            return {s.symbol_name(): session.value(s) if s in used else 0 for s in self.versions.inputs}

    def false_at(self, point: dict[str, int], those: Iterable[Predicate]) -> set[str]:
        """Return the keys of the predicates that are false at a point."""
        those = list(those)
        held = evaluate([each.term for each in those], point)
        return {each.key for each, holds in zip(those, held, strict=True) if not holds}

    def implied(self) -> list[Predicate]:
        """Return every predicate that holds wherever the versions differ."""
        left = list(self.predicates)
        # most are contradicted under plain parameters already, and simple questions find where
        for within in dict.fromkeys((self.versions.plain, TRUE())):
            while left:
                denied = Not(conjoin(*(each.term for each in left)))
                point = self.witness(specialise(And(self.differs, denied), within), within)
                if point is None:
                    break
                false = self.false_at(point, left)
                left = [each for each in left if each.key not in false]
        return left

    def without_repetition(self, those: list[Predicate]) -> list[Predicate]:
        """Return the predicates without those that follow from the others."""
        kept = list(those)
        for each in reversed(those):
            others = [other.term for other in kept if other is not each]
            if self.witness(*others, Not(each.term)) is None:
                kept.remove(each)
        return kept

    def inside(self, around: list[Predicate], point: dict[str, int]) -> list[Predicate] | None:
        """Return predicates that make a conjunction imply the difference, given a point where it does not."""
        known = {each.key for each in around}
        others = [each for each in self.predicates if each.key not in known]
        outside = self.false_at(point, others)
        base = [each.term for each in around]
        for each in others:
            if each.key not in outside or self.witness(*base, each.term, self.differs) is None:
                continue
            if self.witness(*base, each.term, self.versions.claim) is None:
                return [*around, each]
        return None


def search(versions: Pair, solver: str) -> Region:
    """Look for the region of a difference. What is found is a guess until it has been proved."""
    looking = Search(versions, solver)
    around: list[Predicate] = []
    try:
        around = looking.without_repetition(looking.implied())
        point = looking.witness(*(each.term for each in around), versions.claim)
        inside = around if point is None else looking.inside(around, point)
    except TimeoutError:
        # the proof has more time than the search; what it does not confirm is taken back
        inside = around
    pairs = [None if part is None else tuple((each.key, each.words) for each in part) for part in (around, inside)]
    return Region(pairs[0] or (), pairs[1])
