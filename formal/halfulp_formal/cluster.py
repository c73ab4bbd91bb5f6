"""The same tasks on an existing Dask cluster: each of its threads has a worker process of this package's own.

pySMT's terms belong to one thread of one process, and a solver that is stuck is ended by ending its process.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib.util import find_spec
from multiprocessing.connection import Connection
from threading import local
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from halfulp_formal.cache import source_digest
from halfulp_formal.obligation import Verdict
from halfulp_formal.prover import About, engine_name, is_settled
from halfulp_formal.workers import Pool, Work, serve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Self

    from halfulp_formal.decide import Engine
    from halfulp_formal.obligation import Proof
    from halfulp_formal.workers import Deliver, Task

#: seconds to wait for the cluster's scheduler to answer
PATIENCE = 10

#: tasks on their way to each thread of the cluster, so that none waits for its next one
AHEAD = 2


def is_installed() -> bool:
    """Tell whether Dask is there."""
    return find_spec("distributed") is not None


class Unusable(Exception):
    """There is no such cluster, or it cannot do this run; the message is the whole line."""


class Cluster:
    """A connection to the Dask cluster whose scheduler is at an address, such as tcp://host:8786; decides tasks there.

    Unusable: Dask is not installed here, or nothing answers at the address.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        try:
            from distributed import Client  # noqa: PLC0415  # optional, and heavy
        except ImportError as error:
            raise Unusable(f"--dask {address}: Dask is not installed; pip install 'halfulp[dask]'") from error
        try:
            self.client = Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise Unusable(f"--dask {address}: no Dask scheduler answers there") from error

    def check(self, engine: Engine) -> None:
        """Refuse a cluster without workers, or one whose workers would not prove the same. Raises Unusable."""
        found: dict[str, tuple[str, str]] = self.client.run(what_is_there, engine)
        if not found:
            raise Unusable(f"--dask {self.address}: the cluster has no workers")
        sources, solvers = what_is_there(engine)
        for worker, (their_sources, their_solvers) in sorted(found.items()):
            if their_solvers != solvers:
                raise Unusable(f"--dask {self.address}: worker {worker} has {their_solvers}; expected {solvers}")
            if their_sources != sources:
                raise Unusable(f"--dask {self.address}: worker {worker} has another halfulp, Python or pySMT than here")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the cluster."""
        self.client.close()

    def decide_all(self, tasks: Sequence[Task], work: Work, deliver: Deliver) -> None:
        """Decide the tasks, the first ones first; verdicts are kept in this machine's cache."""
        with self._run() as run:
            shipped = pickle.dumps(replace(work, cache=None))
            self._submit(tasks, work, deliver, lambda name: (decide_there, run, shipped, name))

    @contextmanager
    def _run(self) -> Iterator[str]:
        """A name for this run; when it ends, nothing of it goes on at the cluster."""
        run = uuid4().hex
        try:
            yield run
        finally:
            with suppress(Exception):  # the cluster may have gone
                self.client.run(forget, run)

    def _submit(
        self, tasks: Sequence[Task], work: Work, deliver: Deliver, call: Callable[[str], tuple[Any, ...]]
    ) -> None:
        from distributed import as_completed  # noqa: PLC0415  # as above

        todo = iter(tasks)
        given: dict[str, tuple[Any, Task]] = {}
        running = as_completed(loop=self.client.loop)

        def give() -> None:
            for task in todo:
                future = self.client.submit(*call(task[1]), pure=False)
                given[future.key] = (future, task)
                running.add(future)
                return

        try:
            for _ in range(AHEAD * sum(self.client.nthreads().values())):
                give()
            for future in running:
                _, (number, name) = given.pop(future.key)
                give()
                proof = outcome(future, name, work.engine)
                if work.cache and is_settled(proof, work.engine):
                    work.cache.store(proof, engine_name(work.engine))
                deliver(number, proof)
        finally:
            self.client.cancel([future for future, _ in given.values()])


def what_is_there(engine: Engine) -> tuple[str, str]:
    """What decides a verdict on this machine: the digest of the sources, and the solvers with their versions."""
    try:
        solvers = engine_name(engine)
    except Exception as error:  # noqa: BLE001  # told to whoever asked from another machine
        solvers = f"no such solver: {error}"
    return source_digest(), solvers


def outcome(future: Any, name: str, engine: Engine) -> Proof:
    """The proof that a future brings, or that the cluster lost it."""
    try:
        proof: Proof = future.result()
    except Exception as error:  # noqa: BLE001  # one lost task must not end the run
        reason = " ".join(str(error).split())
        return About(name).failed(Verdict.ERROR, engine, 0.0, f"the cluster lost it: {type(error).__name__}: {reason}")
    return proof


class ThreadPool(local):
    """The one worker process of a thread of the cluster, and the run that it is for."""

    run = ""
    pool: Pool | None = None


THREAD = ThreadPool()

#: the pools of all threads of this process, by run
POOLS: dict[str, list[Pool]] = {}

#: runs that have ended, of which a task may still be on its way
ENDED: set[str] = set()


def decide_there(run: str, shipped: bytes, name: str) -> Proof:
    """Decide one obligation in this thread's worker process."""
    if run in ENDED:
        raise RuntimeError("the run has ended")
    if THREAD.run != run or THREAD.pool is None:
        if THREAD.pool is not None:
            end(THREAD.run, THREAD.pool)
        THREAD.run, THREAD.pool = run, Pool(pickle.loads(shipped), start_program)  # noqa: S301  # Dask ran it if it wanted
        POOLS.setdefault(run, []).append(THREAD.pool)
    found: list[Proof] = []
    THREAD.pool.run([(0, name)], 1, lambda _, proof: found.append(proof))
    return found[0]


def forget(run: str) -> None:
    """End the worker processes of a run, and start none of it any more."""
    ENDED.add(run)
    for pool in list(POOLS.get(run, [])):
        end(run, pool)


def end(run: str, pool: Pool) -> None:
    """End the worker process of one thread."""
    pool.__exit__()
    pools = POOLS.get(run, [])
    with suppress(ValueError):
        pools.remove(pool)
    if not pools:
        POOLS.pop(run, None)


class Program:
    """A worker's process that is a program: a process of Dask's is not allowed to have children of another kind."""

    def __init__(self, pipe: Connection, work: Work) -> None:
        command = [sys.executable, "-m", __name__, str(pipe.fileno())]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        self._popen = subprocess.Popen(  # noqa: S603  # this very interpreter and module
            command, stdin=subprocess.PIPE, pass_fds=[pipe.fileno()], env=environment
        )
        assert self._popen.stdin is not None
        with suppress(OSError), self._popen.stdin as stream:  # a program that has died shows by the end of its pipe
            pickle.dump(work, stream)

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._popen.pid

    @property
    def exitcode(self) -> int | None:
        """How it ended, None while it runs."""
        return self._popen.poll()

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end."""
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(timeout)

    def kill(self) -> None:
        """End it."""
        self._popen.kill()

    def close(self) -> None:
        """Free what it holds."""


def start_program(pipe: Connection, work: Work) -> Program:
    """Start a worker as a program of its own."""
    return Program(pipe, work)


def main() -> None:
    """Be a worker: what it works on comes on standard input, names and proofs go through the pipe of that number."""
    work: Work = pickle.load(sys.stdin.buffer)  # noqa: S301  # written by the process that started this one
    serve(Connection(int(sys.argv[1])), work)


if __name__ == "__main__":
    main()
