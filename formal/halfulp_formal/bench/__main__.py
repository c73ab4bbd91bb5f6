"""`python -m halfulp_formal.bench`: measure everything in one run and write the report."""

from __future__ import annotations

import argparse
import platform
import shutil
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from halfulp_formal.cli.planning import cpu_count
from halfulp_formal.decide import Engine
from halfulp_formal.reporting import check_writable, write_whole
from halfulp_formal.solvers import available, preferred

from . import changes, crosshair, enumeration, proofs, scheduling, vectors
from .section import Section

INTRODUCTION = """# Measurements

`make bench` wrote this file: every figure is from one run on one machine, and not comparable with one of another run.
"""


def crosshair_command(named: str) -> list[str]:
    """Return how CrossHair is started: as named, or as it is installed; nothing where it is not."""
    if named:
        found = shutil.which(named)
        return [str(Path(found).absolute())] if found else []
    return [sys.executable, "-m", "crosshair"] if find_spec("crosshair") else []


def machine() -> str:
    """Return what the figures depend on."""
    versions = ", ".join(f"{name} {version}" for name, version in available().items())
    return f"{cpu_count()} processors, {platform.machine()}, Python {platform.python_version()}; {versions}.\n"


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(prog="python -m halfulp_formal.bench", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("reports/bench.md"), help="the report")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for a query or a question to another tool")
    parser.add_argument("--crosshair", default="", help="CrossHair's program, where it is not installed beside halfulp")
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    check_writable(options.out)
    engine = Engine(preferred(), 60.0)
    sections: list[Callable[[], Section]] = [
        lambda: scheduling.section(engine),
        changes.section,
        lambda: proofs.section(engine, options.limit),
        lambda: enumeration.section(engine),
        lambda: crosshair.section(crosshair_command(options.crosshair), engine, options.limit),
        lambda: vectors.section(engine),
    ]
    texts = [INTRODUCTION, machine()]
    for number, measure in enumerate(sections, start=1):
        print(f"halfulp: measuring, {number} of {len(sections)}", file=sys.stderr, flush=True)  # noqa: T201  # a program
        texts.append(measure().markdown())
    write_whole(options.out, "\n".join(texts))


if __name__ == "__main__":
    main()
