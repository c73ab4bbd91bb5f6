"""Reading the rule data: YAML files merged, checked against the JSON Schema and against each other, made into rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from .block_rows import block_mistakes, build_adder, build_block, build_question
from .format_rows import build_formats, format_mistakes
from .fpatr_rows import build_legality, build_reductions, build_word, fpatr_mistakes
from .rows import (
    Choice,
    Encoder,
    Flags,
    Parameter,
    ParameterWord,
    PreQuantMode,
    Rounding,
    Rules,
    WordField,
)
from .scale_rows import build_rule, build_table, scale_mistakes

RULES_FOLDER = Path(__file__).parent / "rules"

#: a path into the merged document, and where the node stands
Place = tuple[str | int, ...]
Marks = dict[Place, tuple[Path, int]]


class RuleError(ValueError):
    """A mistake in the rule data: file, line, field, what was given and what was expected."""

    def __init__(self, path: Path, line: int, where: Place, message: str) -> None:
        super().__init__(f"{path.name}:{line}: {'.'.join(map(str, where)) or 'document'}: {message}")


@cache
def default_rules() -> Rules:
    """Return the shipped rule data."""
    return load_rules()


def rule_files(folder: Path = RULES_FOLDER) -> list[Path]:
    """Return the YAML files of a rule folder, in a fixed order."""
    return sorted(folder.glob("*.yaml"))


def load_rules(folder: Path = RULES_FOLDER) -> Rules:
    """Read, check and resolve a folder of rule data.

    Raises RuleError for anything that the schema or a cross-reference refuses, OSError for an unreadable folder.
    """
    document, marks = read_documents(rule_files(folder))
    check_schema(document, marks)
    check_references(document, marks)
    return build_rules(document)


def read_documents(paths: list[Path]) -> tuple[dict[str, Any], Marks]:
    """Read YAML files whose top-level keys are disjoint into one document, with the place of every node."""
    document: dict[str, Any] = {}
    # a missing section has no file of its own: the folder is named
    marks: Marks = {(): (paths[0].parent if paths else RULES_FOLDER, 1)}
    for path in paths:
        try:
            node = compose(path.read_text(encoding="utf-8"))
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            problem = getattr(error, "problem", None) or "not YAML"
            raise RuleError(path, mark.line + 1 if mark else 1, (), str(problem)) from error
        if not isinstance(node, yaml.MappingNode):
            raise RuleError(path, 1, (), "expected a mapping of sections")
        for key, value in convert(node, path, (), marks).items():
            if key in document:
                raise RuleError(path, marks[(key,)][1], (key,), "this section is already in another file")
            document[key] = value
    return document, marks


def compose(text: str) -> yaml.Node | None:
    """Read a YAML file; by the C parser where it was built, but mistakes are told by the other one, everywhere alike.

    Raises YAMLError.
    """
    try:
        node: yaml.Node | None = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    return node


def convert(node: yaml.Node, path: Path, place: Place, marks: Marks) -> Any:
    """Turn a YAML node into plain values, refusing duplicate keys and noting each node's line."""
    if place:
        marks[place] = (path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        result: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value)
            if key in result:
                raise RuleError(path, key_node.start_mark.line + 1, (*place, key), "this key stands twice")
            result[key] = convert(value_node, path, (*place, key), marks)
        return result
    if isinstance(node, yaml.SequenceNode):
        return [convert(item, path, (*place, index), marks) for index, item in enumerate(node.value)]
    return yaml.SafeLoader("").construct_object(node)


def check_schema(document: Mapping[str, Any], marks: Marks) -> None:
    """Check the merged document against `rules/schema.json`; report the first mistake in file order."""
    # imported here: a reader of the model pays for the schema library only when rules are read
    from jsonschema import Draft202012Validator  # noqa: PLC0415

    schema = json.loads((RULES_FOLDER / "schema.json").read_text(encoding="utf-8"))
    mistakes = []
    for error in Draft202012Validator(schema).iter_errors(document):
        place = tuple(error.absolute_path)
        path, line = locate(place, marks)
        mistakes.append((path.name, line, place, error.message, path))
    if mistakes:
        _, line, place, message, path = min(mistakes, key=lambda mistake: mistake[:2])
        raise RuleError(path, line, place, message)


def locate(place: Place, marks: Marks) -> tuple[Path, int]:
    """Return file and line of a place, or of the nearest enclosing node that has one."""
    while place not in marks:
        place = place[:-1]
    return marks[place]


def check_references(document: Mapping[str, Any], marks: Marks) -> None:
    """Check what a schema cannot: names that point at other rows, codes that must differ, fields that must fit."""
    for place, message in reference_mistakes(document):
        path, line = locate(place, marks)
        raise RuleError(path, line, place, message)


