"""The outcome of a study against the expect section of its amendment, and the section that an outcome would have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from halfulp_formal import catalogue
from halfulp_formal.obligation import Verdict

from .outcome import Entry, Status, Study
from .patch import Amendment, Expectation
from .scope import meant

#: what a key of the expect section says of a conversion
STATUSES = {
    "unchanged": (Status.UNCHANGED, Status.UNTOUCHED),
    "changed": (Status.CHANGED,),
    "new": (Status.NEW,),
    "removed": (Status.REMOVED,),
}
#: what must be expected: anything but this is an unexpected change
QUIET = (Status.UNCHANGED, Status.UNTOUCHED, Status.NOT_COMPARED, Status.UNDECIDED, Status.ERROR)


def check_expectations(amendment: Amendment, names: Sequence[str]) -> None:
    """Raise AmendmentError for a pattern that names nothing, and for two that expect different things of a conversion."""
    said: dict[str, Expectation] = {}
    obligations = [name for conversion in catalogue.conversions() for name in catalogue.obligations(conversion)]
    for each in amendment.expects or ():
        if each.key not in STATUSES:
            if not any(matches_sentence(name, each.pattern) for name in obligations):
                near = catalogue.no_match(each.pattern, obligations)
                raise amendment.error(each.line, f"expect.findings.{each.key}", near)
            continue
        found = meant(names, each.pattern)
        if not found:
            raise amendment.error(each.line, f"expect.{each.key}", catalogue.no_match(each.pattern, list(names)))
        for name in found:
            other = said.setdefault(name, each)
            if other.key != each.key:
                message = f"{each.pattern!r} names {name}, which is expected {other.key} in line {other.line}"
                raise amendment.error(each.line, f"expect.{each.key}", message)


def matches_sentence(name: str, pattern: str) -> bool:
    """Tell whether a pattern means an obligation: its whole name, or the last part of it."""
    return fnmatchcase(name, pattern) or fnmatchcase(name.rpartition(".")[2], pattern)


def surprises(study: Study) -> list[str]:
    """Return a line for everything that is not as the amendment expects it."""
    return [*conversion_surprises(study), *(sentence_surprises(study) if study.amendment.compares_findings else ())]


def conversion_surprises(study: Study) -> Iterator[str]:
    """Yield what is not as expected of conversions; what cannot be said of one that is undecided is left to its verdict."""
    names = [entry.name for entry in study.entries]
    expected = [each for each in study.amendment.expects or () if each.key in STATUSES]
    said = {name: each.key for each in expected for name in meant(names, each.pattern)}
    for entry in study.entries:
        if entry.status in (Status.UNDECIDED, Status.ERROR):
            continue
        key = said.get(entry.name)
        if key is not None and entry.status not in STATUSES[key]:
            yield f"{entry.name} is {entry.status.value}; expected {key}"
        elif key is None and entry.status not in QUIET:
            yield f"{entry.name} is {entry.status.value}; expected nothing of the kind"


def sentence_surprises(study: Study) -> Iterator[str]:
    """Yield what is not as expected of findings: each that appears or disappears is named, and each name is needed.

    Where patterns narrow the study, a finding may lie outside it.
    """
    for key in ("appear", "disappear"):
        patterns = [each.pattern for each in study.amendment.expects or () if each.key == key]
        found = [each.name for each in study.sentences if (each.appears if key == "appear" else each.disappears)]
        for name in found:
            if not any(matches_sentence(name, pattern) for pattern in patterns):
                yield f"finding {name} {key}s; expected nothing of the kind"
        for pattern in patterns if study.whole else ():
            if not any(matches_sentence(name, pattern) for name in found):
                yield f"no finding {pattern} {key}s; expected one"


def exit_code(study: Study) -> int:
    """Return 0 where the outcome is as expected, 4 for an error, 1 for a surprise, 3 where something is undecided."""
    proofs = [entry.proof for entry in study.entries if entry.proof is not None]
    proofs += [entry.total for entry in study.entries if entry.total is not None]
    proofs += [each.after for each in study.sentences]
    verdicts = {proof.verdict for proof in proofs}
    if Verdict.ERROR in verdicts:
        return 4
    if surprises(study):
        return 1
    return 3 if Verdict.UNDECIDED in verdicts else 0


def section(study: Study) -> list[str]:
    """Return the lines of the expect section that fits an outcome."""
    lines = ["expect:"]
    for key, statuses in (("changed", (Status.CHANGED,)), ("new", (Status.NEW,)), ("removed", (Status.REMOVED,))):
        names = shortened(study.having(*statuses), study.entries)
        if names:
            lines.append(f"  {key}: [{', '.join(names)}]")
    unchanged = shortened(study.having(Status.UNCHANGED), study.entries)
    if unchanged:
        lines.append(f"  unchanged: [{', '.join(unchanged)}]")
    appear = sorted({each.name.rpartition(".")[2] for each in study.sentences if each.appears})
    disappear = sorted({each.name.rpartition(".")[2] for each in study.sentences if each.disappears})
    if study.asked:
        lines.append(f"  findings: {{appear: [{', '.join(appear)}], disappear: [{', '.join(disappear)}]}}")
    return lines


def shortened(those: Sequence[Entry], every: Sequence[Entry]) -> list[str]:
    """Return patterns that mean some conversions and no others: a first part where all of it is meant, else names."""
    names = {entry.name for entry in those}
    others = {*catalogue.conversions(), *(entry.name for entry in every)}
    patterns: dict[str, None] = {}
    for entry in those:
        first = entry.name.split(".", maxsplit=1)[0]
        # a first part that is a name of its own means that one alone
        whole = first not in others and all(
            other in names for other in others if other.split(".", maxsplit=1)[0] == first
        )
        patterns[first if whole else entry.name] = None
    return list(patterns)
