import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from formal.obligations import (
    build,
    build_for_silent_solver,
    build_in_grown_worker,
    build_nothing,
    build_with_pid,
)
from halfulp_formal import scheduler
from halfulp_formal.cache import Cache
from halfulp_formal.decide import Engine
from halfulp_formal.obligation import Proof, Verdict
from halfulp_formal.scheduler import engine_name, run
from halfulp_formal.solvers import MissingSolver, preferred

ENGINE = Engine(preferred(), 20)
QUICK = replace(ENGINE, timeout=0.3)
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
    proofs = run(["a.true", "b.true"], build_for_silent_solver, QUICK, jobs=2, grace=0.3)
    assert time.perf_counter() - started < 8
    for proof in proofs:
        assert proof.verdict is Verdict.UNDECIDED
        assert proof.detail == f"{QUICK.solver} did not keep to its limit of 0.3 s and was ended"
        assert proof.expect is Verdict.REFUTED
        assert len(proof.query) == 64


@pytest.mark.parametrize("how", MODES[:2])
def test_identical_queries_are_decided_once(how):
    proofs = run(["a.true", "b.true", "c.false", "d.false"], build, ENGINE, **how)
    assert [proof.cached for proof in proofs] == [False, True, False, True]
    assert [proof.name for proof in proofs] == ["a.true", "b.true", "c.false", "d.false"]
    assert all(proof.ok for proof in proofs)
    assert proofs[1].conversion == "b"
    assert proofs[3].witness == proofs[2].witness


@pytest.mark.parametrize("how", MODES)
def test_second_run_is_from_the_cache(cache, how):
    names = ["a.true", "a.false", "a.n5", "a.vacuous"]
    cold = run(names, build, ENGINE, cache=cache, **how)
    warm = run(names, build, ENGINE, cache=cache, **how)
    assert [proof.cached for proof in warm] == [True, True, True, False]
    assert _verdicts(warm) == _verdicts(cold)
    assert warm[1].witness == cold[1].witness


def test_warm_run_of_proved_obligations_builds_nothing(cache):
    run(["a.true", "a.n5"], build, ENGINE, jobs=1, cache=cache)
    proofs = run(["a.true", "a.n5"], build_nothing, ENGINE, jobs=1, cache=cache)
    assert [(proof.verdict, proof.cached) for proof in proofs] == [(Verdict.PROVED, True)] * 2


def test_cached_witness_is_replayed(cache):
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
    monkeypatch.setattr(scheduler, "decide", lambda *_, **__: decided)
    both = replace(ENGINE, cross_check=True)
    for _ in range(2):
        (proof,) = run(["a.true"], build, both, jobs=1, isolate=False, cache=cache)
        assert not proof.cached


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
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_interrupt_keeps_what_is_done_and_leaves_no_worker(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    program = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path), ENGINE.solver],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        start_new_session=True,
    )
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
