"""Many obligations, decided on a few worker processes or on a cluster: what is known first, then the longest first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from halfulp_formal.prover import Prover, engine_name
from halfulp_formal.workers import Pool, Work, local_start

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from halfulp_formal.cache import Cache
    from halfulp_formal.decide import Engine
    from halfulp_formal.obligation import Proof
    from halfulp_formal.prover import Build

    #: decides the numbered names in that order, as the work says, and hands over each proof with its number
    Runner = Callable[[Sequence[tuple[int, str]], Work, Callable[[int, Proof], None]], None]


def run(
    names: Sequence[str],
    build: Build,
    engine: Engine,
    *,
    jobs: int,
    cache: Cache | None = None,
    on_proof: Callable[[Proof], None] = lambda _: None,
    isolate: bool = True,
    expected: Mapping[str, float] | None = None,
    runner: Runner | None = None,
) -> list[Proof]:
    """The proofs of the named obligations, in the order of the names; `on_proof` hears each as soon as it is known.

    `build` makes an obligation from its name in whatever process decides it, so it must be picklable. With `isolate`
    false and one job, all is done in this process, and no limit but the solver's own holds. `expected` has the seconds
    that names should take where no earlier run tells. `runner` decides elsewhere than on `jobs` processes of this
    machine.

    ValueError: fewer than one job. MissingSolver: a solver that the engine asks for is not installed.
    """
    if jobs < 1:
        raise ValueError(f"jobs is {jobs}; expected at least 1")
    key, solvers = engine_name(engine), _solvers(engine)
    proofs: dict[int, Proof] = {}
    times: dict[str, float] = {}

    def deliver(task: int, proof: Proof) -> None:
        proofs[task] = proof
        if not proof.is_known:
            times[f"{solvers} {proof.name}"] = proof.seconds
        on_proof(proof)

    todo = []
    for task, name in enumerate(names):
        known = cache.recall(name, key) if cache else None
        if known is None:
            todo.append((task, name))
        else:
            deliver(task, known)
    try:
        if todo:
            decide_all = runner or (run_here if jobs == 1 and not isolate else _on_processes(jobs))
            seconds = {**(expected or {}), **_recorded(cache, engine)}
            # Unknown ones may be long: they go first.
            todo.sort(key=lambda each: -seconds.get(each[1], float("inf")))
            decide_all(todo, Work(build, engine, cache), deliver)
    finally:
        if cache:
            cache.record_times(times)
            cache.prune()
    return [proofs[task] for task in range(len(names))]


def _recorded(cache: Cache | None, engine: Engine) -> dict[str, float]:
    """The seconds that obligations took with these solvers when they were last decided, by name."""
    recorded = cache.times() if cache else {}
    prefix = f"{_solvers(engine)} "
    return {key.removeprefix(prefix): seconds for key, seconds in recorded.items() if key.startswith(prefix)}


def _solvers(engine: Engine) -> str:
    """The solvers under which times are recorded: a later version of one takes about as long."""
    return f"{engine.solver}+{engine.other}" if engine.other else engine.solver


def run_here(tasks: Sequence[tuple[int, str]], work: Work, deliver: Callable[[int, Proof], None]) -> None:
    """Decide the tasks in this process."""
    prover = Prover(work.build, work.engine, work.cache)
    for task, name in tasks:
        deliver(task, prover.prove(name))


def _on_processes(jobs: int) -> Runner:
    def decide_all(tasks: Sequence[tuple[int, str]], work: Work, deliver: Callable[[int, Proof], None]) -> None:
        with Pool(work, local_start(work)) as pool:
            pool.run(tasks, jobs, deliver)

    return decide_all
