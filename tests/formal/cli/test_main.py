import os
import subprocess
import sys
from pathlib import Path

import pytest

from halfulp_formal.cli import failures, listing


def test_help_names_every_command(halfulp):
    code, out, err = halfulp("--help")
    assert (code, err) == (0, "")
    for command in ("list", "prove", "explain", "eval", "replay", "solvers", "--version"):
        assert command in out


def test_version(halfulp):
    code, out, _ = halfulp("--version")
    assert code == 0
    assert out.startswith("halfulp ")


def test_help_needs_neither_solver_nor_model():
    heavy = ("pysmt", "bitwuzla", "z3", "yaml", "halfulp_model")
    script = f"import sys, halfulp_formal.cli; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_nothing_is_called_that(halfulp):
    assert halfulp("prvoe") == (2, "", "halfulp: No such command 'prvoe'. Did you mean 'prove'?\n")


def test_no_option_is_called_that(halfulp):
    code, out, err = halfulp("list", "--jsn")
    assert (code, out) == (2, "")
    assert err.startswith("halfulp: No such option: --jsn")
    assert err.count("\n") == 1


def test_solvers(halfulp, monkeypatch):
    code, out, err = halfulp("solvers")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == ["bitwuzla", "z3", "cvc5"]
    monkeypatch.setattr("halfulp_formal.solvers.available", lambda: {"z3": "5.0"})
    assert halfulp("solvers") == (0, "bitwuzla  not installed\nz3        5.0\ncvc5      not installed\n", "")
    assert halfulp("solvers", "--json") == (0, '{"bitwuzla": null, "z3": "5.0", "cvc5": null}\n', "")


def test_an_internal_error_is_one_line(halfulp, monkeypatch):
    def fail():
        raise RuntimeError("the model\nis gone")

    monkeypatch.delenv("HALFULP_TRACEBACK", raising=False)
    monkeypatch.setattr("halfulp_formal.solvers.available", fail)
    assert halfulp("solvers") == (4, "", "halfulp: internal error: RuntimeError: the model is gone\n")


def test_a_developer_can_see_where_it_came_from(halfulp, monkeypatch):
    monkeypatch.setenv("HALFULP_TRACEBACK", "1")
    monkeypatch.setattr("halfulp_formal.solvers.available", lambda: 1 // 0)
    code, out, err = halfulp("solvers")
    assert (code, out) == (1, "")
    assert "halfulp:" not in err


def test_an_interrupt_is_one_line(halfulp, monkeypatch):
    def interrupt():
        raise KeyboardInterrupt

    monkeypatch.setattr("halfulp_formal.solvers.available", interrupt)
    assert halfulp("solvers") == (130, "", "halfulp: interrupted\n")


def test_a_reader_that_goes_away_ends_the_output_quietly():
    script = "from halfulp_formal.cli import main; main()"
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as pipe:
        done = subprocess.run(
            [sys.executable, "-c", script, "solvers"], stdout=pipe, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (failures.CLOSED_PIPE, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no device that is always full")
@pytest.mark.parametrize("arguments", [["solvers"], ["--version"], ["eval"], ["list", "noquant.u32", "--json"]])
def test_a_full_device_is_one_line(arguments):
    script = "from halfulp_formal.cli import main; main()"
    request = '{"conversion": "noquant.u32", "acc": 3}\n'
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", script, *arguments],
            input=request,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, "halfulp: cannot write to stdout: No space left on device\n")


def test_no_stdout_is_one_line():
    script = "import sys; sys.stdout = None; from halfulp_formal.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", script, "solvers"], stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "halfulp: cannot write to stdout: it is closed\n")


@pytest.mark.parametrize("command", ["list", "prove"])
def test_patterns_are_told_about(halfulp, command):
    _, out, _ = halfulp(command, "--help")
    assert listing.PATTERNS.help.partition(";")[0].split()[0] in out


@pytest.mark.parametrize("group", [[], ["vectors"], ["report"], ["cache"], ["ties"]])
def test_a_group_without_a_command_says_what_is_missing_behind_its_help(halfulp, group):
    code, out, err = halfulp(*group)
    assert (code, err) == (2, "halfulp: no command: expected one of those above\n")
    assert "Usage: halfulp" in out
