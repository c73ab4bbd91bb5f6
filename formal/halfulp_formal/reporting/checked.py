"""JSON files checked against a schema; what is wrong becomes one line: place, what was given, what was expected."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

#: longer values are cut in a message
LONGEST = 60

#: place, what was given there, what was expected
Mistake = tuple[str, str, str]


class MalformedResults(ValueError):
    """A file is not what it should be; the message is one line: file, field, what was given and what was expected."""


def read_json(path: Path, source: str) -> Any:
    """Read JSON that `source` wrote. Raises OSError, and MalformedResults for what is no JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # bytes that are no text are a ValueError, too
        raise MalformedResults(f"{path}: given no JSON ({error}), expected a file of `{source}`") from error


def refuse(path: Path, mistakes: Iterator[Mistake]) -> None:
    """Raise MalformedResults for the first mistake, if there is one."""
    for place, given, expected in mistakes:
        raise MalformedResults(f"{path}: {place}: given {given}, expected {expected}")


@cache
def checker(file: Path) -> Any:
    """Return the checker of a schema file; what a value should be is told by the schema's descriptions."""
    # imported here: a run that reads no file does not pay for the schema library
    from jsonschema import Draft202012Validator  # noqa: PLC0415

    return Draft202012Validator(json.loads(file.read_text(encoding="utf-8")))


def schema_mistakes(file: Path, record: Any) -> Iterator[Mistake]:
    """Yield everything in a record that the schema in a file does not allow."""
    root = checker(file).schema
    for error in checker(file).iter_errors(record):
        place, expected = place_text(error.absolute_path), str(error.schema.get("description", error.message))
        if error.validator == "required":
            missing = next(name for name in error.validator_value if name not in error.instance)
            told = member(root, error.schema, missing).get("description", "a value")
            yield joined(place, missing), "nothing", str(told)
        elif error.validator == "additionalProperties":
            known = error.schema.get("properties", {})
            extra = next(name for name in error.instance if name not in known)
            yield joined(place, extra), shown(error.instance[extra]), f"no member but {', '.join(known)}"
        else:
            yield place or "the file", shown(error.instance), expected


def member(root: Mapping[str, Any], schema: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return the schema of a member, of another definition where it refers to one."""
    found: Mapping[str, Any] = schema.get("properties", {}).get(name, {})
    while "$ref" in found:
        found = root["$defs"][found["$ref"].rpartition("/")[2]]
    return found


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
