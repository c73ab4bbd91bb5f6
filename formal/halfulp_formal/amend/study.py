"""An amendment studied: what becomes of every conversion, and what follows for sentences, findings and vectors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

from halfulp_formal.explain import Explanation, explain_witness
from halfulp_formal.obligation import Proof, Verdict
from halfulp_formal.subject import Patch, base_subject

from .compare import IDENTICAL, apart, pair
from .consequences import look_closer
from .counting import Count, NotCounted, count
from .investigator import Investigator
from .likeness import like_of
from .outcome import NOT_ASKED, Entry, Status, Study
from .patch import Amendment
from .questions import SAME
from .scope import Scope, in_scope, mode_of
from .shipped import changed_cases
from .text import one_line
from .touched import Fate, Standing, is_quick, standings

#: counts by conversion, or why there is none
Counts = Mapping[str, Count | str]

FATES = {
    Fate.UNTOUCHED: Status.UNTOUCHED,
    Fate.NEW: Status.NEW,
    Fate.REMOVED: Status.REMOVED,
    Fate.TOUCHED: Status.NOT_COMPARED,
}
VERDICTS = {
    Verdict.PROVED: Status.UNCHANGED,
    Verdict.REFUTED: Status.CHANGED,
    Verdict.UNDECIDED: Status.UNDECIDED,
    Verdict.ERROR: Status.ERROR,
}


def study(investigator: Investigator, scope: Scope) -> Study:
    """Study an amendment. Raises AmendmentError for an expectation that names nothing, UnknownName for such a pattern."""
    amendment = investigator.amendment
    every = standings(amendment.subject)
    chosen = in_scope(every, amendment, scope)
    with investigator.at_work():
        touched = [each for each in every if each.fate is Fate.TOUCHED and each.name in chosen]
        entries = compared(investigator, touched)
        listed = [entries.get(each.name) or untouched(each, chosen) for each in every]
        if scope.patterns:
            listed = [entry for entry in listed if entry.name in chosen]
        with counting(investigator, counted(listed, everything=scope.count_all)) as counts:
            found = look_closer(investigator, listed)
    closer = [with_count(with_like(entry, amendment), counts.result()) for entry in found.entries]
    names = [entry.name for entry in closer if entry.status is Status.CHANGED]
    files, cases = changed_cases(scope.vectors, amendment.subject, names) if scope.vectors else (0, [])
    return Study(
        amendment=amendment,
        entries=tuple(closer),
        sentences=found.sentences,
        whole=not scope.patterns,
        asked=found.asked,
        vectors=tuple(cases),
        vector_files=files,
    )


def untouched(standing: Standing, chosen: set[str]) -> Entry:
    """Return the entry of a conversion that is not compared."""
    status = FATES[standing.fate]
    return Entry(standing, Status.NOT_COMPARED if status is Status.NEW and standing.name not in chosen else status)


def compared(investigator: Investigator, those: Sequence[Standing]) -> dict[str, Entry]:
    """Compare the versions of touched conversions; a vector mode whose query is its twin's shares the twin's proof.

    The first conversion of each mode that changes is told as soon as it is known.
    """
    names = {each.name: each for each in those}
    entries: dict[str, Entry] = {}
    told: set[str] = set()

    def note(proof: Proof) -> None:
        if proof.verdict is Verdict.REFUTED and not twin_of(proof.name, names):
            entry = entries[proof.name] = entry_of(investigator.amendment, names[proof.name], proof)
            if mode_of(proof.name) not in told:
                told.add(mode_of(proof.name))
                investigator.tell(one_line(entry))

    proofs = investigator.ask(SAME, [each.name for each in sorted(those, key=is_quick)], note)
    for name, each in names.items():
        if name not in entries:
            twin = twin_of(name, names)
            # that both versions are one term is known of each by itself
            same_query = twin and proofs[name].query == proofs[twin].query not in ("", IDENTICAL)
            shares = twin if same_query else ""
            entries[name] = entry_of(investigator.amendment, each, proofs[shares or name], shares)
    return entries


def twin_of(name: str, names: Mapping[str, Standing]) -> str:
    """Return the scalar twin of a vector mode, "" where it has none among some names."""
    return name[1:] if name.startswith("v") and name[1:] in names else ""


def entry_of(amendment: Amendment, standing: Standing, proof: Proof, shares: str = "") -> Entry:
    """Return what a comparison established."""
    versions: tuple[Explanation | None, Explanation | None] = (None, None)
    outputs: tuple[tuple[str, str, str], ...] = ()
    if proof.witness is not None:
        one, two = (explain_witness(standing.name, proof.witness, each) for each in (base_subject(), amendment.subject))
        versions = (one, two)
        if one is None or two is None:
            outputs = tuple(apart(pair(amendment.patches, shares or standing.name), proof.witness))
    identical = proof.query == IDENTICAL
    return Entry(
        standing, VERDICTS[proof.verdict], proof, shares, identical=identical, versions=versions, outputs=outputs
    )


def with_like(entry: Entry, amendment: Amendment) -> Entry:
    """Add to a new conversion the one of the base that is the same function."""
    return replace(entry, equals=like_of(entry.standing, amendment.subject)) if entry.status is Status.NEW else entry


def counted(entries: Sequence[Entry], *, everything: bool) -> dict[str, Proof | None]:
    """Return the changed conversions with their proofs, those that are not to be counted without.

    Counted is the first one of each mode, or everything.
    """
    found: dict[str, Proof | None] = {}
    modes: set[str] = set()
    for entry in entries:
        if entry.status is Status.CHANGED and not entry.shares:
            mode = mode_of(entry.name)
            found[entry.name] = None if mode in modes and not everything else entry.proof
            modes.add(mode)
    return found


@contextmanager
def counting(investigator: Investigator, proofs: Mapping[str, Proof | None]) -> Iterator[Future[Counts]]:
    """Count while something else is done, or before it where all is done in this process.

    Terms belong to one thread at a time: beside it nothing may be lifted in this process.
    """
    with ThreadPoolExecutor(1) as beside:
        result = beside.submit(count_each, investigator.amendment.patches, proofs, investigator.jobs)
        if not investigator.isolate:
            result.result()
        yield result


def count_each(patches: tuple[Patch, ...], proofs: Mapping[str, Proof | None], jobs: int) -> Counts:
    """Count the inputs in which conversions differ, all but one input as in the witness."""
    found: dict[str, Count | str] = {}
    for name, proof in proofs.items():
        try:
            witness = None if proof is None else proof.witness
            found[name] = NOT_ASKED if witness is None else count(pair(patches, name), witness, jobs)
        except NotCounted as error:
            found[name] = str(error)
    return found


def with_count(entry: Entry, counts: Counts) -> Entry:
    """Add to an entry how many inputs differ, or why that is not known."""
    number = counts.get(entry.name)
    return replace(entry, uncounted=number) if isinstance(number, str) else replace(entry, count=number)


def outside_subset(study: Study) -> str:
    """Return what the lifter says of a replaced function that it cannot lift, with its file and line; "" for nothing."""
    path = study.amendment.function_file
    for entry in study.entries:
        for proof in (entry.proof, entry.total):
            if path is not None and proof is not None and proof.verdict is Verdict.ERROR:
                found = re.search(rf"LiftError: {re.escape(path.stem)}\.[a-z_0-9]+\.py(:\d+: .*)", proof.detail)
                if found:
                    place, _, message = found[1].partition(": ")
                    return f"{path}{place}: {entry.name}: {message}"
    return ""
