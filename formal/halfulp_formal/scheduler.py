"""Many obligations on a few worker processes: longest first, limits enforced from outside, identical queries once."""

from __future__ import annotations

import signal
import sys
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any

from halfulp_formal.decide import Engine, Unsound, decide, replay, validate
from halfulp_formal.obligation import Mismatch, Obligation, Proof, Verdict
from halfulp_formal.smtlib import obligation_hash
from halfulp_formal.solvers import second_opinion, version_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext

    from halfulp_formal.cache import Cache

    Build = Callable[[str], Obligation]

# pySMT never frees a term: a worker that has grown to this many bytes makes room for a fresh one.
_RETIRE_AT = 1 << 30


def engine_name(engine: Engine) -> str:
    """Solver and version, and the second solver's: what a stored verdict depends on beside the query."""
    names = [engine.solver]
    if engine.cross_check:
        names.append(second_opinion(engine.solver))
    return " + ".join(f"{name} {version_of(name)}" for name in names)


@dataclass(frozen=True)
class _About:
    """What is known of a task from outside the process it runs in."""

    name: str
    conversion: str = ""
    expect: Verdict = Verdict.PROVED
    query: str = ""

    def failed(self, verdict: Verdict, engine: Engine, seconds: float, detail: str) -> Proof:
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


class _Prover:
    """Builds and decides obligations in one process, and remembers what it has decided."""

    def __init__(self, build: Build, engine: Engine, cache: Cache | None) -> None:
        self._build = build
        self._engine = engine
        self._cache = cache
        self._key = engine_name(engine)
        self._decided: dict[str, Proof] = {}

    def prove(self, name: str, on_query: Callable[[_About], None] = lambda _: None) -> Proof:
        """The proof of the obligation of that name, whatever happens while it is built or decided."""
        started = time.perf_counter()
        about = _About(name)
        try:
            obligation = self._build(name)
            about = _About(name, obligation.conversion, obligation.expect, obligation_hash(obligation))
        except Exception as error:  # noqa: BLE001  # one broken obligation must not end the run
            reason = f"cannot be built: {type(error).__name__}: {' '.join(str(error).split())}"
            return about.failed(Verdict.ERROR, self._engine, time.perf_counter() - started, reason)
        known = self._known(obligation, about.query)
        if known is not None:
            return replace(known, seconds=time.perf_counter() - started)
        proof = decide(obligation, self._engine, on_query=partial(on_query, about))
        self._keep(proof)
        return proof

    def _known(self, obligation: Obligation, query: str) -> Proof | None:
        """An earlier proof of the same query; what it rests on outside the query is checked anew.

        A witness must still refute the claim and stand every replay, and the terms must still be what they stand for.
        """
        known = self._decided.get(query) or (self._cache and self._cache.verdict(query, self._key))
        if not known:
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
            cached=True,
            validated=validated,
        )
        if self._cache:
            self._cache.store_name(known, self._key)
        return known

    def _keep(self, proof: Proof) -> None:
        settled = proof.verdict in (Verdict.PROVED, Verdict.REFUTED)
        # A cross-check that the second solver did not finish is worth another try.
        if settled and not (self._engine.cross_check and proof.second.endswith("undecided")):
            self._decided[proof.query] = proof
            if self._cache:
                self._cache.store(proof, self._key)


def _grown() -> bool:
    if find_spec("resource") is None:  # not on Windows; workers then live as long as the run
        return False
    resource = import_module("resource")
    unit = 1 if sys.platform == "darwin" else 1024
    return bool(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit > _RETIRE_AT)


def _serve(pipe: Connection, build: Build, engine: Engine, cache: Cache | None) -> None:
    """The life of a worker: names in, proofs out, until the pipe closes."""
    # The terminal sends its interrupt to every process; the parent alone decides what then happens.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    prover = _Prover(build, engine, cache)
    with suppress(EOFError, OSError):
        while True:
            name = pipe.recv()
            proof = prover.prove(name, lambda about: pipe.send(("query", about)))
            pipe.send(("done", proof, _grown()))


class _Worker:
    """A worker process as the parent sees it: the task it is on and the moment at which it is ended."""

    def __init__(self, context: Any, arguments: tuple[Build, Engine, Cache | None]) -> None:
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, *arguments), daemon=True)
        self.process.start()
        theirs.close()
        self.task: int | None = None
        self.about = _About("")
        self.started = 0.0
        self.deadline = float("inf")

    def give(self, task: int, name: str) -> None:
        self.task, self.about, self.started = task, _About(name), time.perf_counter()
        with suppress(OSError):  # a worker that has died shows by the end of its pipe
            self.pipe.send(name)

    def free(self) -> None:
        self.task, self.deadline = None, float("inf")

    def end(self, patience: float = 0.0) -> int | None:
        """Kill the process; its exit code if it ends by itself within so many seconds."""
        self.process.join(patience)
        code: int | None = self.process.exitcode
        self.process.kill()
        self.process.join()
        self.process.close()
        self.pipe.close()
        return code


