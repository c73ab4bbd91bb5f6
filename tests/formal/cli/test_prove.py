import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from formal.cli import builds
from formal.cli.builds import build_with_contrary_solver, pretend
from halfulp_formal import cluster
from halfulp_formal.cli import reports, runs
from halfulp_formal.obligation import Verdict
from halfulp_formal.prover import About

SMALL = ("--jobs", "1", "--timeout", "0.5")


def test_a_conversion_and_then_the_same_from_the_cache(halfulp, tmp_path):
    file = tmp_path / "results.json"
    code, out, err = halfulp("prove", "noquant.u32", "--json", str(file))
    assert (code, err) == (0, "")
    assert out.splitlines()[0].startswith("AS EXPECTED: 5 obligations: 5 PROVED (")
    assert out.splitlines()[2].split() == ["conversion", "obligations", "PROVED", "REFUTED", "UNDECIDED", "ERROR"]
    assert out.splitlines()[3].split() == ["noquant", "5", "5", "·", "·", "·"]
    first = json.loads(file.read_text())
    assert first["counts"] == {"proved": 5, "refuted": 0, "undecided": 0, "error": 0}
    assert first["results"][0]["name"] == "noquant.u32.equivalent"

    _, out, _ = halfulp("prove", "noquant.u32", "--json", str(file))
    assert "; 5 known from the cache)" in out
    second = json.loads(file.read_text())
    assert second.pop("run") != first.pop("run")
    assert second == first


def test_files_are_written_though_nobody_reads_the_report(halfulp, monkeypatch, tmp_path):
    def closed(_results):
        raise BrokenPipeError

    pretend(monkeypatch, ["a.true"])
    monkeypatch.setattr(reports, "print_report", closed)
    files = tmp_path / "results.json", tmp_path / "results.xml"
    halfulp("prove", *SMALL, "--json", str(files[0]), "--junit", str(files[1]))
    assert all(file.exists() for file in files)


def test_json_on_stdout_stands_alone(halfulp, monkeypatch):
    pretend(monkeypatch, ["a.true"])
    code, out, _ = halfulp("prove", *SMALL, "--json", "-")
    assert (code, json.loads(out)["exit_code"]) == (0, 0)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a.true", "a.n1"], 0),
        (["a.true", "a.false"], 1),
        (["a.true", "a.hard"], 3),
        (["a.hard", "a.false"], 1),
        (["a.false", "a.hard", "a.vacuous"], 4),
        (["a.differs"], 4),
        (["a.dies", "a.true"], 4),
        (["a.broken"], 4),
    ],
)
def test_exit_codes_and_the_first_line(halfulp, monkeypatch, names, expected):
    pretend(monkeypatch, names)
    code, out, _ = halfulp("prove", *SMALL)
    assert code == expected
    assert out.startswith("NOT AS EXPECTED: " if expected else "AS EXPECTED: ")


def test_what_is_not_proved_is_told_in_full(halfulp, monkeypatch):
    pretend(monkeypatch, ["a.hard", "a.true", "a.false"])
    code, out, err = halfulp("prove", *SMALL, "--solver", "z3")
    version = out.partition("(z3 ")[2].partition(")")[0]
    assert code == 1
    assert out.splitlines()[0] == (
        f"NOT AS EXPECTED: 1 REFUTED, 1 UNDECIDED of 3 obligations: 1 PROVED, 1 REFUTED, 1 UNDECIDED (z3 {version})"
    )
    refuted, undecided = out.split("\n\n")[2:]
    assert (
        refuted.splitlines()[:4]
        == [
            "REFUTED a.false: expected PROVED",
            "  sentence  A sentence. (a test)",
            f"  solver    z3 {version}",
            "  witness   in.x = 0x3039",
        ]
        or "in.x = 0x" in refuted
    )
    assert "  claim     part 1 of 1 is false" in refuted
    assert undecided.splitlines() == [
        "UNDECIDED a.hard: expected PROVED",
        "  sentence  A sentence. (a test)",
        f"  solver    z3 {version}",
        "  detail    z3 gave no answer within 0.5 s",
        "  again     halfulp prove a.hard --solver z3 --timeout 600",
    ]
    assert sorted(err.splitlines()) == ["halfulp: REFUTED a.false", "halfulp: UNDECIDED a.hard"]


