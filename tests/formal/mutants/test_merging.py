"""Runs of mutants written as JSON come back as they were, and several of them make one."""

import json
from dataclasses import replace

import pytest

from formal.reporting.page.test_mutants import RECORD
from halfulp_formal.mutants import report
from halfulp_formal.mutants.killing import Kill
from halfulp_formal.mutants.merging import merged, read_outcomes
from halfulp_formal.mutants.outcome import Fate, Outcome
from halfulp_formal.reporting import MalformedResults

DEAD = Outcome("noquant.s32", "one", "one changed", "exact.py:1", Fate.KILLED, Kill(3, (0xFF, 0x14)))
OUTCOMES = [
    DEAD,
    replace(DEAD, mutant="two", kill=Kill(1, "ZeroDivisionError")),
    replace(DEAD, mutant="three", kill=Kill(7, (-5, 0))),
    replace(DEAD, mutant="four", fate=Fate.EQUIVALENT, kill=None, query="ab" * 32, detail="never shows"),
    replace(DEAD, mutant="five", fate=Fate.EQUIVALENT, kill=None, detail="never shows: identical terms"),
    replace(DEAD, mutant="six", fate=Fate.SURVIVES, kill=None, query="cd" * 32, witness=(0x12, 0)),
    replace(DEAD, mutant="seven", fate=Fate.UNDECIDED, kill=None, detail="no answer within 10 s"),
    replace(DEAD, mutant="eight", fate=Fate.REFUSED, kill=None, detail="no model can be built with it: ValueError"),
]
SCALE = replace(DEAD, conversion="scale.fp32.floor")


@pytest.fixture
def written(tmp_path):
    def call(name, those):
        path = tmp_path / name
        path.write_text(report.records(those), encoding="utf-8")
        return path

    return call


def test_what_was_written_is_read(written):
    assert read_outcomes(written("run.json", OUTCOMES)) == OUTCOMES


def test_an_older_run_says_that_case_0_killed_what_is_refused(written):
    path = written("run.json", OUTCOMES)
    record = json.loads(path.read_text())
    record["mutants"][-1] |= {"fate": "killed", "killed_by": 0, "answer": "ValueError", "detail": ""}
    path.write_text(json.dumps(record))
    assert read_outcomes(path) == OUTCOMES


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"killed_by": None}, "killed_by: given null, expected a case's number, as the fate is killed"),
        ({"answer": None}, "answer: given null, expected what the mutant answered, as the fate is killed"),
        ({"fate": "survives"}, "killed_by: given 3, expected null, as the fate is survives"),
        (
            {"killed_by": 0},
            'answer: given ["ff", "14"], expected the name of an exception, as no case is needed',
        ),
    ],
)
def test_a_record_that_contradicts_itself_is_refused(written, change, message):
    path = written("run.json", OUTCOMES)
    record = json.loads(path.read_text())
    record["mutants"][0] |= change
    path.write_text(json.dumps(record))
    with pytest.raises(MalformedResults) as caught:
        read_outcomes(path)
    assert str(caught.value) == f"{path}: mutants[0].{message}"


def test_runs_make_one_whatever_their_order():
    one, two = ("one.json", OUTCOMES), ("two.json", [SCALE])
    assert merged([two, one]) == merged([one, two]) == [*OUTCOMES, SCALE]


def test_a_conversion_is_in_one_file_only():
    with pytest.raises(MalformedResults) as caught:
        merged([("one.json", OUTCOMES), ("two.json", [SCALE, DEAD])])
    assert str(caught.value) == "two.json: noquant.s32 is in one.json, too; expected it in one file"


def test_a_conversion_without_mutants_is_refused(tmp_path):
    path = tmp_path / "run.json"
    row = {**RECORD["mutants"][0], "conversion": "noquant.s33"}
    path.write_text(json.dumps({**RECORD, "mutants": [row]}), encoding="utf-8")
    with pytest.raises(MalformedResults) as caught:
        read_outcomes(path)
    expected = 'mutants[0].conversion: given "noquant.s33", expected a conversion of which mutants are made'
    assert str(caught.value) == f"{path}: {expected}"


def test_the_report_says_what_it_covers():
    lines = report.markdown([*OUTCOMES, SCALE]).splitlines()
    start = lines.index("## What is covered")
    assert lines[start + 4 : start + 7] == [
        "| post-processing | 1 | 114 | 8 | 1 | 3 | 1 | 2 | 1 | 1 | 60.0 % |",
        "| plain conversions | 0 | 267 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | - |",
        "| scales | 1 | 69 | 1 | 0 | 1 | 0 | 0 | 0 | 0 | 100 % |",
    ]


def test_what_is_left_open_is_not_rounded_away():
    found = replace(report.counts([DEAD]), mutants=80_000, killed=79_999)
    assert (found.share, replace(found, killed=80_000).share) == ("99.9 %", "100 %")


def test_the_report_lists_what_is_refused_once():
    again = replace(OUTCOMES[-1], conversion="scale.fp32.floor")
    lines = report.markdown([*OUTCOMES, again]).splitlines()
    start = lines.index("## Refused mutants")
    assert lines[start + 2] == (
        "- `eight` (exact.py:1): one changed; no model can be built with it: ValueError; 2 conversions"
    )


def test_the_command_puts_runs_together(halfulp, written, tmp_path):
    one, two = written("one.json", OUTCOMES), written("two.json", [SCALE])
    text, whole = tmp_path / "mutants.md", tmp_path / "whole.json"
    summary = "9 mutants of 2 conversions: 4 killed, 2 proved equivalent, 1 refused, 1 survives, 1 undecided"
    arguments = ("report", "mutants", two, one, "--report", text, "--json", whole)
    assert halfulp(*arguments) == (1, f"{summary}\n", "")
    assert text.read_text() == report.markdown([*OUTCOMES, SCALE])
    assert read_outcomes(whole) == [*OUTCOMES, SCALE]
    assert halfulp("report", "mutants", two)[0] == 0
    assert halfulp("report", "mutants", one, one) == (
        2,
        "",
        f"halfulp: {one}: noquant.s32 is in {one}, too; expected it in one file\n",
    )
    missing = tmp_path / "missing.json"
    assert halfulp("report", "mutants", missing) == (
        2,
        "",
        f"halfulp: cannot read {missing}: No such file or directory; expected a file of `halfulp mutants --json`\n",
    )
