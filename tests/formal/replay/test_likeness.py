import sys

from formal.vectors import readers
from halfulp_formal.replay.conversation import Limits
from halfulp_formal.replay.judging import read_files, replay
from halfulp_formal.replay.likeness import with_likeness

#: answers from the file itself; `change` says which are others
SOURCE = """
import json, sys
cases = [json.loads(line) for line in open(sys.argv[1])][1:]
def change(case, out): return out
"""
ANSWERS = """
for case in cases: print(json.dumps({"id": case["tc"], "out": change(case, case["out"])}))
sys.stdin.read()
"""


def judged(path, change):
    """A file and what a command that has its outputs, some of them changed, makes of it."""
    (file,) = read_files([path])
    program = SOURCE + change + ANSWERS
    return replay(file, [sys.executable, "-I", "-S", "-c", program, str(path)], "jsonl", Limits())


def test_an_inexact_flag_that_is_never_raised_is_recognised():
    path = readers.FOLDER / "req8.rne.nosat.jsonl"
    found = judged(path, "def change(case, out): return [out[0], '00' if out[1] == '10' else out[1]]\n")
    assert found.mismatches
    assert with_likeness(found).alike == "NX is never raised alone"


def test_what_no_mutant_does_is_not_recognised():
    path = readers.FOLDER / "req8.rne.nosat.jsonl"
    found = judged(path, "def change(case, out): return ['55', out[1]] if case['tc'] == 20 else out\n")
    assert [each.case.tc for each in found.mismatches] == [20]
    assert with_likeness(found).alike == "no known mutant"


def test_right_answers_count_as_well(monkeypatch):
    path = readers.FOLDER / "shifts322s16.jsonl"
    seen = []
    monkeypatch.setattr("halfulp_formal.replay.likeness.lookalike", lambda name, cases: seen.append((name, cases)))
    found = judged(path, "def change(case, out): return ['5555', out[1]] if case['tc'] == 2 else out\n")
    assert with_likeness(found).alike == "no known mutant"
    (name, cases) = seen[0]
    assert (name, len(cases)) == ("shifts322s16", len(found.file.lines))
    assert cases[1] == (found.file.lines[1].inputs, (0x5555, found.file.lines[1].outputs[1]))
