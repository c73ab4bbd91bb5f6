"""Worker processes that decide obligations: limits of time and memory enforced from outside, each query decided once."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import forkserver, get_all_start_methods, get_context
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from halfulp_formal.obligation import Proof, Verdict
from halfulp_formal.prover import About, Prover, PutOff, is_settled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from typing import Self

    from halfulp_formal.cache import Cache
    from halfulp_formal.decide import Engine
    from halfulp_formal.prover import Build

    #: a task's number in the run and the obligation's name
    Task = tuple[int, str]
    Deliver = Callable[[int, Proof], None]
    #: starts a worker's process on its end of a pipe
    Start = Callable[[Connection, "Work"], "Process"]

GIB = 1 << 30

#: seconds between two looks at the memory of the workers
LOOK = 0.2


@dataclass(frozen=True)
class Work:
    """What a worker is started with: how obligations are built and decided, and what is kept."""

    build: Build
    engine: Engine
    cache: Cache | None = None


class Process(Protocol):
    """What the parent needs of a worker's process; `multiprocessing.Process` is one."""

    @property
    def pid(self) -> int | None:
        """The process's number."""
        ...

    @property
    def exitcode(self) -> int | None:
        """How it ended, None while it runs."""
        ...

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end."""
        ...

    def kill(self) -> None:
        """End it."""
        ...

    def close(self) -> None:
        """Free what it holds."""
        ...


def resident(pid: int | None) -> int:
    """The bytes of memory that a process has in use, 0 where the system does not tell."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_bytes().split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * int(os.sysconf("SC_PAGE_SIZE"))


def own_memory() -> int:
    """The bytes that this process has in use, or had at most where the system tells no more; 0 where it tells neither."""
    if find_spec("resource") is None:  # not on Windows
        return 0
    usage = import_module("resource")
    peak: int = usage.getrusage(usage.RUSAGE_SELF).ru_maxrss
    return resident(os.getpid()) or peak * (1 if sys.platform == "darwin" else 1024)


def is_memory_told() -> bool:
    """Tell whether this system says how much memory a process uses; elsewhere no limit of it is enforced."""
    return resident(os.getpid()) > 0


def serve(pipe: Connection, work: Work) -> None:
    """The life of a worker: names in, proofs out, until the pipe closes."""
    # The terminal sends its interrupt to every process; the parent alone decides what then happens.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    prover = Prover(work.build, work.engine, work.cache)

    def ask(about: About) -> Proof | None:
        pipe.send(("query", about))
        go, known = pipe.recv()
        if not go:
            raise PutOff
        answer: Proof | None = known
        return answer

    with suppress(EOFError, OSError):
        while True:
            name = pipe.recv()
            with suppress(PutOff):
                proof = prover.prove(name, ask, lambda _: pipe.send(("limit", None)))
                pipe.send(("done", (proof, own_memory())))


class Worker:
    """A worker process as the parent sees it: the task it is on and the moment at which it is ended."""

    def __init__(self, start: Start, work: Work) -> None:
        self.pipe, theirs = get_context().Pipe()
        self.process = start(theirs, work)
        theirs.close()
        self.task: Task | None = None
        self.about = About("")
        self.given = 0  # how many tasks it has had
        self.started = 0.0
        self.deadline = float("inf")

    def give(self, task: Task) -> None:
        """Set it to work."""
        self.task, self.about, self.started = task, About(task[1]), time.perf_counter()
        self.given += 1
        self.send(task[1])

    def send(self, message: Any) -> None:
        """Send it a message; a worker that has died shows by the end of its pipe."""
        with suppress(OSError):
            self.pipe.send(message)

    def free(self) -> None:
        """Take its task from it."""
        self.task, self.deadline = None, float("inf")

    def end(self, patience: float = 0.0) -> int | None:
        """Kill the process; its exit code if it ends by itself within so many seconds."""
        self.process.join(patience)
        code = self.process.exitcode
        self.process.kill()
        self.process.join()
        self.process.close()
        self.pipe.close()
        return code


def local_start(work: Work) -> Start:
    """Start workers on this machine: forked from a server that has imported everything once, where the system can."""
    context = local_context(work)

    def start(pipe: Connection, work: Work) -> Process:
        process: Process = context.Process(target=serve, args=(pipe, work), daemon=True)  # type: ignore[attr-defined]  # typeshed has it in each context, not in their base
        process.start()  # type: ignore[attr-defined]  # the parent needs no more of it
        return process

    return start


def local_context(work: Work) -> BaseContext:
    """The way to start processes."""
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    context = get_context("forkserver")
    origin = work.build.func if isinstance(work.build, partial) else work.build
    modules = [__name__, f"halfulp_formal.solvers.{work.engine.solver}", origin.__module__]
    if origin.__module__.startswith("halfulp_formal."):
        modules.append("halfulp_formal.preload")
    context.set_forkserver_preload([module for module in modules if module != "__main__"])
    return context


