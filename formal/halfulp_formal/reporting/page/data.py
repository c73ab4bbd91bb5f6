"""All that the page shows, as JSON values: the catalogue's obligations with their verdicts, and what belongs to each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Any, Generic, TypeVar

from halfulp_formal import catalogue
from halfulp_formal.findings import Finding
from halfulp_formal.findings_report import DIFFERENCES, FINDINGS, in_words, names_of
from halfulp_formal.obligation import Verdict
from halfulp_formal.reporting.results import Results, Row

from .cases import case_of
from .layout import place_of
from .rule_lines import rule_of

Item = TypeVar("Item", bound=Hashable)

#: what a cell of the map may be, by letter; the page has a colour and a shape for each
STATES = {
    "p": "proved",
    "f": "refuted, as expected",
    "r": "refuted",
    "x": "proved, where a refutation was expected",
    "u": "undecided",
    "e": "error",
    "n": "not in this run",
}
#: where the letters stand in the record of a conversion
LETTERS = 7

#: the letter of an unexpected verdict
UNEXPECTED = {Verdict.PROVED: "x", Verdict.REFUTED: "r", Verdict.UNDECIDED: "u", Verdict.ERROR: "e"}


class Table(Generic[Item]):
    """Distinct items in the order in which they came; each is kept once and meant by its number."""

    def __init__(self) -> None:
        self.numbers: dict[Item, int] = {}

    def number(self, item: Item) -> int:
        """Return the number of an item, which is new to the table or not."""
        return self.numbers.setdefault(item, len(self.numbers))

    def items(self) -> list[Item]:
        """Return the items by number."""
        return list(self.numbers)


def state_of(row: Row | None) -> str:
    """Return the letter of a result; of an obligation that is not in the run, too."""
    if row is None:
        return "n"
    if not row.proof.ok:
        return UNEXPECTED[row.proof.verdict]
    return "f" if row.proof.verdict is Verdict.REFUTED else "p"


def told(row: Row | None) -> str:
    """Return in one line how a verdict came about."""
    if row is None:
        return ""
    proof = row.proof
    points = f"the lifted terms agree with the model at {proof.validated:,} points" if proof.validated else ""
    by = f"{proof.solver} {proof.version}"
    return "; ".join(part for part in (by, proof.detail, proof.second, points) if part)


def page_data(results: Results) -> dict[str, Any]:
    """Return the data of the page.

    conversions: [name, family, card, line, column, rule, kinds, letters, how] a conversion; all but name and letters
    are numbers into tables. cases: witnesses by obligation.
    """
    rows = {row.proof.name: row for row in results.rows}
    texts, kinds, kind_lists, rules = (
        Table[str](),
        Table[tuple[str, str, str]](),
        Table[tuple[int, ...]](),
        Table[Any](),
    )
    families: list[list[str]] = []
    conversions: list[list[Any]] = []
    for family in catalogue.FAMILIES:
        for name in family.conversions():
            own = list(family.kinds(name))
            found = [rows.get(f"{name}.{kind.name}") for kind in own]
            place = place_of(name)
            conversions.append(
                [
                    name,
                    len(families),
                    *map(texts.number, place),
                    [rules.number(line) for line in rule_of(name)],
                    kind_lists.number(tuple(kinds.number((kind.name, kind.sentence, kind.source)) for kind in own)),
                    "".join(map(state_of, found)),
                    kind_lists.number(tuple(texts.number(told(row)) for row in found)),
                ]
            )
        families.append([family.name, family.group.value])
    cases = {name: case_of(row) for name, row in rows.items()}
    return {
        "states": STATES,
        "families": families,
        "conversions": conversions,
        "texts": texts.items(),
        "kinds": kinds.items(),
        "lists": kind_lists.items(),
        "rules": rules.items(),
        "cases": {name: case for name, case in cases.items() if case is not None},
        "findings": [
            *(finding_record(finding, rows, "finding") for finding in FINDINGS),
            *(finding_record(finding, rows, "difference") for finding in DIFFERENCES),
        ],
    }


def finding_record(finding: Finding, rows: Mapping[str, Row], kind: str) -> dict[str, Any]:
    """Return a finding; its places are [conversion, letter of the sentence, letter of the condition, witness in words]."""
    places = [
        [conversion, state_of(rows.get(sentence)), state_of(rows.get(exactly)), witness_in(rows.get(sentence))]
        for conversion, sentence, exactly in names_of(finding)
    ]
    return {
        "kind": kind,
        "key": finding.key,
        "title": finding.title,
        "sentence": finding.sentence,
        "source": finding.source,
        "code": finding.code,
        "condition": finding.condition,
        "places": places,
    }


def witness_in(row: Row | None) -> str:
    """Return a row's witness in words, empty where it has none."""
    return "" if row is None or row.proof.witness is None else in_words(row.proof.conversion, row.proof.witness)


def counts(data: Mapping[str, Any]) -> dict[str, int]:
    """Return how many obligations of the catalogue are in each state."""
    found = Counter(letter for conversion in data["conversions"] for letter in conversion[LETTERS])
    return {letter: found[letter] for letter in STATES}
