import os
import signal
import subprocess
import sys
import time
from collections import deque
from dataclasses import replace
from multiprocessing import Pipe
from types import SimpleNamespace

import pytest

from formal.vectors import readers
from formal.vectors.test_projections import shipped
from halfulp_formal.decide import Engine
from halfulp_formal.solvers import preferred
from halfulp_formal.vectors.family import UnknownConversion, family_of
from halfulp_formal.vectors.generate import WorkerDied, heard, suites, verify
from halfulp_formal.vectors.suite import MOST_CASES, ClassEntry, assemble
from halfulp_formal.vectors.witnesses import WrongPoint
from halfulp_formal.vectors.writing import render

ENGINE = Engine(preferred(), 20)
SMALL = ["noquant.u32", "shifts322s16"]
SCRIPT = [sys.executable, "-c", "from halfulp_formal.cli import main; main()"]


def started(folder, *options, seed, patterns=SMALL):
    """Start the command with a cache of its own."""
    own = {"PYTHONHASHSEED": str(seed), "XDG_CACHE_HOME": str(folder / f"cache{seed}")}
    command = [*SCRIPT, "vectors", "write", *patterns, "--out", str(folder / f"out{seed}"), *options]
    return subprocess.Popen(
        command, env={**os.environ, **own}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_files_depend_on_neither_hash_seed_nor_jobs(tmp_path):
    runs = [started(tmp_path, "--jobs", "1", seed=1), started(tmp_path, "--jobs", "2", seed=2)]
    for run in runs:
        out, err = run.communicate(timeout=120)
        assert run.returncode == 0, err
        assert out.endswith("2 files, 59 cases; 53 classes, 10 of them proved empty\n")
    trees = [{path.name: path.read_bytes() for path in (tmp_path / f"out{seed}").iterdir()} for seed in (1, 2)]
    assert trees[0] == trees[1]
    assert len(trees[0]) == 4
    for name in SMALL:
        assert trees[0][f"{name}.jsonl"] == (readers.FOLDER / f"{name}.jsonl").read_bytes()


def test_an_interrupted_run_leaves_nothing(tmp_path):
    run = started(tmp_path, "--jobs", "2", seed=3, patterns=["req4", "deqs16"])
    time.sleep(4)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert (run.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "halfulp: interrupted"
    assert not (tmp_path / "out3").exists()


def test_suites_come_in_the_order_asked_for():
    heard_of: list[str] = []
    made = suites(SMALL[::-1], ENGINE, jobs=2, cache=None, on_suite=heard_of.append)
    assert [each.description.conversion for each in made] == SMALL[::-1]
    assert sorted(heard_of) == SMALL
    for each in made:
        name, content = render(each, "jsonl")
        assert content == (readers.FOLDER / name).read_bytes()


def test_a_worker_s_exception_is_raised():
    with pytest.raises(UnknownConversion, match=r"^no conversion is called 'nothing'$"):
        suites(["nothing"], ENGINE, jobs=2, cache=None, on_suite=print)


def test_a_worker_that_died():
    mine, theirs = Pipe()
    theirs.close()
    process = SimpleNamespace(join=lambda: None, exitcode=-9)
    with pytest.raises(WorkerDied, match=r"^a worker process died \(exit code -9\)$"):
        list(heard(mine, {mine: process}, deque()))


def test_no_jobs():
    with pytest.raises(ValueError, match=r"^jobs is 0; expected at least 1$"):
        suites(SMALL, ENGINE, jobs=0, cache=None, on_suite=print)


def test_a_case_outside_its_class_is_refused():
    suite = shipped("shifts322s16")
    cases = list(suite.cases)
    cases[4] = replace(cases[4], corner="shift/zero")
    made = replace(suite, cases=tuple(cases))
    with pytest.raises(WrongPoint, match=r"^shifts322s16: case 5 is not in its class shift/zero$"):
        verify(made, family_of("shifts322s16").facts("shifts322s16"))


def test_a_result_that_the_terms_do_not_give_is_refused():
    suite = shipped("shifts322s16")
    made = replace(suite, cases=(replace(suite.cases[0], outputs=(1, 0)), *suite.cases[1:]))
    with pytest.raises(WrongPoint, match=r"^shifts322s16: case 1: the terms give \[0, 0\], the model \[1, 0\]$"):
        verify(made, family_of("shifts322s16").facts("shifts322s16"))


def test_a_file_has_a_thousand_cases_at_most():
    family, point = family_of("shifts322s16"), shipped("shifts322s16").cases[0].inputs
    entry = ClassEntry("shift/zero", "The accumulator is 0.", MOST_CASES + 1)
    with pytest.raises(ValueError, match=r"^shifts322s16 has 1001 cases; expected at most 1000$"):
        assemble(family, "shifts322s16", [(entry, [point] * (MOST_CASES + 1))])