@pytest.mark.parametrize(
    ("options", "command"),
    [
        ([], "halfulp prove --timeout 600"),
        (["--timeout", "90"], "halfulp prove --timeout 900"),
        (["--second", "z3", "--memory", "3"], "halfulp prove --second z3 --memory 3 --timeout 600"),
        (["--cross-check"], "halfulp prove --cross-check --timeout 600"),
    ],
)
def test_the_line_that_decides_it_again_keeps_the_options(halfulp, monkeypatch, options, command):
    def undecided(plan, _build, names, _on_proof):
        return [About(name).failed(Verdict.UNDECIDED, plan.engine, 1.0, "no answer") for name in names]

    pretend(monkeypatch, ["a.hard"])
    monkeypatch.setattr(runs, "decide", undecided)
    _, out, _ = halfulp("prove", "--no-cache", *options)
    assert out.splitlines()[-1] == f"  again     {command.replace('prove', 'prove a.hard')}"


def test_junit(halfulp, monkeypatch, tmp_path):
    pretend(monkeypatch, ["a.true", "a.false", "b.hard", "b.vacuous"])
    file = tmp_path / "junit.xml"
    assert halfulp("prove", *SMALL, "--junit", str(file))[0] == 4
    suites = ET.parse(file).getroot()
    assert [(suite.get("name"), suite.get("tests")) for suite in suites] == [("a", "2"), ("b", "2")]
    kinds = {case.get("name"): [child.tag for child in case] for suite in suites for case in suite}
    assert kinds == {"true": [], "false": ["failure"], "hard": ["skipped"], "vacuous": ["error"]}


def test_shards_are_disjoint_and_whole(halfulp, monkeypatch, tmp_path):
    names = [f"{conversion}.{kind}" for conversion in "abc" for kind in ("n1", "n2", "true")]
    pretend(monkeypatch, names)
    found = []
    for part in ("1/2", "2/2"):
        file = tmp_path / "part.json"
        assert halfulp("prove", *SMALL, "--shard", part, "--json", str(file))[0] == 0
        record = json.loads(file.read_text())
        assert record["shard"] == part
        found.append([row["name"] for row in record["results"]])
    assert sorted(found[0] + found[1]) == sorted(names)
    assert {len(part) for part in found} == {4, 5}


def test_shards_that_were_split_by_the_times_of_an_earlier_run(halfulp, monkeypatch, tmp_path):
    pretend(monkeypatch, ["a.n1", "a.n2", "a.n3", "a.true"])
    times = tmp_path / "times.json"
    times.write_text('{"run": {"seconds": {"a.n1": 1, "a.n2": 1.5, "a.n3": 9, "a.true": 2}}}')
    found, splits = [], set()
    for part in ("1/2", "2/2"):
        file = tmp_path / "part.json"
        assert halfulp("prove", *SMALL, "--shard", part, "--times", str(times), "--json", str(file))[0] == 0
        record = json.loads(file.read_text())
        found.append([row["name"] for row in record["results"]])
        splits.add(record["split"])
    assert found == [["a.n3"], ["a.n1", "a.n2", "a.true"]]
    assert len(splits) == 1


def test_every_query_is_written_with_its_expected_answer(halfulp, tmp_path):
    folder = tmp_path / "queries"
    for _ in range(2):  # a verdict that is known does not keep the query from being written
        assert halfulp("prove", "shifts322s16.shift", "--jobs", "1", "--dump", str(folder))[0] == 0
        (query,) = folder.iterdir()
        text = query.read_text()
        query.unlink()
    assert query.name == "shifts322s16.shift.smt2"
    assert text.startswith("; shifts322s16.shift\n; The shift modes perform")
    assert "(set-info :status unsat)" in text
    assert "(check-sat)" in text


