"""The summary of a run in Markdown: what is not proved stands in its first lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from halfulp_formal import catalogue
from halfulp_formal.obligation import Verdict
from halfulp_formal.wording import counted

from .results import Results, Row
from .text import summary_table

#: names that are listed of each verdict before the rest is only counted
LISTED = 20

#: what an unexpected verdict is called
UNEXPECTED = {
    Verdict.ERROR: "error",
    Verdict.REFUTED: "refuted",
    Verdict.UNDECIDED: "undecided",
    Verdict.PROVED: "proved, where a refutation was expected",
}


def summary(results: Results) -> str:
    """Return the summary of a run; equal for equal runs."""
    return "\n".join(
        [
            "# Proofs",
            "",
            *open_lines(results),
            "",
            *markdown_table(summary_table(results)),
            "",
            "## What stands behind it",
            "",
            *evidence(results),
            "",
        ]
    )


def open_lines(results: Results) -> Iterator[str]:
    """Yield what is not proved: the verdicts that are not as expected, and the obligations that this run left out."""
    wrong, missing = results.unexpected, left_out(results)
    total = sum(missing.values()) + len(results.rows)
    if not wrong and not missing:
        yield f"**Nothing is open.** All {counted(total, 'obligation')} of the catalogue have the verdict that is due."
    else:
        yield f"**Not everything is proved.** {counted(len(results.rows), 'obligation')} of {total:,} decided:"
        yield ""
    for verdict, text in UNEXPECTED.items():
        rows = [row for row in wrong if row.proof.verdict is verdict]
        if rows:
            yield f"- {text}: {counted(len(rows), 'obligation')}: {listed(rows)}"
    for (family, group), count in missing.items():
        yield f"- not in this run: {counted(count, 'obligation')} of {family} (group {group})"
    if missing and not wrong:
        yield "- every other verdict is the one that is due"


def left_out(results: Results) -> Counter[tuple[str, str]]:
    """Return how many obligations of the catalogue have no result, by family and group."""
    decided = {row.proof.name for row in results.rows}
    missing: Counter[tuple[str, str]] = Counter()
    for family in catalogue.FAMILIES:
        names = (f"{name}.{kind.name}" for name in family.conversions() for kind in family.kinds(name))
        count = sum(name not in decided for name in names)
        if count:
            missing[family.name, family.group.value] = count
    return missing


def listed(rows: Sequence[Row]) -> str:
    """Return names as code, the rest counted."""
    names = ", ".join(f"`{row.proof.name}`" for row in rows[:LISTED])
    more = len(rows) - LISTED
    return f"{names} and {more:,} more" if more > 0 else names


def markdown_table(table: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a table, its first column to the left and the others, which are counts, to the right."""
    heading, *rows = table
    yield f"| {' | '.join(heading)} |"
    yield f"|---|{'---:|' * (len(heading) - 1)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def evidence(results: Results) -> Iterator[str]:
    """Yield the figures that say how far a verdict can be trusted."""
    rows = results.rows
    expected = sum(row.proof.ok and row.proof.verdict is Verdict.REFUTED for row in rows)
    witnesses = sum(row.proof.witness is not None for row in rows)
    second = sum(row.proof.is_double for row in rows)
    points = sum(row.proof.validated for row in rows)
    solvers = ", ".join(f"{name} {version}" for name, version in results.solvers.items())
    yield f"- decided by {solvers}; by two solvers: {second:,} of {len(rows):,}"
    yield f"- refuted as expected: {expected:,}; witnesses replayed on the model: {witnesses:,}"
    yield f"- points at which lifted terms were compared with the model's own functions: {points:,}"
    yield f"- halfulp {results.version}; rule data `{results.rules}`"
