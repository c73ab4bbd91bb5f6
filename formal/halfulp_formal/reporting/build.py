"""The folder of reports, made from the results of one run: nothing in it is dated, so equal runs make equal folders."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from halfulp_formal.findings_report import markdown
from halfulp_model.loader import default_rules

from .checked import MalformedResults
from .files import check_writable, write_whole
from .junit import junit_xml
from .results import Results, results_json
from .summary import summary

PAGE = "index.html"


def build_reports(results: Results, mutants: Mapping[str, Any] | None = None) -> dict[str, str]:
    """Return the text of every report of a run by the name of its file.

    mutants: from `page.mutants.read_mutants`; they become a part of the page. Witnesses are explained by the model that is
    installed. MalformedResults: the run was about another model's rules, or not about obligations.
    """
    # imported here: the page needs the explanations, which a run does not
    from .page import page_html  # noqa: PLC0415

    refuse_other_model(results)
    return {
        "summary.md": summary(results),
        "results.json": results_json(results, run=False),
        "results.xml": junit_xml(results, times=False),
        "findings.md": markdown([row.proof for row in results.rows]),
        PAGE: page_html(results, mutants),
    }


def write_reports(texts: Mapping[str, str], folder: Path) -> None:
    """Write reports into a folder that is there. Raises OSError; none is written unless each can be."""
    for name in texts:
        check_writable(folder / name)
    for name, text in texts.items():
        write_whole(folder / name, text)


def refuse_other_model(results: Results) -> None:
    """Raise MalformedResults where results are not of the installed model's obligations."""
    if results.noun != "obligation":
        raise MalformedResults(f"about: given '{results.noun}s', expected 'obligations'")
    digest = default_rules().digest
    if results.rules != digest:
        raise MalformedResults(f"rules: given '{results.rules}', expected '{digest}', the rules of this halfulp")
