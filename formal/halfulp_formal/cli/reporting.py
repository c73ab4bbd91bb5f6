"""`halfulp report`: put shards together, make the folder of reports of a run, and look at it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

app = typer.Typer(no_args_is_help=True, help="The results of a run: put shards together, build reports, look at them.")

REPORTS = Path("reports")
OUT = typer.Option(REPORTS, "--out", metavar="DIR", help="The folder of reports; it is made if it is missing.")


@app.command("build")
def build(
    results_file: Path | None = typer.Argument(
        None, metavar="[RESULTS.json]", help="Of `halfulp prove --json`; without it results.json in the folder."
    ),
    out: Path = OUT,
    mutants: Path | None = typer.Option(
        None, "--mutants", metavar="FILE", help="Of `halfulp mutants --json`: show what became of them on the page."
    ),
) -> int:
    """Make summary.md, results.json, results.xml, findings.md and index.html from the results of a run.

    Nothing is proved here. The exit code is that of the run.
    """
    from halfulp_formal.reporting import MalformedResults, exit_code, headline
    from halfulp_formal.reporting.build import build_reports, write_reports
    from halfulp_formal.reporting.page.mutants import read_mutants

    from .failures import Refused
    from .folders import check_folder, make_folder

    source = results_file or out / "results.json"
    results = read(source)
    check_folder("--out", out)
    killed = None if mutants is None else read(mutants, read_mutants, "halfulp mutants --json")
    try:
        texts = build_reports(results, killed)
    except MalformedResults as error:
        raise Refused(f"{source}: {error}") from error
    make_folder("--out", out)
    write_reports(texts, out)
    print(headline(results))
    for name, text in texts.items():
        print(f"{out / name}: {len(text.encode()):,} bytes")
    return exit_code(results)


@app.command("merge")
def merge_shards(
    files: list[Path] = typer.Argument(..., metavar="SHARD.json…", help="Of `halfulp prove --shard I/N --json`."),
    json_file: Path = typer.Option(..., "--json", metavar="FILE", help="Write the results of the whole run there."),
) -> int:
    """Put the results of all shards of a run together. The exit code is that of the whole run."""
    from halfulp_formal.catalogue import conversions, obligations
    from halfulp_formal.reporting import check_writable, exit_code, headline, results_json, write_whole
    from halfulp_formal.reporting.merging import Unmergeable, merge

    from .failures import Refused

    check_writable(json_file)
    shards = [(str(path), read(path)) for path in files]
    order = (name for conversion in conversions() for name in obligations(conversion))
    try:
        results = merge(shards, order)
    except Unmergeable as error:
        raise Refused(str(error)) from error
    write_whole(json_file, results_json(results))
    print(headline(results))
    return exit_code(results)


@app.command("mutants")
def merge_mutants(
    files: list[Path] = typer.Argument(..., metavar="RUN.json…", help="Of `halfulp mutants --json`."),
    report: Path | None = typer.Option(None, "--report", metavar="FILE", help="Write the report as Markdown."),
    json_file: Path | None = typer.Option(None, "--json", metavar="FILE", help="Write the outcomes of all runs there."),
) -> int:
    """Put runs of mutants together, for instance one a family. The exit code is that of one run over all of it."""
    from halfulp_formal.mutants import report as reports
    from halfulp_formal.mutants.merging import merged, read_outcomes
    from halfulp_formal.reporting import MalformedResults, check_writable, write_whole

    from .failures import Refused

    for path in (report, json_file):
        if path is not None:
            check_writable(path)
    runs = [(str(path), read(path, read_outcomes, "halfulp mutants --json")) for path in files]
    try:
        found = merged(runs)
    except MalformedResults as error:
        raise Refused(str(error)) from error
    if report is not None:
        write_whole(report, reports.markdown(found))
    if json_file is not None:
        write_whole(json_file, reports.records(found))
    print(reports.summary(found))
    return reports.exit_code(found)


@app.command("open")
def open_page(out: Path = OUT) -> int:
    """Open index.html in the browser; print its path where there is none."""
    import webbrowser

    from halfulp_formal.reporting.build import PAGE

    from .failures import Refused

    page = (out / PAGE).resolve()
    if not page.is_file():
        raise Refused(f"--out {out}: has no {PAGE}; expected a folder that `halfulp report build` made")
    try:
        opened = webbrowser.open(page.as_uri())
    except webbrowser.Error:
        opened = False
    if not opened:
        print(page)
    return 0


def read(path: Path, reader: Callable[[Path], Any] | None = None, source: str = "halfulp prove --json") -> Any:
    """Read a file that `source` wrote: the results of a run, unless there is another reader. Raises Refused."""
    from halfulp_formal.reporting import MalformedResults, read_results

    from .failures import Refused

    try:
        return (reader or read_results)(path)
    except MalformedResults as error:
        raise Refused(str(error)) from error
    except OSError as error:
        raise Refused(f"cannot read {path}: {error.strerror}; expected a file of `{source}`") from error