def warm_up(build: Build, engine: Engine) -> None:
    """Let the server that workers are forked from import everything while this process has other things to do."""
    context = local_context(Work(build, engine))
    if context.get_start_method() == "forkserver":
        forkserver.ensure_running()


class Pool:
    """The parent's side of a run: workers, the tasks they are on, and the queries that are in flight."""

    def __init__(self, work: Work, start: Start) -> None:
        self._work = work
        self._start = start
        self._memory = int(work.engine.memory * GIB)
        self._workers: list[Worker] = []
        self._todo: deque[Task] = deque()
        # by query: what this run has settled; who is on it; the tasks that wait for that
        self._settled: dict[str, Proof] = {}
        self._in_flight: dict[str, Worker] = {}
        self._waiting: dict[str, list[Task]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Whatever ends a run leaves no worker behind."""
        for worker in self._workers:
            worker.end()
        self._workers.clear()

    def run(self, tasks: Iterable[Task], jobs: int, deliver: Deliver) -> None:
        """Decide the tasks in that order."""
        self._todo.extend(tasks)
        while self._todo or any(worker.task is not None for worker in self._workers):
            while len(self._workers) < min(jobs, len(self._todo) + self._busy()):
                self._workers.append(Worker(self._start, self._work))
            for worker in self._workers:
                if worker.task is None and self._todo:
                    worker.give(self._todo.popleft())
            self._listen(deliver)

    def _busy(self) -> int:
        return sum(worker.task is not None for worker in self._workers)

    def _listen(self, deliver: Deliver) -> None:
        """Wait for the next message, death, deadline or look at the memory, and act on all there are."""
        soonest = min(worker.deadline for worker in self._workers)
        patience = max(0.0, min(LOOK, soonest - time.perf_counter()))
        ready = set(wait([worker.pipe for worker in self._workers], patience))
        for worker in list(self._workers):
            if worker.pipe in ready:
                self._hear(worker, deliver)
            elif time.perf_counter() > worker.deadline:
                engine = self._work.engine
                self._replace(
                    worker,
                    Verdict.UNDECIDED,
                    f"{engine.solver} did not keep to its limit of {engine.timeout:g} s and was ended",
                    deliver,
                )
            elif worker.task is not None and resident(worker.process.pid) > self._memory:
                self._relieve(worker, deliver)

    def _hear(self, worker: Worker, deliver: Deliver) -> None:
        try:
            message, content = worker.pipe.recv()
        except (EOFError, OSError):
            self._replace(worker, Verdict.ERROR, "the worker process died", deliver)
            return
        if message == "query":
            self._admit(worker, content)
        elif message == "limit":
            worker.deadline = time.perf_counter() + self._work.engine.timeout + self._work.engine.grace
        else:
            task = worker.task
            assert task is not None
            proof, used = content
            self._finish(worker, proof)
            # pySMT never frees a term: a worker that has grown makes room for a fresh one
            if used > self._memory // 2:
                self._workers.remove(worker)
                worker.end()
            deliver(task[0], proof)

    def _admit(self, worker: Worker, about: About) -> None:
        """Let a worker decide a query, or give it the proof that is known, or put its task off while another is on it."""
        task = worker.task
        assert task is not None
        worker.about = about
        if about.query in self._in_flight:
            self._waiting.setdefault(about.query, []).append(task)
            worker.free()
            worker.send((False, None))
            return
        known = self._settled.get(about.query)
        if known is None:
            self._in_flight[about.query] = worker
        worker.send((True, known))

    def _finish(self, worker: Worker, proof: Proof | None) -> None:
        """Free a worker; tasks that waited for its query come next."""
        query = worker.about.query
        if proof is not None and is_settled(proof, self._work.engine):
            self._settled[proof.query] = proof
        if self._in_flight.get(query) is worker:
            del self._in_flight[query]
            self._todo.extendleft(reversed(self._waiting.pop(query, [])))
        worker.free()

    def _relieve(self, worker: Worker, deliver: Deliver) -> None:
        """End a worker that uses too much memory; what it had left over from earlier tasks is no fault of this one."""
        if worker.given == 1:
            told = f"the limit of {self._work.engine.memory:g} GiB of memory was passed and the worker ended"
            self._replace(worker, Verdict.UNDECIDED, told, deliver)
            return
        task = worker.task
        assert task is not None
        self._workers.remove(worker)
        self._finish(worker, None)
        worker.end()
        fresh = Worker(self._start, self._work)
        self._workers.append(fresh)
        fresh.give(task)

    def _replace(self, worker: Worker, verdict: Verdict, detail: str, deliver: Deliver) -> None:
        """End a worker and give the task it was on that verdict."""
        task = worker.task
        self._workers.remove(worker)
        self._finish(worker, None)
        code = worker.end(1.0 if verdict is Verdict.ERROR else 0.0)
        if verdict is Verdict.ERROR and code is not None:
            detail += f" (exit code {code})"
        if task is not None:
            seconds = time.perf_counter() - worker.started
            deliver(task[0], worker.about.failed(verdict, self._work.engine, seconds, detail))
