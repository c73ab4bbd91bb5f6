"""`halfulp replay`: somebody's implementation run over vector files, every answer judged."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand

from halfulp_formal.wording import counted

from .failures import Interrupted, Refused, check_amount, number_of, stopped

if TYPE_CHECKING:
    from halfulp_formal.replay.conversation import Limits
    from halfulp_formal.replay.judging import Judged

FORMATS = "jsonl or testfloat"

#: files with mismatches whose answers are compared with those of every mutant, which takes about a second a file
COMPARED = 10

#: where a run's own context keeps the command that follows --
COMMAND = "halfulp.command"


class Divided(TyperCommand):
    """A command line of two halves: options and files, then -- and somebody's command, of which nothing is ours."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the second half off."""
        if "--" in args:
            place = args.index("--")
            ctx.meta[COMMAND] = args[place + 1 :]
            args = args[:place]
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Show the second half in the usage line."""
        return [*super().collect_usage_pieces(ctx), "-- COMMAND…"]


def replay_files(
    ctx: typer.Context,
    files: list[Path] = typer.Argument(..., metavar="FILE…", help="Vector files in JSON Lines."),
    fmt: str = typer.Option("jsonl", "--format", metavar="FORMAT", help=f"What the command reads: {FORMATS}."),
    window: int = typer.Option(0, min=0, show_default="all", help="Most cases asked for and not yet answered."),
    case_timeout: float = typer.Option(10.0, "--case-timeout", help="Seconds without an answer."),
    file_timeout: float = typer.Option(600.0, "--file-timeout", help="Seconds a file."),
    shown: int = typer.Option(20, "--show", min=0, help="Mismatches of a file to print."),
    explained: int = typer.Option(3, "--explain", min=0, help="How many of them to explain stage by stage."),
    json_file: Path | None = typer.Option(None, "--json", metavar="FILE", help="Write JSON; - means stdout."),
) -> int:
    """Start a command once a file, ask it for every case, and compare all bits of every answer.

    It gets {"id": 17, "in": ["0000012c", …]} on a line of its input, and prints {"id": 17, "out": ["00", "14"]}, in any
    order within the window. With --format testfloat it gets operands and prints results and TestFloat's flag byte, in
    order. {conversion} in COMMAND stands for the conversion's name. A --window that is smaller than a file needs a command
    that flushes its output.

    Exit code 1: an answer differs. 2: a file cannot be read, or the command not started. 4: the command died, hung,
    stopped early or printed what is no answer. 130, 143: SIGINT, SIGTERM; the command is ended with all that it started.
    """
    from halfulp_formal.replay.conversation import Limits
    from halfulp_formal.replay.judging import exit_code
    from halfulp_formal.replay.report import as_record, file_lines, summary_lines
    from halfulp_formal.replay.wire import WIRES

    command = ctx.meta.get(COMMAND)
    if not command:
        raise Refused("no command: expected halfulp replay FILE… -- COMMAND…")
    if fmt not in WIRES:
        raise Refused(f"--format {fmt}: expected {FORMATS}")
    for name, seconds in (("--case-timeout", case_timeout), ("--file-timeout", file_timeout)):
        check_amount(name, seconds, "seconds")
    write = writer(json_file)
    limits = Limits(case_timeout, file_timeout, window)
    done = []
    for judged in run_files(files, command, fmt, limits):
        done.append(judged)
        if json_file != Path("-"):
            print("".join(f"{line}\n" for line in file_lines(judged, shown, explained)), end="", flush=True)
    if write is not None:
        write(json.dumps(as_record(done), indent=1))
    if json_file != Path("-"):
        print("\n".join(summary_lines(done)))
    return exit_code(done)


def writer(path: Path | None) -> Callable[[str], object] | None:
    """Return what writes the JSON: to a file that was found writable, or to stdout; None where none is wanted."""
    if path is None:
        return None
    if path == Path("-"):
        return print
    from halfulp_formal.reporting import check_writable, write_whole

    check_writable(path)
    return lambda text: write_whole(path, text + "\n")


def run_files(files: list[Path], command: list[str], fmt: str, limits: Limits) -> Iterator[Judged]:
    """Replay file after file, after all of them were read; the first with mismatches are compared with the mutants."""
    from halfulp_formal.replay.conversation import CannotStart
    from halfulp_formal.replay.judging import BadFile, read_files, replay

    try:
        those = read_files(files)
    except BadFile as error:
        raise Refused(str(error)) from error
    compared = 0
    for done, file in enumerate(those):
        try:
            judged = replay(file, command, fmt, limits)
            if judged.mismatches and compared < COMPARED:
                # loaded only now: a command that gets everything right waits for no mutants
                from halfulp_formal.replay.likeness import with_likeness

                compared += 1
                judged = with_likeness(judged)
        except CannotStart as error:
            raise Refused(str(error)) from error
        except KeyboardInterrupt as error:
            told = f"{stopped(error)} after {done} of {counted(len(files), 'file')}; the command was ended"
            raise Interrupted(told, number_of(error)) from error
        yield judged
