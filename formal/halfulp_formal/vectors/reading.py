"""Reading JSON Lines vector files, whoever wrote them: every line checked for its shape, every fault with its place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from halfulp_formal.vectors.family import Field
from halfulp_formal.wording import counted

CASE_KEYS = ("tc", "class", "in", "out", "why")
HEADER_KEYS = (
    "schema",
    "conversion",
    "twins",
    "rules",
    "rounding",
    "saturate",
    "relu",
    "inputs",
    "outputs",
    "recipe",
    "classes",
    "count",
)
LONGEST = 60


@dataclass(frozen=True)
class Problem:
    """One fault of a file. `malformed`: the file cannot be read as vectors; else it says something that is not so."""

    path: Path
    line: int
    field: str
    given: str
    expected: str
    malformed: bool

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.field}: given {self.given}, expected {self.expected}"


@dataclass(frozen=True)
class Line:
    """One case as it stands in a file."""

    number: int
    tc: int
    corner: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    why: str


@dataclass
class VectorFile:
    """A file as far as it can be read. `header` is None where the first line is no header."""

    path: Path
    header: dict[str, Any] | None = None
    lines: list[Line] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def malformed(self, line: int, name: str, given: str, expected: str) -> None:
        """Note a fault of the file's shape."""
        self.problems.append(Problem(self.path, line, name, given, expected, malformed=True))

    def wrong(self, line: int, name: str, given: str, expected: str) -> None:
        """Note a statement that is not so."""
        self.problems.append(Problem(self.path, line, name, given, expected, malformed=False))


