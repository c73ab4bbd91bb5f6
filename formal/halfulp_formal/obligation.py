"""What is to be proved, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pysmt.fnode import FNode


class Verdict(Enum):
    """What was established about an obligation."""

    # The assumption can hold, and a solver answered unsat to "assumption and not claim": the claim holds for
    # every input the assumption admits. With cubes: for each of them, and they were proved to cover the
    # assumption.
    PROVED = "proved"
    # A solver gave an input at which the assumption evaluates to true and the claim to false, and every
    # replay agreed with the terms there. The claim is false of the terms and of what they were replayed
    # against.
    REFUTED = "refuted"
    # A solver reached its limit or gave up. Nothing is known about the claim.
    UNDECIDED = "undecided"
    # The run itself cannot be trusted: the assumption can never hold, a solver crashed or gave a wrong model,
    # a replay disagreed, or two solvers did. Nothing is known about the claim.
    ERROR = "error"


class Mismatch(Exception):
    """Terms and what they stand for differ at a point that the message names."""


class Replay(Protocol):
    """A second way to compute what an obligation's terms say, asked at single points."""

    def check(self, assignment: Mapping[str, int]) -> str | None:
        """None if the terms and what they stand for agree at this point, else one line saying how not."""
        ...

    def validate(self, samples: int) -> int:
        """Compare the terms with what they stand for at about so many points of its own choice.

        Returns how many were compared; raises Mismatch where they differ.
        """
        ...


@dataclass(frozen=True)
class Obligation:
    """A claim about all inputs that satisfy an assumption."""

    name: str  #: the conversion's name, a dot and a last part: "req8.rne.nosat.equivalent"
    conversion: str  #: "req8.rne.nosat"
    sentence: str  #: the specification's sentence it stands for
    source: str  #: where the sentence is from: "ADR 0085, Decision 177"
    assumption: FNode  #: Bool
    claim: FNode  #: Bool; proved if and only if "assumption and not claim" is unsat
    inputs: tuple[FNode, ...]  #: free symbols in display order, Bool or bit-vectors
    cubes: tuple[FNode, ...] = ()  #: cases that together cover the assumption, for solvers that need them
    replays: tuple[Replay, ...] = ()
    expect: Verdict = Verdict.PROVED  #: a finding is expected to be REFUTED
    split: bool = False  #: whole, it is out of every solver's reach: use the cubes always
    steps: tuple[FNode, ...] = ()  #: formulas to prove on the way, in order: see `steps`
    samples: int = 0  #: points at which every replay is validated before PROVED is given
    preferred: Mapping[str, int] = field(
        default_factory=dict
    )  #: the point that a least witness is nearest to; else all 0


@dataclass(frozen=True)
class Proof:
    """The verdict on one obligation and the evidence for it."""

    name: str
    conversion: str
    verdict: Verdict
    expect: Verdict
    solver: str
    version: str
    seconds: float
    query: str  #: sha256 of the assumption's and the claim's structure, in hex
    witness: Mapping[str, int] | None  #: values by input name, of a REFUTED obligation only
    detail: str = ""  #: one line: why it is UNDECIDED or ERROR, or how it was proved
    second: str = ""  #: the second solver's opinion: "z3 4.12: unsat", "z3 4.12: undecided"
    cached: bool = False  #: known from an earlier run
    shared: bool = False  #: decided in this run, with another obligation of the same query
    validated: int = 0  #: points at which the replays were compared with the terms, of a PROVED obligation

    @property
    def ok(self) -> bool:
        """The verdict is the expected one."""
        return self.verdict is self.expect

    @property
    def is_known(self) -> bool:
        """It was known without a solver."""
        return self.cached or self.shared

    @property
    def is_double(self) -> bool:
        """Two solvers gave the same definite answer."""
        return self.second.endswith((": sat", ": unsat"))
