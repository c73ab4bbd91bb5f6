"""A run's report on stdout: coloured where it is a terminal, plain text elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from halfulp_formal.reporting import details, headline, summary_table

if TYPE_CHECKING:
    from halfulp_formal.reporting import Results

COLOURS = {"PROVED": "green", "REFUTED": "red", "UNDECIDED": "yellow", "ERROR": "magenta"}


def print_report(results: Results) -> None:
    """Print what the run came to in one line, a table by family and verdict, then all that is not as expected.

    A run of nothing has its line only.
    """
    console = Console(highlight=False, soft_wrap=True)
    style = "bold red" if results.unexpected else "bold green"
    console.print(Text(headline(results), style=style))
    if not results.rows:
        return
    heading, *rows = summary_table(results)
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for place, title in enumerate(heading):
        table.add_column(title, justify="right" if place else "left")
    for row in rows:
        table.add_row(*row)
    console.print()
    console.print(table)
    for lines in details(results):
        console.print()
        verdict, _, rest = lines[0].partition(" ")
        console.print(Text.assemble((verdict, COLOURS.get(verdict, "")), f" {rest}"))
        for line in lines[1:]:
            console.print(Text(line))
