"""The answers of a command against the outputs that its file gives: mismatches, missing answers, counts by class."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from halfulp_formal.replay.conversation import Failure, Limits, Outcome, converse
from halfulp_formal.replay.wire import WIRES
from halfulp_formal.vectors.family import Field
from halfulp_formal.vectors.reading import Line, VectorFile, fields_of, read
from halfulp_formal.vectors.writing import SCHEMA

#: stands for the conversion's name in a command
PLACE = "{conversion}"


class BadFile(ValueError):
    """A file that cannot be replayed; the message is a line that names file, line, field, given and expected."""


@dataclass(frozen=True)
class Mismatch:
    """A case that the command answered with other outputs than the file has."""

    case: Line
    got: tuple[int, ...]


@dataclass
class Count:
    """How the cases of a class came out; what was never answered is neither."""

    cases: int = 0
    agree: int = 0
    differ: int = 0

    @property
    def unanswered(self) -> int:
        """The number of cases without an answer."""
        return self.cases - self.agree - self.differ


@dataclass(frozen=True)
class Judged:
    """A file and what a command made of it. `alike`: the mutant that the command behaves like, None if none was sought."""

    file: VectorFile
    outcome: Outcome
    alike: str | None = None

    @property
    def conversion(self) -> str:
        """The conversion's name."""
        assert self.file.header is not None
        return str(self.file.header["conversion"])

    @property
    def inputs(self) -> list[Field]:
        """The inputs of a case."""
        assert self.file.header is not None
        return fields_of(self.file.header["inputs"])

    @property
    def outputs(self) -> list[Field]:
        """The outputs of a case."""
        assert self.file.header is not None
        return fields_of(self.file.header["outputs"])

    @property
    def failure(self) -> Failure | None:
        """What ended the run early, if anything did."""
        return self.outcome.failure

    @cached_property
    def mismatches(self) -> list[Mismatch]:
        """The answers that differ, in the file's order."""
        answers = self.outcome.answers
        return [
            Mismatch(case, answers[case.tc])
            for case in self.file.lines
            if case.tc in answers and answers[case.tc] != case.outputs
        ]

    def count(self) -> dict[str, Count]:
        """Count the cases by class, in the file's order."""
        counts: dict[str, Count] = {}
        for case in self.file.lines:
            entry = counts.setdefault(case.corner, Count())
            entry.cases += 1
            if case.tc in self.outcome.answers:
                if self.outcome.answers[case.tc] == case.outputs:
                    entry.agree += 1
                else:
                    entry.differ += 1
        return counts


def read_files(paths: Iterable[Path]) -> list[VectorFile]:
    """Read files before anything is started, each path once. Raises BadFile for the first that cannot be replayed."""
    known: dict[Path, VectorFile] = {}
    files = []
    for path in paths:
        if path not in known:
            known[path] = readable(read(path))
        files.append(known[path])
    return files


def readable(file: VectorFile) -> VectorFile:
    """Return a file whose cases can be replayed. Raises BadFile."""
    if not file.problems and file.header is not None and file.header["schema"] != SCHEMA:
        file.malformed(1, "schema", f'"{file.header["schema"]}"', SCHEMA)
    if not file.problems and not file.lines:
        file.malformed(1, "count", "no case", "at least one to replay")
    if file.problems:
        first, *more = file.problems
        raise BadFile(f"{first}" + (f" ({len(more)} more)" if more else ""))
    return file


def replay(file: VectorFile, command: list[str], fmt: str, limits: Limits) -> Judged:
    """Run a command over the cases of a file that `read_files` returned. Raises CannotStart."""
    assert file.header is not None
    wire = WIRES[fmt](fields_of(file.header["inputs"]), fields_of(file.header["outputs"]))
    own = [part.replace(PLACE, file.header["conversion"]) for part in command]
    return Judged(file, converse(own, file.lines, wire, limits))


def total(judged: Iterable[Judged]) -> dict[str, Count]:
    """Add the counts of several files up, classes in the order in which they first come."""
    counts: dict[str, Count] = {}
    for each in judged:
        for name, count in each.count().items():
            entry = counts.setdefault(name, Count())
            entry.cases += count.cases
            entry.agree += count.agree
            entry.differ += count.differ
    return counts


def exit_code(judged: Iterable[Judged]) -> int:
    """Return 0 where every answer agrees, 4 where a run failed, else 1."""
    those: list[Any] = list(judged)
    if any(each.failure for each in those):
        return 4
    return 1 if any(each.mismatches for each in those) else 0
