import json
import shutil

import pytest
from jsonschema import Draft202012Validator

from formal.vectors import readers
from halfulp_formal.vectors.writing import SHIPPED_SCHEMA

NAME = "shifts322s16"
FILE = readers.FOLDER / f"{NAME}.jsonl"


@pytest.fixture
def small(halfulp, tmp_path):
    """A minimised file and what the command printed."""
    code, out, _ = halfulp("vectors", "minimise", FILE, "--out", tmp_path / "small", "--jobs", "1")
    assert code == 0
    return tmp_path / "small" / f"{NAME}.jsonl", out


def test_a_minimised_file_is_a_vector_file(halfulp, small):
    path, out = small
    validator = Draft202012Validator(json.loads(SHIPPED_SCHEMA.read_text()))
    for line in path.read_text().splitlines():
        validator.validate(json.loads(line))
    cases = readers.jsonl(path)
    whole = readers.header(FILE)
    assert halfulp("vectors", "check", path.parent)[:2] == (0, f"1 file, {len(cases)} cases: as the model gives them\n")
    assert readers.header(path)["recipe"] == f"halfulp vectors minimise {NAME}.jsonl"
    classes = sum(each["witnesses"] != "unreachable" for each in whole["classes"])
    assert out == (
        f"{NAME}: {len(cases)} of {whole['count']} cases; still {classes} classes met and 75 mutants killed\n"
        f"{path.parent}: 1 file, {len(cases)} of {whole['count']} cases\n"
    )


def test_nothing_is_left_to_leave_out(halfulp, small, tmp_path):
    path, _ = small
    assert halfulp("vectors", "minimise", path, "--out", tmp_path / "again", "--jobs", "1")[0] == 0
    assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


def test_a_projection_names_its_recipe(halfulp, small, tmp_path):
    path, _ = small
    arguments = ("vectors", "minimise", FILE, "--out", tmp_path / "hex", "--format", "readmemh", "--jobs", "1")
    assert halfulp(*arguments)[0] == 0
    text = (tmp_path / "hex" / f"{NAME}.hex").read_text()
    assert f"// halfulp vectors minimise {NAME}.jsonl --format readmemh\n" in text
    words = [line for line in text.splitlines() if not line.startswith("//")]
    assert len(words) == len(readers.jsonl(path))


def test_refusals(halfulp, tmp_path):
    out = tmp_path / "out"
    arguments = ("vectors", "minimise", "--out", out)
    copy = tmp_path / "copy.jsonl"
    shutil.copy(FILE, copy)
    refused = [
        ((FILE, copy), f"{copy}: conversion: given {NAME}, expected another one than in {FILE}"),
        ((FILE, "--format", "vcd"), "--format vcd: expected jsonl, testfloat, readmemh, csv, c or v64"),
        ((FILE, "--format", "v64"), f"--format v64: {NAME} has no v64 planes; expected conversions of bfp16"),
        ((tmp_path / "gone",), f"{tmp_path}/gone:1: file: given No such file or directory, expected a readable file"),
    ]
    for given, message in refused:
        assert halfulp(*arguments, *given) == (2, "", f"halfulp: {message}\n")
    message = f"--out {tmp_path}: is the folder of {copy}; expected another one"
    assert halfulp("vectors", "minimise", copy, "--out", tmp_path) == (2, "", f"halfulp: {message}\n")
    copy.write_text(copy.read_text().replace('"out": ["0000"', '"out": ["0001"', 1))
    code, _, err = halfulp(*arguments, copy)
    assert (code, err) == (2, f"halfulp: {copy}:2: out.result: given 0001, expected 0000\n")
    assert not out.exists()


def test_a_folder_that_cannot_be_written_to_is_refused(halfulp, tmp_path):
    assert halfulp("vectors", "minimise", FILE, "--out", "/proc/x", "--jobs", "1") == (
        2,
        "",
        "halfulp: --out /proc/x: No such file or directory\n",
    )
    path = tmp_path / "manifest.json"
    path.write_text("{}")
    assert halfulp("vectors", "minimise", FILE, "--out", tmp_path) == (
        2,
        "",
        f"halfulp: --out {path}: is no manifest of vector files; expected a folder without it\n",
    )
