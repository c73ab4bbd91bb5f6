"""Proving whole families in tests: every obligation as expected, and every seeded mistake refused."""

from __future__ import annotations

from collections.abc import Iterator

from halfulp_formal.catalogue import build, conversions, kinds_of, obligations
from halfulp_formal.decide import Engine, decide
from halfulp_formal.families.family import Family
from halfulp_formal.mistakes import MISTAKES
from halfulp_formal.obligation import Proof, Verdict
from halfulp_formal.subject import SourcePatch

ENGINE = Engine(timeout=30)


def unexpected(names: list[str]) -> list[tuple[str, str, str]]:
    """Decide obligations; return those whose verdict is not the expected one."""
    proofs = [decide(build(name), ENGINE) for name in names]
    return [(proof.name, proof.verdict.name, proof.detail) for proof in proofs if not proof.ok]


def of_conversions(*chosen: str) -> list[str]:
    """The obligations of some conversions."""
    return [name for conversion in chosen for name in obligations(conversion)]


def of_family(family: Family) -> list[str]:
    """The obligations of a family."""
    return of_conversions(*family.conversions())


def smallest(name: str) -> Proof:
    """Decide an obligation with the least witness."""
    return decide(build(name), ENGINE, minimise=True)


def seeds(*families: Family) -> Iterator[tuple[str, str, list[str]]]:
    """Yield every kind of obligation with each of its mistakes, and the conversions that may show it, likeliest first."""
    those = {name for family in families for name in family.conversions()}
    having: dict[str, dict[str, list[str]]] = {}
    for conversion in conversions():
        for kind in kinds_of(conversion) if conversion in those else ():
            for mistake in kind.mistakes:
                having.setdefault(kind.name, {}).setdefault(mistake, []).append(conversion)
    for kind_name, mistakes in having.items():
        for mistake, found in mistakes.items():
            yield kind_name, mistake, likeliest_first(mistake, found)


def likeliest_first(mistake: str, names: list[str]) -> list[str]:
    """Sort conversions: first those of a format whose row the mistake changes, or of the one tapered format."""
    touched = set()
    for patch in MISTAKES[mistake].patches:
        if isinstance(patch, SourcePatch):
            touched |= {"hif8"} if patch.module == "tapered" else set()
        elif len(patch.path) > 2:
            touched.add(patch.path[1].lower())
    return sorted(names, key=lambda name: touched.isdisjoint(name.split(".")))


def is_refused(kind: str, mistake: str, candidates: list[str]) -> bool:
    """Whether the proof of some conversion refuses a wrong model."""
    subject = MISTAKES[mistake].subject()
    return any(
        decide(build(f"{conversion}.{kind}", subject), ENGINE).verdict is Verdict.REFUTED for conversion in candidates
    )
