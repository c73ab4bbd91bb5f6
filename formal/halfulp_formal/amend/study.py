"""An amendment studied: what becomes of every conversion, and what follows for sentences, findings and vectors."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from dataclasses import fields as fields_of
from enum import Enum
from fnmatch import translate
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

from halfulp_formal import catalogue
from halfulp_formal.cache import Cache
from halfulp_formal.decide import Engine
from halfulp_formal.explain import Explanation, explain_witness
from halfulp_formal.families.family import Group
from halfulp_formal.findings_report import DIFFERENCES, FINDINGS
from halfulp_formal.obligation import Proof, Verdict
from halfulp_formal.scheduler import run
from halfulp_formal.subject import Subject, base_subject

from .compare import IDENTICAL, apart, pair
from .counting import Count, NotCounted, count
from .patch import Amendment
from .questions import CLAIM, LIKE, SAME, TOTAL, WHERE, build_question, sentences
from .regions import Region, in_words, read_region
from .shipped import ChangedCase, changed_cases
from .sides import same_outputs
from .touched import Fate, Standing, standings

#: kinds that say where the sentence of a finding fails
CONDITIONS = frozenset(f"{finding.key}_exactly" for finding in (*FINDINGS, *DIFFERENCES))


#: why a conversion was not counted although it could be
NOT_ASKED = "the first conversion of each mode is counted; --count counts all"


class Status(Enum):
    """What becomes of a conversion."""

    #: the same functions are given the same rows
    UNTOUCHED = "untouched"
    #: proved to give the same outputs for every legal input
    UNCHANGED = "unchanged"
    CHANGED = "changed"
    NEW = "new"
    REMOVED = "removed"
    UNDECIDED = "undecided"
    ERROR = "error"
    #: touched, but no part of what was asked for
    NOT_COMPARED = "not compared"


@dataclass(frozen=True)
class Where:
    """Where two versions differ: a region in words, and the verdict on it.

    around: wherever they differ this holds. inside: wherever this holds they differ, None where nothing is known. Both
    are one where the region is exact.
    """

    region: Region
    around: str
    inside: str | None
    proof: Proof


@dataclass(frozen=True)
class Entry:
    """A conversion and what was established about it."""

    standing: Standing
    status: Status
    proof: Proof | None = None
    shares: str = ""  #: the scalar twin whose proof this one shares, being the same query
    identical: bool = False  #: both versions are one term
    where: Where | None = None
    total: Proof | None = None
    versions: tuple[Explanation | None, Explanation | None] = (None, None)  #: base and amended at the witness
    outputs: tuple[tuple[str, int, int], ...] = ()  #: those that differ at the witness, where no version is explained
    count: Count | None = None
    uncounted: str = ""  #: why there is no count, of a changed conversion
    equals: str = ""  #: the conversion of the base that a new one is one term with

    @property
    def name(self) -> str:
        """The conversion's name."""
        return self.standing.name


@dataclass(frozen=True)
class Sentence:
    """A sentence of the specification whose verdict the amendment changes."""

    name: str
    sentence: str
    source: str
    before: Verdict
    after: Proof

    @property
    def condition(self) -> bool:
        """The sentence says where a finding's sentence fails; it is no finding of its own."""
        return self.name.rpartition(".")[2] in CONDITIONS

    @property
    def appears(self) -> bool:
        """The sentence held and no longer does: a finding that appears."""
        return self.before is Verdict.PROVED and self.after.verdict is Verdict.REFUTED and not self.condition

    @property
    def disappears(self) -> bool:
        """The sentence did not hold and now does: a finding that disappears."""
        return self.before is Verdict.REFUTED and self.after.verdict is Verdict.PROVED


@dataclass(frozen=True)
class Scope:
    """What is to be compared: conversions by patterns, or of every family; and where shipped vectors are."""

    patterns: tuple[str, ...] = ()
    everything: bool = False
    vectors: Path | None = None
    count_all: bool = False  #: count in every changed conversion, not in the first one of each mode alone


@dataclass(frozen=True)
class Study:
    """What came of an amendment."""

    amendment: Amendment
    entries: tuple[Entry, ...]
    sentences: tuple[Sentence, ...] = ()
    whole: bool = True  #: no pattern narrows what is compared
    asked: int = 0  #: sentences put to the amended model
    vectors: tuple[ChangedCase, ...] = ()
    vector_files: int = 0
    engine: str = ""

    def having(self, *statuses: Status) -> list[Entry]:
        """Return the conversions of some statuses."""
        return [entry for entry in self.entries if entry.status in statuses]

    @property
    def partial(self) -> list[Entry]:
        """The conversions that lose their result for some input."""
        lost = (Verdict.REFUTED, Verdict.UNDECIDED, Verdict.ERROR)
        return [entry for entry in self.entries if entry.total is not None and entry.total.verdict in lost]


