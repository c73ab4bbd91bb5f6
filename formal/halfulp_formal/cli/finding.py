"""`halfulp findings`: where the specification contradicts itself, with witnesses."""

from __future__ import annotations

from pathlib import Path

import typer


def show_findings(
    output: Path | None = typer.Option(None, "--output", "-o", metavar="FILE", help="Write the report there instead."),
    solver: str = typer.Option("", help="The solver that decides.", show_default="the first of `halfulp solvers`"),
    jobs: int | None = typer.Option(None, min=1, show_default="one a CPU", help="Worker processes."),
    timeout: float = typer.Option(60.0, help="Seconds a query."),
    no_cache: bool = typer.Option(False, "--no-cache", help="Neither read nor keep verdicts."),
) -> int:
    """Print the sentences of the specification that its normative code makes false, in Markdown.

    Each has its smallest witness, the exact condition under which it fails, and the proof of that condition.
    """
    from halfulp_formal.findings_report import markdown, obligation_names
    from halfulp_formal.reporting import check_writable, exit_code, write_whole

    from .planning import make_plan
    from .runs import run_obligations

    if output is not None:
        check_writable(output)
    plan = make_plan(
        patterns=obligation_names(),
        groups=(),
        solver=solver,
        cross_check=False,
        jobs=jobs,
        timeout=timeout,
        shard="1/1",
        keep=not no_cache,
        dump=None,
    )
    results = run_obligations(plan)
    text = markdown([row.proof for row in results.rows])
    if output is None:
        print(text, end="")
    else:
        write_whole(output, text)
    return exit_code(results)
