import json
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from formal.vectors import readers
from halfulp_formal.replay.conversation import Limits
from halfulp_formal.replay.judging import read_files, replay

#: a command that adds one to eight bits, as its cases want it; `value` and `out` can be used before it answers
ADD = """
import json, os, select, signal, sys, time
def answer(line):
    asked = json.loads(line)
    value = int(asked["in"][0], 16)
    out = ["%02x" % (value + 1 & 255), "14" if value == 255 else "00"]
    print(json.dumps({"id": asked["id"], "out": out}), flush=True)
"""
HEADER = {
    **readers.header(readers.FOLDER / "noquant.u32.jsonl"),
    "conversion": "made.up",
    "inputs": [{"name": "a", "type": "U8", "bits": 8}],
    "outputs": [{"name": "result", "type": "U8", "bits": 8}, {"name": "flags", "type": "flags", "bits": 5}],
}


def script(source, before=ADD):
    """A command that runs a Python program."""
    return [sys.executable, "-I", "-S", "-c", before + source]


@dataclass
class MadeUp:
    """A vector file of a conversion that nobody knows: a + 1 in eight bits, overflow for 255."""

    path: Path
    values: tuple[int, ...] = (0, 1, 254, 255, 7)

    def write(self, **header):
        lines = [
            {
                "tc": number,
                "class": "sum/over" if value == 255 else "sum/fits",
                "in": [f"{value:02x}"],
                "out": [f"{value + 1 & 255:02x}", "14" if value == 255 else "00"],
                "why": "",
            }
            for number, value in enumerate(self.values, start=1)
        ]
        records = [{**HEADER, "count": len(lines), **header}, *lines]
        self.path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return self.path

    def run(self, command, fmt="jsonl", **limits):
        (file,) = read_files([self.write()])
        return replay(file, command, fmt, Limits(**limits))


@pytest.fixture
def made_up(tmp_path):
    return MadeUp(tmp_path / "made.up.jsonl")


@pytest.fixture
def program():
    """Makes a command of a Python program that can call `answer(line)`."""
    return script
