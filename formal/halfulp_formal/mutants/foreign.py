"""Reading anybody's vectors for a conversion: our JSON Lines, TestFloat-style text, CSV."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from halfulp_formal.vectors.family import Description, Field
from halfulp_formal.vectors.projections import flag_byte
from halfulp_formal.vectors.reading import read, short
from halfulp_formal.wording import counted

#: spreadsheets put a byte order mark in front
ENCODING = "utf-8-sig"


class Unreadable(ValueError):
    """A file that cannot be read as vectors of a conversion: file, line, field, what was given and what was expected."""

    def __init__(self, path: Path, line: int, field: str, given: str, expected: str) -> None:
        super().__init__(f"{path}:{line}: {field}: given {given}, expected {expected}")


@dataclass(frozen=True)
class Foreign:
    """A case of somebody's file: file and line, inputs and outputs as bit patterns in the order of our own."""

    place: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


def conversion_of(path: Path) -> str | None:
    """Return the conversion that a JSON Lines file names, None for any other file. Raises Unreadable."""
    if path.suffix != ".jsonl":
        return None
    file = read(path)
    if file.header is None:
        problem = file.problems[0]
        raise Unreadable(path, problem.line, problem.field, problem.given, problem.expected)
    return str(file.header["conversion"])


def cases_of(path: Path, description: Description) -> list[Foreign]:
    """Return the cases of a file as bit patterns. Raises Unreadable, OSError."""
    cases = json_cases(path, description) if path.suffix == ".jsonl" else lines_of(path, description)
    if not cases:
        given = "no case" if path.stat().st_size else "an empty file"
        raise Unreadable(path, 1, "line", given, "at least one case")
    return cases


def lines_of(path: Path, description: Description) -> list[Foreign]:
    """Return the cases of a file that has one a line."""
    rows = csv_rows(path, description) if path.suffix == ".csv" else text_rows(path)
    fields = (*description.inputs, *description.outputs)
    made = []
    for line, row in rows:
        if len(row) != len(fields):
            names = ", ".join(field.name for field in fields)
            raise Unreadable(path, line, "line", counted(len(row), "value"), f"{len(fields)}: {names}")
        values = [value_of(path, line, field, text) for field, text in zip(fields, row, strict=True)]
        if path.suffix != ".csv" and fields[-1].type == "flags":
            values[-1] = flag_byte(values[-1])  # TestFloat counts the flags the other way round
        given = len(description.inputs)
        made.append(Foreign(f"{path}:{line}", tuple(values[:given]), tuple(values[given:])))
    return made


def json_cases(path: Path, description: Description) -> list[Foreign]:
    """Return the cases of a JSON Lines file."""
    file = read(path)
    for problem in file.problems:
        raise Unreadable(path, problem.line, problem.field, problem.given, problem.expected)
    assert file.header is not None
    for key, fields in (("inputs", description.inputs), ("outputs", description.outputs)):
        given = [(each["name"], each["bits"]) for each in file.header[key]]
        expected = [(field.name, field.bits) for field in fields]
        if given != expected:
            raise Unreadable(path, 1, key, short(str(given)), f"those of {description.conversion}")
    return [Foreign(f"{path}:{line.number}", line.inputs, line.outputs) for line in file.lines]


def text_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines of TestFloat-style text, split at spaces; empty lines are left out."""
    for number, line in enumerate(path.read_text(encoding=ENCODING, errors="replace").splitlines(), start=1):
        if line.strip():
            yield number, line.split()


def csv_rows(path: Path, description: Description) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the rows of a CSV file: with a row of names the named columns, else all of them in order."""
    names = [field.name for field in (*description.inputs, *description.outputs)]
    with path.open(encoding=ENCODING, errors="replace", newline="") as file:
        reader = csv.reader(file)
        columns: list[int] | None = None
        for row in reader:
            if reader.line_num == 1 and set(names) <= set(row):
                for name in names:
                    if row.count(name) > 1:
                        raise Unreadable(path, 1, name, f"{row.count(name)} columns of this name", "one")
                columns = [row.index(name) for name in names]
            elif row:
                kept = [row[column] for column in columns if column < len(row)] if columns is not None else row
                yield reader.line_num, kept


def value_of(path: Path, line: int, field: Field, text: str) -> int:
    """Read one hexadecimal value."""
    if not re.fullmatch("(0[xX])?[0-9a-fA-F]{1,32}", text):
        raise Unreadable(path, line, field.name, repr(text), "a hexadecimal number")
    value = int(text, 16)
    if value >> field.bits:
        raise Unreadable(path, line, field.name, text, f"at most {counted(field.bits, 'bit')}")
    return value
