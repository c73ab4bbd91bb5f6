"""A part of the report: what was measured, how, and a table."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

Value = TypeVar("Value")


@dataclass(frozen=True)
class Section:
    """A heading, a few sentences, and a table whose first row names its columns; a table of one row stays out."""

    title: str
    text: str
    table: Sequence[Sequence[str]] = ()

    def markdown(self) -> str:
        """Return the section as Markdown."""
        lines = [f"## {self.title}", self.text]
        if len(self.table) > 1:
            heading, *rows = self.table
            ruler = ["---", *["---:"] * (len(heading) - 1)]
            lines += ["", *(f"| {' | '.join(row)} |" for row in (heading, ruler, *rows))]
        return "\n".join(lines) + "\n"


def timed(action: Callable[..., Value], *arguments: Any) -> tuple[Value, float]:
    """Return what a call gives and the seconds that it took."""
    started = time.perf_counter()
    value = action(*arguments)
    return value, time.perf_counter() - started


def seconds(value: float) -> str:
    """Return seconds with three significant digits, in years where they are very many."""
    if value >= 3e7:
        return f"{value / 31_556_952:,.3g} years"
    return f"{value:,.0f} s" if value >= 100 else f"{value:.3g} s"


def rate(count: float, value: float, unit: str) -> str:
    """Return so many a second."""
    return f"{count / value:,.0f} {unit}/s" if value else "–"


def ratio(one: float, other: float) -> str:
    """Return how often one fits into the other."""
    return f"{other / one:,.3g}" if one else "–"
