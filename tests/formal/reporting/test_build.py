import json
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from formal.reporting.page.test_mutants import RECORD
from formal.reporting.pretended import fewer_families, pretended
from halfulp_formal.findings_report import obligation_names
from halfulp_formal.obligation import Verdict
from halfulp_formal.reporting import MalformedResults, read_results
from halfulp_formal.reporting.build import build_reports

WRONG = {"noquant.u32.total": Verdict.UNDECIDED, "noquant.u32.legal": Verdict.ERROR}


@pytest.fixture(autouse=True)
def small_catalogue(monkeypatch):
    fewer_families(monkeypatch)


def test_every_report_and_the_same_ones_from_what_was_written(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    found = pretended(["noquant.u32", "format.e1m2x2"], WRONG)
    timed = replace(
        found, rows=[replace(row, proof=replace(row.proof, seconds=1.5, cached=True)) for row in found.rows]
    )
    sizes = build_reports(timed, one)
    assert sorted(path.name for path in one.iterdir()) == sorted(sizes)
    build_reports(read_results(one / "results.json"), two)
    for name, size in sizes.items():
        assert (one / name).read_bytes() == (two / name).read_bytes(), name
        assert (one / name).stat().st_size == size
    assert "run" not in json.loads((one / "results.json").read_text(encoding="utf-8"))


def test_junit_has_no_times(tmp_path):
    build_reports(pretended(["noquant.u32"], WRONG), tmp_path)
    root = ET.parse(tmp_path / "results.xml").getroot()
    assert root.attrib == {"name": "halfulp obligations", "tests": "5", "failures": "0", "errors": "1", "skipped": "1"}
    assert [case.get("time") for case in root.iter("testcase")] == [None] * 5


def test_findings_that_were_not_in_the_run_are_said_to_be_open(tmp_path):
    build_reports(pretended(["noquant.u32"]), tmp_path)
    text = (tmp_path / "findings.md").read_text(encoding="utf-8")
    number = len(obligation_names())
    assert f"**Not everything here is proved:** {number} of {number} obligations are not in this run.\n" in text
    assert "| `noquant.fp32` | NOT RUN | NOT RUN |  |" in text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rules": "d1"}, "rules: given 'd1', expected '{digest}', the rules of this halfulp"),
        ({"noun": "seeded mistake"}, "about: given 'seeded mistakes', expected 'obligations'"),
    ],
)
def test_results_of_something_else_are_refused(tmp_path, change, message):
    found = pretended(["noquant.u32"])
    with pytest.raises(MalformedResults) as caught:
        build_reports(replace(found, **change), tmp_path)
    assert str(caught.value) == message.format(digest=found.rules)
    assert list(tmp_path.iterdir()) == []


def test_mutants_in_the_folder_are_shown(tmp_path):
    path = tmp_path / "mutants.json"
    path.write_text(json.dumps(RECORD), encoding="utf-8")
    build_reports(pretended(["noquant.u32"]), tmp_path)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert 'href="#/mutants"' in page
    assert "4 mutants of 2 conversions" in page
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(MalformedResults) as caught:
        build_reports(pretended(["noquant.u32"]), tmp_path)
    assert str(caught.value) == f"{path}: summary: given nothing, expected a line of text"
    path.unlink()
    build_reports(pretended(["noquant.u32"]), tmp_path)
    assert 'href="#/mutants"' not in (tmp_path / "index.html").read_text(encoding="utf-8").partition("<script")[0]


def test_nothing_is_written_unless_everything_can_be(tmp_path):
    (tmp_path / "index.html").mkdir()
    with pytest.raises(IsADirectoryError):
        build_reports(pretended(["noquant.u32"]), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]
