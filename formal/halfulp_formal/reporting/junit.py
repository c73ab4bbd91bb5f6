"""JUnit XML: a suite a conversion, a test case an obligation; refuted is a failure, undecided skipped, error an error."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from xml.etree import ElementTree as ET

from halfulp_formal.obligation import Verdict

from .results import Results, Row
from .text import row_lines

ELEMENTS = {
    Verdict.PROVED: "failure",  # unexpected: a refutation was due
    Verdict.REFUTED: "failure",
    Verdict.UNDECIDED: "skipped",
    Verdict.ERROR: "error",
}


def junit_xml(results: Results, *, times: bool = True) -> str:
    """Return the results as JUnit XML; without times it is the same for equal runs."""
    root = ET.Element("testsuites", {"name": f"halfulp {results.noun}s", **totals(results.rows, times)})
    rows = sorted(results.rows, key=lambda row: row.proof.conversion)
    for conversion, members in groupby(rows, key=lambda row: row.proof.conversion):
        suite_rows = list(members)
        suite = ET.SubElement(root, "testsuite", {"name": conversion, **totals(suite_rows, times)})
        for row in suite_rows:
            add_case(suite, row, times)
    ET.indent(root, " ")
    return ET.tostring(root, encoding="unicode") + "\n"


def totals(rows: Sequence[Row], times: bool) -> dict[str, str]:
    """Return the counts that a suite carries as attributes."""
    kinds = [ELEMENTS[row.proof.verdict] for row in rows if not row.proof.ok]
    return {
        "tests": str(len(rows)),
        "failures": str(kinds.count("failure")),
        "errors": str(kinds.count("error")),
        "skipped": str(kinds.count("skipped")),
        **time_of(rows, times),
    }


def time_of(rows: Sequence[Row], times: bool) -> dict[str, str]:
    """Return the attribute of the time that some rows took, or none."""
    return {"time": f"{sum(row.proof.seconds for row in rows):.3f}"} if times else {}


def add_case(suite: ET.Element, row: Row, times: bool) -> None:
    """Add one test case."""
    proof = row.proof
    last = proof.name.removeprefix(f"{proof.conversion}.")
    case = ET.SubElement(suite, "testcase", {"classname": proof.conversion, "name": last, **time_of([row], times)})
    if proof.ok:
        return
    lines = row_lines(row)
    element = ET.SubElement(case, ELEMENTS[proof.verdict], message=lines[0])
    element.text = "\n".join(lines)
