"""One process's part of a run: obligations built and decided by name, each query once, with what is known looked up first."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from halfulp_formal.decide import Engine, Unsound, decide, replay, validate
from halfulp_formal.obligation import Mismatch, Obligation, Proof, Verdict
from halfulp_formal.smtlib import obligation_hash
from halfulp_formal.solvers import version_of

if TYPE_CHECKING:
    from halfulp_formal.cache import Cache

    Build = Callable[[str], Obligation]


def engine_name(engine: Engine) -> str:
    """Solver and version, and the second solver's: what a stored verdict depends on beside the query.

    MissingSolver: a solver that the engine asks for is not installed.
    """
    names = [engine.solver, *([engine.other] if engine.other else [])]
    return " + ".join(f"{name} {version_of(name)}" for name in names)


def is_settled(proof: Proof, engine: Engine) -> bool:
    """Tell whether a proof answers its query for good: a cross-check that one solver did not finish is worth another try."""
    unfinished = engine.cross_check and proof.second.endswith("undecided")
    return proof.verdict in (Verdict.PROVED, Verdict.REFUTED) and not unfinished


@dataclass(frozen=True)
class About:
    """What is known of a task from outside the process it runs in."""

    name: str
    conversion: str = ""
    expect: Verdict = Verdict.PROVED
    query: str = ""

    def failed(self, verdict: Verdict, engine: Engine, seconds: float, detail: str) -> Proof:
        """The proof of a task that its process could not end itself."""
        return Proof(
            name=self.name,
            conversion=self.conversion or self.name.rpartition(".")[0],
            verdict=verdict,
            expect=self.expect,
            solver=engine.solver,
            version=version_of(engine.solver),
            seconds=seconds,
            query=self.query,
            witness=None,
            detail=detail,
        )


class PutOff(Exception):
    """Another process is deciding the same query; this task is to come again when that is done."""


#: hears of a query before it is decided: a proof of it that somebody else has, or None; may raise PutOff
Ask = Callable[[About], Proof | None]


def on_its_own(_about: About) -> None:
    """Know of no other process."""


class Prover:
    """Builds and decides obligations in one process, and remembers what it has decided."""

    def __init__(self, build: Build, engine: Engine, cache: Cache | None) -> None:
        self._build = build
        self._engine = engine
        self._cache = cache
        self._key = engine_name(engine)
        self._decided: dict[str, Proof] = {}
        self._put_off: dict[str, Obligation] = {}

    def prove(self, name: str, ask: Ask = on_its_own, on_query: Callable[[About], None] = lambda _: None) -> Proof:
        """The proof of the obligation of that name, whatever happens while it is built or decided.

        `on_query` is called whenever a solver starts on a query with a limit of its own. PutOff: `ask` said so.
        """
        started = time.perf_counter()
        about = About(name)
        try:
            obligation = self._put_off.pop(name, None) or self._build(name)
            about = About(name, obligation.conversion, obligation.expect, obligation_hash(obligation))
        except Exception as error:  # noqa: BLE001  # one broken obligation must not end the run
            reason = f"cannot be built: {type(error).__name__}: {' '.join(str(error).split())}"
            return about.failed(Verdict.ERROR, self._engine, time.perf_counter() - started, reason)
        try:
            known = self._known(obligation, about, ask)
        except PutOff:
            self._put_off[name] = obligation
            raise
        if known is not None:
            return replace(known, seconds=time.perf_counter() - started)
        proof = decide(obligation, self._engine, on_query=partial(on_query, about))
        self._keep(proof)
        return replace(proof, seconds=time.perf_counter() - started)

    def _known(self, obligation: Obligation, about: About, ask: Ask) -> Proof | None:
        """An earlier proof of the same query; what it rests on outside the query is checked anew.

        A witness must still refute the claim and stand every replay, and the terms must still be what they stand for.
        """
        query = about.query
        # what this run has decided is asked for before what it has stored, so that it is told from an earlier run's
        known = self._decided.get(query) or ask(about) or (self._cache and self._cache.verdict(query, self._key))
        # where a refutation is expected, the witness shown is the least one, which is not looked for elsewhere
        if not known or (known.witness is not None and obligation.expect is Verdict.REFUTED is not known.expect):
            return None
        validated = 0
        try:
            if known.witness is not None:
                replay(obligation, known.witness)
            else:
                validated = validate(obligation)
        except (Unsound, Mismatch, ValueError):
            return None
        known = replace(
            known,
            name=obligation.name,
            conversion=obligation.conversion,
            expect=obligation.expect,
            shared=not known.cached,
            validated=validated,
        )
        if self._cache:
            self._cache.store_name(known, self._key)
        return known

    def _keep(self, proof: Proof) -> None:
        if is_settled(proof, self._engine):
            self._decided[proof.query] = proof
            if self._cache:
                self._cache.store(proof, self._key)
