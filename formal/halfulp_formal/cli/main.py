"""The `halfulp` command: its groups of commands, and one place where every failure becomes one line and an exit code."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import typer
from typer.core import TyperGroup

from . import amending, covering, evaluating, explaining, finding, listing, mutating, proving, replaying, ties
from .failures import USAGE, complain, orderly_end, report
from .folders import check_places
from .versions import halfulp_version

#: modules of further groups of commands, each with a typer app named `app`, by the name of the group
GROUPS = {
    "report": "halfulp_formal.cli.reporting",
    "vectors": "halfulp_formal.cli.vectors",
    "cache": "halfulp_formal.cli.caching",
}

#: set to see where an internal error came from
TRACEBACK = "HALFULP_TRACEBACK"


class Program(TyperGroup):
    """The group of all commands; a command returns its exit code."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run and exit; nothing but an exit code and one line on stderr comes of a failure."""
        extra["standalone_mode"] = False
        try:
            code = super().main(*args, **extra)
            sys.stdout.flush()
        except Exception as error:
            if os.environ.get(TRACEBACK):
                raise
            code = report(error)
        sys.exit(code if isinstance(code, int) else 0)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Refuse what the library, which makes paths of the words, would not tell from the current folder."""
        check_places(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; a signal and a closed pipe are failures like others, whatever the library makes of them."""
        try:
            with orderly_end():
                return super().invoke(ctx)
        except (KeyboardInterrupt, BrokenPipeError) as error:
            return report(error)


def show_version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        print(f"halfulp {halfulp_version()}")
        raise typer.Exit


app = typer.Typer(
    cls=Program,
    name="halfulp",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 as expected, 1 refuted or mismatch, 2 usage, 3 undecided, 4 error or solvers disagree, "
    "130 interrupted, 143 ended by SIGTERM.",
)
app.command("list")(listing.list_conversions)
app.command("prove")(proving.prove)
app.command("explain", cls=explaining.Signed)(explaining.explain_case)
app.command("eval")(evaluating.evaluate_lines)
app.command("amend")(amending.amend)
app.command("findings")(finding.show_findings)
app.command("replay", cls=replaying.Divided)(replaying.replay_files)
app.command("coverage")(covering.show_coverage)
app.command("mutants")(mutating.run_mutants)
app.command("solvers")(listing.list_solvers)
app.add_typer(ties.app, name="ties")
for group, module in GROUPS.items():
    if find_spec(module) is not None:
        app.add_typer(import_module(module).app, name=group)


@app.callback()
def options(
    _version: bool = typer.Option(False, "--version", callback=show_version, is_eager=True, help="Print the version."),
) -> None:
    """Proofs and boundary vectors for low-precision number conversions."""


def main() -> None:
    """Run the command line."""
    if sys.stdout is None:
        sys.exit(complain("cannot write to stdout: it is closed", USAGE))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # a terminal that lacks a character shows another in its place
            stream.reconfigure(errors="replace")
    app(prog_name="halfulp")
