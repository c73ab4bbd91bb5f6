"""Seeded mistakes put to the proof: every kind of obligation must refuse each of its mistakes for some conversion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pysmt.shortcuts import TRUE

from halfulp_formal.catalogue import UnknownName, build, kinds_of, no_match
from halfulp_formal.mistakes import MISTAKES
from halfulp_formal.obligation import Obligation, Proof, Verdict
from halfulp_formal.properties.claim import Kind
from halfulp_formal.smtlib import obligation_hash

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
    """Return the obligations that may show a mistake: first those that are named after what it changes, then the others.

    Each part is spread out, so that the first few differ as much as they can.
    """
    marks = MISTAKES[mistake].marks
    used = [name for name in those if not marks.isdisjoint(name.split("."))]
    others = [name for name in those if name not in used]
    return [f"{name}.{kind}{JOINT}{mistake}" for name in [*spread(used), *spread(others)]]


def spread(names: Sequence[str]) -> list[str]:
    """Return names in an order in which every beginning is spread over all of them."""
    bits = max(len(names) - 1, 0).bit_length()
    order = sorted(range(len(names)), key=lambda place: f"{place:0{bits}b}"[::-1] if bits else "")
    return [names[place] for place in order]


def build_seeded(name: str) -> Obligation:
    """Build an obligation about a wrong model: `req8.rne.nosat.tie+tie_even_is_odd`. Raises UnknownName.

    Where the mistake leaves the query as it is, there is nothing to refute and nothing to solve: the claim becomes true.
    """
    obligation, _, mistake = name.partition(JOINT)
    if mistake not in MISTAKES:
        raise UnknownName(no_match(mistake, list(MISTAKES)))
    wrong = replace(build(obligation, MISTAKES[mistake].subject()), name=name, expect=Verdict.REFUTED)
    if obligation_hash(wrong) == obligation_hash(build(obligation)):
        return replace(wrong, assumption=TRUE(), claim=TRUE())
    return wrong


def settle(those: Sequence[Seed], decide: Decide, on_settled: Callable[[Proof], None]) -> list[Proof]:
    """Try each seed's candidates until one is refuted; return the proof that settles each seed.

    `decide` proves a list of names in one go; a seed has one candidate in the first, twice as many in each that follows.
    An error settles a seed at once. Where no candidate is refuted, one that is undecided does, so that a time-out is not
    taken for a mistake that passed, or else one that is proved.
    """
    best: dict[int, Proof] = {}
    waiting = list(range(len(those)))
    tried, width = 0, 1
    while waiting:
        names = {place: those[place].candidates[tried : tried + width] for place in waiting}
        found = {proof.name: proof for proof in decide([name for each in names.values() for name in each])}
        tried, width = tried + width, 2 * width
        for place in list(waiting):
            proofs = [replace(found[name], expect=Verdict.REFUTED) for name in names[place]]
            best[place] = min([*([best[place]] if place in best else []), *proofs], key=rank)
            if tried >= len(those[place].candidates) or rank(best[place]) <= SETTLES.index(Verdict.ERROR):
                waiting.remove(place)
                on_settled(best[place])
    return [best[place] for place in range(len(those))]


#: verdicts by how well they settle a seed; the first two do so at once
SETTLES = (Verdict.REFUTED, Verdict.ERROR, Verdict.UNDECIDED, Verdict.PROVED)


def rank(proof: Proof) -> int:
    """Order proofs by how well they settle a seed."""
    return SETTLES.index(proof.verdict)
