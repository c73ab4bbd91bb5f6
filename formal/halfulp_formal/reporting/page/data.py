"""All that the page shows, as JSON values: the catalogue's obligations with their verdicts, and what belongs to each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from halfulp_formal import catalogue
from halfulp_formal.findings import Finding
from halfulp_formal.findings_report import DIFFERENCES, FINDINGS, in_words, names_of
from halfulp_formal.obligation import Verdict
from halfulp_formal.properties.claim import Kind
from halfulp_formal.reporting.results import Results, Row

from .cases import case_of, stage_record
from .examples import Curves, example_curve, example_of
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


class Gathering:
    """The records of conversions, and the tables that their numbers are about."""

    def __init__(self, rows: Mapping[str, Row]) -> None:
        self.rows = rows
        self.texts = Table[str]()
        self.kinds = Table[tuple[str, str, str]]()
        self.lists = Table[tuple[int, ...]]()
        self.rules = Table[tuple[str, str]]()
        # as JSON, since their values cannot be keys
        self.stages = Table[str]()
        self.curves = Table[str]()
        self.known: Curves = {}

    def record(self, family: int, name: str, kinds: Sequence[Kind]) -> list[Any]:
        """Return the record of a conversion."""
        found = [self.rows.get(f"{name}.{kind.name}") for kind in kinds]
        said = tuple(self.kinds.number((kind.name, kind.sentence, kind.source)) for kind in kinds)
        return [
            name,
            family,
            *map(self.texts.number, place_of(name)),
            [self.rules.number(line) for line in rule_of(name)],
            self.lists.number(said),
            "".join(map(state_of, found)),
            self.lists.number(tuple(self.texts.number(told(row)) for row in found)),
            self.example(name),
        ]

    def example(self, name: str) -> list[Any] | None:
        """Return the example of a conversion: its stages, its staircase if it has one, and the fields that give it."""
        found = example_of(name)
        if found is None:
            return None
        curve = example_curve(name, found, self.known)
        return [
            [self.stages.number(as_json(stage_record(stage))) for stage in found.stages],
            None if curve is None else self.curves.number(as_json(curve)),
            self.texts.number(found.command.removeprefix(f"halfulp explain {name} ")),
        ]


def as_json(value: Any) -> str:
    """Return a value as JSON."""
    return json.dumps(value, ensure_ascii=False)


def page_data(results: Results) -> dict[str, Any]:
    """Return the data of the page.

    conversions: [name, family, card, line, column, rule, kinds, letters, how, example] a conversion; what is no text in
    them is a number, or a list of numbers, of one of the other tables. cases: witnesses by obligation.
    """
    rows = {row.proof.name: row for row in results.rows}
    gathering = Gathering(rows)
    conversions = [
        gathering.record(number, name, list(family.kinds(name)))
        for number, family in enumerate(catalogue.FAMILIES)
        for name in family.conversions()
    ]
    cases = {name: case_of(row) for name, row in rows.items()}
    return {
        "states": STATES,
        "families": [[family.name, family.group.value] for family in catalogue.FAMILIES],
        "conversions": conversions,
        "texts": gathering.texts.items(),
        "kinds": gathering.kinds.items(),
        "lists": gathering.lists.items(),
        "rules": gathering.rules.items(),
        "stages": list(map(json.loads, gathering.stages.items())),
        "curves": list(map(json.loads, gathering.curves.items())),
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
