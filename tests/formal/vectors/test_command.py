import json

import pytest

from formal.vectors import readers
from halfulp_formal.solvers import Answer
from halfulp_formal.solvers.door import Session
from halfulp_formal.vectors.family import WITH_FILE, families


def test_check_of_shipped_files(halfulp):
    paths = [readers.FOLDER / name for name in ("noquant.u32.jsonl", "shifts322s16.jsonl")]
    assert halfulp("vectors", "check", *paths) == (0, "2 files, 59 cases: as the model gives them\n", "")


def test_check_of_a_folder_without_a_manifest(halfulp, tmp_path):
    told = f"has no manifest.json; expected a folder of `halfulp vectors write`, or the files: {tmp_path}/*.jsonl"
    assert halfulp("vectors", "check", tmp_path) == (2, "", f"halfulp: {tmp_path}: {told}\n")


def test_check_by_classes(halfulp, tmp_path):
    shipped = readers.FOLDER / "bfp16_matmul.jsonl"
    assert halfulp("vectors", "check", "--classes", shipped) == (0, "1 file, 64 cases: as the model gives them\n", "")
    path = tmp_path / shipped.name
    lines = shipped.read_text().splitlines()
    swapped = [lines[1].replace("lane-0", "lane-1"), lines[2].replace("lane-1", "lane-0")]
    path.write_text("\n".join([lines[0], *swapped, *lines[3:]]) + "\n")
    assert halfulp("vectors", "check", path)[0] == 0
    faults = (
        f'{path}:2: class: given "product/lane-1", expected one that holds of the inputs: product/lane-0\n'
        f'{path}:3: class: given "product/lane-0", expected one that holds of the inputs: product/lane-1\n'
    )
    assert halfulp("vectors", "check", "--classes", path) == (1, f"{faults}1 file, 64 cases: 2 problems\n", "")


def test_check_prints_every_problem_and_counts_them(halfulp, tmp_path):
    lines = (readers.FOLDER / "noquant.u32.jsonl").read_text().splitlines()
    lines[1] = lines[1].replace('"out": ["00000000"', '"out": ["00000001"')
    path = tmp_path / "noquant.u32.jsonl"
    path.write_text("\n".join(lines) + "\n")
    count = len(lines) - 1
    assert halfulp("vectors", "check", path) == (
        1,
        f"{path}:2: out.result: given 00000001, expected 00000000\n1 file, {count} cases: 1 problem\n",
        "",
    )
    code, out, _ = halfulp("vectors", "check", path, "--json", "-")
    assert code == 1
    assert json.loads(out) == {
        "files": 1,
        "cases": count,
        "problems": [
            {
                "file": str(path),
                "line": 2,
                "field": "out.result",
                "given": "00000001",
                "expected": "00000000",
                "malformed": False,
            }
        ],
    }
    halfulp("vectors", "check", path, "--json", tmp_path / "report.json")
    assert json.loads((tmp_path / "report.json").read_text()) == json.loads(out)


def test_check_prints_no_more_than_twenty_lines_a_file(halfulp, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("x\n" * 30)
    code, out, _ = halfulp("vectors", "check", path)
    lines = out.splitlines()
    assert (code, len(lines)) == (2, 22)
    assert lines[20:] == [f"{path}: 10 more problems", "0 files, 0 cases: 30 problems"]


def test_what_has_files_is_named_whole():
    _, *others = families()  # the names of the post-processing begin with a mode each
    for family in others:
        for name in family.names():
            assert any(head in WITH_FILE for head in (name, f"{name.split('.', maxsplit=1)[0]}.*")), name


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nothing",), "no conversion is called 'nothing'"),
        (("req8.rne.nosta",), "no conversion is called 'req8.rne.nosta'; did you mean 'req8.rne.nosat'?"),
        (("fpatr",), f"'fpatr' has no vector file; expected conversions of {WITH_FILE}"),
        (("tile.req8.rne.sat",), f"'tile.req8.rne.sat' has no vector file; expected conversions of {WITH_FILE}"),
        (("noquant.u32", "reduce.*"), f"'reduce.*' has no vector file; expected conversions of {WITH_FILE}"),
        (("noquant.u32", "--format", "vcd"), "--format vcd: expected jsonl, testfloat, readmemh, csv, c or v64"),
        (("noquant.u32", "--timeout", "0"), "--timeout 0: expected a number of seconds above 0, at most 1,000,000"),
        (("noquant.u32", "--timeout", "inf"), "--timeout inf: expected a number of seconds above 0, at most 1,000,000"),
        (("noquant.u32", "--solver", "minisat"), "unknown solver minisat; known are bitwuzla, z3, cvc5"),
    ],
)
def test_write_refuses(halfulp, tmp_path, arguments, message):
    out = tmp_path / "out"
    assert halfulp("vectors", "write", *arguments, "--out", out) == (2, "", f"halfulp: {message}\n")
    assert not out.exists()


def test_write_refuses_a_file_for_a_folder(halfulp, tmp_path):
    path = tmp_path / "out"
    path.touch()
    assert halfulp("vectors", "write", "noquant.u32", "--out", path) == (
        2,
        "",
        f"halfulp: --out {path}: is a file; expected a folder\n",
    )


def test_a_class_left_open_is_undecided_and_nothing_is_written(halfulp, tmp_path, monkeypatch):
    monkeypatch.setattr(Session, "check", lambda *_, **__: Answer.UNKNOWN)
    out = tmp_path / "out"
    code, stdout, err = halfulp("vectors", "write", "noquant.u32", "--out", out, "--jobs", "1", "--no-cache")
    assert (code, stdout) == (3, "")
    assert err.endswith("; nothing written\n")
    assert err.startswith("halfulp: noquant.u32.class.")
    assert not out.exists()


def test_write_to_a_projection(halfulp, tmp_path):
    code, out, _ = halfulp("vectors", "write", "noquant.u32", "--out", tmp_path, "--format", "testfloat", "--jobs", "1")
    assert (code, out) == (0, f"{tmp_path}: 1 file, 22 cases; 27 classes, 5 of them proved empty\n")
    shipped = readers.jsonl(readers.FOLDER / "noquant.u32.jsonl")
    cases = readers.testfloat(tmp_path / "noquant.u32.testfloat", 3, flags=True)
    assert [(case.inputs, case.outputs) for case in cases] == [(case.inputs, case.outputs) for case in shipped]
    assert halfulp("vectors", "check", tmp_path)[:2] == (0, "1 file, 0 cases: as the model gives them\n")
