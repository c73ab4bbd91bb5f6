"""An empty path is refused, whatever the command; it would be the current folder."""

import inspect

import pytest
from typer.models import OptionInfo

from halfulp_formal.cli import app
from halfulp_formal.cli.folders import PLACES


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
