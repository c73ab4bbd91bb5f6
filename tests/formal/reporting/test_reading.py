import json
from dataclasses import replace

import pytest

from formal.reporting.test_reporting import E, P, R, U, results, row
from halfulp_formal.explain import explain
from halfulp_formal.reporting import MalformedResults, read_results, results_json

LINE = "req8.rne.nosat"


def some_results():
    explained = replace(
        row(f"{LINE}.tie", R, second="cvc5 1: sat"),
        explanation=explain(LINE, {"acc": 300, "scale": "1.0"}),
        differences=("part 1 of 2 is false",),
    )
    return results(
        row("a.b", P, cached=True, validated=3),
        row("a.c", U, detail="z3 gave up"),
        row("a.d", E),
        explained,
        row("a.e", P, shared=True),
    )


@pytest.fixture
def written(tmp_path):
    """Writes a changed record and reads it."""

    def call(change):
        record = json.loads(results_json(some_results()))
        change(record)
        path = tmp_path / "results.json"
        path.write_text(json.dumps(record), encoding="utf-8")
        return read_results(path)

    return call


def test_what_is_read_is_what_was_written(tmp_path):
    path = tmp_path / "results.json"
    for run, split in ((True, ""), (False, "ab")):
        text = results_json(replace(some_results(), split=split), run=run)
        path.write_text(text, encoding="utf-8")
        found = read_results(path)
        assert results_json(found, run=run) == text
        assert found.rows[3].proof.witness == {"in.value": 300, "in.flag": 1}
        assert found.rows[3].explanation == some_results().rows[3].explanation
        assert [each.proof.cached for each in found.rows] == [run, False, False, False, False]
        assert [each.proof.shared for each in found.rows] == [False, False, False, False, run]
        assert found.rows[0].command == "halfulp prove a.b"


def test_a_result_is_a_line():
    lines = results_json(some_results(), run=False).splitlines()
    assert [json.loads(line.strip().rstrip(","))["name"] for line in lines if line.startswith("  {")] == [
        "a.b",
        "a.c",
        "a.d",
        f"{LINE}.tie",
        "a.e",
    ]


def change_row(**members):
    return lambda record: record["results"][1].update(members)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            change_row(verdict="prove"),
            'results[1].verdict: given "prove", expected proved, refuted, undecided or error',
        ),
        (change_row(ok="no"), 'results[1].ok: given "no", expected true or false'),
        (change_row(ok=True), "results[1].ok: given true, expected false: undecided where proved is expected"),
        (change_row(name="a.b"), 'results[1].name: given "a.b", expected a name that results[0] does not have'),
        (change_row(conversion="b"), 'results[1].conversion: given "b", expected the leading parts of a.c'),
        (change_row(query="xyz"), 'results[1].query: given "xyz", expected the query\'s digest in hex'),
        (
            change_row(witness={"in.x": "12"}),
            'results[1].witness.in.x: given "12", expected a value in hex, true or false, as text',
        ),
        (
            change_row(witness={"in.x": "0x12"}),
            "results[1].witness: given a witness, expected a witness if and only if the verdict is refuted",
        ),
        (
            lambda record: record["results"][3].pop("witness"),
            "results[3].witness: given nothing, expected a witness if and only if the verdict is refuted",
        ),
        (
            lambda record: record["results"][0].pop("solver"),
            "results[0].solver: given nothing, expected a solver and its version, such as 'z3 5.4'",
        ),
        (
            lambda record: record["results"][0].pop("verdict"),
            "results[0].verdict: given nothing, expected proved, refuted, undecided or error",
        ),
        (
            lambda record: record.update(schema="halfulp-results/2"),
            "schema: given \"halfulp-results/2\", expected 'halfulp-results/1'",
        ),
        (lambda record: record.pop("rules"), "rules: given nothing, expected the digest of the rule data, a text"),
        (
            lambda record: record["counts"].update(proved=7),
            "counts.proved: given 7, expected 2, as in results",
        ),
        (lambda record: record.update(exit_code=0), "exit_code: given 0, expected 4, as in results"),
        (
            lambda record: record["run"]["seconds"].update({"a.z": 1}),
            'run: given "a.z", expected names of results only',
        ),
        (
            lambda record: record["run"].update(when="today"),
            'run.when: given "today", expected no member but seconds, cached, shared',
        ),
    ],
)
def test_what_is_no_run_is_refused_in_one_line(written, tmp_path, change, message):
    with pytest.raises(MalformedResults) as caught:
        written(change)
    assert str(caught.value) == f"{tmp_path / 'results.json'}: {message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"{", "given no JSON (Expecting property name enclosed in double quotes: line 1 column 2 (char 1))"),
        (b"\xff", "given no JSON ('utf-8' codec can't decode byte 0xff in position 0: invalid start byte)"),
    ],
)
def test_no_json(tmp_path, text, message):
    path = tmp_path / "x.json"
    path.write_bytes(text)
    with pytest.raises(MalformedResults) as caught:
        read_results(path)
    assert str(caught.value) == f"{path}: {message}, expected a file of `halfulp prove --json`"


def test_another_kind_of_document(tmp_path):
    path = tmp_path / "x.json"
    path.write_text("[1]", encoding="utf-8")
    with pytest.raises(MalformedResults) as caught:
        read_results(path)
    assert str(caught.value) == (
        f"{path}: the file: given [1], expected an object with the members of halfulp-results/1"
    )
