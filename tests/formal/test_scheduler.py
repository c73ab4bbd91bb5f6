import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from multiprocessing import get_context

import pytest

from formal.obligations import (
    build,
    build_for_silent_solver,
    build_in_grown_worker,
    build_nothing,
    build_that_dies_once,
    build_unexpected,
    build_with_leftovers,
    build_with_pid,
    build_with_wrong_replay,
    run_in_folder,
)
from halfulp_formal import prover
from halfulp_formal.cache import Cache
from halfulp_formal.decide import Engine
from halfulp_formal.obligation import Proof, Verdict
from halfulp_formal.prover import engine_name
from halfulp_formal.scheduler import run
from halfulp_formal.solvers import MissingSolver, preferred
from halfulp_formal.workers import is_memory_told

ENGINE = Engine(preferred(), 20)
QUICK = replace(ENGINE, timeout=0.3)
SMALL = replace(ENGINE, memory=0.4)
needs_memory = pytest.mark.skipif(not is_memory_told(), reason="the system does not tell how much memory is in use")
MODES = [{"jobs": 1, "isolate": False}, {"jobs": 1}, {"jobs": 2}]


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path, "sources")


def _verdicts(proofs):
    return [(proof.name, proof.verdict) for proof in proofs]


@pytest.mark.parametrize("how", MODES)
def test_proofs_in_order_and_streamed(how):
    names = ["a.n1", "a.true", "a.vacuous", "a.false", "a.broken", "a.hard", "a.differs", "a.n1"]
    heard: list[Proof] = []
    proofs = run(names, build, QUICK, on_proof=heard.append, **how)
    assert _verdicts(proofs) == [
        ("a.n1", Verdict.PROVED),
        ("a.true", Verdict.PROVED),
        ("a.vacuous", Verdict.ERROR),
        ("a.false", Verdict.REFUTED),
        ("a.broken", Verdict.ERROR),
        ("a.hard", Verdict.UNDECIDED),
        ("a.differs", Verdict.ERROR),
        ("a.n1", Verdict.PROVED),
    ]
    assert proofs[4].detail == "cannot be built: ValueError: no such rule as this"
    assert sorted(map(id, heard)) == sorted(map(id, proofs))


def test_nothing_to_do():
    assert run([], build, ENGINE, jobs=2) == []


def test_no_jobs_and_missing_solvers_are_refused(monkeypatch):
    with pytest.raises(ValueError, match=r"^jobs is 0; expected at least 1$"):
        run(["a.true"], build, ENGINE, jobs=0)
    with pytest.raises(MissingSolver, match=r"^unknown solver yices"):
        run(["a.true"], build, Engine("yices"), jobs=1)
    monkeypatch.setattr("halfulp_formal.solvers.door._backend", lambda _: None)
    with pytest.raises(MissingSolver, match="not installed"):
        run(["a.true"], build, ENGINE, jobs=1)


def test_worker_that_dies_costs_its_own_task():
    proofs = run(["a.n1", "a.dies", "a.n2", "b.dies", "a.n3"], build, ENGINE, jobs=2)
    assert [proof.verdict for proof in proofs] == [
        Verdict.PROVED,
        Verdict.ERROR,
        Verdict.PROVED,
        Verdict.ERROR,
        Verdict.PROVED,
    ]
    assert proofs[1].detail == "the worker process died (exit code 9)"
    assert (proofs[1].conversion, proofs[1].witness) == ("a", None)


def test_query_beyond_its_limit_is_ended_from_outside():
    started = time.perf_counter()
    proofs = run(["a.true", "b.true"], build_for_silent_solver, replace(QUICK, grace=0.3), jobs=2)
    assert time.perf_counter() - started < 8
    for proof in proofs:
        assert proof.verdict is Verdict.UNDECIDED
        assert proof.detail == f"{QUICK.solver} did not keep to its limit of 0.3 s and was ended"
        assert proof.expect is Verdict.REFUTED
        assert len(proof.query) == 64


@pytest.mark.parametrize("how", MODES[:2])
def test_identical_queries_are_decided_once(how):
    proofs = run(["a.true", "b.true", "c.false", "d.false"], build, ENGINE, **how)
    assert [proof.shared for proof in proofs] == [False, True, False, True]
    assert not any(proof.cached for proof in proofs)
    assert [proof.name for proof in proofs] == ["a.true", "b.true", "c.false", "d.false"]
    assert all(proof.ok for proof in proofs)
    assert proofs[1].conversion == "b"
    assert proofs[3].witness == proofs[2].witness


@pytest.mark.parametrize("how", MODES[:2])
def test_what_this_run_decided_is_told_from_what_the_cache_knew(cache, how):
    first = run(["a.true", "b.true", "a.n5"], build, ENGINE, cache=cache, **how)
    assert [(proof.cached, proof.shared) for proof in first] == [(False, False), (False, True), (False, False)]
    later = replace(cache, sources="changed")
    second = run(["c.true", "d.true", "a.false"], build, ENGINE, cache=later, **how)
    assert [(proof.cached, proof.shared) for proof in second] == [(True, False), (True, False), (False, False)]


