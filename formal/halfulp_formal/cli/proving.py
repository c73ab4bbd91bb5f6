"""`halfulp prove`: decide obligations, or put the seeded mistakes to them, and report."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import typer

from .failures import Refused
from .listing import ALL, NIGHTLY, PATTERNS

STDOUT = Path("-")

#: as in `halfulp_formal.decide`, which --help does not load
MEMORY = 1.5


def prove(
    patterns: list[str] = PATTERNS,
    everything: bool = ALL,
    nightly: bool = NIGHTLY,
    solver: str = typer.Option("", help="The solver that decides.", show_default="the first of `halfulp solvers`"),
    cross_check: bool = typer.Option(False, "--cross-check", help="Ask a second solver too; they must agree."),
    second: str = typer.Option("", metavar="SOLVER", help="The second solver; implies --cross-check."),
    jobs: int | None = typer.Option(None, min=1, show_default="one a CPU", help="Worker processes."),
    timeout: float = typer.Option(60.0, help="Seconds a query."),
    memory: float = typer.Option(
        MEMORY, help="GiB of each worker, looked at 5 times a second: a shorter query may pass it."
    ),
    shard: str = typer.Option("1/1", metavar="I/N", help="Decide only the I-th of N parts, which take equally long."),
    times: Path | None = typer.Option(None, metavar="FILE", help="Results of an earlier run, whose times split it."),
    dask: str = typer.Option("", metavar="ADDRESS", help="Decide on the Dask cluster whose scheduler is there."),
    json_file: Path | None = typer.Option(None, "--json", metavar="FILE", help="Write JSON; - means stdout."),
    junit_file: Path | None = typer.Option(None, "--junit", metavar="FILE", help="Write JUnit XML."),
    no_cache: bool = typer.Option(False, "--no-cache", help="Neither read nor keep verdicts."),
    dump: Path | None = typer.Option(None, metavar="DIR", help="Write every query as SMT-LIB 2 with its due answer."),
    seeded: bool = typer.Option(False, "--seeded", help="Put the seeded mistakes to the proof: each must be refuted."),
) -> int:
    """Decide obligations: each must get its expected verdict, for every input.

    A pattern selects obligations by their own name or by their conversion's: 'req8.*', '*.equivalent', qf322b8.
    """
    from halfulp_formal.reporting import check_writable, exit_code, junit_xml, results_json, write_whole

    from .obligations import groups
    from .planning import make_plan
    from .reports import print_report
    from .runs import run_obligations, run_seeded

    if json_file is not None and json_file == junit_file:
        raise Refused(f"--json and --junit: given {json_file} for both; expected two files")
    to_file = json_file is not None and json_file != STDOUT
    for path in (json_file, junit_file):
        if path is not None and path != STDOUT:
            check_writable(path)
    plan = make_plan(
        patterns=list(patterns or []),
        groups=groups(everything, nightly),
        solver=solver,
        cross_check=cross_check,
        jobs=jobs,
        timeout=timeout,
        shard=shard,
        keep=not no_cache,
        dump=dump,
        second=second,
        memory=memory,
        times=times,
        dask=dask,
        save=json_file.parent / "disagreements" if json_file is not None and to_file else None,
    )
    with plan.cluster or nullcontext():
        results = run_seeded(plan) if seeded else run_obligations(plan)
    # files first: whoever reads stdout may stop reading after the first line
    if json_file not in (None, STDOUT):
        write_whole(json_file, results_json(results))
    if junit_file is not None:
        write_whole(junit_file, junit_xml(results))
    if json_file == STDOUT:
        print(results_json(results), end="")
    else:
        print_report(results)
    return exit_code(results)
