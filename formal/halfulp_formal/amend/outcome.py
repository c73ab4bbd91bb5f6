"""What came of an amendment, as data: what becomes of every conversion, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from halfulp_formal.explain import Explanation
from halfulp_formal.findings_report import DIFFERENCES, FINDINGS
from halfulp_formal.obligation import Proof, Verdict

from .counting import Count
from .patch import Amendment
from .regions import Region
from .shipped import ChangedCase
from .touched import Standing

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
    outputs: tuple[tuple[str, str, str], ...] = ()  #: those that differ at the witness, where no version is explained
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
