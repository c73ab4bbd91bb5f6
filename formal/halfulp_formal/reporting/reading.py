"""Reading back the JSON of a run: checked against its schema, and against itself where a schema cannot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from halfulp_formal.explain import Explanation, Stage
from halfulp_formal.obligation import Proof, Verdict
from halfulp_formal.seeded import JOINT

from .checked import MalformedResults, Mistake, read_json, refuse, schema_mistakes, shown
from .results import Results, Row, exit_code

SCHEMA_FILE = Path(__file__).with_name("results.schema.json")


def read_results(path: Path) -> Results:
    """Read the JSON that `halfulp prove --json` or `halfulp report build` wrote.

    Times are 0 where the file has none. Raises OSError, and MalformedResults for anything but such a file.
    """
    record = read_json(path, "halfulp prove --json")
    refuse(path, schema_mistakes(SCHEMA_FILE, record))
    refuse(path, contradictions(record))
    results = build_results(record)
    if record["exit_code"] != exit_code(results):
        raise MalformedResults(
            f"{path}: exit_code: given {record['exit_code']}, expected {exit_code(results)}, as in results"
        )
    return results


def contradictions(record: Mapping[str, Any]) -> Iterator[Mistake]:
    """Yield where a record that keeps to the schema contradicts itself."""
    names: dict[str, int] = {}
    for index, row in enumerate(record["results"]):
        place, name = f"results[{index}]", row["name"]
        if name in names:
            yield f"{place}.name", shown(name), f"a name that results[{names[name]}] does not have"
        names[name] = index
        if not name.startswith(f"{row['conversion']}."):
            yield f"{place}.conversion", shown(row["conversion"]), f"the leading parts of {name}"
        ok = row["verdict"] == row["expect"]
        if row["ok"] != ok:
            yield f"{place}.ok", shown(row["ok"]), f"{shown(ok)}: {row['verdict']} where {row['expect']} is expected"
        if ("witness" in row) != (row["verdict"] == "refuted"):
            given = "a witness" if "witness" in row else "nothing"
            yield f"{place}.witness", given, "a witness if and only if the verdict is refuted"
    found = Counter(row["verdict"] for row in record["results"])
    for verdict, count in record["counts"].items():
        if count != found[verdict]:
            yield f"counts.{verdict}", shown(count), f"{found[verdict]}, as in results"
    run = record.get("run", {})
    for name in (*run.get("seconds", {}), *run.get("cached", []), *run.get("shared", [])):
        if name not in names:
            yield "run", shown(name), "names of results only"


def build_results(record: Mapping[str, Any]) -> Results:
    """Make results of a checked record."""
    run = record.get("run", {"seconds": {}, "cached": []})
    known = {how: frozenset(run.get(how, ())) for how in ("cached", "shared")}
    noun = record["about"].removesuffix("s")
    command = "halfulp prove" if noun == "obligation" else "halfulp prove --seeded"
    rows = [
        build_row(
            row,
            command,
            run["seconds"].get(row["name"], 0.0),
            {how: row["name"] in names for how, names in known.items()},
        )
        for row in record["results"]
    ]
    return Results(
        rows=rows,
        noun=noun,
        version=record["halfulp"],
        rules=record["rules"],
        solvers=record["solvers"],
        patterns=record["patterns"],
        shard=record["shard"],
        split=record.get("split", ""),
    )


def build_row(record: Mapping[str, Any], command: str, seconds: float, known: Mapping[str, bool]) -> Row:
    """Make a row of its record; `known` tells how it was known without a solver."""
    solver, _, version = record["solver"].partition(" ")
    witness = record.get("witness")
    proof = Proof(
        name=record["name"],
        conversion=record["conversion"],
        verdict=Verdict(record["verdict"]),
        expect=Verdict(record["expect"]),
        solver=solver,
        version=version,
        seconds=seconds,
        query=record["query"],
        witness=None if witness is None else {name: word_value(word) for name, word in witness.items()},
        detail=record.get("detail", ""),
        second=record.get("second", ""),
        validated=record.get("validated", 0),
        **known,
    )
    explanation = record.get("explanation")
    return Row(
        proof=proof,
        sentence=record["sentence"],
        source=record["source"],
        command=f"{command} {proof.name.partition(JOINT)[0]}",
        widths={name: word_width(word) for name, word in (witness or {}).items()},
        explanation=None if explanation is None else build_explanation(explanation),
        differences=tuple(record.get("differences", ())),
    )


def word_value(word: str) -> int:
    """Return the value of a witness's word: hex, or a truth value."""
    return int(word, 16) if word.startswith("0x") else int(word == "true")


def word_width(word: str) -> int:
    """Return the bits that a word's digits have room for, 0 for a truth value."""
    return 4 * len(word.removeprefix("0x")) if word.startswith("0x") else 0


def build_explanation(record: Mapping[str, Any]) -> Explanation:
    """Make an explanation of its record."""
    return Explanation(
        conversion=record["conversion"],
        summary=record["summary"],
        command=record["command"],
        stages=tuple(Stage(**{"value": "", **stage}) for stage in record["stages"]),
        outcome=record["outcome"],
        failure=record.get("failure", ""),
    )
