"""Progress on stderr: a bar on a terminal, elsewhere a plain line now and then."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from halfulp_formal.wording import counted

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from halfulp_formal.obligation import Proof

#: seconds between two plain lines
INTERVAL = 10.0


class Progress:
    """Counts what is settled and says so; an unexpected verdict is named as soon as it is known."""

    def __init__(self, total: int, noun: str) -> None:
        self.total = total
        self.noun = noun
        self.done = 0
        self.unexpected = 0
        self.spoken = time.monotonic()
        self.bar: Bar | None = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
            self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self.bar.start()
            self.bar.add_task("", total=self.total)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def hear(self, proof: Proof) -> None:
        """Take note of a verdict; one that is not the expected one is named."""
        self.count(proof, not proof.ok)

    def count(self, proof: Proof, unexpected: bool) -> None:
        """Take note of a verdict, and name it if it is unexpected."""
        if unexpected:
            self.unexpected += 1
            self.say(f"{proof.verdict.name} {proof.name}")
        self.step(proof.name, "decided")

    def step(self, name: str, what: str) -> None:
        """Count one more; `what` says in one word what has happened to it."""
        self.done += 1
        if self.bar is not None:
            self.bar.update(self.bar.task_ids[0], advance=1, description=name)
        elif time.monotonic() - self.spoken >= INTERVAL:
            self.spoken = time.monotonic()
            self.say(f"{self.done:,} of {counted(self.total, self.noun)} {what}")

    def restart(self, total: int) -> None:
        """Count something else from the start."""
        self.total, self.done = total, 0
        if self.bar is not None:
            self.bar.reset(self.bar.task_ids[0], total=total)

    def say(self, line: str) -> None:
        """Print a line beside the bar."""
        if self.bar is not None:
            self.bar.console.print(line, highlight=False, markup=False)
        else:
            print(f"halfulp: {line}", file=sys.stderr, flush=True)
