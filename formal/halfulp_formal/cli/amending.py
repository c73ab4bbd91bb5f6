"""`halfulp amend`: an amendment of the specification against the base, or the skeleton of one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .failures import Refused, check_amount

if TYPE_CHECKING:
    from halfulp_formal.amend.outcome import Study
    from halfulp_formal.amend.patch import Amendment
    from halfulp_formal.amend.scope import Scope
    from halfulp_formal.decide import Engine

REPORTS = ("report.md", "report.json")


def amend(
    patch: Path | None = typer.Argument(None, metavar="PATCH", help="A YAML file, or a Python file of functions."),
    patterns: list[str] = typer.Argument(None, metavar="[PATTERN]…", help="Conversions; none means those it touches."),
    everything: bool = typer.Option(False, "--all", help="Compare touched conversions of every group."),
    count: bool = typer.Option(False, "--count", help="Count the inputs that differ in every changed conversion."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
    report: Path | None = typer.Option(None, metavar="DIR", help="Write report.md and report.json there."),
    vectors: Path | None = typer.Option(
        None, metavar="DIR", help="Vector files to look through.", show_default="vectors, where there is such a folder"
    ),
    new: str | None = typer.Option(
        None, "--new", metavar="NAME", help="Write a skeleton for a finding or a conversion."
    ),
    solver: str = typer.Option("", help="The solver that decides.", show_default="the first of `halfulp solvers`"),
    jobs: int | None = typer.Option(None, min=1, show_default="one a CPU", help="Worker processes."),
    timeout: float = typer.Option(60.0, help="Seconds a query."),
    no_cache: bool = typer.Option(False, "--no-cache", help="Neither read nor keep verdicts."),
) -> int:
    """Compare an amendment with the base: what changes, for whom, and what follows.

    Exit code 0 where the outcome is the one in the amendment's expect section; without one, nothing may change. A Python
    file is run: look into it first if it is not your own.
    """
    if new is not None:
        return write_skeleton(new, patch)
    if patch is None:
        raise Refused("PATCH: expected a YAML or Python file, or --new NAME")
    from .folders import make_folder

    check_amount("--timeout", timeout, "seconds")
    from dataclasses import replace
    from functools import partial

    from halfulp_formal.amend.expecting import exit_code
    from halfulp_formal.amend.markdown import as_markdown
    from halfulp_formal.amend.questions import build_question
    from halfulp_formal.amend.record import as_json as record
    from halfulp_formal.amend.scope import Scope
    from halfulp_formal.amend.text import text_lines
    from halfulp_formal.decide import Engine
    from halfulp_formal.prover import engine_name
    from halfulp_formal.reporting import check_writable, write_whole
    from halfulp_formal.solvers import preferred
    from halfulp_formal.workers import warm_up

    if patch.is_dir() or not patch.exists():
        raise Refused(f"{patch}: {'is a folder' if patch.is_dir() else 'no such file'}; expected an amendment")
    engine = Engine(solver or preferred(), timeout)
    title = engine_name(engine)  # refuses a solver that is not installed
    warm_up(partial(build_question, (), engine.solver), engine)
    amendment = read(patch)
    if report is not None:
        make_folder("--report", report)
        for name in REPORTS:
            check_writable(report / name)
    if vectors is not None and not vectors.is_dir():
        raise Refused(f"--vectors {vectors}: expected a folder of vector files")
    default = Path("vectors")
    folder = vectors or (default if default.is_dir() else None)
    scope = Scope(tuple(patterns or ()), everything, folder, count)
    studied = replace(run(amendment, scope, engine, jobs, keep=not no_cache), engine=title)
    if report is not None:
        for name, text in zip(REPORTS, (as_markdown(studied), record(studied)), strict=True):
            write_whole(report / name, text)
    print(record(studied) if as_json else "\n".join(text_lines(studied)), end="" if as_json else "\n")
    return exit_code(studied)


def read(path: Path) -> Amendment:
    """Read an amendment and check what it expects."""
    from halfulp_formal.amend.expecting import check_expectations
    from halfulp_formal.amend.patch import read_amendment
    from halfulp_formal.amend.touched import standings

    amendment = read_amendment(path)
    check_expectations(amendment, [each.name for each in standings(amendment.subject)])
    return amendment


def run(amendment: Amendment, scope: Scope, engine: Engine, jobs: int | None, *, keep: bool) -> Study:
    """Study an amendment as the options say. Refused: one of its functions cannot be lifted."""
    from halfulp_formal.amend.investigator import Investigator
    from halfulp_formal.amend.study import outside_subset, study
    from halfulp_formal.cache import Cache, default_folder

    from .planning import cpu_count
    from .progress import Progress

    with Progress(0, "question") as progress:

        def hear(name: str, total: int) -> None:
            if progress.done >= progress.total:
                progress.restart(total)
            progress.step(name, "answered")

        cache = Cache(default_folder()) if keep else None
        investigator = Investigator(amendment, engine, jobs or cpu_count(), cache, hear, progress.say)
        studied = study(investigator, scope)
    outside = outside_subset(studied)
    if outside:
        raise Refused(outside)
    return studied


def write_skeleton(name: str, path: Path | None) -> int:
    """Write the skeleton of an amendment to a file that does not exist yet, or print it."""
    from halfulp_formal.amend.skeleton import skeleton
    from halfulp_formal.reporting import check_writable, write_whole

    files = skeleton(name, path or Path("amendment.yaml"))
    if path is None:
        for file, text in files.items():
            print(f"# {file.name}\n{text}" if len(files) > 1 else text, end="")
        return 0
    for file in files:
        if file.exists():
            raise Refused(f"{file}: exists; expected a new file")
        check_writable(file)
    for file, text in files.items():
        write_whole(file, text)
        print(file)
    return 0
