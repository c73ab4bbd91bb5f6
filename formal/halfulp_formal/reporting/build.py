"""The folder of reports, made from the results of one run: nothing in it is dated, so equal runs make equal folders."""

from __future__ import annotations

from pathlib import Path

from halfulp_formal.findings_report import markdown
from halfulp_model.loader import default_rules

from .checked import MalformedResults
from .files import check_writable, write_whole
from .junit import junit_xml
from .results import Results, results_json
from .summary import summary

PAGE, MUTANTS = "index.html", "mutants.json"


def build_reports(results: Results, folder: Path) -> dict[str, int]:
    """Write every report of a run into a folder that is there; return the bytes of each by its name.

    What `halfulp mutants --json` has put there as mutants.json becomes a part of the page.

    Witnesses are explained by the model that is installed. MalformedResults: the run was about another model's rules, or
    not about obligations, or the mutants' file cannot be used. Raises OSError; no report is written unless each can be.
    """
    # imported here: the page needs the explanations, which a run does not
    from .page import page_html  # noqa: PLC0415

    refuse_other_model(results)
    mutants = folder / MUTANTS
    texts = {
        "summary.md": summary(results),
        "results.json": results_json(results, run=False),
        "results.xml": junit_xml(results, times=False),
        "findings.md": markdown([row.proof for row in results.rows]),
        PAGE: page_html(results, mutants if mutants.exists() else None),
    }
    for name in texts:
        check_writable(folder / name)
    for name, text in texts.items():
        write_whole(folder / name, text)
    return {name: len(text.encode()) for name, text in texts.items()}


def refuse_other_model(results: Results) -> None:
    """Raise MalformedResults where results are not of the installed model's obligations."""
    if results.noun != "obligation":
        raise MalformedResults(f"about: given '{results.noun}s', expected 'obligations'")
    digest = default_rules().digest
    if results.rules != digest:
        raise MalformedResults(f"rules: given '{results.rules}', expected '{digest}', the rules of this halfulp")
