"""What became of the mutants, as text, as Markdown and as JSON; whatever is not killed and not proved stands first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from halfulp_formal.mutants.mutated import FAMILIES
from halfulp_formal.mutants.outcome import Fate, Outcome, shown_point
from halfulp_formal.vectors.family import shipped_names
from halfulp_formal.wording import counted

#: the counts of a table, under which `cells` stand
HEADING = (
    "mutants | refused | killed | raised | equivalent | survive | undecided "
    "| killed of those neither refused nor equivalent |"
)
RULE = "|---|---:|---:|---:|---:|---:|---:|---:|---:|"

#: fates that leave something to do
OPEN = (Fate.SURVIVES, Fate.UNDECIDED)


@dataclass(frozen=True)
class Counts:
    """How many mutants a conversion has, and what became of them. `raised`: killed by an exception, not by a result."""

    mutants: int
    refused: int
    killed: int
    raised: int
    equivalent: int
    survive: int
    undecided: int

    @property
    def share(self) -> str:
        """The killed ones of those that can be built and are not equivalent; the undecided ones count as not killed.

        It is rounded down: no mutant that is left open is rounded away.
        """
        distinct = self.mutants - self.refused - self.equivalent
        if not distinct:
            return "-"
        return "100 %" if self.killed == distinct else f"{1000 * self.killed // distinct / 10:.1f} %"


def counts(those: Iterable[Outcome]) -> Counts:
    """Count outcomes."""
    every = list(those)
    fates = [each.fate for each in every]
    raised = sum(each.kill is not None and isinstance(each.kill.answer, str) for each in every)
    return Counts(
        mutants=len(every),
        refused=fates.count(Fate.REFUSED),
        killed=fates.count(Fate.KILLED),
        raised=raised,
        equivalent=fates.count(Fate.EQUIVALENT),
        survive=fates.count(Fate.SURVIVES),
        undecided=fates.count(Fate.UNDECIDED),
    )


def exit_code(those: Sequence[Outcome]) -> int:
    """Return 1 where a mutant survives, 3 where one is neither killed nor proved equivalent, else 0."""
    fates = {each.fate for each in those}
    if Fate.SURVIVES in fates:
        return 1
    return 3 if Fate.UNDECIDED in fates else 0


def by_conversion(those: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """Return outcomes by conversion, in their order."""
    found: dict[str, list[Outcome]] = {}
    for each in those:
        found.setdefault(each.conversion, []).append(each)
    return found


def summary(those: Sequence[Outcome]) -> str:
    """Return the first line."""
    all_of_them = counts(those)
    number = len(by_conversion(those))
    conversions = counted(number, "conversion")
    head = (
        f"{counted(all_of_them.mutants, 'mutant')} of {conversions}: {all_of_them.killed:,} killed, "
        f"{all_of_them.equivalent:,} proved equivalent"
    )
    if all_of_them.refused:
        head += f", {all_of_them.refused:,} refused"
    if all_of_them.survive:
        head += f", {counted(all_of_them.survive, 'survives', 'survive')}"
    return head + (f", {all_of_them.undecided:,} undecided" if all_of_them.undecided else "")


def open_lines(those: Sequence[Outcome]) -> Iterator[str]:
    """Yield a line for every mutant that is neither killed nor proved equivalent."""
    for each in those:
        if each.fate in OPEN:
            why = f"told from the model by {shown_point(each.witness)}" if each.witness is not None else each.detail
            yield f"{each.fate.value.upper()} {each.conversion} {each.mutant} ({each.where}): {each.what}; {why}"


def text(those: Sequence[Outcome]) -> str:
    """Return the report for a terminal: what is open, then a line a conversion."""
    lines = [summary(those), *open_lines(those), ""]
    grouped = by_conversion(those)
    width = max((len(name) for name in grouped), default=10)
    heads = "mutants  refused  killed  equivalent  survive  undecided  killed of those neither refused nor equivalent"
    lines.append(f"{'conversion':{width}}  {heads}")
    for name, each in grouped.items():
        row = counts(each)
        lines.append(
            f"{name:{width}}  {row.mutants:7}  {row.refused:7}  {row.killed:6}  {row.equivalent:10}  {row.survive:7}  "
            f"{row.undecided:9}  {row.share}"
        )
    return "\n".join(lines) + "\n"


def markdown(those: Sequence[Outcome]) -> str:
    """Return the report as a file: what is open and covered, counts by conversion, every equivalent mutant with its proof."""
    lines = ["# Mutants", "", f"**{summary(those)}.**", ""]
    lines += [f"- {line}" for line in open_lines(those)]
    lines += [
        "",
        "Written by `halfulp mutants PATTERN… --report FILE`; `halfulp report mutants` writes it from several runs.",
        "",
        "A mutant is one small change of the model's source or of its rule data that a conversion uses. It is killed by",
        "the first case of the conversion's vector file that it answers otherwise, in result or flags; `raised` counts",
        "those of them that end in an exception instead. An equivalent one is proved to give, for every legal input,",
        "what the model gives: either its change never shows (no expression and no row value that is read comes out",
        "otherwise), or it shows and changes no result. The proof is named by the first 16 digits of the query's SHA-256.",
        "A refused one is no model: its rule data breaks the schema, or no rows can be made of it. No case can tell",
        "anything of it, so it counts as neither killed nor left to kill. A vector mode has the rows of its scalar twin,",
        "so its mutants are the twin's.",
        "",
        "## What is covered",
        "",
        *covered_lines(those),
        "",
        "## Conversions",
        "",
        f"| conversion | {HEADING}",
        RULE,
    ]
    lines += [f"| `{name}` | {cells(each)}" for name, each in by_conversion(those).items()]
    lines += ["", "## Refused mutants", ""]
    lines += refused_lines(those)
    lines += ["", "## Equivalent mutants", ""]
    lines += equivalent_lines(those)
    return "\n".join(lines) + "\n"


def covered_lines(those: Sequence[Outcome]) -> Iterator[str]:
    """Yield the counts by family: a shipped file of which nothing is told here shows as missing."""
    shipped = shipped_names()
    yield f"| family | conversions | shipped files | {HEADING}"
    yield RULE.replace("---|", "---|---:|---:|", 1)
    for family in FAMILIES:
        names = family.names()
        own = [each for each in those if each.conversion in names]
        files = sum(name in names for name in shipped)
        yield f"| {family.title} | {len(by_conversion(own)):,} | {files:,} | {cells(own)}"


def cells(those: Iterable[Outcome]) -> str:
    """Return the counts of some mutants as the cells under `HEADING`."""
    row = counts(those)
    numbers = (row.mutants, row.refused, row.killed, row.raised, row.equivalent, row.survive, row.undecided)
    return f"{' | '.join(map(str, numbers))} | {row.share} |"


def refused_lines(those: Sequence[Outcome]) -> Iterator[str]:
    """Yield every refused mutant once, with the number of conversions of which it would be one."""
    found: dict[tuple[str, str], list[Outcome]] = {}
    for each in those:
        if each.fate is Fate.REFUSED:
            found.setdefault((each.mutant, each.detail), []).append(each)
    for (name, detail), group in found.items():
        yield f"- `{name}` ({group[0].where}): {group[0].what}; {detail}; {counted(len(group), 'conversion')}"


def equivalent_lines(those: Sequence[Outcome]) -> Iterator[str]:
    """Yield every equivalent mutant once, with the conversions and the proof for each of them."""
    found: dict[str, list[Outcome]] = {}
    for each in those:
        if each.fate is Fate.EQUIVALENT:
            found.setdefault(each.mutant, []).append(each)
    for name, group in found.items():
        yield f"- `{name}` ({group[0].where}): {group[0].what}"
        proofs: dict[tuple[str, str], list[str]] = {}
        for each in group:
            proofs.setdefault((each.detail, each.query[:16]), []).append(each.conversion)
        for (detail, query), conversions in proofs.items():
            proof = f", `{query}`" if query else ""
            yield f"  - {detail}{proof}: {', '.join(conversions)}"


def records(those: Sequence[Outcome]) -> str:
    """Return the report as JSON."""
    grouped = by_conversion(those)
    record = {
        "summary": summary(those),
        "conversions": {name: vars(counts(each)) for name, each in grouped.items()},
        "mutants": [
            {
                "conversion": each.conversion,
                "mutant": each.mutant,
                "what": each.what,
                "where": each.where,
                "fate": each.fate.value,
                "killed_by": None if each.kill is None else each.kill.tc,
                "answer": None if each.kill is None else answer(each),
                "proof": each.query or None,
                "detail": each.detail,
                "witness": None if each.witness is None else [f"{value:x}" for value in each.witness],
            }
            for each in those
        ],
    }
    return json.dumps(record, indent=1) + "\n"


def answer(each: Outcome) -> str | list[str]:
    """Return what a killed mutant answered: outputs in hex, or the name of an exception."""
    assert each.kill is not None
    given = each.kill.answer
    return given if isinstance(given, str) else [f"{value:x}" for value in given]