def reference_mistakes(document: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Yield the mistakes that `check_references` refuses."""
    formats, roundings = document["formats"], document["rounding"]
    yield from duplicates(document["flags"], "flags", "bit")
    yield from duplicates(roundings, "rounding", "rmode")
    yield from duplicates(formats, "formats", "code")
    yield from duplicates(document["prequant"], "prequant", "code")
    yield from duplicates(document["crrnd"], "crrnd", "code")
    yield from format_mistakes(formats)
    for name, row in document["prequant"].items():
        destination = row.get("destination")
        if destination is not None and destination not in formats:
            yield ("prequant", name, "destination"), f"no format is called {destination!r}"
        if row["rounding"] not in (*roundings, "programmable", "none"):
            yield ("prequant", name, "rounding"), f"no rounding mode is called {row['rounding']!r}"
        if (row["parameter"] == "none") != (row["operand"] == "none"):
            yield ("prequant", name, "operand"), "a parameter needs an operand, and no parameter none"
    for rule_set, rows in document["encoders"].items():
        for name in rows:
            if name not in formats:
                yield ("encoders", rule_set, name), f"no format is called {name!r}"
    yield from block_mistakes(document)
    yield from scale_mistakes(document)
    yield from fpatr_mistakes(document)


def duplicates(rows: Mapping[str, Any], section: str, key: str) -> Iterator[tuple[Place, str]]:
    """Yield the rows of a section that repeat another row's value of a key."""
    seen: dict[int, str] = {}
    for name, row in rows.items():
        value = row.get(key)
        if value is None:
            continue
        if value in seen:
            yield (section, name, key), f"{value} is already taken by {seen[value]}"
        seen[value] = name


def build_rules(document: Mapping[str, Any]) -> Rules:
    """Make rows of a checked document."""
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":"))
    flags = Flags(**{name.lower(): 1 << row["bit"] for name, row in document["flags"].items()})
    formats = build_formats(document["formats"])
    return Rules(
        digest=hashlib.sha256(canonical.encode()).hexdigest(),
        flags=flags,
        roundings={name: build_rounding(name, row) for name, row in document["rounding"].items()},
        formats=formats,
        modes={name: build_mode(name, row) for name, row in document["prequant"].items()},
        parameter_word=ParameterWord(
            **{name: WordField(row["low"], row.get("bits", 0)) for name, row in document["parameter_word"].items()}
        ),
        out_of_range={
            rule_set: flags.overflow if row["out_of_range"] == "overflow" else flags.nv
            for rule_set, row in document["integers"].items()
        },
        encoders={
            rule_set: {name: build_encoder(row) for name, row in rows.items()}
            for rule_set, rows in document["encoders"].items()
        },
        blocks={name: build_block(name, row) for name, row in document["blocks"].items()},
        crrnd={name: build_crrnd(name, row) for name, row in document["crrnd"].items()},
        adders={name: build_adder(row) for name, row in document["adders"].items()},
        open_questions={name: build_question(name, row) for name, row in document["open_questions"].items()},
        scale_tables={name: build_table(row, flags) for name, row in document["scale_tables"].items()},
        scale_rules={name: build_rule(name, row) for name, row in document["scale_rules"].items()},
        fpatr=build_word(document),
        legality={name: build_legality(row) for name, row in document["legality"].items()},
        reductions=build_reductions(document["reductions"], formats, flags),
    )


def build_rounding(name: str, row: Mapping[str, Any]) -> Rounding:
    """Make a rounding row."""
    return Rounding(name, row["nearest"], Choice(row["choice"]), row["rmode"])


def build_crrnd(name: str, row: Mapping[str, Any]) -> Rounding:
    """Make a rounding row of the crrnd modes."""
    return Rounding(name, row["nearest"], Choice(row["choice"]), row["code"])


def build_mode(name: str, row: Mapping[str, Any]) -> PreQuantMode:
    """Make a PreQuantMode row."""
    return PreQuantMode(
        name=name,
        code=row["code"],
        accumulators=tuple(row["accumulators"]),
        destination=row.get("destination"),
        parameter=Parameter(row["parameter"]),
        operand=row["operand"],
        offset_bits=row["offset_bits"],
        rounding=row["rounding"],
        saturate=row["saturate"],
    )


def build_encoder(row: Mapping[str, Any]) -> Encoder:
    """Make an encoder row."""
    return Encoder(
        overflow_before_rounding=row["overflow"] == "before_rounding",
        overflow_directed=row["overflow_result"] == "directed",
        tiny_after_rounding=row["tininess"] == "after_rounding",
        underflow_keeps_sign=row["underflow_sign"] == "kept",
        nan_keeps_payload=row["nan"] == "quieted",
        nan_saturates_to_zero=row["saturated_nan"] == "zero",
    )
