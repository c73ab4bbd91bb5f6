import json
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from formal.reporting.pretended import fewer_families, pretended
from halfulp_formal.findings_report import obligation_names
from halfulp_formal.obligation import Verdict
from halfulp_formal.reporting import MalformedResults, read_results
from halfulp_formal.reporting.build import build_reports, write_reports

WRONG = {"noquant.u32.total": Verdict.UNDECIDED, "noquant.u32.legal": Verdict.ERROR}


@pytest.fixture(autouse=True)
def small_catalogue(monkeypatch):
    fewer_families(monkeypatch)


def built(results, folder):
    folder.mkdir(parents=True)
    write_reports(build_reports(results), folder)
    return sorted(path.name for path in folder.iterdir())


def test_every_report_and_the_same_ones_from_what_was_written(tmp_path):
    one, two = tmp_path / "new" / "one", tmp_path / "two"
    found = pretended(["noquant.u32", "format.e1m2x2"], WRONG)
    timed = replace(
        found, rows=[replace(row, proof=replace(row.proof, seconds=1.5, cached=True)) for row in found.rows]
    )
    names = ["findings.md", "index.html", "results.json", "results.xml", "summary.md"]
    assert built(timed, one) == names
    assert built(read_results(one / "results.json"), two) == names
    for name in names:
        assert (one / name).read_bytes() == (two / name).read_bytes(), name
    assert "run" not in json.loads((one / "results.json").read_text(encoding="utf-8"))


def test_junit_has_no_times():
    root = ET.fromstring(build_reports(pretended(["noquant.u32"], WRONG))["results.xml"])
    assert root.attrib == {"name": "halfulp obligations", "tests": "5", "failures": "0", "errors": "1", "skipped": "1"}
    assert [case.get("time") for case in root.iter("testcase")] == [None] * 5


def test_findings_that_were_not_in_the_run_are_said_to_be_open():
    text = build_reports(pretended(["noquant.u32"]))["findings.md"]
    number = len(obligation_names())
    assert f"**Not everything here is proved:** {number} of {number} obligations are not in this run.\n" in text
    assert "| `noquant.fp32` | NOT RUN | NOT RUN |  |" in text


def test_mutants_are_shown_where_they_are_given():
    found = pretended(["noquant.u32"])
    mutants = {"summary": "4 mutants", "conversions": {}, "open": [], "equivalent": []}
    with_them, without = (build_reports(found, given)["index.html"] for given in (mutants, None))
    assert 'href="#/mutants" data-page' in with_them
    assert "4 mutants" in with_them
    assert 'href="#/mutants" data-page' not in without


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rules": "d1"}, "rules: given 'd1', expected '{digest}', the rules of this halfulp"),
        ({"noun": "seeded mistake"}, "about: given 'seeded mistakes', expected 'obligations'"),
    ],
)
def test_results_of_something_else_are_refused(change, message):
    found = pretended(["noquant.u32"])
    with pytest.raises(MalformedResults) as caught:
        build_reports(replace(found, **change))
    assert str(caught.value) == message.format(digest=found.rules)


def test_nothing_is_written_unless_everything_can_be(tmp_path):
    (tmp_path / "two").mkdir()
    with pytest.raises(IsADirectoryError):
        write_reports({"one": "1", "two": "2"}, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["two"]
