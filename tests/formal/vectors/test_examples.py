import json
import re
import shutil
import subprocess
import sys

import pytest

from formal.vectors import readers
from formal.vectors.test_projections import shipped
from halfulp_formal.vectors.writing import render

EXAMPLES = readers.FOLDER / "examples"
REQ8 = sorted(readers.FOLDER.glob("req8.*.jsonl"))

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
needs_icarus = pytest.mark.skipif(shutil.which("iverilog") is None, reason="Icarus Verilog (iverilog) is not installed")


@pytest.fixture(scope="module")
def req8(tmp_path_factory):
    binary = tmp_path_factory.mktemp("c") / "req8"
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined", "-fno-sanitize-recover"]
    subprocess.run(["gcc", *flags, "-o", binary, EXAMPLES / "req8.c"], check=True)
    return binary


@needs_gcc
def test_the_c_example_agrees_with_every_req8_file(req8):
    assert len(REQ8) == 14
    for path in REQ8:
        done = subprocess.run([req8, path], capture_output=True, text=True, check=False)
        count = len(readers.jsonl(path))
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{path}: {count} cases, 0 differ\n", "")


@needs_gcc
def test_the_c_example_prints_a_difference(req8, tmp_path):
    path = tmp_path / "req8.jsonl"
    text = (readers.FOLDER / "req8.rne.nosat.jsonl").read_text()
    path.write_text(text.replace('"out": ["01", "00"]', '"out": ["03", "14"]', 1))
    done = subprocess.run([req8, path], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert re.search(r":\d+: given 01 00, expected 03 14\n", done.stdout)
    assert done.stdout.endswith("cases, 1 differ\n")


@needs_gcc
def test_the_c_example_refuses_another_file(req8):
    done = subprocess.run([req8, readers.FOLDER / "manifest.json"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "usage: req8 FILE, a vector file of REQ8 in JSON Lines\n"


@needs_icarus
def test_the_systemverilog_example_agrees(tmp_path):
    suite = shipped("req8.rne.nosat")
    name, content = render(suite, "readmemh")
    (tmp_path / name).write_bytes(content)
    bench = tmp_path / "bench"
    subprocess.run(["iverilog", "-g2012", "-o", bench, EXAMPLES / "req8_tb.sv"], check=True)
    run = ["vvp", "-n", bench, f"+vectors={tmp_path / name}"]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == f"{len(suite.cases)} cases, 0 differ"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder with the filters in C, right and wrong, and the vector files as they are named in the README."""
    folder = tmp_path_factory.mktemp("filter")
    for name, flag in (("filter", "-O1"), ("twice", "-DTHROUGH_FLOAT")):
        flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined", "-fno-sanitize-recover", flag]
        subprocess.run(["gcc", *flags, "-o", folder / name, EXAMPLES / "filter.c", "-lm"], check=True)
    (folder / "vectors").symlink_to(readers.FOLDER)
    return folder


@needs_gcc
def test_the_filter_agrees_with_every_file_of_its_conversions(halfulp, built):
    paths = [*REQ8, *sorted(readers.FOLDER.glob("qf322f16.*.jsonl"))]
    count = sum(len(readers.jsonl(path)) for path in paths)
    assert halfulp("replay", *paths, "--", built / "filter", "{conversion}") == (
        0,
        f"16 files, {count:,} cases: every answer agrees\n",
        "",
    )


@needs_gcc
@pytest.mark.parametrize("path", [*REQ8, *sorted(readers.FOLDER.glob("qf322f16.*.jsonl"))], ids=lambda path: path.stem)
def test_replay_catches_the_second_rounding(halfulp, built, path):
    code, out, err = halfulp("replay", path, "--json", "-", "--", built / "twice", "{conversion}")
    (file,) = json.loads(out)["files"]
    assert (code, err, file["failure"], file["unanswered"]) == (1, "", None, 0)
    assert 0 < file["differ"] < file["cases"] // 4


@needs_gcc
def test_the_filter_refuses_another_conversion(halfulp, built):
    path = readers.FOLDER / "noquant.u32.jsonl"
    code, out, _ = halfulp("replay", path, "--", built / "filter", "{conversion}")
    assert code == 4
    assert out.splitlines()[0] == f"{path}: DIED: the command ended with exit code 2"


@needs_icarus
def test_the_systemverilog_example_answers_replay(halfulp, tmp_path):
    bench = tmp_path / "bench"
    subprocess.run(["iverilog", "-g2012", "-o", bench, EXAMPLES / "req8_tb.sv"], check=True)
    path = readers.FOLDER / "req8.rne.nosat.jsonl"
    count = len(readers.jsonl(path))
    assert halfulp("replay", "--format", "testfloat", path, "--", "vvp", "-n", bench) == (
        0,
        f"1 file, {count} cases: every answer agrees\n",
        "",
    )


def test_the_pytest_example_passes():
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(EXAMPLES / "test_req8.py")]
    done = subprocess.run(run, capture_output=True, text=True, check=False, cwd=readers.FOLDER.parent)
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-1].startswith("14 passed")


def test_the_numpy_example_agrees():
    pytest.importorskip("numpy")
    paths = sorted(readers.FOLDER.glob("qf322f16.*.jsonl"))
    run = [sys.executable, "-W", "error", *map(str, [EXAMPLES / "qf322f16_numpy.py", *paths])]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    for path, line in zip(paths, done.stdout.splitlines(), strict=True):
        shown = re.fullmatch(r"(.*): (\d+) cases, 0 differ; by way of float32, (\d+)", line)
        assert shown is not None
        assert (shown[1], int(shown[2])) == (str(path), len(readers.jsonl(path)))
        assert int(shown[3]) > 0