def test_two_solvers_must_agree(halfulp, tmp_path):
    file = tmp_path / "results.json"
    code, out, _ = halfulp("prove", "noquant.u32.identity", "--jobs", "1", "--cross-check", "--json", str(file))
    assert code == 0
    assert "; 1 by both)" in out.splitlines()[0]
    record = json.loads(file.read_text())
    assert len(record["solvers"]) == 2
    assert record["results"][0]["second"].endswith(": unsat")


def test_the_second_solver_is_chosen(halfulp, monkeypatch, tmp_path):
    pretend(monkeypatch, ["a.true"])
    file = tmp_path / "results.json"
    assert halfulp("prove", *SMALL, "--solver", "z3", "--second", "bitwuzla", "--json", str(file))[0] == 0
    record = json.loads(file.read_text())
    assert list(record["solvers"]) == ["z3", "bitwuzla"]
    assert record["results"][0]["second"] == f"bitwuzla {record['solvers']['bitwuzla']}: unsat"


def test_a_disagreement_is_an_error_that_saves_both_queries(halfulp, monkeypatch, tmp_path):
    pretend(monkeypatch, ["a.true"], build_with_contrary_solver)
    file = tmp_path / "results.json"
    arguments = ["prove", "--jobs", "1", "--solver", "z3", "--second", "bitwuzla"]
    for where, more in ((tmp_path, ["--json", str(file)]), (tmp_path / "cache" / "halfulp", [])):
        code, out, _ = halfulp(*arguments, *more)
        assert code == 4
        assert (
            "  detail    solvers disagree: z3 says unsat, bitwuzla says sat; queries saved: a.true.z3.smt2 and "
            f"a.true.bitwuzla.smt2 in {where / 'disagreements'}"
        ) in out
        assert sorted(path.name for path in (where / "disagreements").iterdir()) == [
            "a.true.bitwuzla.smt2",
            "a.true.z3.smt2",
        ]


def test_seeded_mistakes_are_refused(halfulp):
    code, out, err = halfulp("prove", "--seeded", "shifts322s16.legal", "shifts322s16.total", "--jobs", "1")
    assert code == 0
    assert out.startswith("AS EXPECTED: 3 seeded mistakes: 3 REFUTED (")
    assert err == "halfulp: seeded mistakes that do not show in the selected obligations: 1\n"


REFUSED = {
    "nosuch": "nothing is called 'nosuch'",
    "--timeout 0": "--timeout 0: expected a number of seconds above 0, at most 1,000,000",
    "--timeout nan": "--timeout nan: expected a number of seconds above 0, at most 1,000,000",
    "--timeout inf": "--timeout inf: expected a number of seconds above 0, at most 1,000,000",
    "--timeout -1": "--timeout -1: expected a number of seconds above 0, at most 1,000,000",
    "--shard 0/2": "--shard 0/2: expected I/N with 1 <= I <= N <= 999999",
    "--shard 3/2": "--shard 3/2: expected I/N with 1 <= I <= N <= 999999",
    "--shard x": "--shard x: expected I/N with 1 <= I <= N <= 999999",
    "--timeout 1e300": "--timeout 1e+300: expected a number of seconds above 0, at most 1,000,000",
    "--memory 1e300": "--memory 1e+300: expected a number of GiB above 0, at most 1,000,000",
    "--memory 0": "--memory 0: expected a number of GiB above 0, at most 1,000,000",
    "--memory inf": "--memory inf: expected a number of GiB above 0, at most 1,000,000",
    "--times /nosuch/f": "--times /nosuch/f: No such file or directory",
    "--times /dev/null": "--times /dev/null: no times in it; expected what `halfulp prove --json` wrote",
    "--solver z3 --second z3": "--second z3: is the solver that decides; expected another",
    "--second yices": "unknown solver yices; known are bitwuzla, z3, cvc5",
    "--dask nonsense --dump /tmp": "--dump and --dask do not go together: the queries are built on the cluster",
    "--solver yices": "unknown solver yices; known are bitwuzla, z3, cvc5",
    "--json /nosuch/f": "cannot write /nosuch/f: /nosuch is not a folder",
    "--json /tmp/f --junit /tmp/f": "--json and --junit: given /tmp/f for both; expected two files",
    "--junit /": "cannot write /: it is a folder",
    "--dump /dev/null": "--dump /dev/null: is a file; expected a folder",
}


