"""Shipped vectors under an amended model: the cases whose expected values change."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from halfulp_formal.subject import Subject
from halfulp_formal.vectors.family import UnknownConversion, family_of
from halfulp_formal.vectors.reading import read

SUFFIX = ".jsonl"


@dataclass(frozen=True)
class ChangedCase:
    """A case of a vector file: its line, its corner class, its inputs, and the outputs before and after, in hex."""

    file: str
    conversion: str
    line: int
    corner: str
    inputs: dict[str, str]
    old: dict[str, str]
    new: dict[str, str]


def changed_cases(folder: Path, amended: Subject, names: Collection[str]) -> tuple[int, list[ChangedCase]]:
    """Return how many vector files of the named conversions a folder has, and their cases whose outputs change."""
    found, files = [], 0
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        name = path.name.removesuffix(SUFFIX)
        if name not in names:
            continue
        try:
            family: Any = family_of(name)
        except UnknownConversion:
            continue
        file = read(path)
        if file.header is None:
            continue
        files += 1
        changed = type(family)(amended.package)
        described = family.describe(name)
        for line in file.lines:
            try:
                after = changed.run(name, line.inputs)
            except Exception as error:  # noqa: BLE001  # an amended model may refuse what the base accepts
                new = {"rejected": " ".join(str(error).split()) or type(error).__name__}
            else:
                if after == line.outputs:
                    continue
                new = hexed(described.outputs, after)
            old, inputs = hexed(described.outputs, line.outputs), hexed(described.inputs, line.inputs)
            found.append(ChangedCase(path.name, name, line.number, line.corner, inputs, old, new))
    return files, found


def hexed(fields: Any, values: tuple[int, ...]) -> dict[str, str]:
    """Return values as hex of their fields' widths, by name."""
    return {each.name: f"0x{each.text(value)}" for each, value in zip(fields, values, strict=True)}
