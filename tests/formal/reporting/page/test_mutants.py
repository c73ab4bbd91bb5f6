import json
from typing import Any

import pytest

from halfulp_formal.reporting import MalformedResults
from halfulp_formal.reporting.page.mutants import read_mutants

COUNTS = {"mutants": 2, "refused": 0, "killed": 1, "raised": 0, "equivalent": 1, "survive": 0, "undecided": 0}
RECORD: dict[str, Any] = {
    "summary": "5 mutants of 2 conversions: 1 killed, 2 proved equivalent, 1 refused, 1 survives",
    "conversions": {"noquant.fp32": COUNTS, "noquant.s32": {**COUNTS, "killed": 0, "survive": 1, "refused": 1}},
    "mutants": [
        {
            "conversion": conversion,
            "mutant": mutant,
            "what": f"{mutant} changed",
            "where": "exact.py:1",
            "fate": fate,
            "killed_by": 3 if fate == "killed" else None,
            "answer": ["5", "0"] if fate == "killed" else None,
            "proof": proof,
            "detail": detail,
            "witness": ["12", "0"] if fate == "survives" else None,
        }
        for conversion, mutant, fate, proof, detail in (
            ("noquant.fp32", "one", "killed", None, ""),
            ("noquant.fp32", "two", "equivalent", "ab" * 32, "never shows"),
            ("noquant.s32", "two", "equivalent", "ab" * 32, "never shows"),
            ("noquant.s32", "three", "survives", None, ""),
            ("noquant.s32", "four", "refused", None, "no model can be built with it: ValueError"),
        )
    ],
}


@pytest.fixture
def written(tmp_path):
    def call(record):
        path = tmp_path / "mutants.json"
        path.write_text(json.dumps(record), encoding="utf-8")
        return path

    return call


def test_what_is_shown(written):
    assert read_mutants(written(RECORD)) == {
        "summary": RECORD["summary"],
        "conversions": {"noquant.fp32": [2, 0, 1, 0, 1, 0, 0], "noquant.s32": [3, 1, 0, 0, 1, 1, 0]},
        "open": [
            ["noquant.s32", "three", "exact.py:1", "three changed", "survives", "told from the model by 0x12 0x0"]
        ],
        "equivalent": [
            ["two", "exact.py:1", "two changed", [["never shows", "ab" * 8, ["noquant.fp32", "noquant.s32"]]]]
        ],
    }


def test_an_older_run_is_counted_as_a_new_one_is(written):
    *others, refused = RECORD["mutants"]
    older = {"fate": "killed", "killed_by": 0, "answer": "ValueError", "detail": ""}
    before = {**RECORD, "summary": "5 mutants of 2 conversions: 2 killed", "mutants": [*others, {**refused, **older}]}
    assert read_mutants(written(before)) == read_mutants(written(RECORD))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mutants": None}, "mutants: given null, expected a list of mutants"),
        (
            {"mutants": [RECORD["mutants"][0] | {"fate": "dead"}]},
            'mutants[0].fate: given "dead", expected killed, equivalent, survives, undecided or refused',
        ),
        ({"conversions": {"a": {}}}, "conversions.a.mutants: given nothing, expected a value"),
    ],
)
def test_another_file_is_refused_in_one_line(written, change, message):
    path = written(RECORD | change)
    with pytest.raises(MalformedResults) as caught:
        read_mutants(path)
    assert str(caught.value) == f"{path}: {message}"
