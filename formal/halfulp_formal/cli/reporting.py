"""`halfulp report`: make the folder of reports from the results of a run, and look at them."""

from __future__ import annotations

from pathlib import Path

import typer

app = typer.Typer(no_args_is_help=True, help="Reports of a run: build them, look at them.")

REPORTS = Path("reports")
OUT = typer.Option(REPORTS, "--out", metavar="DIR", help="The folder of reports; it is made if it is missing.")


@app.command("build")
def build(
    results_file: Path | None = typer.Argument(
        None, metavar="[RESULTS.json]", help="Of `halfulp prove --json`; without it results.json in the folder."
    ),
    out: Path = OUT,
) -> int:
    """Make summary.md, results.json, results.xml, findings.md and index.html from the results of a run.

    Nothing is proved here. The exit code is that of the run.
    """
    from halfulp_formal.reporting import MalformedResults, exit_code, headline, read_results
    from halfulp_formal.reporting.build import build_reports

    from .failures import Refused

    source = results_file or out / "results.json"
    try:
        results = read_results(source)
    except MalformedResults as error:
        raise Refused(str(error)) from error
    except OSError as error:
        raise Refused(f"cannot read {source}: {error.strerror}; expected a file of `halfulp prove --json`") from error
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refused(f"--out {out}: cannot be a folder: {error.strerror}") from error
    try:
        sizes = build_reports(results, out)
    except MalformedResults as error:
        raise Refused(f"{source}: {error}") from error
    print(headline(results))
    for name, size in sizes.items():
        print(f"{out / name}: {size:,} bytes")
    return exit_code(results)


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