@dataclass
class Investigator:
    """Asks the questions of a study; `hear` is told of every answer."""

    amendment: Amendment
    engine: Engine
    jobs: int
    cache: Cache | None
    hear: Callable[[str, int], None] = field(default=lambda _name, _total: None)
    isolate: bool = True  #: decide in worker processes even where there is one job

    def ask(self, kind: str, names: Sequence[str]) -> dict[str, Proof]:
        """Return the proofs of a question about each of some names."""
        return self.answers([f"{kind} {name}" for name in names], len(kind) + 1)

    def answers(self, questions: Sequence[str], cut: int = 0) -> dict[str, Proof]:
        """Return the proofs of questions, by what follows so many letters."""
        build = partial(build_question, self.amendment.patches, self.engine.solver)
        proofs = self.decide(questions, build)
        return {question[cut:]: proof for question, proof in zip(questions, proofs, strict=True)}

    def decide(self, names: Sequence[str], build: Callable[[str], object]) -> list[Proof]:
        """Decide obligations as planned."""
        if not names:
            return []
        return run(
            names,
            build,  # type: ignore[arg-type]  # a partial of a function that returns an obligation
            self.engine,
            jobs=self.jobs,
            cache=self.cache,
            on_proof=lambda proof: self.hear(proof.name, len(names)),
            isolate=self.isolate,
        )

    def compared(self, those: Sequence[Standing]) -> list[Entry]:
        """Compare the versions of touched conversions; a vector mode whose query is its twin's shares the twin's proof."""
        names = {each.name: each for each in those}
        proofs = self.ask(SAME, list(names))
        entries = []
        for name, each in names.items():
            twin = name[1:] if name.startswith("v") and name[1:] in names else ""
            # that both versions are one term is known of each by itself
            same_query = twin and proofs[name].query == proofs[twin].query not in ("", IDENTICAL)
            shares = twin if same_query else ""
            entries.append(self.entry(each, proofs[shares or name], shares))
        return entries

    def entry(self, standing: Standing, proof: Proof, shares: str) -> Entry:
        """Return what a comparison established."""
        status = {
            Verdict.PROVED: Status.UNCHANGED,
            Verdict.REFUTED: Status.CHANGED,
            Verdict.UNDECIDED: Status.UNDECIDED,
            Verdict.ERROR: Status.ERROR,
        }[proof.verdict]
        versions: tuple[Explanation | None, Explanation | None] = (None, None)
        outputs: tuple[tuple[str, int, int], ...] = ()
        if proof.witness is not None:
            subjects = (base_subject(), self.amendment.subject)
            one, two = (explain_witness(standing.name, proof.witness, subject) for subject in subjects)
            versions = (one, two)
            if one is None or two is None:
                outputs = tuple(apart(pair(self.amendment.patches, shares or standing.name), proof.witness))
        identical = proof.query == IDENTICAL
        return Entry(standing, status, proof, shares, identical=identical, versions=versions, outputs=outputs)

    def look_closer(self, entries: Sequence[Entry]) -> tuple[list[Entry], list[Sentence], int]:
        """Ask of the changed conversions where they differ and what they still obey, of new ones whether they are total."""
        own = [entry for entry in entries if entry.status is Status.CHANGED and not entry.shares]
        new = [entry.name for entry in entries if entry.status is Status.NEW]
        likes: dict[tuple[object, ...], list[str]] = {}
        for entry in own:
            likes.setdefault(kind_of(entry), []).append(entry.name)
        claims = {f"{entry.name}.{kind.name}": kind for entry in own for kind in sentences(entry.name)}
        questions = [
            *(f"{WHERE} {first}" for first, *_ in likes.values()),
            *(f"{CLAIM} {name}" for name in claims),
            *(f"{TOTAL} {name}" for name in (*(entry.name for entry in own), *new)),
        ]
        proofs = self.answers(questions)
        regions = {first: proofs[f"{WHERE} {first}"] for first, *_ in likes.values()}
        regions |= self.regions_around(regions)
        regions |= self.regions_like(list(likes.values()), regions)
        closer = [self.with_answers(entry, proofs, regions) for entry in entries]
        asked = {name: proofs[f"{CLAIM} {name}"] for name in claims}
        changed = [name for name, proof in asked.items() if proof.query != IDENTICAL and not proof.ok]
        before = dict(zip(changed, self.decide(changed, catalogue.build), strict=True))
        found = [
            Sentence(name, kind.sentence, kind.source, before[name].verdict, asked[name])
            for name, kind in claims.items()
            if name in before and (before[name].verdict is not asked[name].verdict or not settled(asked[name]))
        ]
        return closer, found, len(claims)

    def regions_around(self, known: Mapping[str, Proof]) -> dict[str, Proof]:
        """Return what is proved to be around the differences whose searched region was not proved."""
        questions = {
            name: f"{LIKE} {read_region(found).keys_around} {name}"
            for name, proof in known.items()
            if proof.verdict is not Verdict.PROVED and (found := proof.name.partition(" ")[2]).startswith("[")
        }
        proofs = self.answers(list(questions.values()))
        return {name: proofs[question] for name, question in questions.items()}

    def regions_like(self, likes: Sequence[Sequence[str]], known: Mapping[str, Proof]) -> dict[str, Proof]:
        """Return the regions of conversions like one whose region is known: the same if that is proved, else searched."""
        hints: dict[str, str] = {}
        for first, *others in likes:
            if known[first].verdict is Verdict.PROVED:
                keys = read_region(known[first].name.partition(" ")[2]).keys
                hints |= dict.fromkeys(others, f"{LIKE} {keys}")
        found = self.answers([f"{question} {name}" for name, question in hints.items()])
        proofs = {name: found[f"{question} {name}"] for name, question in hints.items()}
        left = [name for name, proof in proofs.items() if proof.verdict is not Verdict.PROVED]
        left += [name for first, *others in likes if known[first].verdict is not Verdict.PROVED for name in others]
        return proofs | self.ask(WHERE, left)

    def with_answers(self, entry: Entry, proofs: Mapping[str, Proof], regions: Mapping[str, Proof]) -> Entry:
        """Add to an entry what was answered about it, or about the twin whose proof it shares."""
        name = entry.shares or entry.name
        total, proof = proofs.get(f"{TOTAL} {name}"), regions.get(name)
        where = None
        if proof is not None and proof.verdict is Verdict.PROVED:
            region = read_region(proof.name.partition(" ")[2])
            inside = None if region.inside is None else in_words(region.inside)
            where = Where(region, in_words(region.around), inside, proof)
        equals = self.like(entry.standing) if entry.status is Status.NEW else ""
        return replace(entry, total=total, where=where, equals=equals)

    def like(self, standing: Standing) -> str:
        """Return a conversion of the base that a new one is one term with, "" for none: only names and codes differ."""
        rows = standing.adapter.names(self.amendment.subject)[standing.name]
        if not nameless(rows):
            return ""
        for name, other in standing.adapter.names(base_subject()).items():
            if nameless(other) == nameless(rows):
                mine, theirs = (standing.adapter.lift(*each) for each in self.sides(standing.name, name))
                if mine.inputs == theirs.inputs and mine.legal is theirs.legal and same_outputs(theirs, mine).is_true():
                    return name
        return ""

    def sides(self, new: str, old: str) -> tuple[tuple[Subject, str], tuple[Subject, str]]:
        """Return a new conversion of the amended model and one of the base, each with its model."""
        return (self.amendment.subject, new), (base_subject(), old)


