"""index.html: one page that needs no network, its data inside it as JSON, its styles and scripts from the files beside."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from halfulp_formal.reporting.results import Results
from halfulp_formal.reporting.summary import open_lines
from halfulp_formal.reporting.text import summary_table

from .data import counts, page_data

ASSETS = Path(__file__).with_name("assets")

#: in the order in which they run; each sees what the ones before it define
SCRIPTS = ("elements", "data", "filters", "map", "staircase", "case", "conversion", "findings", "mutants", "pages")


def page_html(results: Results, mutants: Mapping[str, Any] | None = None) -> str:
    """Return the page; mutants: from `mutants.read_mutants`."""
    environment = Environment(
        loader=PackageLoader("halfulp_formal.reporting.page", "assets"),
        undefined=StrictUndefined,
        autoescape=True,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    data = page_data(results)
    if mutants is not None:
        data["mutants"] = mutants
    return environment.get_template("page.html.j2").render(
        results=results,
        counts=counts(data),
        states=data["states"],
        has_mutants="mutants" in data,
        open_lines=[list(linked(line)) for line in open_lines(results) if line],
        table=summary_table(results),
        style=asset("page.css"),
        script=Markup("\n").join(asset(f"{name}.js") for name in SCRIPTS),
        data=embedded(data),
    )


def linked(line: str) -> Iterator[tuple[str, str]]:
    """Yield the pieces of a line of Markdown, each with the address it leads to; an obligation's name leads to it."""
    for place, text in enumerate(line.removeprefix("- ").replace("**", "").split("`")):
        conversion, _, kind = text.rpartition(".")
        yield text, f"#/c/{conversion}/{kind}" if place % 2 else ""


def asset(name: str) -> Markup:
    """Return a file of styles or scripts as it stands."""
    return Markup((ASSETS / name).read_text(encoding="utf-8"))  # noqa: S704  # a file of this package


def embedded(data: Any) -> Markup:
    """Return JSON that may stand inside a script element: no text in it can end the element or open a comment."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028"))  # noqa: S704  # nothing is left to escape
