"""An empty path is refused, whatever the command; it would be the current folder."""

import inspect
from pathlib import Path

import pytest
from typer.models import OptionInfo

from formal.vectors import readers
from halfulp_formal.cli import app
from halfulp_formal.cli.folders import PLACES

AMENDMENT = Path(__file__).resolve().parents[3] / "examples" / "amendments" / "e8m0-linear.yaml"


def callbacks(group):
    yield from (command.callback for command in group.registered_commands)
    for each in group.registered_groups:
        yield from callbacks(each.typer_instance)


def test_every_option_that_names_a_place_is_known():
    found = set()
    for callback in callbacks(app):
        for name, parameter in inspect.signature(callback).parameters.items():
            if "Path" in str(parameter.annotation) and isinstance(parameter.default, OptionInfo):
                found |= set(parameter.default.param_decls or [f"--{name}"])
    assert found == set(PLACES)


@pytest.mark.parametrize(
    "words",
    [
        ("vectors", "write", "req8.rne.nosat", "--out", ""),
        ("vectors", "write", "req8.rne.nosat", "--out="),
        ("vectors", "minimise", "x.jsonl", "--out", ""),
        ("vectors", "fold", "--out", ""),
        ("report", "build", "--out", ""),
        ("ties", "write", "--out", ""),
    ],
)
def test_an_empty_path_is_refused(halfulp, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    message = "halfulp: --out: given an empty path, expected that of a file or folder\n"
    assert halfulp(*words) == (2, "", message)
    assert not list(tmp_path.iterdir())


def test_what_is_behind_the_mark_is_somebody_elses(halfulp):
    code, _, err = halfulp("replay", "none.jsonl", "--", "true", "--out", "")
    assert (code, "empty path" in err) == (2, False)


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("vectors", "write", "noquant.u32"), "--out"),
        (("vectors", "minimise", readers.FOLDER / "noquant.u32.jsonl"), "--out"),
        (("ties", "write"), "--out"),
        (("prove", "noquant.u32.total"), "--dump"),
        (("amend", AMENDMENT), "--report"),
    ],
)
def test_of_a_folder_to_fill_the_last_part_alone_is_made(halfulp, tmp_path, words, option):
    folder = tmp_path / "no" / "such"
    expected = f"{tmp_path / 'no'} is not a folder; expected one in which such can be made"
    assert halfulp(*words, option, folder) == (2, "", f"halfulp: {option} {folder}: {expected}\n")
    assert not list(tmp_path.glob("n*"))
    file = tmp_path / "file"
    file.touch()
    assert halfulp(*words, option, file) == (2, "", f"halfulp: {option} {file}: is a file; expected a folder\n")


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("vectors", "fold"), "--out"),
        (("vectors", "open"), "--out"),
        (("prove", "noquant.u32.total"), "--json"),
        (("prove", "noquant.u32.total"), "--junit"),
        (("findings",), "--output"),
        (("mutants", "noquant.u32"), "--report"),
        (("vectors", "check", readers.FOLDER / "noquant.u32.jsonl"), "--json"),
    ],
)
def test_a_file_is_written_into_a_folder_that_is_there(halfulp, tmp_path, words, option):
    file = tmp_path / "no" / "such"
    message = f"cannot write {file}: {file.parent} is not a folder"
    assert halfulp(*words, option, file) == (2, "", f"halfulp: {message}\n")
    assert not list(tmp_path.glob("n*"))


def test_a_folder_that_is_there_but_for_its_last_part(halfulp, tmp_path):
    folder = tmp_path / "one"
    for option in ("--dump", "--dump"):  # made, then used as it is
        assert halfulp("prove", "noquant.u32.total", "--jobs", "1", option, folder)[0] == 0
    assert [path.name for path in folder.iterdir()] == ["noquant.u32.total.smt2"]
