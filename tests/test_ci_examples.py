"""The files that users copy into their CI: what they call is what there is."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from typer.testing import CliRunner

from halfulp_formal.cli import app

FOLDER = Path(__file__).resolve().parent.parent / "examples" / "ci"
FILES = sorted(FOLDER.iterdir())

#: what stands for a part's number and the number of parts, and the keys whose text is a command line
PLACES = {"${{ matrix.shard }}": "1", "$CI_NODE_INDEX": "1", "$CI_NODE_TOTAL": "4"}
COMMANDS = ("run", "script", "entry")


def read(name: str) -> Any:
    return yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))


def command_lines(node: Any, key: str = "") -> Iterator[str]:
    """Yield the command lines in a file's values."""
    if isinstance(node, dict):
        for name, value in node.items():
            yield from command_lines(value, str(name))
    elif isinstance(node, list):
        for value in node:
            yield from command_lines(value, key)
    elif isinstance(node, str) and key in COMMANDS:
        yield from node.splitlines()


def halfulp_lines(name: str) -> list[str]:
    """Return the command lines of the program in a file; a hook gets the changed files behind its own words."""
    lines = [line for line in command_lines(read(name)) if line.startswith("halfulp ")]
    hooks = [hook for repository in read(name).get("repos", []) for hook in repository["hooks"]]
    changed = [" vectors/a.jsonl" if hook.get("pass_filenames", True) else "" for hook in hooks]
    return [line + files for line, files in zip(lines, changed or [""] * len(lines), strict=True)]


def parse(line: str) -> list[str]:
    """Parse a command line as the program does, without running it; the names of the commands on the way."""
    for place, value in PLACES.items():
        line = line.replace(place, value)
    line = line.removesuffix(" || true")
    assert not re.search(r"[|;&<>`$]", line), line
    command: Any = typer.main.get_command(app)
    parent, words, names = None, shlex.split(line), []
    while True:
        name, *words = words
        names.append(name)
        is_group = hasattr(command, "resolve_command")
        context = command.make_context(name, list(words), parent=parent)
        if not is_group:
            return names
        _, command, words = command.resolve_command(context, words)
        words = [names[-1] if command is None else command.name, *words]
        parent = context


CASES = [(path.name, line) for path in FILES for line in halfulp_lines(path.name)]


@pytest.mark.parametrize(("name", "line"), CASES, ids=[f"{name}: {line}" for name, line in CASES])
def test_the_program_takes_every_command_line(name: str, line: str) -> None:
    assert parse(line)[0] == "halfulp", name


def test_every_file_calls_the_program() -> None:
    assert [path.name for path in FILES] == ["github-actions.yml", "gitlab-ci.yml", "pre-commit-config.yaml"]
    assert {name for name, _ in CASES} == {path.name for path in FILES}


def test_a_command_line_that_is_not_taken_is_seen() -> None:
    for line in ("halfulp prove --shards 1/4", "halfulp report bild x.json", "halfulp report merge a.json"):
        refusal = CliRunner().invoke(app, shlex.split(line)[1:], prog_name="halfulp")
        assert refusal.exit_code == 2, line
        with pytest.raises(Exception, match=r".") as caught:
            parse(line)
        # the usage errors of the command-line library, wherever it has them from
        assert hasattr(caught.value, "format_message"), line


def test_the_parts_are_all_there_and_put_together() -> None:
    prove = read("github-actions.yml")["jobs"]["prove"]
    parts = prove["strategy"]["matrix"]["shard"]
    assert parts == [1, 2, 3, 4]
    assert any(f"--shard ${{{{ matrix.shard }}}}/{len(parts)} " in line for line in halfulp_lines("github-actions.yml"))
    assert read("gitlab-ci.yml")["prove"]["parallel"] == len(parts)
    files = " ".join(f"shard-{part}.json" for part in parts)
    for name in ("github-actions.yml", "gitlab-ci.yml"):
        assert any(f"report merge {files} " in line for line in halfulp_lines(name))


def test_the_report_is_made_whatever_the_verdicts() -> None:
    jobs = read("github-actions.yml")["jobs"]
    assert jobs["report"]["if"] == "always()"
    merging = next(step for step in jobs["report"]["steps"] if "report merge" in step.get("run", ""))
    assert merging["continue-on-error"] is True
    assert read("gitlab-ci.yml")["report"]["when"] == "always"


def test_verdicts_are_cached_where_the_program_keeps_them(monkeypatch: pytest.MonkeyPatch) -> None:
    from halfulp_formal.cache import default_folder

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    cached = next(
        step["with"]["path"]
        for step in read("github-actions.yml")["jobs"]["prove"]["steps"]
        if "cache" in step.get("uses", "")
    )
    assert Path(cached).expanduser() == default_folder()
    gitlab = read("gitlab-ci.yml")
    monkeypatch.setenv("XDG_CACHE_HOME", gitlab["variables"]["XDG_CACHE_HOME"].replace("$CI_PROJECT_DIR", "/project"))
    assert gitlab["prove"]["cache"]["paths"] == [str(default_folder().relative_to("/project"))]
