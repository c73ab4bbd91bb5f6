"""What a second run decides: of the same sources, of others that mean the same, and after one function has changed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from halfulp_formal.catalogue import matching
from halfulp_formal.families.family import Group
from halfulp_formal.subject import BASE_FOLDER

from .section import Section, seconds, timed

#: many short obligations, and some that depend on the function that changes
PATTERNS = ("format.*", "e8m0.*", "qf322hif8.*", "qf322fp8.*")

#: the function of the HiF8 encoder that changes, and the same with its branches the other way round
FUNCTION = "tapered.carried"
CHANGED = Path("halfulp_model/tapered.py")
OLD = """    if code - start < 2 << band_of(fmt, exponent).fraction_bits:
        return code
    return band_code(band_of(fmt, exponent + 1), exponent + 1, 0)
"""
NEW = """    if code - start >= 2 << band_of(fmt, exponent).fraction_bits:
        return band_code(band_of(fmt, exponent + 1), exponent + 1, 0)
    return code
"""

#: what the conversions that use the function have in their names
DEPENDENT = "hif8"


@dataclass(frozen=True)
class Run:
    """The seconds of a run from start to end, all its obligations, and those that a solver decided."""

    seconds: float
    names: list[str]
    decided: list[str]


class Copy:
    """A copy of both packages in a folder, with a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for package in (BASE_FOLDER, Path(__file__).parents[1]):
            shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))

    def prove(self, *patterns: str) -> Run:
        """Prove what some patterns select, as the command line does."""
        file = self.folder / "results.json"
        program = "from halfulp_formal.cli import main; main()"
        command = [sys.executable, "-c", program, "prove", *patterns, "--json", str(file)]
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "XDG_CACHE_HOME": str(self.folder / "cache")}
        done, spent = timed(quiet, command, environment)
        if done.returncode:
            raise AssertionError(f"{' '.join(patterns)}: {(done.stderr or done.stdout).strip()}")
        run: Mapping[str, Any] = json.loads(file.read_bytes())["run"]
        known = {*run["cached"], *run["shared"]}
        return Run(spent, list(run["seconds"]), [name for name in run["seconds"] if name not in known])

    def comment(self) -> None:
        """Add a comment to every module of the model."""
        for path in (self.folder / BASE_FOLDER.name).glob("*.py"):
            path.write_text(path.read_text(encoding="utf-8") + "\n# a comment\n", encoding="utf-8")

    def change(self) -> None:
        """Change the function."""
        path = self.folder / CHANGED
        text = path.read_text(encoding="utf-8")
        if text.count(OLD) != 1:
            raise AssertionError(f"{CHANGED} does not hold what is to be changed")
        path.write_text(text.replace(OLD, NEW), encoding="utf-8")


def quiet(command: list[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a program and keep what it prints."""
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603  # made above


def rows(copy: Copy) -> Iterator[tuple[str, ...]]:
    """Yield a row a run."""
    yield "run", "obligations", "time", "decided", f"of them {DEPENDENT}"
    cold = copy.prove(*PATTERNS)
    yield row("nothing known", cold)
    warm, start = copy.prove(*PATTERNS), copy.prove(cold.names[0])
    yield row("the same again", warm)
    yield row("one of them again", start)
    every = len(matching([], (Group.DEFAULT, Group.ALL)))
    each = max(0.0, warm.seconds - start.seconds) / (len(warm.names) - 1)
    would = start.seconds + each * (every - 1)
    yield "all but the nightly ones at that rate", f"{every:,}", f"would take {seconds(would)}", "–", "–"
    copy.comment()
    yield row("a comment added to every module of the model", copy.prove(*PATTERNS))
    copy.change()
    yield row(f"{FUNCTION} turned round", copy.prove(*PATTERNS))


def row(what: str, run: Run) -> tuple[str, ...]:
    """Return a run's row."""
    dependent = [name for name in run.decided if DEPENDENT in name]
    return what, f"{len(run.names):,}", seconds(run.seconds), f"{len(run.decided):,}", f"{len(dependent):,}"


def section() -> Section:
    """Return the figures."""
    with TemporaryDirectory() as place:
        table = list(rows(Copy(Path(place))))
    return Section(
        "What is decided again",
        f"`halfulp prove {' '.join(PATTERNS)}` in a copy of both packages with a cache of its own, from the start of Python "
        "to the end. *decided* counts what a solver was asked; the rest was known from the cache, or has the query of "
        "another one. Of other sources every obligation is built again, and its terms are compared with the model again.",
        table,
    )
