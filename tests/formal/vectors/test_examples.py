import re
import shutil
import subprocess

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