def study(investigator: Investigator, scope: Scope) -> Study:
    """Study an amendment. Raises AmendmentError for an expectation that names nothing, UnknownName for such a pattern."""
    amendment = investigator.amendment
    every = standings(amendment.subject)
    chosen = in_scope(every, amendment, scope)
    touched = [each for each in every if each.fate is Fate.TOUCHED and each.name in chosen]
    entries = {entry.name: entry for entry in investigator.compared(touched)}
    fates = {
        Fate.UNTOUCHED: Status.UNTOUCHED,
        Fate.NEW: Status.NEW,
        Fate.REMOVED: Status.REMOVED,
        Fate.TOUCHED: Status.NOT_COMPARED,
    }
    listed = [entries.get(each.name) or Entry(each, fates[each.fate]) for each in every]
    if scope.patterns:
        listed = [entry for entry in listed if entry.name in chosen]
    listed = [
        replace(entry, status=Status.NOT_COMPARED) if entry.status is Status.NEW and entry.name not in chosen else entry
        for entry in listed
    ]
    closer, changed, asked = investigator.look_closer(listed)
    closer = counted(closer, amendment, investigator.jobs, everything=scope.count_all)
    names = [entry.name for entry in closer if entry.status is Status.CHANGED]
    files, cases = changed_cases(scope.vectors, amendment.subject, names) if scope.vectors else (0, [])
    return Study(
        amendment=amendment,
        entries=tuple(closer),
        sentences=tuple(changed),
        whole=not scope.patterns,
        asked=asked,
        vectors=tuple(cases),
        vector_files=files,
    )


