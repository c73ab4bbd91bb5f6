"""The report for people: a table of families and verdicts, then everything that is not as expected, in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from halfulp_formal.decide import Engine
from halfulp_formal.explain import as_lines
from halfulp_formal.obligation import Verdict

from .results import Results, Row, witness_words

#: seconds a query that a second run of what is undecided should have at least, and how many times those of the first run
PATIENCE, LONGER = 600.0, 10


def summary_table(results: Results) -> list[tuple[str, ...]]:
    """Return the rows of a table: a heading, a line a conversion family, and a sum where there are several."""
    counts: dict[str, Counter[Verdict]] = {}
    for row in results.rows:
        counts.setdefault(family(row), Counter())[row.proof.verdict] += 1
    table = [("conversion", f"{results.noun}s", *(verdict.name for verdict in Verdict))]
    for name, found in counts.items():
        table.append((name, f"{found.total():,}", *cells(found)))
    if len(counts) > 1:
        total = sum(counts.values(), Counter[Verdict]())
        table.append(("all", f"{total.total():,}", *cells(total)))
    return table


def family(row: Row) -> str:
    """Return the part of a conversion's name that its rounding and saturation variants share."""
    return row.proof.conversion.split(".", maxsplit=1)[0]


def cells(found: Counter[Verdict]) -> Iterator[str]:
    """Yield the count of each verdict, a dot for none."""
    for verdict in Verdict:
        yield f"{found[verdict]:,}" if found[verdict] else "·"


def details(results: Results) -> list[list[str]]:
    """Return every row that is not as expected, each as lines, the worst first."""
    return [row_lines(row) for row in results.unexpected]


def row_lines(row: Row) -> list[str]:
    """Return one result in full: verdict, sentence, witness in hex and as fields, stages, and a line to paste."""
    proof = row.proof
    lines = [f"{proof.verdict.name} {proof.name}: expected {proof.expect.name}"]
    lines += labelled("sentence", [f"{row.sentence} ({row.source})"] if row.sentence else [])
    lines += labelled("solver", [f"{proof.solver} {proof.version}" + (f"; {proof.second}" if proof.second else "")])
    lines += labelled("detail", [proof.detail] if proof.detail else [])
    lines += labelled("witness", [f"{name} = {word}" for name, word in witness_words(row)])
    lines += labelled("claim", row.differences)
    if row.explanation is not None:
        lines += labelled("stages", as_lines(row.explanation))
        lines += labelled("replay", [row.explanation.command])
    if proof.verdict is Verdict.UNDECIDED:
        lines += labelled("again", [f"{row.command} --timeout {max(PATIENCE, LONGER * row.timeout):.0f}"])
    if proof.verdict is Verdict.ERROR:
        own = f" --timeout {row.timeout:g}" if row.timeout != Engine.timeout else ""
        lines += labelled("again", [f"{row.command}{own} --no-cache"])
    return lines


def labelled(label: str, lines: Sequence[str]) -> list[str]:
    """Return lines with a label before the first and an indent before the others."""
    return [f"  {label if not place else '':8}  {line}" for place, line in enumerate(lines)]
