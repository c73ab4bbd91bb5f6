import json
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from formal.obligations import X, Y, obligation
from halfulp_formal import reporting
from halfulp_formal.explain import explain
from halfulp_formal.obligation import Proof, Verdict
from halfulp_formal.reporting import Results, Row

P, R, U, E = Verdict.PROVED, Verdict.REFUTED, Verdict.UNDECIDED, Verdict.ERROR


def row(name, verdict, expect=P, **more):
    proof = Proof(
        name,
        name.rpartition(".")[0],
        verdict,
        expect,
        "z3",
        "5.4",
        0.25,
        "ab12",
        {"in.value": 300, "in.flag": 1} if verdict is R else None,
        **more,
    )
    return Row(proof, "A sentence.", "a source", f"halfulp prove {name}", {"in.value": 32, "in.flag": 0})


def results(*rows):
    return Results(rows, "obligation", "0.1", "d1", {"z3": "5.4"}, ["a*"], "1/2")


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ([], 0),
        ([(P, P), (R, R)], 0),
        ([(U, P), (P, P)], 3),
        ([(R, P), (U, P)], 1),
        ([(P, R)], 1),
        ([(P, R), (E, P)], 4),
        ([(R, P), (U, P), (E, P)], 4),
        ([(U, R)], 3),
    ],
)
def test_the_worst_verdict_is_the_exit_code(verdicts, code):
    rows = [row(f"a.{place}", verdict, expect) for place, (verdict, expect) in enumerate(verdicts)]
    assert reporting.exit_code(results(*rows)) == code


def test_the_first_line():
    assert reporting.headline(results(row("a.b", P), row("a.c", R, R))) == (
        "AS EXPECTED: 2 obligations: 1 PROVED, 1 REFUTED (z3 5.4)"
    )
    assert reporting.headline(results(row("a.b", P, cached=True))) == (
        "AS EXPECTED: 1 obligation: 1 PROVED (z3 5.4; 1 known from the cache)"
    )
    both = results(row("a.a", P, cached=True), row("a.b", P, shared=True), row("a.c", P, shared=True), row("a.d", P))
    assert reporting.headline(both) == (
        "AS EXPECTED: 4 obligations: 4 PROVED "
        "(z3 5.4; 1 known from the cache; 2 decided with another of the same query)"
    )
    assert reporting.headline(results()) == "AS EXPECTED: no obligation in shard 1/2 (z3 5.4)"
    assert reporting.headline(replace(results(), shard="1/1")) == "AS EXPECTED: no obligation (z3 5.4)"
    assert reporting.headline(results(row("a.a", P), row("a.b", U), row("a.c", R), row("a.d", E), row("a.e", R))) == (
        "NOT AS EXPECTED: 1 ERROR, 2 REFUTED, 1 UNDECIDED of 5 obligations: "
        "1 PROVED, 2 REFUTED, 1 UNDECIDED, 1 ERROR (z3 5.4)"
    )


def test_the_table_counts_families():
    found = reporting.summary_table(results(row("b.x.c", P), row("a.x", R), row("b.y.d", U)))
    assert found == [
        ("conversion", "obligations", "PROVED", "REFUTED", "UNDECIDED", "ERROR"),
        ("b", "2", "1", "·", "1", "·"),
        ("a", "1", "·", "1", "·", "·"),
        ("all", "3", "1", "1", "1", "·"),
    ]


def test_the_worst_comes_first_and_in_full():
    refuted = replace(
        row("req8.rne.nosat.tie", R, second="cvc5 1: sat"),
        explanation=explain("req8.rne.nosat", {"acc": 300, "scale": "1.0"}),
        differences=("part 1 of 2 is false",),
    )
    found = reporting.details(results(row("a.a", P), row("a.u", U, detail="z3 gave up"), refuted))
    assert [lines[0] for lines in found] == [
        "REFUTED req8.rne.nosat.tie: expected PROVED",
        "UNDECIDED a.u: expected PROVED",
    ]
    assert found[0][1:7] == [
        "  sentence  A sentence. (a source)",
        "  solver    z3 5.4; cvc5 1: sat",
        "  witness   in.value = 0x0000012c",
        "            in.flag = true",
        "  claim     part 1 of 2 is false",
        "  stages    req8.rne.nosat: S32 × FP19 → S9 + offset → S8, RNE, Sat 0",
    ]
    assert found[0][-1] == "  replay    halfulp explain req8.rne.nosat acc=300 scale=0x1fc00"
    assert found[1][-2:] == ["  detail    z3 gave up", "  again     halfulp prove a.u --timeout 600"]


def test_json_tells_apart_what_may_differ_between_equal_runs():
    one = json.loads(reporting.results_json(results(row("a.b", P), row("a.c", R))))
    two = json.loads(reporting.results_json(results(row("a.b", P, cached=True), row("a.c", R, shared=True))))
    assert one.pop("run") == {"seconds": {"a.b": 0.25, "a.c": 0.25}, "cached": [], "shared": []}
    assert two.pop("run") == {"seconds": {"a.b": 0.25, "a.c": 0.25}, "cached": ["a.b"], "shared": ["a.c"]}
    assert one == two
    assert one["exit_code"] == 1
    assert one["results"][1] == {
        "name": "a.c",
        "conversion": "a",
        "verdict": "refuted",
        "expect": "proved",
        "ok": False,
        "sentence": "A sentence.",
        "source": "a source",
        "solver": "z3 5.4",
        "query": "ab12",
        "witness": {"in.value": "0x0000012c", "in.flag": "true"},
    }


def test_junit_says_what_each_verdict_is():
    text = reporting.junit_xml(results(row("a.p", P), row("b.r", R), row("a.u", U), row("b.e", E), row("b.f", P, R)))
    root = ET.fromstring(text)
    assert root.attrib == {
        "name": "halfulp obligations",
        "tests": "5",
        "failures": "2",
        "errors": "1",
        "skipped": "1",
        "time": "1.250",
    }
    assert [suite.get("name") for suite in root] == ["a", "b"]
    failure = root.find("testsuite[@name='b']/testcase[@name='r']/failure")
    assert failure is not None
    assert failure.get("message") == "REFUTED b.r: expected PROVED"
    assert "in.value = 0x0000012c" in (failure.text or "")
    assert root.find("testsuite[@name='b']/testcase[@name='f']/failure") is not None
    assert root.find("testsuite[@name='a']/testcase[@name='u']/skipped") is not None


def test_where_a_claim_is_false():
    from formal.obligations import M

    claim = M.And(M.Equals(X, Y), M.BVULT(X, M.BV(5, 16)), M.Equals(M.BVExtract(X, 0, 4), M.BV(0, 5)))
    found = reporting.differences(obligation("a.b", claim), {"in.x": 6, "in.y": 6})
    assert found == ("part 2 of 3 is false", "part 3 of 3: 0x06 should equal 0x00")
    assert reporting.input_widths(obligation("a.b", claim)) == {"in.x": 16, "in.y": 16}


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "out.json"
    reporting.write_whole(path, "old\n")

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        reporting.write_whole(path, "new\n")
    assert path.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(OSError, match=rf"^cannot write {tmp_path}/a/b: {tmp_path}/a is not a folder$"):
        reporting.check_writable(tmp_path / "a" / "b")
    with pytest.raises(OSError, match=rf"^cannot write {tmp_path}: it is a folder$"):
        reporting.check_writable(tmp_path)