@pytest.mark.parametrize("how", MODES)
def test_second_run_is_from_the_cache(cache, how):
    names = ["a.true", "a.false", "a.n5", "a.vacuous"]
    cold = run(names, build, ENGINE, cache=cache, **how)
    warm = run(names, build, ENGINE, cache=cache, **how)
    assert [proof.cached for proof in warm] == [True, True, True, False]
    assert _verdicts(warm) == _verdicts(cold)
    assert warm[1].witness == cold[1].witness


def test_warm_run_builds_nothing(cache):
    cold = run(["a.true", "a.n5", "a.false"], build, ENGINE, jobs=1, cache=cache)
    warm = run(["a.true", "a.n5", "a.false"], build_nothing, ENGINE, jobs=1, cache=cache)
    assert warm == [replace(proof, cached=True, seconds=known.seconds) for proof, known in zip(cold, warm, strict=True)]
    assert [proof.verdict for proof in warm] == [Verdict.PROVED, Verdict.PROVED, Verdict.REFUTED]


def test_witness_of_other_sources_is_replayed_before_it_is_known(cache):
    run(["a.false"], build, ENGINE, jobs=1, cache=cache)
    later = replace(cache, sources="changed")
    (proof,) = run(["a.false"], build_with_wrong_replay, ENGINE, jobs=1, cache=later)
    assert (proof.verdict, proof.cached) == (Verdict.ERROR, False)
    (proof,) = run(["a.false"], build, ENGINE, jobs=1, cache=later)
    assert (proof.verdict, proof.cached) == (Verdict.REFUTED, True)
    (proof,) = run(["a.false"], build_nothing, ENGINE, jobs=1, cache=later)
    assert (proof.verdict, proof.cached) == (Verdict.REFUTED, True)


def test_witness_of_a_surprise_is_no_least_one(cache):
    (surprise,) = run(["a.false"], build_unexpected, ENGINE, jobs=1, cache=cache)
    assert (surprise.verdict, surprise.expect) == (Verdict.REFUTED, Verdict.PROVED)
    (least,) = run(["b.false"], build, ENGINE, jobs=1, cache=cache)
    assert (least.cached, least.witness) == (False, {"in.x": 12345, "in.y": 0})
    (again,) = run(["c.false"], build_unexpected, ENGINE, jobs=1, cache=cache)
    assert (again.cached, again.witness) == (True, least.witness)


def test_identical_queries_in_flight_are_decided_once():
    names = ["a.slow", "b.slow", "c.slow", "a.true", "b.true"]
    heard: list[Proof] = []
    proofs = run(names, build, ENGINE, jobs=2, on_proof=heard.append)
    assert sorted(proof.shared for proof in proofs if proof.name.endswith("slow")) == [False, True, True]
    assert sorted(proof.shared for proof in proofs if proof.name.endswith("true")) == [False, True]
    assert all(proof.verdict is Verdict.PROVED for proof in proofs)
    assert [proof.name for proof in proofs] == names


def test_a_query_whose_worker_died_is_decided_for_those_that_waited(tmp_path):
    proofs = run(["a.slow", "b.slow", "c.slow"], partial(build_that_dies_once, tmp_path), ENGINE, jobs=2)
    assert sorted((proof.verdict.value, proof.shared) for proof in proofs) == [
        ("error", False),
        ("proved", False),
        ("proved", True),
    ]


@needs_memory
def test_worker_that_passes_the_memory_limit_is_ended():
    proofs = run(["a.n1", "a.eats", "a.n2"], build, SMALL, jobs=1)
    assert [proof.verdict for proof in proofs] == [Verdict.PROVED, Verdict.UNDECIDED, Verdict.PROVED]
    assert proofs[1].detail == "the limit of 0.4 GiB of memory was passed and the worker ended"


@needs_memory
def test_memory_left_over_from_earlier_tasks_is_no_fault_of_a_later_one(tmp_path):
    names = ["a.n1", "a.n2", "a.n3"]
    proofs = run(names, partial(build_with_leftovers, tmp_path), SMALL, jobs=1)
    assert [proof.verdict for proof in proofs] == [Verdict.PROVED] * 3
    assert len({path.read_text() for path in tmp_path.iterdir()}) == 2


def test_cached_witness_is_replayed(cache):
    cache = replace(cache, sources="")
    (true,) = run(["a.false"], build, ENGINE, jobs=1, isolate=False, cache=cache)
    cache.store(replace(true, witness={"in.x": 5, "in.y": 0}), engine_name(ENGINE))
    (again,) = run(["a.false"], build, ENGINE, jobs=1, isolate=False, cache=cache)
    assert (again.verdict, again.cached) == (Verdict.REFUTED, False)
    assert again.witness == true.witness
    cache.store(replace(true, witness={"in.z": 5}), engine_name(ENGINE))
    (again,) = run(["a.false"], build, ENGINE, jobs=1, isolate=False, cache=cache)
    assert again.witness == true.witness


def test_other_engine_decides_anew(cache):
    run(["a.true"], build, ENGINE, jobs=1, isolate=False, cache=cache)
    (proof,) = run(["a.true"], build, replace(ENGINE, cross_check=True), jobs=1, isolate=False, cache=cache)
    assert not proof.cached
    assert proof.second.endswith(": unsat")


