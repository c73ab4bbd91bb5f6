"""What the README shows is what the commands print."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[3] / "README.md"
BLOCKS = re.findall(r"```\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
SHOWN = [
    (command, output)
    for block in BLOCKS
    for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    if "halfulp explain" in command or "halfulp eval" in command
]


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_commands(halfulp, command, output):
    words = shlex.split(command)
    if words[0] == "echo":
        assert words[2:] == ["|", "halfulp", "eval"]
        assert halfulp("eval", stdin=f"{words[1]}\n") == (0, output, "")
    else:
        assert halfulp(*words[1:]) == (0, output, "")


def test_the_examples_are_there():
    assert len(SHOWN) == 3


def test_python():
    examples = [block for block in BLOCKS if block.startswith(">>>")]
    assert examples
    for block in examples:
        parsed = doctest.DocTestParser().get_doctest(block, {}, "README", str(README), 0)
        assert doctest.DocTestRunner(verbose=False).run(parsed).failed == 0
