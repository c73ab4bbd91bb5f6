import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from formal.vectors import readers
from formal.vectors.test_projections import shipped
from halfulp_formal.replay.conversation import Limits
from halfulp_formal.replay.judging import read_files, replay
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
def test_replay_catches_the_second_rounding(built):
    for file in read_files([*REQ8, *sorted(readers.FOLDER.glob("qf322f16.*.jsonl"))]):
        judged = replay(file, [str(built / "twice"), "{conversion}"], "jsonl", Limits())
        assert judged.failure is None
        assert 0 < len(judged.mismatches) < len(file.lines) // 4
        assert len(judged.outcome.answers) == len(file.lines)


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


#: the commands that the READMEs show around a replay or a smaller suite, and what they say these print
READMES = [path.read_text("utf-8") for path in (readers.FOLDER / "README.md", readers.FOLDER.parent / "README.md")]
SHOWN = [
    (command, output)
    for block in re.findall(r"```\n(\$ .*?)```", "".join(READMES), re.DOTALL)
    if re.match(r"\$ (cc|iverilog|python|halfulp replay|halfulp vectors minimise) ", block)
    for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]


def installed(command):
    """Whether what a command of the README needs is here."""
    needs_simulator = "iverilog" in command or "vvp" in command
    return shutil.which("iverilog") is not None if needs_simulator else "numpy" not in command or has_numpy()


def has_numpy():
    return importlib.util.find_spec("numpy") is not None


def first_lines(text, count):
    """The first lines of a text, all of them where no number is given."""
    return "".join(text.splitlines(keepends=True)[: int(count) if count else None])


def expanded(word):
    """What a shell makes of a word."""
    return sorted(map(str, Path().glob(word))) if "*" in word else [word]


@needs_gcc
def test_the_readmes_show_what_the_commands_print(halfulp, tmp_path, monkeypatch):
    (tmp_path / "vectors").symlink_to(readers.FOLDER)
    (tmp_path / "build").mkdir()
    monkeypatch.chdir(tmp_path)
    assert len(SHOWN) == 14
    for command, output in SHOWN:
        first, *words = [each for word in shlex.split(command) for each in expanded(word)]
        if not installed(command):
            continue
        if words[:2] == ["vectors", "write"]:
            # the search for the witnesses has its own tests, and takes longer
            name, content = render(shipped(words[2]), "readmemh")
            (tmp_path / "build" / name).write_bytes(content)
        elif first == "halfulp":
            given, _, lines = command.partition(" | head -n ")
            _, out, err = halfulp(*words[: len(words) - 4 if lines else None])
            assert (given, first_lines(out, lines), err) == (given, output, "")
        else:
            line = command.replace("python", sys.executable, 1) if first == "python" else command
            done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
            assert (command, done.returncode, done.stdout, done.stderr) == (command, 0, output, "")
