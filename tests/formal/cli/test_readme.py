"""What the README shows is what the commands print."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[3] / "README.md"
BLOCKS = re.findall(r"```\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
ALL = [
    (command, output)
    for block in BLOCKS
    for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]
SHOWN = [each for each in ALL if "halfulp explain" in each[0] or "halfulp eval" in each[0]]


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_commands(halfulp, command, output):
    shown, _, last = command.partition(" | tail -n ")
    words = shlex.split(shown)
    if words[0] == "echo":
        assert words[2:] == ["|", "halfulp", "eval"]
        assert halfulp("eval", stdin=f"{words[1]}\n") == (0, output, "")
    else:
        code, out, err = halfulp(*words[1:])
        lines = out.splitlines(keepends=True)
        assert (code, "".join(lines[-int(last) :] if last else lines), err) == (0, output, "")


def test_the_examples_are_there():
    assert len(SHOWN) == 4


def test_every_example_is_run_by_a_test():
    heads = {re.findall(r"^(?:halfulp )?\w+", command)[0] for command, _ in ALL}
    here = {"halfulp explain", "echo", "tail", "halfulp amend", "halfulp prove"}
    assert heads == here | {"cc", "halfulp replay"}  # these two in tests/formal/vectors/test_examples.py


def test_the_proofs_are_as_many_as_shown(halfulp):
    command, shown = next(each for each in ALL if each[0].startswith("halfulp prove "))
    names = halfulp("list", "--names", shlex.split(command)[2])[1].splitlines()
    assert f": {len(names)} obligations: {len(names)} PROVED (" in shown


@pytest.mark.slow
def test_the_proofs(halfulp, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command, shown = next(each for each in ALL if each[0].startswith("halfulp prove "))
    words = shlex.split(command)
    assert halfulp(*words[1:])[0] == 0
    code, out, err = halfulp(*words[1:])
    told, expected = (re.sub(r"bitwuzla [0-9.]+", "bitwuzla …", text) for text in (out, shown))
    assert (code, told.rstrip(), err) == (0, expected.rstrip(), "")
    assert (tmp_path / "results.xml").exists()


def test_the_amendment_is_the_one_that_is_shown():
    command, shown = next(each for each in ALL if each[0].startswith("tail "))
    lines = (README.parent / command.split()[-1]).read_text(encoding="utf-8").splitlines()
    assert shown.splitlines() == lines[-int(command.split()[2]) :]


@pytest.mark.slow
def test_what_the_amendment_comes_to(halfulp, monkeypatch):
    monkeypatch.chdir(README.parent)
    command, shown = next(each for each in ALL if each[0].startswith("halfulp amend "))
    words = shlex.split(command)
    end = words.index("|")
    code, out, _ = halfulp(*words[1:end])
    assert code == 0
    # how many conversions there are besides is no concern of the README
    told, expected = (re.sub(r"[0-9,]+ untouched", "… untouched", text).splitlines() for text in (out, shown))
    assert told[: int(words[-1])] == expected


def test_python():
    examples = [block for block in BLOCKS if block.startswith(">>>")]
    assert examples
    for block in examples:
        parsed = doctest.DocTestParser().get_doctest(block, {}, "README", str(README), 0)
        assert doctest.DocTestRunner(verbose=False).run(parsed).failed == 0
