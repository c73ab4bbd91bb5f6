"""`halfulp mutants`: whether the shipped vector files kill every small mistake that a model could have."""

from __future__ import annotations

from pathlib import Path

import typer

STDOUT = Path("-")


def run_mutants(
    patterns: list[str] = typer.Argument(
        None,
        metavar="[PATTERN]…",
        help="Glob patterns of conversions that have a file: plain ones, scales, blocks, formats, tiles and the "
        "matrix multiply too; none means the post-processing.",
    ),
    vectors: Path = typer.Option(Path("vectors"), "--vectors", metavar="DIR", help="The folder of the vector files."),
    report: Path | None = typer.Option(None, "--report", metavar="FILE", help="Write the report as Markdown."),
    json_file: Path | None = typer.Option(None, "--json", metavar="FILE", help="Write JSON; - means stdout."),
    update: bool = typer.Option(
        False, "--update", help="Give mutants that survive a corner class each; write the vector files anew afterwards."
    ),
    jobs: int | None = typer.Option(None, min=1, show_default="one a CPU", help="Worker processes."),
    solver: str = typer.Option("", help="The solver that decides.", show_default="the first of `halfulp solvers`"),
    timeout: float = typer.Option(20.0, help="Seconds a query."),
    no_cache: bool = typer.Option(False, "--no-cache", help="Neither read nor keep verdicts."),
) -> int:
    """Run every first-order mutant of the model on the vector files; prove equivalent what no case kills.

    Exit code 1: a mutant survives. Exit code 3: one is neither killed nor proved equivalent.
    """
    import sys

    from halfulp_formal.cache import Cache, default_folder, source_digest
    from halfulp_formal.decide import Engine
    from halfulp_formal.mutants import report as reports
    from halfulp_formal.mutants.outcome import killed_by, outcomes, settled, survivors_of
    from halfulp_formal.mutants.witnessing import text as data_text
    from halfulp_formal.mutants.witnessing import with_survivors
    from halfulp_formal.reporting import check_writable, write_whole
    from halfulp_formal.solvers import preferred, version_of
    from halfulp_formal.vectors.classes.mutants import DATA, known
    from halfulp_formal.vectors.witnesses import Searcher

    from .failures import check_amount
    from .planning import cpu_count
    from .progress import Progress

    check_amount("--timeout", timeout, "seconds")
    for path in (report, json_file):
        if path not in (None, STDOUT):
            check_writable(path)
    engine = Engine(solver or preferred(), timeout)
    version_of(engine.solver)  # refuses a solver that is not installed
    files = read_files(vectors, select(patterns or [], vectors))
    jobs = jobs or cpu_count()
    cache = None if no_cache else Cache(default_folder(), source_digest())
    with Progress(len(files), "conversion") as progress:
        killed = killed_by(files, jobs, lambda name: progress.step(name, "run"))
    survivors = survivors_of(killed)
    with Progress(len(survivors), "mutant") as progress:
        proofs = settled(
            survivors, engine, jobs=jobs, cache=cache, on_settled=lambda name: progress.step(name, "settled")
        )
    found = outcomes(killed, proofs)
    if update:
        made = with_survivors(known(), found, Searcher(engine, cache), lambda line: print(line, file=sys.stderr))
        write_whole(DATA, data_text(made))
    if json_file == STDOUT:
        print(reports.records(found), end="")
    else:
        print(reports.text(found), end="")
    if json_file not in (None, STDOUT):
        write_whole(json_file, reports.records(found))
    if report is not None:
        write_whole(report, reports.markdown(found))
    return reports.exit_code(found)


def select(patterns: list[str], folder: Path) -> list[str]:
    """Return the conversions with mutants and a file that patterns select; no pattern selects the post-processing.

    A shipped file must be there; any other counts if it is in the folder. Raises Refused.
    """
    from halfulp_formal.vectors.family import UnknownConversion, matching
    from halfulp_formal.vectors.selection import is_shipped
    from halfulp_model.conversions import conversions

    from .failures import Refused

    try:
        names = matching(patterns)
    except UnknownConversion as error:
        raise Refused(str(error)) from error
    if not patterns:
        return [name for name in names if name in conversions()]
    found = [name for name in names if is_shipped(name) or (folder / f"{name}.jsonl").is_file()]
    if not found:
        raise Refused(
            f"{', '.join(patterns)}: no file in {folder}; expected conversions that have one, {names[0]}.jsonl"
        )
    return found


def read_files(folder: Path, names: list[str]) -> dict[str, list[tuple[tuple[int, ...], tuple[int, ...]]]]:
    """Return inputs and outputs of the cases of conversions. Raises Refused where a file cannot be read as vectors."""
    from halfulp_formal.vectors.reading import read

    from .failures import Refused

    found = {}
    for name in names:
        file = read(folder / f"{name}.jsonl")
        if file.problems:
            raise Refused(str(file.problems[0]))
        found[name] = [(line.inputs, line.outputs) for line in file.lines]
    return found
