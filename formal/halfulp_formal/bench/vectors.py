"""How fast vector files are made, checked and replayed, beside the same cases as plain TestFloat text through a pipe."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from halfulp_formal.decide import Engine
from halfulp_formal.replay.conversation import Limits, converse
from halfulp_formal.replay.wire import TextWire
from halfulp_formal.vectors.checking import check_paths
from halfulp_formal.vectors.generate import suites
from halfulp_formal.vectors.projections import flag_byte
from halfulp_formal.vectors.reading import VectorFile, fields_of, read
from halfulp_formal.vectors.writing import write_folder

from .section import Section, rate, ratio, seconds, timed

NAMES = ("req8.rne.nosat", "req8.rtz.sat", "deqf16.rne.nosat")

#: how often the cases of one file are asked for in one conversation
TIMES = 100


def conversation(file: VectorFile, folder: Path) -> tuple[float, float, int]:
    """Return the seconds of a replay and of the bare pipe, and the cases: of a command that knows its answers by heart."""
    assert file.header is not None
    wire = TextWire(fields_of(file.header["inputs"]), fields_of(file.header["outputs"]))
    cases = [replace(case, tc=number) for number, case in enumerate(file.lines * TIMES, start=1)]
    requests, answers = folder / "requests", folder / "answers"
    requests.write_bytes(b"".join(map(wire.request, cases)))
    answers.write_text("".join(answer(wire, case.outputs) for case in cases), encoding="ascii")
    command = ["sh", "-c", f"cat > {shlex.quote(str(folder / 'heard'))}; cat {shlex.quote(str(answers))}"]
    outcome, replaying = timed(converse, command, cases, wire, Limits())
    if outcome.failure or any(outcome.answers[case.tc] != case.outputs for case in cases):
        raise AssertionError(f"{file.path.name}: the replay failed: {outcome.failure}")
    said, piping = timed(bare, command, requests)
    if said != answers.read_bytes():
        raise AssertionError(f"{file.path.name}: the pipe lost something")
    return replaying, piping, len(cases)


def answer(wire: TextWire, outputs: tuple[int, ...]) -> str:
    """Return the line that answers a case rightly."""
    words = [f"{value:0{field.digits}x}" for field, value in zip(wire.outputs, outputs, strict=True)]
    if wire.has_flags:
        words[-1] = f"{flag_byte(outputs[-1]):02x}"
    return " ".join(words) + "\n"


def bare(command: list[str], requests: Path) -> bytes:
    """Return what a command prints when a file of requests is piped into it."""
    with requests.open("rb") as stream:
        return subprocess.run(command, stdin=stream, stdout=subprocess.PIPE, check=True).stdout  # noqa: S603  # made above


def rows(engine: Engine, folder: Path) -> Iterator[tuple[str, ...]]:
    """Yield a row a task."""
    yield "task", "cases", "time", "rate", "beside the bare pipe"
    made, making = timed(lambda: suites(NAMES, engine, jobs=1, cache=None, on_suite=lambda _: None))
    write_folder(folder, made, "jsonl", whole=True)
    count = sum(len(suite.cases) for suite in made)
    yield "solve for every class and write", f"{count:,}", seconds(making), rate(count, making, "cases"), "–"
    report, checking = timed(check_paths, [folder])
    if report.problems:
        raise AssertionError(str(report.problems[0]))
    yield "check against the model", f"{count:,}", seconds(checking), rate(count, checking, "cases"), "–"
    replaying = piping = asked = 0.0
    for name in NAMES:
        judged, plain, cases = conversation(read(folder / f"{name}.jsonl"), folder)
        replaying, piping, asked = replaying + judged, piping + plain, asked + cases
    yield (
        "replay, every answer judged",
        f"{asked:,.0f}",
        seconds(replaying),
        rate(asked, replaying, "cases"),
        (f"{ratio(piping, replaying)} times as long"),
    )
    yield "the bare pipe", f"{asked:,.0f}", seconds(piping), rate(asked, piping, "cases"), "1"


def section(engine: Engine) -> Section:
    """Return the rates."""
    with TemporaryDirectory() as place:
        table = list(rows(engine, Path(place)))
    return Section(
        "Vectors",
        f"{', '.join(NAMES)}, in one process, nothing known before. The replayed command knows the answers by heart, so "
        f"that only halfulp's side counts: each file's cases {TIMES} times, as TestFloat's text. The bare pipe carries the "
        "same text to and fro, and nobody looks at it.",
        table,
    )