def _context(build: Build, engine: Engine) -> BaseContext:
    """Workers are forked from a server that has imported everything once, where the system can."""
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    context = get_context("forkserver")
    origin = build.func if isinstance(build, partial) else build
    modules = [__name__, f"halfulp_formal.solvers.{engine.solver}", origin.__module__]
    context.set_forkserver_preload([module for module in modules if module != "__main__"])
    return context


class _Pool:
    """The parent's side of a run."""

    def __init__(self, names: Sequence[str], build: Build, engine: Engine, cache: Cache | None, grace: float) -> None:
        self._names = names
        self._engine = engine
        self._grace = grace
        self._arguments = (build, engine, cache)
        self._context = _context(build, engine)
        self._workers: list[_Worker] = []

    def run(self, tasks: Iterable[int], jobs: int, deliver: Callable[[int, Proof], None]) -> None:
        """Decide the tasks in that order; whatever ends the run early leaves no worker behind."""
        todo = deque(tasks)
        try:
            while todo or any(worker.task is not None for worker in self._workers):
                while todo and len(self._workers) < jobs:
                    self._workers.append(_Worker(self._context, self._arguments))
                for worker in self._workers:
                    if worker.task is None and todo:
                        task = todo.popleft()
                        worker.give(task, self._names[task])
                self._listen(deliver)
        finally:
            for worker in self._workers:
                worker.end()
            self._workers.clear()

    def _listen(self, deliver: Callable[[int, Proof], None]) -> None:
        """Wait for the next message, death or deadline, and act on all there are."""
        soonest = min(worker.deadline for worker in self._workers)
        patience = None if soonest == float("inf") else max(0.0, soonest - time.perf_counter())
        ready = set(wait([worker.pipe for worker in self._workers], patience))
        for worker in list(self._workers):
            if worker.pipe in ready:
                self._hear(worker, deliver)
            elif time.perf_counter() > worker.deadline:
                self._replace(
                    worker,
                    Verdict.UNDECIDED,
                    f"{self._engine.solver} did not keep to its limit of {self._engine.timeout:g} s and was ended",
                    deliver,
                )

    def _hear(self, worker: _Worker, deliver: Callable[[int, Proof], None]) -> None:
        try:
            message = worker.pipe.recv()
        except (EOFError, OSError):
            self._replace(worker, Verdict.ERROR, "the worker process died", deliver)
            return
        if message[0] == "query":
            worker.about = message[1]
            worker.deadline = time.perf_counter() + self._engine.timeout + self._grace
            return
        task, proof, grown = worker.task, message[1], message[2]
        assert task is not None
        worker.free()
        if grown:
            self._workers.remove(worker)
            worker.end()
        deliver(task, proof)

    def _replace(self, worker: _Worker, verdict: Verdict, detail: str, deliver: Callable[[int, Proof], None]) -> None:
        """End a worker and give the task it was on that verdict."""
        self._workers.remove(worker)
        code = worker.end(1.0 if verdict is Verdict.ERROR else 0.0)
        if verdict is Verdict.ERROR and code is not None:
            detail += f" (exit code {code})"
        if worker.task is not None:
            seconds = time.perf_counter() - worker.started
            deliver(worker.task, worker.about.failed(verdict, self._engine, seconds, detail))


def run(
    names: Sequence[str],
    build: Build,
    engine: Engine,
    *,
    jobs: int,
    cache: Cache | None = None,
    on_proof: Callable[[Proof], None] = lambda _: None,
    grace: float = 5.0,
    isolate: bool = True,
) -> list[Proof]:
    """The proofs of the named obligations, in the order of the names; `on_proof` hears each as soon as it is known.

    `build` makes an obligation from its name in whatever process decides it, so it must be picklable. A query that
    runs `grace` seconds past the engine's limit is ended from outside. With `isolate` false and one job, all is done
    in this process, and only the solver's own limit holds.

    ValueError: fewer than one job. MissingSolver: a solver that the engine asks for is not installed.
    """
    if jobs < 1:
        raise ValueError(f"jobs is {jobs}; expected at least 1")
    key = engine_name(engine)
    proofs: dict[int, Proof] = {}
    times: dict[str, float] = {}

    def deliver(task: int, proof: Proof) -> None:
        proofs[task] = proof
        if not proof.cached:
            times[f"{engine.solver} {proof.name}"] = proof.seconds
        on_proof(proof)

    todo = []
    for task, name in enumerate(names):
        known = cache.recall(name, key) if cache else None
        if known is None:
            todo.append(task)
        else:
            deliver(task, known)
    try:
        if jobs == 1 and not isolate:
            prover = _Prover(build, engine, cache)
            for task in todo:
                deliver(task, prover.prove(names[task]))
        elif todo:
            recorded = cache.times() if cache else {}
            # Unknown ones may be long: they go first.
            todo.sort(key=lambda task: -recorded.get(f"{engine.solver} {names[task]}", float("inf")))
            _Pool(names, build, engine, cache, grace).run(todo, min(jobs, len(todo)), deliver)
    finally:
        if cache:
            cache.record_times(times)
            cache.prune()
    return [proofs[task] for task in range(len(names))]
