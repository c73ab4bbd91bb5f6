"""Seeded mistakes put to the proof: every kind of obligation must refuse each of its mistakes for some conversion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from halfulp_formal.catalogue import UnknownName, build, kinds_of, no_match
from halfulp_formal.mistakes import MISTAKES
from halfulp_formal.obligation import Obligation, Proof, Verdict
from halfulp_formal.properties.claim import Kind
from halfulp_formal.smtlib import obligation_hash
from halfulp_formal.subject import RulePatch

#: stands between an obligation's name and the mistake that it is put to
JOINT = "+"

Decide = Callable[[list[str]], list[Proof]]


@dataclass(frozen=True)
class Seed:
    """A mistake that a kind of obligation must refuse, and where that may show: names in the order to try them."""

    kind: str
    mistake: str
    candidates: tuple[str, ...]


def seeds(names: Sequence[str]) -> list[Seed]:
    """Return every kind of the named obligations with each of its mistakes."""
    found: dict[int, tuple[Kind, list[str]]] = {}
    selected = set(names)
    for conversion in dict.fromkeys(name.rpartition(".")[0] for name in names):
        for kind in kinds_of(conversion):
            if f"{conversion}.{kind.name}" in selected:
                found.setdefault(id(kind), (kind, []))[1].append(conversion)
    return [
        Seed(kind.name, mistake, tuple(candidates(having, kind.name, mistake)))
        for kind, having in found.values()
        for mistake in kind.mistakes
    ]


def candidates(those: Sequence[str], kind: str, mistake: str) -> list[str]:
    """Return the obligations that may show a mistake, the likeliest first.

    A changed row of the rule data shows where that row is used; anything else where there are most stages to go wrong.
    """
    rows = {
        patch.path[1].lower()
        for patch in MISTAKES[mistake].patches
        if isinstance(patch, RulePatch) and len(patch.path) > 2
    }
    stages = {name: sum(1 for _ in kinds_of(name)) for name in those}
    ordered = sorted(those, key=lambda name: (rows.isdisjoint(name.split(".")), -stages[name]))
    return [f"{name}.{kind}{JOINT}{mistake}" for name in ordered]


def build_seeded(name: str) -> Obligation:
    """Build an obligation about a wrong model: `req8.rne.nosat.tie+tie_even_is_odd`. Raises UnknownName."""
    obligation, _, mistake = name.partition(JOINT)
    if mistake not in MISTAKES:
        raise UnknownName(no_match(mistake, list(MISTAKES)))
    return replace(build(obligation, MISTAKES[mistake].subject()), name=name, expect=Verdict.REFUTED)


def settle(those: Sequence[Seed], decide: Decide, on_settled: Callable[[Proof], None]) -> list[Proof]:
    """Try each seed's candidates in turn until one is refuted; return the proof that settles each seed.

    `decide` proves a list of names in one go. A seed that no candidate refutes keeps an undecided or wrong proof if there
    is one, so that a time-out is not taken for a mistake that passed.
    """
    settled: dict[int, Proof] = {}
    waiting = list(enumerate(those))
    attempt = 0
    while waiting:
        proofs = decide([seed.candidates[attempt] for _, seed in waiting])
        left = []
        for (place, seed), proof in zip(waiting, proofs, strict=True):
            best = settled.get(place)
            if best is None or proof.ok or best.verdict is Verdict.PROVED:
                settled[place] = proof
            if proof.ok or attempt + 1 == len(seed.candidates):
                on_settled(settled[place])
            else:
                left.append((place, seed))
        waiting = left
        attempt += 1
    return [settled[place] for place in range(len(those))]


def touches(seed: Seed) -> bool:
    """Tell whether a mistake changes the query of any of its candidates: one that changes none cannot show in them."""
    for name in seed.candidates:
        right = build(name.partition(JOINT)[0])
        if obligation_hash(build_seeded(name)) != obligation_hash(right):
            return True
    return False