def read(path: Path) -> VectorFile:
    """Read a file; what is wrong with its shape stands in the result's problems."""
    file = VectorFile(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        file.malformed(1, "file", str(error.strerror or error), "a readable file")
        return file
    if not content.endswith(b"\n"):
        number = content.count(b"\n") + 1
        file.malformed(number, "line", "no line end" if content else "an empty file", "a whole line")
        content = content[: content.rfind(b"\n") + 1]  # there is no more to say of what may be half a line
    records = list(records_of(file, content))
    if not records or records[0][0] != 1:
        return file
    file.header = read_header(file, records[0][1])
    if file.header is None:
        return file
    inputs, outputs = (fields_of(file.header[key]) for key in ("inputs", "outputs"))
    for number, record in records[1:]:
        line = read_case(file, number, record, inputs, outputs)
        if line is not None:
            file.lines.append(line)
    check_order(file)
    return file


def records_of(file: VectorFile, content: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield line number and object of every line that is a JSON object."""
    for number, text in enumerate(content.splitlines(), start=1):
        try:
            record = json.loads(text.decode("ascii"), object_pairs_hook=without_duplicates)
        except (ValueError, RecursionError) as error:
            file.malformed(number, "line", f"no JSON ({short(str(error))})", "one JSON object in ASCII")
            continue
        if isinstance(record, dict):
            yield number, record
        else:
            file.malformed(number, "line", show(record), "a JSON object")


def without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its pairs, refusing a key that stands twice."""
    record = dict(pairs)
    if len(record) != len(pairs):
        raise ValueError("a key stands twice")
    return record


def has_keys(file: VectorFile, number: int, what: str, record: dict[str, Any], keys: tuple[str, ...]) -> bool:
    """Tell whether an object has exactly these keys, and note it where it has not."""
    if set(record) == set(keys):
        return True
    missing, extra = [key for key in keys if key not in record], [key for key in record if key not in keys]
    given = " and ".join(
        text for text in (missing and f"no {', '.join(missing)}", extra and f"also {', '.join(extra)}") if text
    )
    file.malformed(number, what, short(given), ", ".join(keys))
    return False


def read_header(file: VectorFile, record: dict[str, Any]) -> dict[str, Any] | None:
    """Check the header's shape; None where it is too broken to go on."""
    if "schema" not in record:
        file.malformed(1, "header", "no schema", "a header object")
        return None
    if not has_keys(file, 1, "header", record, HEADER_KEYS):
        return None
    before = len(file.problems)
    for key in ("inputs", "outputs"):
        if not is_fields(record[key]):
            file.malformed(1, key, show(record[key]), "a list of name, type and bits")
    if not is_classes(record["classes"]):
        file.malformed(1, "classes", show(record["classes"]), "a list of name, sentence, witnesses")
    if type(record["count"]) is not int:
        file.malformed(1, "count", show(record["count"]), "an integer")
    if not isinstance(record["conversion"], str):
        file.malformed(1, "conversion", show(record["conversion"]), "a name")
    return record if len(file.problems) == before else None


def is_fields(value: Any) -> bool:
    """Tell whether a value describes inputs or outputs."""
    return isinstance(value, list) and all(
        isinstance(each, dict)
        and set(each) == {"name", "type", "bits"}
        and isinstance(each["name"], str)
        and isinstance(each["type"], str)
        and type(each["bits"]) is int
        and each["bits"] > 0
        for each in value
    )


def is_classes(value: Any) -> bool:
    """Tell whether a value lists classes."""
    return isinstance(value, list) and all(
        isinstance(each, dict) and isinstance(each.get("name"), str) and is_count(each.get("witnesses"))
        for each in value
    )


def is_count(value: Any) -> bool:
    """Tell whether a value says how many witnesses a class has."""
    return value == "unreachable" or (type(value) is int and value > 0)


def fields_of(records: list[dict[str, Any]]) -> list[Field]:
    """Return the declared fields."""
    return [Field(record["name"], record["type"], record["bits"]) for record in records]


def read_case(
    file: VectorFile, number: int, record: dict[str, Any], inputs: list[Field], outputs: list[Field]
) -> Line | None:
    """Check the shape of one case; None where it has none."""
    if not has_keys(file, number, "case", record, CASE_KEYS):
        return None
    before = len(file.problems)
    if type(record["tc"]) is not int:
        file.malformed(number, "tc", show(record["tc"]), "an integer")
    for key in ("class", "why"):
        if not isinstance(record[key], str):
            file.malformed(number, key, show(record[key]), "a string")
    given = read_values(file, number, "in", record["in"], inputs)
    result = read_values(file, number, "out", record["out"], outputs)
    if len(file.problems) > before:
        return None
    return Line(number, record["tc"], record["class"], given, result, record["why"])


def read_values(file: VectorFile, number: int, key: str, values: Any, fields: list[Field]) -> tuple[int, ...]:
    """Read one list of fixed-width hex values."""
    if not isinstance(values, list) or len(values) != len(fields):
        file.malformed(number, key, show(values), counted(len(fields), "value"))
        return ()
    read_ones = []
    for each, value in zip(fields, values, strict=True):
        if not isinstance(value, str) or not hex_digits(each.digits).fullmatch(value):
            file.malformed(number, f"{key}.{each.name}", show(value), counted(each.digits, "lower-case hex digit"))
            continue
        code = int(value, 16)
        if code >> each.bits:
            file.malformed(number, f"{key}.{each.name}", value, f"at most {counted(each.bits, 'bit')}")
        read_ones.append(code)
    return tuple(read_ones)


@cache
def hex_digits(count: int) -> re.Pattern[str]:
    """Return the pattern of so many lower-case hex digits."""
    return re.compile(f"[0-9a-f]{{{count}}}")


def check_order(file: VectorFile) -> None:
    """Note cases out of order, cases that stand twice, and a count that is not that of the lines."""
    assert file.header is not None
    seen: dict[tuple[str, tuple[int, ...]], int] = {}
    for place, line in enumerate(file.lines, start=1):
        first = seen.setdefault((line.corner, line.inputs), line.number)
        if first != line.number:
            file.malformed(line.number, "in", f"the inputs of line {first} again", "a new case of the class")
        elif line.tc != place and not file.problems:
            file.malformed(line.number, "tc", str(line.tc), str(place))
    if len(file.lines) != file.header["count"] and not file.problems:
        last = file.lines[-1].number if file.lines else 1
        file.malformed(last, "count", counted(len(file.lines), "case"), f"{file.header['count']}, as the header says")


def show(value: Any) -> str:
    """Show a value of a file in a message."""
    return short(json.dumps(value))


def short(text: str) -> str:
    """Cut a text that would make a message unreadable."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
