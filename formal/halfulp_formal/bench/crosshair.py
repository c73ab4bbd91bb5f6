"""CrossHair's `diffbehavior` on the model and a copy of it with a seeded mistake, and on two equal copies."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from halfulp_formal.catalogue import build
from halfulp_formal.decide import Engine, decide
from halfulp_formal.mistakes import MISTAKES
from halfulp_formal.obligation import Proof, Verdict
from halfulp_formal.seeded import JOINT, build_seeded
from halfulp_formal.subject import BASE_FOLDER, SourcePatch, replaced_once

from .section import Section, seconds, timed

CONVERSION = "req8.rne.nosat"
NAME = f"{CONVERSION}.equivalent"

#: the mistakes of the second copy; "" for none
SEEDED = ("", "intermediate_off_by_one", "nearest_reversed", "tie_even_is_odd")

PAIR = '''"""One conversion of two models."""
import {first}.conversions as first_table
import {first}.postprocess as first
import {second}.conversions as second_table
import {second}.postprocess as second

NAME = "{conversion}"
FIRST = first_table.conversions()[NAME]
SECOND = second_table.conversions()[NAME]


def checked(acc: int, word: int) -> None:
    if not (-(2**31) <= acc < 2**31 and 0 <= word < 2**64 and first.legal(FIRST, 0, word, 0)):
        raise ValueError


def one(acc: int, word: int) -> tuple[int, int]:
    checked(acc, word)
    return tuple(first.element(FIRST, acc, 0, word, 0))


def two(acc: int, word: int) -> tuple[int, int]:
    checked(acc, word)
    return tuple(second.element(SECOND, acc, 0, word, 0))
'''


def write_pair(folder: Path, mistake: str) -> None:
    """Write two copies of the model as packages of other names, and the pair of functions that calls them."""
    names = ("halfulp_first", "halfulp_second")
    for name in names:
        shutil.copytree(BASE_FOLDER, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    if mistake:
        for patch in MISTAKES[mistake].patches:
            assert isinstance(patch, SourcePatch)
            path = folder / names[1] / f"{patch.module}.py"
            path.write_text(replaced_once(patch, {patch.module: path.read_text(encoding="utf-8")}), encoding="utf-8")
    (folder / "pair.py").write_text(
        PAIR.format(first=names[0], second=names[1], conversion=CONVERSION), encoding="utf-8"
    )


def ask(crosshair: Sequence[str], mistake: str, limit: float) -> tuple[str, float]:
    """Return what CrossHair says of the pair and the seconds that it took."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        write_pair(folder, mistake)
        command = [*crosshair, "diffbehavior", "pair.one", "pair.two", "--per_condition_timeout", f"{limit:g}"]
        done, spent = timed(run, command, folder)
    return heard(done.returncode, done.stdout, done.stderr), spent


def run(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command that finds packages in a folder."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(  # noqa: S603  # the program that was named on the command line
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def heard(code: int, out: str, err: str) -> str:
    """Return CrossHair's outcome in a few words: what it says first, or that it found a difference."""
    if code == 1 and "Given:" in out:
        return "difference found"
    if code == 0 and out.strip():
        return out.strip().splitlines()[0]
    return f"failed: {((err.strip() or out.strip()).splitlines() or ['nothing said'])[-1][:60]}"


def prove(mistake: str, engine: Engine) -> Proof:
    """Decide the same question by the proof."""
    return decide(build_seeded(f"{NAME}{JOINT}{mistake}") if mistake else build(NAME), engine)


def rows(crosshair: Sequence[str], engine: Engine, limit: float) -> Iterator[tuple[str, ...]]:
    """Yield a row a pair."""
    yield "second copy", "halfulp", "time", "CrossHair", "time"
    for mistake in SEEDED:
        proof, proving = timed(prove, mistake, engine)
        if proof.verdict is not (Verdict.REFUTED if mistake else Verdict.PROVED):
            raise AssertionError(f"{NAME} with {mistake or 'no mistake'}: {proof.verdict.name}: {proof.detail}")
        said, spent = ask(crosshair, mistake, limit)
        what = MISTAKES[mistake].what if mistake else "no mistake"
        yield what, proof.verdict.name, seconds(proving), said, seconds(spent)


def section(crosshair: Sequence[str], engine: Engine, limit: float) -> Section:
    """Return the comparison, or say that it was not run. `crosshair` is the command, nothing where there is none."""
    title = f"CrossHair's diffbehavior ({CONVERSION})"
    if not crosshair:
        return Section(title, "Not run: CrossHair is not installed.")
    return Section(
        title,
        "Two copies of the model, the second one with a mistake, called with any accumulator and parameter word; an illegal "
        f"one is refused by both. CrossHair has {limit:g} s for each pair, on one path after another; halfulp builds and "
        "decides the equivalence of the second copy with the encoding.",
        list(rows(crosshair, engine, limit)),
    )
