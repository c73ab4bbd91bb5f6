"""A study as Markdown for a review; what differs between two equal runs is left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from halfulp_formal.explain import as_lines
from halfulp_formal.wording import counted

from .expecting import section, surprises
from .misfit import shown
from .outcome import Status, Study
from .text import count_lines, groups, headline, new_lines, paired, partial_lines, tally, unchanged_lines, where_lines

TEMPLATE = Path(__file__).with_name("report.md.j2")


def cell(value: Any, nothing: str) -> str:
    """Return a value of the rule data as the cell of a table; `nothing`: the word for there being none."""
    return nothing if value is None else f"`{shown(value)}`"


def as_markdown(study: Study) -> str:
    """Return the report for a review."""
    environment = Environment(
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # noqa: S701  # Markdown, not HTML
    )
    environment.filters["cell"] = cell
    environment.filters["paired"] = paired
    environment.filters["counted"] = counted
    return environment.from_string(TEMPLATE.read_text(encoding="utf-8")).render(
        study=study,
        headline=headline(study),
        tally=tally(study),
        surprises=surprises(study),
        groups=groups(study.having(Status.CHANGED)),
        where=lambda entry: [" ".join(line.split()) for line in (*where_lines(entry.where), *count_lines(entry))],
        lines=as_lines,
        new=[line for line in new_lines(study) if line],
        unchanged=[line for line in unchanged_lines(study) if line],
        unsettled=study.having(Status.ERROR, Status.UNDECIDED),
        partial=list(partial_lines(study)),
        section=section(study),
    )