def test_unfinished_cross_check_is_not_kept(cache, monkeypatch):
    decided = replace(run(["a.true"], build, ENGINE, jobs=1, isolate=False)[0], second="z3 1: undecided")
    monkeypatch.setattr(prover, "decide", lambda *_, **__: decided)
    both = replace(ENGINE, cross_check=True)
    for _ in range(2):
        (proof,) = run(["a.true"], build, both, jobs=1, isolate=False, cache=cache)
        assert not proof.cached


def test_expected_times_order_what_was_never_decided(cache):
    cache.record_times({f"{ENGINE.solver} a.n1": 2.0})
    heard = []
    expected = {"a.n1": 9.0, "a.n2": 1.0, "a.n3": 3.0}
    names = ["a.n1", "a.n2", "a.n3", "a.n4"]
    run(names, build, ENGINE, jobs=1, cache=cache, expected=expected, on_proof=lambda proof: heard.append(proof.name))
    assert heard == ["a.n4", "a.n3", "a.n1", "a.n2"]


def test_longest_recorded_goes_first(cache):
    cache.record_times({f"{ENGINE.solver} a.n1": 1.0, f"{ENGINE.solver} a.n2": 3.0})
    heard = []
    run(["a.n1", "a.n2", "a.n3"], build, ENGINE, jobs=1, cache=cache, on_proof=lambda proof: heard.append(proof.name))
    assert heard == ["a.n3", "a.n2", "a.n1"]
    assert set(cache.times()) == {f"{ENGINE.solver} a.n{index}" for index in (1, 2, 3)}


def test_worker_that_has_grown_is_replaced():
    names = ["a.n1", "a.n2", "a.n3"]
    assert len({proof.conversion for proof in run(names, build_with_pid, ENGINE, jobs=1)}) == 1
    assert len({proof.conversion for proof in run(names, build_in_grown_worker, ENGINE, jobs=1)}) == 3


PROGRAM = """
import sys
from functools import partial
from pathlib import Path
from formal.obligations import build_and_sign
from halfulp_formal.cache import Cache
from halfulp_formal.decide import Engine
from halfulp_formal.scheduler import run

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    names = ["a.n1", "a.n2", "a.hard", "b.stuck"]
    say = lambda proof: print(proof.name, flush=True)
    engine = Engine(sys.argv[2], 100)
    run(names, partial(build_and_sign, folder), engine, jobs=2, cache=Cache(folder / "cache", "s"), on_proof=say)
"""


def _alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _wait_until(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _start(script, tmp_path):
    script.write_text(PROGRAM)
    return subprocess.Popen(
        [sys.executable, str(script), str(tmp_path), ENGINE.solver],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        start_new_session=True,
    )


def test_a_run_that_was_killed_goes_on_where_it_was(tmp_path):
    program = _start(tmp_path / "program.py", tmp_path)
    assert program.stdout is not None
    said = {program.stdout.readline().strip()}
    # what the other worker is writing at this moment is whole or absent
    os.killpg(program.pid, signal.SIGKILL)
    workers = {int(path.read_text()) for path in tmp_path.glob("*.task")}
    rest, _ = program.communicate(timeout=10)
    said |= set(rest.split())
    for worker in workers:
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)
    proofs = run(["a.n1", "a.n2"], build, ENGINE, jobs=1, cache=Cache(tmp_path / "cache", "s"))
    assert [proof.verdict for proof in proofs] == [Verdict.PROVED] * 2
    assert {proof.name for proof in proofs if proof.cached} >= said


def test_two_runs_at_once(tmp_path):
    names = ["a.n1", "a.n2", "a.n3", "a.false", "a.true", "b.false"]
    with ProcessPoolExecutor(2, mp_context=get_context("forkserver")) as pool:
        runs = list(pool.map(run_in_folder, [tmp_path] * 2, [names, names[::-1]]))
    assert dict(runs[0]) == dict(runs[1])
    assert not list(tmp_path.rglob("*.tmp"))
    proofs = run(names, build_nothing, Engine(preferred(), 20), jobs=1, cache=Cache(tmp_path, "sources"))
    assert [(proof.name, proof.verdict) for proof in proofs] == runs[0]


def test_interrupt_keeps_what_is_done_and_leaves_no_worker(tmp_path):
    program = _start(tmp_path / "program.py", tmp_path)
    _wait_until(lambda: len(list(tmp_path.glob("*.task"))) == 4)
    workers = {int(path.read_text()) for path in tmp_path.glob("*.task")}
    assert len(workers) == 2
    assert all(map(_alive, workers))
    os.killpg(program.pid, signal.SIGINT)
    _, errors = program.communicate(timeout=10)
    assert program.returncode != 0
    assert errors.count("Traceback") == errors.count("KeyboardInterrupt") == 1
    _wait_until(lambda: not any(map(_alive, workers)))
    proofs = run(["a.n1", "a.n2"], build, ENGINE, jobs=1, cache=Cache(tmp_path / "cache", "s"))
    assert all(proof.cached for proof in proofs)