@pytest.mark.parametrize("options", REFUSED)
def test_what_cannot_be_used_is_refused_before_anything_is_decided(halfulp, monkeypatch, options):
    monkeypatch.setattr("halfulp_formal.cli.runs.run", lambda *_, **__: pytest.fail("something was decided"))
    assert halfulp("prove", *options.split()) == (2, "", f"halfulp: {REFUSED[options]}\n")


def test_a_cluster_that_is_not_there_is_refused(halfulp, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 0.3)
    reason = "no Dask scheduler answers there"
    if not cluster.is_installed():
        reason = "Dask is not installed; pip install 'halfulp[dask]'"
    expected = f"halfulp: --dask tcp://127.0.0.1:1: {reason}\n"
    assert halfulp("prove", "noquant.u32", "--dask", "tcp://127.0.0.1:1") == (2, "", expected)


@pytest.mark.parametrize("number", ["0", "-1", "x"])
def test_jobs_is_at_least_one(halfulp, number):
    code, out, err = halfulp("prove", "--jobs", number)
    assert (code, out) == (2, "")
    assert err.startswith("halfulp: Invalid value for '--jobs': ")
    assert err.count("\n") == 1


def test_a_missing_solver_is_named(halfulp, monkeypatch):
    monkeypatch.setattr("halfulp_formal.solvers.door._backend", lambda _: None)
    expected = "halfulp: no solver is installed; expected one of bitwuzla, z3, cvc5\n"
    assert halfulp("prove", "noquant.u32") == (2, "", expected)
    expected = "halfulp: solver cvc5 is not installed; pip install cvc5, or choose another\n"
    assert halfulp("prove", "noquant.u32", "--solver", "cvc5") == (2, "", expected)


@pytest.fixture
def stuck_run(tmp_path):
    """A run that has decided all it can, with a worker that will not end by itself."""
    command = [
        sys.executable,
        builds.__file__,
        str(tmp_path),
        "prove",
        "--jobs",
        "1",
        "--json",
        str(tmp_path / "f.json"),
    ]
    paths = os.pathsep.join(path for path in sys.path if path)
    environment = {**os.environ, "PYTHONPATH": paths}
    run = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while not (tmp_path / "stuck").exists():
        assert run.poll() is None, run.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)
    yield run
    # its workers, too: they hold the pipes
    with contextlib.suppress(ProcessLookupError):
        os.killpg(run.pid, signal.SIGKILL)
    run.communicate()


@pytest.mark.parametrize(("number", "how"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "ended by SIGTERM")])
def test_an_interrupt_says_what_was_finished_and_writes_nothing(stuck_run, tmp_path, number, how):
    stuck_run.send_signal(number)
    out, err = stuck_run.communicate(timeout=30)
    assert stuck_run.returncode == 128 + number
    assert out == ""
    kept = Path(os.environ["XDG_CACHE_HOME"], "halfulp", "verdicts")
    assert sum(path.is_file() for path in kept.rglob("*.json")) == 2
    assert err == f"halfulp: {how}: 2 of 3 obligations decided, 0 not as expected; no report written\n"
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["stuck"]