def mode_of(name: str) -> str:
    """Return the part of a conversion's name that its variants of rounding and saturation share."""
    parts = name.split(".")
    return ".".join(parts[: {"cvt": 3, "e8m0": 2, "scale": 2}.get(parts[0], 1)])


def settled(proof: Proof) -> bool:
    """Tell whether a proof has a definite verdict."""
    return proof.verdict in (Verdict.PROVED, Verdict.REFUTED)


def kind_of(entry: Entry) -> tuple[object, ...]:
    """Return what conversions have in common that are likely to differ in regions of the same words."""
    rows = entry.standing.adapter.names(base_subject())[entry.name]
    destination, rounding = getattr(rows, "destination", None), getattr(rows, "rounding", None)
    return (
        entry.standing.adapter.family.name,
        entry.name.split(".")[0] if destination is None else destination.is_integer,
        getattr(rows, "saturate", None),
        rounding is not None and rounding.nearest and rounding.choice,
    )


def nameless(rows: Any) -> str:
    """Return a conversion's rows without its name, and without name, code and operand of its mode."""
    if not is_dataclass(rows) or not hasattr(rows, "mode"):
        return ""
    fields = {key: value for key, value in vars_of(rows).items() if key not in ("name", "mode")}
    mode = {key: value for key, value in vars_of(rows.mode).items() if key not in ("name", "code", "operand")}
    return repr((fields, mode))


def vars_of(row: Any) -> dict[str, Any]:
    """Return the fields of a row by name."""
    return {each.name: getattr(row, each.name) for each in fields_of(row)}


def counted(entries: Sequence[Entry], amendment: Amendment, jobs: int, *, everything: bool) -> list[Entry]:
    """Count the inputs that differ: of the first changed conversion of each mode, or of everything."""
    found: list[Entry] = []
    modes: set[str] = set()
    for entry in entries:
        mode = mode_of(entry.name)
        if entry.status is not Status.CHANGED or entry.shares or entry.proof is None or entry.proof.witness is None:
            found.append(entry)
        elif mode in modes and not everything:
            found.append(replace(entry, uncounted=NOT_ASKED))
        else:
            modes.add(mode)
            try:
                number = count(pair(amendment.patches, entry.name), entry.proof.witness, jobs)
                found.append(replace(entry, count=number))
            except NotCounted as error:
                found.append(replace(entry, uncounted=str(error)))
    return found


def in_scope(every: Sequence[Standing], amendment: Amendment, scope: Scope) -> set[str]:
    """Return the conversions that are compared.

    Those that patterns select; else, of what is touched, the default groups and what is expected by name, or everything
    where no default group is touched.
    """
    names = [each.name for each in every]
    if scope.patterns:
        return {name for pattern in scope.patterns for name in selected(names, pattern)}
    touched = [each for each in every if each.fate in (Fate.TOUCHED, Fate.NEW)]
    default = {each.name for each in touched if each.adapter.family.group is Group.DEFAULT}
    if scope.everything or not default:
        return set(names)
    expected = [each for each in amendment.expects or () if each.key in ("changed", "unchanged", "new")]
    named = {name for each in expected for name in meant(names, each.pattern)}
    return default | named


def meant(names: Sequence[str], pattern: str) -> list[str]:
    """Return the conversions that a pattern means: the one of that very name, or all that it, or leading parts, match."""
    if pattern in names:
        return [pattern]
    matches = re.compile(translate(pattern)).match
    return [name for name in names if any(map(matches, accumulate(name.split("."), "{}.{}".format)))]


def selected(names: Sequence[str], pattern: str) -> list[str]:
    """Return the conversions that a pattern selects. Raises UnknownName."""
    found = meant(names, pattern)
    if not found:
        raise catalogue.UnknownName(catalogue.no_match(pattern, list(names)))
    return found


def outside_subset(study: Study) -> str:
    """Return what the lifter says of a replaced function that it cannot lift, with its file and line; "" for nothing."""
    path = study.amendment.function_file
    for entry in study.entries:
        for proof in (entry.proof, entry.total):
            if path is not None and proof is not None and proof.verdict is Verdict.ERROR:
                found = re.search(rf"LiftError: {re.escape(path.stem)}\.[a-z_0-9]+(\.py:\d+: .*)", proof.detail)
                if found:
                    place, _, message = found[1].partition(": ")
                    return f"{path.stem}{place}: {entry.name}: {message}"
    return ""
