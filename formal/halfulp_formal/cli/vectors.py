"""`halfulp vectors`: write vector files, and check any against the golden model."""

from __future__ import annotations

from pathlib import Path

import typer

from halfulp_formal.wording import counted

from .folders import FORMATS, check_planes, check_target, write_to
from .minimising import minimise

app = typer.Typer(no_args_is_help=True, help="Corner-case vector files: write them, and check any.")
app.command("minimise")(minimise)

#: problems of one file that are printed before the rest is only counted
MOST_LINES = 20


@app.command("write")
def write(
    patterns: list[str] = typer.Argument(
        None,
        metavar="[PATTERN]…",
        help="Glob patterns of conversions; none means those whose files are shipped, and drops all other files.",
    ),
    out: Path = typer.Option(..., "--out", metavar="DIR", help="The folder to write to."),
    fmt: str = typer.Option("jsonl", "--format", metavar="FORMAT", help=f"{FORMATS}."),
    jobs: int | None = typer.Option(None, min=1, show_default="one a CPU", help="Worker processes."),
    solver: str = typer.Option("", help="The solver that finds and proves; the files do not depend on it."),
    timeout: float = typer.Option(60.0, help="Seconds a query."),
    no_cache: bool = typer.Option(False, "--no-cache", help="Neither read nor keep witnesses and proofs."),
) -> int:
    """Write vector files: every corner class of a conversion with its witnesses, or the proof that it is empty.

    A pattern selects conversions: 'req8.*', req8, '*.sat'; a vector mode's name selects its scalar twin's file. Every
    plain conversion can be written, 'cvt.fp16.e4m3.*', though only a selection is shipped.
    """
    from halfulp_formal.cache import Cache, default_folder
    from halfulp_formal.decide import Engine
    from halfulp_formal.solvers import preferred, version_of
    from halfulp_formal.vectors.family import UnknownConversion, matching
    from halfulp_formal.vectors.generate import suites
    from halfulp_formal.vectors.witnesses import NoWitness

    from .failures import Refused, check_amount
    from .planning import cpu_count
    from .progress import Progress

    check_target(out, fmt)
    check_amount("--timeout", timeout, "seconds")
    engine = Engine(solver or preferred(), timeout)
    version_of(engine.solver)  # refuses a solver that is not installed
    try:
        names = matching(patterns or [])
    except UnknownConversion as error:
        raise Refused(str(error)) from error
    check_planes(names, fmt)
    cache = None if no_cache else Cache(default_folder())
    try:
        with Progress(len(names), "conversion") as progress:
            made = suites(
                names,
                engine,
                jobs=jobs or cpu_count(),
                cache=cache,
                on_suite=lambda name: progress.step(name, "searched"),
            )
    except NoWitness as error:
        return give_up(error)
    write_to(out, made, fmt, whole=not patterns)
    cases = sum(len(suite.cases) for suite in made)
    empty = sum(entry.unreachable is not None for suite in made for entry in suite.classes)
    classes = sum(len(suite.classes) for suite in made)
    files = f"{counted(len(made), 'file')}, {counted(cases, 'case')}"
    print(f"{out}: {files}; {counted(classes, 'class', 'classes')}, {empty:,} of them proved empty")
    return 0


@app.command("fold")
def fold(
    out: Path = typer.Option(..., "--out", metavar="FILE", help="The file to write."),
) -> int:
    """Write operands of K = 512 on which every lane of an FP32 fold differs from its sum rounded once.

    64 pairs of v64 planes of A and of B transposed, then the 64 lanes of both; no solver is needed.
    """
    from halfulp_formal.reporting import write_whole
    from halfulp_formal.vectors.fold_planes import text

    write_whole(out, text())
    return 0


@app.command("open")
def open_questions(
    out: Path = typer.Option(..., "--out", metavar="FILE", help="The file to write."),
    solver: str = typer.Option("", help="The solver that finds the blocks; the file does not depend on it."),
    timeout: float = typer.Option(60.0, help="Seconds a query."),
) -> int:
    """Write what the evidence on bfp16 leaves open, with the smallest blocks that meet each question.

    None of these blocks is in a vector file, but for those of the two readings of -128.
    """
    from halfulp_formal.decide import Engine
    from halfulp_formal.open_blocks import NotFound
    from halfulp_formal.open_report import text
    from halfulp_formal.reporting import check_writable, write_whole
    from halfulp_formal.solvers import preferred

    from .failures import complain
    from .progress import Progress

    check_writable(out)
    try:
        with Progress(10, "conversion") as progress:
            content = text(Engine(solver or preferred(), timeout), lambda name: progress.step(name, "searched"))
    except NotFound as error:
        return complain(f"{error}; nothing written", 3)
    write_whole(out, content)
    return 0


def give_up(error: Exception) -> int:
    """Say which class was left open, and return the exit code for it: nothing has been written."""
    from halfulp_formal.obligation import Verdict
    from halfulp_formal.vectors.witnesses import NoWitness

    from .failures import complain

    assert isinstance(error, NoWitness)
    return complain(f"{error}; nothing written", 3 if error.proof.verdict is Verdict.UNDECIDED else 4)


@app.command("check")
def check(
    paths: list[Path] = typer.Argument(..., metavar="FILE|DIR…", help="JSON Lines files, and folders with a manifest."),
    json_file: Path | None = typer.Option(None, "--json", metavar="FILE", help="Write JSON; - means stdout."),
    classes: bool = typer.Option(
        False,
        "--classes",
        help="Evaluate the formula of every class as well: each case is in its class, and none in a class that the "
        "header calls unreachable. Takes up to a few seconds a file.",
    ),
) -> int:
    """Recompute vector files with the golden model and compare; no solver is needed.

    Exit code 1: a file says what is not so. Exit code 2: a file cannot be read as vectors.
    """
    import json
    from itertools import groupby

    from halfulp_formal.vectors.checking import check_paths
    from halfulp_formal.vectors.writing import MANIFEST

    from .failures import Refused

    for path in paths:
        if path.is_dir() and not (path / MANIFEST).exists():
            wanted = f"a folder of `halfulp vectors write`, or the files: {path}/*.jsonl"
            raise Refused(f"{path}: has no {MANIFEST}; expected {wanted}")
    report = check_paths(paths, classes=classes)
    record = {
        "files": report.files,
        "cases": report.cases,
        "problems": [
            {
                "file": str(problem.path),
                "line": problem.line,
                "field": problem.field,
                "given": problem.given,
                "expected": problem.expected,
                "malformed": problem.malformed,
            }
            for problem in report.problems
        ],
    }
    if json_file == Path("-"):
        print(json.dumps(record, indent=1))
        return report.exit_code
    if json_file is not None:
        from halfulp_formal.reporting import write_whole

        write_whole(json_file, json.dumps(record, indent=1) + "\n")
    for path, group in groupby(report.problems, key=lambda problem: problem.path):
        problems = list(group)
        for problem in problems[:MOST_LINES]:
            print(problem)
        if len(problems) > MOST_LINES:
            print(f"{path}: {counted(len(problems) - MOST_LINES, 'more problem')}")
    verdict = counted(len(report.problems), "problem") if report.problems else "as the model gives them"
    print(f"{counted(report.files, 'file')}, {counted(report.cases, 'case')}: {verdict}")
    return report.exit_code
