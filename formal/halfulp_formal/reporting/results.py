"""The results of a run: a row an obligation, what they amount to, and their JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from halfulp_formal.decide import Engine
from halfulp_formal.explain import Explanation, as_record
from halfulp_formal.obligation import Proof, Verdict
from halfulp_formal.wording import counted

SCHEMA = "halfulp-results/1"

#: exit codes by what a run met, the worst first; with none of them it is 0
EXIT_CODES = {Verdict.ERROR: 4, Verdict.REFUTED: 1, Verdict.UNDECIDED: 3}


@dataclass(frozen=True)
class Row:
    """A proof with the sentence it is about, and for an unexpected refutation what the model did at the witness."""

    proof: Proof
    sentence: str
    source: str
    command: str  #: decides it again, with the run's options but for its limit in time
    widths: Mapping[str, int]  #: bits of the witness's values by name; 0 for a truth value
    explanation: Explanation | None = None
    differences: tuple[str, ...] = ()  #: the parts of the claim that are false at the witness
    timeout: float = Engine.timeout  #: seconds a query that the run had


@dataclass(frozen=True)
class Results:
    """A whole run: how it was made, and its rows in the order of the catalogue.

    `noun` says what a row is about: "obligation" or "seeded mistake".
    """

    rows: Sequence[Row]
    noun: str
    version: str  #: of halfulp
    rules: str  #: digest of the rule data
    solvers: Mapping[str, str]  #: name and version of each solver in use
    patterns: Sequence[str] = ()
    shard: str = "1/1"
    split: str = ""  #: what tells the split that the shard is of from another; "" for a whole run

    @property
    def unexpected(self) -> list[Row]:
        """The rows whose verdict is not the expected one, the worst first."""
        order = [*EXIT_CODES, Verdict.PROVED]
        return sorted((row for row in self.rows if not row.proof.ok), key=lambda row: order.index(row.proof.verdict))


def exit_code(results: Results) -> int:
    """Return the exit code: 0 all as expected, 4 an error, 1 an unexpected definite verdict, 3 undecided."""
    found = {row.proof.verdict for row in results.unexpected}
    if Verdict.PROVED in found:  # a refutation was expected
        found.add(Verdict.REFUTED)
    return next((code for verdict, code in EXIT_CODES.items() if verdict in found), 0)


def headline(results: Results) -> str:
    """Say in one line what the run came to; what is not as expected comes first."""
    rows, wrong = results.rows, results.unexpected
    by = ", ".join(f"{name} {version}" for name, version in results.solvers.items())
    verdicts = Counter(row.proof.verdict for row in rows)
    told = ", ".join(f"{verdicts[verdict]:,} {verdict.name}" for verdict in Verdict if verdicts[verdict])
    notes = f"; {sum(row.proof.is_double for row in rows):,} by both" if len(results.solvers) > 1 else ""
    for number, what in (
        (sum(row.proof.cached for row in rows), "known from the cache"),
        (sum(row.proof.shared for row in rows), "decided with another of the same query"),
    ):
        notes += f"; {number:,} {what}" if number else ""
    if not rows:
        where = f" in shard {results.shard}" if results.shard != "1/1" else ""
        return f"AS EXPECTED: no {results.noun}{where} ({by})"
    if not wrong:
        return f"AS EXPECTED: {counted(len(rows), results.noun)}: {told} ({by}{notes})"
    kinds = Counter(row.proof.verdict for row in wrong)
    mistakes = ", ".join(f"{kinds[verdict]:,} {verdict.name}" for verdict in kinds)
    return f"NOT AS EXPECTED: {mistakes} of {counted(len(rows), results.noun)}: {told} ({by}{notes})"


def results_json(results: Results, *, run: bool = True) -> str:
    """Return the results as JSON, one a line; all that differs between two equal runs stands under `run`, or is left out."""
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "halfulp": results.version,
        "rules": results.rules,
        "solvers": dict(results.solvers),
        "about": f"{results.noun}s",
        "patterns": list(results.patterns),
        "shard": results.shard,
        **({"split": results.split} if results.split else {}),
        "exit_code": exit_code(results),
        "counts": {verdict.value: sum(row.proof.verdict is verdict for row in results.rows) for verdict in Verdict},
        "results": [row_record(row) for row in results.rows],
    }
    if run:
        record["run"] = {
            "seconds": {row.proof.name: round(row.proof.seconds, 3) for row in results.rows},
            "cached": [row.proof.name for row in results.rows if row.proof.cached],
            "shared": [row.proof.name for row in results.rows if row.proof.shared],
        }
    return lines_json(record)


def lines_json(record: Mapping[str, Any]) -> str:
    """Return an object as JSON, a member a line; of a list of objects, each object is a line."""
    members = []
    for name, value in record.items():
        text = one_line(value)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            text = "[\n  {}\n ]".format(",\n  ".join(map(one_line, value)))
        members.append(f' "{name}": {text}')
    return "{{\n{}\n}}\n".format(",\n".join(members))


def one_line(value: Any) -> str:
    """Return a JSON value in one line."""
    return json.dumps(value, ensure_ascii=False)


def row_record(row: Row) -> dict[str, Any]:
    """Return a row as JSON values."""
    proof = row.proof
    record: dict[str, Any] = {
        "name": proof.name,
        "conversion": proof.conversion,
        "verdict": proof.verdict.value,
        "expect": proof.expect.value,
        "ok": proof.ok,
        "sentence": row.sentence,
        "source": row.source,
        "solver": f"{proof.solver} {proof.version}",
        "query": proof.query,
    }
    record |= {key: text for key, text in (("detail", proof.detail), ("second", proof.second)) if text}
    if proof.validated:
        record["validated"] = proof.validated
    if proof.witness is not None:
        record["witness"] = dict(witness_words(row))
    if row.differences:
        record["differences"] = list(row.differences)
    if row.explanation is not None:
        record["explanation"] = as_record(row.explanation)
    return record


def witness_words(row: Row) -> list[tuple[str, str]]:
    """Return the witness's values in hex at their widths, truth values as true and false, in the order of the inputs."""
    witness, order = row.proof.witness or {}, list(row.widths)
    words = []
    for name in sorted(witness, key=lambda name: (order.index(name) if name in order else len(order), name)):
        value = witness[name]
        width = row.widths.get(name, 4 * max(1, -(-value.bit_length() // 4)))
        words.append((name, f"0x{value:0{-(-width // 4)}x}" if width else str(bool(value)).lower()))
    return words
