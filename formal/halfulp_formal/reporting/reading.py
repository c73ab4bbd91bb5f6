"""Reading back the JSON of a run: checked against its schema, and against itself where a schema cannot."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from halfulp_formal.explain import Explanation, Stage
from halfulp_formal.obligation import Proof, Verdict
from halfulp_formal.seeded import JOINT

from .results import Results, Row, exit_code

SCHEMA_FILE = Path(__file__).with_name("results.schema.json")

#: longer values are cut in a message
LONGEST = 60


class MalformedResults(ValueError):
    """A file is not the JSON of a run; the message is one line: file, field, what was given and what was expected."""


def read_results(path: Path) -> Results:
    """Read the JSON that `halfulp prove --json` or `halfulp report build` wrote.

    Times are 0 where the file has none. Raises OSError, and MalformedResults for anything but such a file.
    """
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # bytes that are no text are a ValueError, too
        raise MalformedResults(f"{path}: given no JSON ({error}), expected a file of `halfulp prove --json`") from error
    for place, given, expected in mistakes(record):
        raise MalformedResults(f"{path}: {place}: given {given}, expected {expected}")
    results = build_results(record)
    if record["exit_code"] != exit_code(results):
        raise MalformedResults(
            f"{path}: exit_code: given {record['exit_code']}, expected {exit_code(results)}, as in results"
        )
    return results


@cache
def validator() -> Any:
    """Return the checker of the schema."""
    # imported here: a run that reads no file does not pay for the schema library
    from jsonschema import Draft202012Validator  # noqa: PLC0415

    return Draft202012Validator(json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))


def mistakes(record: Any) -> Iterator[tuple[str, str, str]]:
    """Yield place, what was given there and what was expected, of everything wrong with a record."""
    for error in validator().iter_errors(record):
        place, expected = place_text(error.absolute_path), str(error.schema.get("description", error.message))
        if error.validator == "required":
            missing = next(name for name in error.validator_value if name not in error.instance)
            yield joined(place, missing), "nothing", str(member(error.schema, missing).get("description", "a value"))
        elif error.validator == "additionalProperties":
            known = error.schema.get("properties", {})
            extra = next(name for name in error.instance if name not in known)
            yield joined(place, extra), shown(error.instance[extra]), f"no member but {', '.join(known)}"
        else:
            yield place or "the file", shown(error.instance), expected
    yield from contradictions(record)


def member(schema: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return the schema of a member, of another definition where it refers to one."""
    found: Mapping[str, Any] = schema.get("properties", {}).get(name, {})
    while "$ref" in found:
        found = validator().schema["$defs"][found["$ref"].rpartition("/")[2]]
    return found


def contradictions(record: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield, like `mistakes`, where a record that keeps to the schema contradicts itself."""
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
    for name in (*record.get("run", {}).get("seconds", {}), *record.get("run", {}).get("cached", [])):
        if name not in names:
            yield "run", shown(name), "names of results only"


def place_text(path: Any) -> str:
    """Return a place in JSON as people write it: results[3].verdict."""
    text = ""
    for part in path:
        text = f"{text}[{part}]" if isinstance(part, int) else joined(text, part)
    return text


def joined(place: str, name: str) -> str:
    """Return a member's place."""
    return f"{place}.{name}" if place else name


def shown(value: Any) -> str:
    """Return a JSON value as one short line."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def build_results(record: Mapping[str, Any]) -> Results:
    """Make results of a checked record."""
    run = record.get("run", {"seconds": {}, "cached": []})
    cached, noun = frozenset(run["cached"]), record["about"].removesuffix("s")
    command = "halfulp prove" if noun == "obligation" else "halfulp prove --seeded"
    rows = [
        build_row(row, command, run["seconds"].get(row["name"], 0.0), row["name"] in cached)
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


def build_row(record: Mapping[str, Any], command: str, seconds: float, cached: bool) -> Row:
    """Make a row of its record."""
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
        cached=cached,
        validated=record.get("validated", 0),
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
