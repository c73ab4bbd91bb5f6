"""What of the model a conversion uses: the lines that a run passes, those that lifting it for all inputs passes, its rows."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import FrameType
from typing import Any

from halfulp_formal.mutants.mutant import Place
from halfulp_formal.mutants.mutated import mutated
from halfulp_formal.mutants.reads import Path, watched
from halfulp_formal.mutants.sites import lines as lines_of
from halfulp_formal.subject import base_subject, shipped_document
from halfulp_model.rows import Format

#: a module without its package, and a line
Line = tuple[str, int]


@contextmanager
def recorded(package: str) -> Iterator[set[Line]]:
    """Record every line of a package's modules that is run."""
    passed: set[Line] = set()
    prefix = f"{package}."

    def enter(frame: FrameType, _event: str, _value: Any) -> Callable[..., Any] | None:
        name = str(frame.f_globals.get("__name__", ""))
        if not name.startswith(prefix):
            return None
        module = name.removeprefix(prefix)

        def line(inner: FrameType, event: str, _value: Any) -> Callable[..., Any]:
            if event == "line":
                passed.add((module, inner.f_lineno))
            return line

        return line

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        yield passed
    finally:
        sys.settrace(before)


def passed_lines(package: str, run: Callable[[], Any]) -> frozenset[Line]:
    """Run something and return the lines of a package's modules that it passed."""
    with recorded(package) as passed:
        run()
    return frozenset(passed)


def passes(place: Place, passed: frozenset[Line]) -> bool:
    """Tell whether lines have one of a statement's."""
    return any((place.module, line) in passed for line in range(place.first, place.last + 1))


@dataclass(frozen=True)
class Usage:
    """What a conversion uses: the lines that some legal input may pass, those that make its rows, what is read of these."""

    lines: frozenset[Line]
    row_lines: frozenset[Line]
    reads: frozenset[Path]


@cache
def usage_of(conversion: str) -> Usage:
    """Return what a conversion uses. The lifter leaves a branch out only where the rows decide it, whatever the input."""
    # the solver side is loaded only where it is wanted
    from halfulp_formal.lift.interpreter import Frame, Lifter  # noqa: PLC0415
    from halfulp_formal.mutants.lifted import lifted  # noqa: PLC0415

    subject, family = base_subject(), lifted(conversion)
    statements: set[Line] = set()
    reads: set[Path] = set()

    class Recorder(Lifter):
        def statement(self, node: ast.stmt, frame: Frame, path: Any) -> Any:
            first, last = lines_of(node)
            offset = frame.source.first_line - 1
            module = frame.source.file.removesuffix(".py")
            statements.update((module, offset + line) for line in range(first, last + 1))
            return super().statement(node, frame, path)

    case = family.case(subject, conversion)
    row = case.conversion
    case.conversion = watched(row, reads.add)
    case.lifter = Recorder(subject.package)
    # lifting runs as Python what depends on no input: those lines are recorded as they pass
    run = passed_lines(subject.package, lambda: family.result(case))
    return Usage(run | statements, row_lines(mutated(conversion).formats(row)), frozenset(reads))


def row_lines(given: Sequence[Format]) -> frozenset[Line]:
    """Return the lines that make the rows of formats."""
    subject, formats = base_subject(), shipped_document()[0]["formats"]
    build = subject.module("format_rows").build_format

    def make() -> None:
        for fmt in given:
            build(fmt.name, formats[fmt.name])

    return passed_lines(subject.package, make)
