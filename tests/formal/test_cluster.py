import sys
import time
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from formal.obligations import build, build_and_sign, build_nothing
from halfulp_formal import cluster as module
from halfulp_formal.cache import Cache
from halfulp_formal.cluster import Cluster, Unusable
from halfulp_formal.decide import Engine
from halfulp_formal.obligation import Verdict
from halfulp_formal.scheduler import run
from halfulp_formal.solvers import preferred
from halfulp_formal.workers import is_memory_told

ENGINE = Engine(preferred(), 0.3)
needs_dask = pytest.mark.skipif(not module.is_installed(), reason="Dask is not installed")


@pytest.fixture(scope="module")
def address():
    """A cluster of two worker processes on this machine."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, protocol="tcp") as local:
        yield local.scheduler_address


def _children():
    """How many processes run workers of this package as programs."""
    commands = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            commands.append(path.read_bytes())
    return sum(b"halfulp_formal.cluster" in command for command in commands)


@needs_dask
def test_the_same_tasks_get_the_same_verdicts_as_here(address, tmp_path):
    names = ["a.n1", "a.true", "a.false", "a.hard", "a.dies", "a.broken", "a.differs", "b.n2"]
    cache = Cache(tmp_path / "cache", "sources")
    signed = partial(build_and_sign, tmp_path)
    here = run(names, build, ENGINE, jobs=1)
    with Cluster(address) as cluster:
        cluster.check(ENGINE)
        there = run(names, signed, ENGINE, jobs=1, cache=cache, runner=cluster.decide_all)
    assert [(proof.name, proof.verdict, proof.witness) for proof in there] == [
        (proof.name, proof.verdict, proof.witness) for proof in here
    ]
    assert there[4].detail == "the worker process died (exit code 9)"
    assert len({(tmp_path / f"{name}.task").read_text() for name in names}) > 1
    if is_memory_told():
        assert _children() == 0
    # what the cluster decided is known here
    known = ["a.n1", "a.true", "a.false", "b.n2"]
    assert all(proof.cached for proof in run(known, build_nothing, ENGINE, jobs=1, cache=cache))


@needs_dask
@pytest.mark.skipif(not is_memory_told(), reason="the system does not tell which processes there are")
def test_an_interrupt_leaves_nothing_behind(address):
    def interrupt(_):
        raise KeyboardInterrupt

    names = ["a.n1", "a.stuck", "b.stuck", "c.stuck", "d.stuck"]
    with Cluster(address) as cluster, pytest.raises(KeyboardInterrupt):
        run(names, build, ENGINE, jobs=1, runner=cluster.decide_all, on_proof=interrupt)
    deadline = time.monotonic() + 20
    while _children():
        assert time.monotonic() < deadline
        time.sleep(0.1)
    # the cluster goes on with other runs
    with Cluster(address) as cluster:
        (proof,) = run(["a.n2"], build, ENGINE, jobs=1, runner=cluster.decide_all)
    assert proof.verdict is Verdict.PROVED


@needs_dask
@pytest.mark.skipif(not is_memory_told(), reason="the system does not tell how much memory is in use")
def test_limits_hold_on_the_cluster(address):
    with Cluster(address) as cluster:
        (proof,) = run(["a.eats"], build, replace(ENGINE, memory=0.4), jobs=1, runner=cluster.decide_all)
    assert proof.detail == "the limit of 0.4 GiB of memory was passed and the worker ended"


@needs_dask
def test_a_cluster_that_would_prove_something_else_is_refused(address, monkeypatch):
    mine = module.what_is_there(ENGINE)
    with Cluster(address) as cluster:
        monkeypatch.setattr(module, "source_digest", lambda: "another")
        with pytest.raises(
            Unusable, match=rf"^--dask {address}: worker tcp://\S+ has another halfulp, Python or pySMT"
        ):
            cluster.check(ENGINE)
        monkeypatch.setattr(module, "engine_name", lambda _: "another 1.0")
        with pytest.raises(
            Unusable, match=rf"^--dask {address}: worker tcp://\S+ has {mine[1]}; expected another 1\.0$"
        ):
            cluster.check(ENGINE)
        monkeypatch.setattr(cluster.client, "run", lambda *_: {})
        with pytest.raises(Unusable, match=rf"^--dask {address}: the cluster has no workers$"):
            cluster.check(ENGINE)


@needs_dask
@pytest.mark.parametrize("nowhere", ["tcp://127.0.0.1:1", "nonsense://x", "127.0.0.1:1"])
def test_where_nothing_answers(monkeypatch, nowhere):
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    with pytest.raises(Unusable) as error:
        Cluster(nowhere)
    assert str(error.value) == f"--dask {nowhere}: no Dask scheduler answers there"


def test_without_dask(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Unusable) as error:
        Cluster("tcp://host:8786")
    assert str(error.value) == "--dask tcp://host:8786: Dask is not installed; pip install 'halfulp[dask]'"


class Lost:
    def result(self):
        raise RuntimeError("two workers\ndied")


def test_what_the_cluster_loses_is_an_error():
    proof = module.outcome(Lost(), "a.true", ENGINE)
    assert (proof.name, proof.conversion, proof.verdict) == ("a.true", "a", Verdict.ERROR)
    assert proof.detail == "the cluster lost it: RuntimeError: two workers died"


def test_solver_that_is_missing_there_is_told():
    assert module.what_is_there(replace(ENGINE, solver="yices"))[1].startswith("no such solver: unknown solver yices")
