"""What follows where versions differ: in which region, which sentences stop or start holding, and what loses a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from halfulp_formal.obligation import Proof, Verdict

from .compare import IDENTICAL
from .investigator import Investigator
from .likeness import kind_of
from .outcome import Entry, Sentence, Status, Where
from .questions import BEFORE, CLAIM, LIKE, TOTAL, WHERE, sentences
from .regions import in_words, read_region
from .touched import is_quick


@dataclass(frozen=True)
class Consequences:
    """What was asked about changed and new conversions: the entries with the answers, and the sentences that change."""

    entries: tuple[Entry, ...]
    sentences: tuple[Sentence, ...]
    asked: int  #: sentences put to the amended model


def look_closer(investigator: Investigator, entries: Sequence[Entry]) -> Consequences:
    """Ask of the changed conversions where they differ and what they still obey, of new ones whether they are total."""
    own = [entry for entry in entries if entry.status is Status.CHANGED and not entry.shares]
    new = [entry.name for entry in entries if entry.status is Status.NEW]
    likes: dict[tuple[object, ...], list[str]] = {}
    for entry in own:
        likes.setdefault(kind_of(entry), []).append(entry.name)
    ordered = sorted(own, key=lambda entry: is_quick(entry.standing))
    claims = {f"{entry.name}.{kind.name}": kind for entry in ordered for kind in sentences(entry.name)}
    proofs = investigator.answers(
        [
            *(f"{WHERE} {first}" for first, *_ in likes.values()),
            *(f"{CLAIM} {name}" for name in claims),
            *(f"{TOTAL} {name}" for name in (*(entry.name for entry in own), *new)),
        ]
    )
    regions = {first: proofs[f"{WHERE} {first}"] for first, *_ in likes.values()}
    regions |= regions_around(investigator, regions)
    regions |= regions_like(investigator, list(likes.values()), regions)
    closer = tuple(with_answers(entry, proofs, regions) for entry in entries)
    asked = {name: proofs[f"{CLAIM} {name}"] for name in claims}
    changed = [name for name, proof in asked.items() if proof.query != IDENTICAL and not proof.ok]
    before = investigator.ask(BEFORE, changed)
    found = tuple(
        Sentence(name, kind.sentence, kind.source, before[name].verdict, asked[name])
        for name, kind in claims.items()
        if name in before and (before[name].verdict is not asked[name].verdict or not settled(asked[name]))
    )
    return Consequences(closer, found, len(claims))


def regions_around(investigator: Investigator, known: Mapping[str, Proof]) -> dict[str, Proof]:
    """Return what is proved to be around the differences whose searched region was not proved."""
    questions = {
        name: f"{LIKE} {read_region(found).keys_around} {name}"
        for name, proof in known.items()
        if proof.verdict is not Verdict.PROVED and (found := proof.name.partition(" ")[2]).startswith("[")
    }
    proofs = investigator.answers(list(questions.values()))
    return {name: proofs[question] for name, question in questions.items()}


def regions_like(
    investigator: Investigator, likes: Sequence[Sequence[str]], known: Mapping[str, Proof]
) -> dict[str, Proof]:
    """Return the regions of conversions like one whose region is known: the same if that is proved, else searched."""
    hints: dict[str, str] = {}
    for first, *others in likes:
        if known[first].verdict is Verdict.PROVED:
            keys = read_region(known[first].name.partition(" ")[2]).keys
            hints |= dict.fromkeys(others, f"{LIKE} {keys}")
    found = investigator.answers([f"{question} {name}" for name, question in hints.items()])
    proofs = {name: found[f"{question} {name}"] for name, question in hints.items()}
    left = [name for name, proof in proofs.items() if proof.verdict is not Verdict.PROVED]
    left += [name for first, *others in likes if known[first].verdict is not Verdict.PROVED for name in others]
    return proofs | investigator.ask(WHERE, left)


def with_answers(entry: Entry, proofs: Mapping[str, Proof], regions: Mapping[str, Proof]) -> Entry:
    """Add to an entry what was answered about it, or about the twin whose proof it shares."""
    name = entry.shares or entry.name
    total, proof = proofs.get(f"{TOTAL} {name}"), regions.get(name)
    where = None
    if proof is not None and proof.verdict is Verdict.PROVED:
        region = read_region(proof.name.partition(" ")[2])
        inside = None if region.inside is None else in_words(region.inside)
        where = Where(region, in_words(region.around), inside, proof)
    return replace(entry, total=total, where=where)


def settled(proof: Proof) -> bool:
    """Tell whether a proof has a definite verdict."""
    return proof.verdict in (Verdict.PROVED, Verdict.REFUTED)
