import json
import webbrowser
from dataclasses import replace

import pytest

from formal.reporting.page.test_mutants import RECORD
from formal.reporting.pretended import fewer_families, pretended
from halfulp_formal.obligation import Verdict
from halfulp_formal.reporting import results_json


@pytest.fixture(autouse=True)
def small_catalogue(monkeypatch):
    fewer_families(monkeypatch)


@pytest.fixture
def results_file(tmp_path):
    path = tmp_path / "run.json"
    path.write_text(results_json(pretended(["noquant.u32"])), encoding="utf-8")
    return path


def test_build_and_build_again_from_the_folder(halfulp, results_file, tmp_path):
    out = tmp_path / "reports"
    code, text, err = halfulp("report", "build", str(results_file), "--out", str(out))
    assert (code, err) == (0, "")
    first, *files = text.splitlines()
    assert first == "AS EXPECTED: 5 obligations: 5 PROVED (bitwuzla 0.10.0)"
    assert files[0] == f"{out / 'summary.md'}: {(out / 'summary.md').stat().st_size:,} bytes"
    assert [line.rpartition("/")[2].partition(":")[0] for line in files] == [
        "summary.md",
        "results.json",
        "results.xml",
        "findings.md",
        "index.html",
    ]
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    assert halfulp("report", "build", "--out", str(out))[0] == 0
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_the_exit_code_is_that_of_the_run(halfulp, tmp_path):
    path = tmp_path / "run.json"
    wrong = {"noquant.u32.total": Verdict.UNDECIDED}
    path.write_text(results_json(pretended(["noquant.u32"], wrong)), encoding="utf-8")
    code, out, _ = halfulp("report", "build", str(path), "--out", str(tmp_path / "reports"))
    assert code == 3
    assert out.startswith("NOT AS EXPECTED: 1 UNDECIDED of 5 obligations")


def test_files_that_cannot_be_used(halfulp, results_file, tmp_path):
    out = tmp_path / "reports"
    missing = tmp_path / "missing.json"
    assert halfulp("report", "build", str(missing), "--out", str(out)) == (
        2,
        "",
        f"halfulp: cannot read {missing}: No such file or directory; expected a file of `halfulp prove --json`\n",
    )
    bad = tmp_path / "bad.json"
    bad.write_text(results_file.read_text().replace('"verdict": "proved"', '"verdict": "prove"', 1), encoding="utf-8")
    code, _, err = halfulp("report", "build", str(bad), "--out", str(out))
    assert code == 2
    assert err == f'halfulp: {bad}: results[0].verdict: given "prove", expected proved, refuted, undecided or error\n'
    other = tmp_path / "other.json"
    other.write_text(results_file.read_text().replace('"rules": "', '"rules": "0'), encoding="utf-8")
    code, _, err = halfulp("report", "build", str(other), "--out", str(out))
    assert code == 2
    assert err.startswith(f"halfulp: {other}: rules: given '0")
    assert halfulp("report", "build", str(results_file), "--out", str(bad)) == (
        2,
        "",
        f"halfulp: --out {bad}: is a file; expected a folder\n",
    )
    assert halfulp("report", "build", str(results_file), "--out", str(out / "deeper")) == (
        2,
        "",
        f"halfulp: --out {out / 'deeper'}: {out} is not a folder; expected one in which deeper can be made\n",
    )
    assert not out.exists()


def test_mutants(halfulp, results_file, tmp_path):
    out, mutants = tmp_path / "reports", tmp_path / "mutants.json"
    arguments = ("report", "build", str(results_file), "--out", str(out), "--mutants", str(mutants))
    expected = (
        f"halfulp: cannot read {mutants}: No such file or directory; expected a file of `halfulp mutants --json`\n"
    )
    assert halfulp(*arguments) == (2, "", expected)
    mutants.write_text("{}", encoding="utf-8")
    assert halfulp(*arguments) == (2, "", f"halfulp: {mutants}: summary: given nothing, expected a line of text\n")
    assert not out.exists()
    mutants.write_text(json.dumps(RECORD), encoding="utf-8")
    assert halfulp(*arguments)[0] == 0
    assert RECORD["summary"] in (out / "index.html").read_text(encoding="utf-8")


def test_open_shows_the_page_or_prints_where_it_is(halfulp, tmp_path, monkeypatch):
    page = tmp_path / "index.html"
    assert halfulp("report", "open", "--out", str(tmp_path)) == (
        2,
        "",
        f"halfulp: --out {tmp_path}: has no index.html; expected a folder that `halfulp report build` made\n",
    )
    page.write_text("", encoding="utf-8")
    shown = []

    def show(address):
        shown.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", show)
    assert halfulp("report", "open", "--out", str(tmp_path)) == (0, "", "")
    assert shown == [page.as_uri()]
    monkeypatch.setattr(webbrowser, "open", lambda _address: False)
    assert halfulp("report", "open", "--out", str(tmp_path)) == (0, f"{page}\n", "")


def shard_file(folder, part, names, **more):
    """Write a shard of a run of two parts."""
    found = replace(pretended(["noquant.u32"]), shard=f"{part}/2", split="ab", **more)
    rows = [row for row in found.rows if row.proof.name.rpartition(".")[2] in names]
    path = folder / f"shard-{part}.json"
    path.write_text(results_json(replace(found, rows=rows)), encoding="utf-8")
    return path


def test_shards_make_the_whole_run(halfulp, results_file, tmp_path):
    one = shard_file(tmp_path, 1, ["positive", "equivalent"])
    two = shard_file(tmp_path, 2, ["total", "legal", "identity"])
    whole = tmp_path / "whole.json"
    code, out, err = halfulp("report", "merge", str(two), str(one), "--json", str(whole))
    assert (code, out, err) == (0, "AS EXPECTED: 5 obligations: 5 PROVED (bitwuzla 0.10.0)\n", "")
    assert whole.read_text(encoding="utf-8") == results_file.read_text(encoding="utf-8")


def test_shards_that_do_not_belong_together(halfulp, tmp_path):
    one, whole = shard_file(tmp_path, 1, ["positive"]), tmp_path / "whole.json"
    expected = "halfulp: shard 2/2 is missing; expected all from 1/2 to 2/2\n"
    assert halfulp("report", "merge", str(one), "--json", str(whole)) == (2, "", expected)
    two = shard_file(tmp_path, 2, ["total"], version="0.2")
    expected = f"halfulp: {two}: halfulp is '0.2'; expected '0.1.0', as in {one}\n"
    assert halfulp("report", "merge", str(one), str(two), "--json", str(whole)) == (2, "", expected)
    assert not whole.exists()
