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
from halfulp_formal.subject import BASE, BASE_FOLDER, SourcePatch, replaced_once

from .section import Section, seconds, timed

NAME = "req8.rne.nosat.equivalent"

#: the mistakes of the second copy; "" for none
SEEDED = ("", "intermediate_off_by_one", "nearest_reversed", "tie_even_is_odd")

PAIR = '''"""REQ8 under RNE, twice."""
import {first} as first
import {second} as second


def one(acc: int, scale: int, offset: int) -> tuple[int, int]:
    """
    pre: -2**31 <= acc < 2**31 and 0 <= scale < 2**19 and -256 <= offset < 256
    """
    return tuple(first.post_process(acc, "REQ8", quant_param=first.quant_param(scale, offset, mode="REQ8")))


def two(acc: int, scale: int, offset: int) -> tuple[int, int]:
    """
    pre: -2**31 <= acc < 2**31 and 0 <= scale < 2**19 and -256 <= offset < 256
    """
    return tuple(second.post_process(acc, "REQ8", quant_param=second.quant_param(scale, offset, mode="REQ8")))
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
    (folder / "pair.py").write_text(PAIR.format(first=names[0], second=names[1]), encoding="utf-8")


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
    """Return CrossHair's outcome in a few words."""
    if code == 1 and "Given:" in out:
        return "difference found"
    if code == 0:
        return (
            "all paths tried: no difference" if "exhausti" in out.lower() and "not" not in out.lower() else "none found"
        )
    last = (err.strip() or out.strip() or "nothing said").splitlines()[-1]
    return f"failed: {last[:60]}"


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
    title = f"CrossHair's diffbehavior ({BASE}, REQ8 under RNE)"
    if not crosshair:
        return Section(title, "Not run: CrossHair is not installed.")
    version = run([*crosshair, "--version"], Path.cwd()).stdout.strip()
    return Section(
        title,
        "Two copies of the model, the second one with a mistake, called with the same accumulator, scale and offset. "
        f"CrossHair ({version}) has {limit:g} s for each; halfulp builds and decides the equivalence of that model with the "
        "encoding.",
        list(rows(crosshair, engine, limit)),
    )
