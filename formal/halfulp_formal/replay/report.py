"""What a replay found, as text for people and as plain values for machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from halfulp_formal.replay.conversation import Failure
from halfulp_formal.replay.judging import Count, Judged, Mismatch, total
from halfulp_formal.vectors.family import Field
from halfulp_formal.vectors.reading import Line
from halfulp_formal.wording import counted

NONE = "·"


def values(fields: Sequence[Field], numbers: Sequence[int]) -> str:
    """Return named values in hex."""
    return ", ".join(f"{field.name} {field.text(number)}" for field, number in zip(fields, numbers, strict=True))


def mismatch_line(judged: Judged, mismatch: Mismatch) -> str:
    """Return a mismatch in one line."""
    case = mismatch.case
    inputs, expected, got = (
        " ".join(texts(fields, numbers))
        for fields, numbers in (
            (judged.inputs, case.inputs),
            (judged.outputs, case.outputs),
            (judged.outputs, mismatch.got),
        )
    )
    return f"{place(judged, case)}: inputs {inputs}, expected {expected}, got {got}"


def place(judged: Judged, case: Line) -> str:
    """Return where a case stands, its number and its class."""
    return f"{judged.file.path}:{case.number}: case {case.tc}, {case.corner}"


def mismatch_lines(judged: Judged, mismatch: Mismatch) -> list[str]:
    """Return a mismatch with everything by name, and how the model goes about the case."""
    case = mismatch.case
    return [
        place(judged, case),
        f"  inputs    {values(judged.inputs, case.inputs)}",
        f"  expected  {values(judged.outputs, case.outputs)}",
        f"  got       {values(judged.outputs, mismatch.got)}",
        *stage_lines(judged, case),
    ]


def failure_lines(judged: Judged, failure: Failure) -> list[str]:
    """Return a failure: what the command did, and the case that it did it on."""
    cases, answered = len(judged.file.lines), len(judged.outcome.answers)
    lines = [f"{judged.file.path}: {failure.reason.value.upper()}: the command {failure.text}"]
    if failure.case is not None:
        case = failure.case
        is_first = all(each.tc in judged.outcome.answers for each in judged.file.lines[: case.tc - 1])
        what = "the first without an answer is" if is_first else "it went wrong on"
        lines += [
            f"  answered  {answered} of {cases}; {what} case {case.tc}, {case.corner}",
            f"  inputs    {values(judged.inputs, case.inputs)}",
        ]
    return lines


def stage_lines(judged: Judged, case: Line) -> list[str]:
    """Return the model's stages of a case, or why there are none, and what the model gives where the file has another."""
    # only what differs needs the model
    from halfulp_formal.explain import FieldError, UnknownConversion, as_lines, explain  # noqa: PLC0415
    from halfulp_model import Rejected  # noqa: PLC0415

    fields = {field.name: f"0x{field.text(number)}" for field, number in zip(judged.inputs, case.inputs, strict=True)}
    try:
        explanation = explain(judged.conversion, fields)
    except (FieldError, UnknownConversion, Rejected) as error:
        return [f"  stages    none: {error}"]
    first, *rest = as_lines(explanation)
    stages = [f"  stages    {first}", *(f"          {line}" for line in rest), f"  explain   {explanation.command}"]
    return [*stages, *doubt_lines(judged, case)]


def doubt_lines(judged: Judged, case: Line) -> list[str]:
    """Return a line that says so if the model gives other outputs than the file."""
    from halfulp_formal.vectors.family import UnknownConversion, family_of  # noqa: PLC0415  # as above

    try:
        outputs = family_of(judged.conversion).run(judged.conversion, case.inputs)
    except UnknownConversion:
        return []
    if outputs == case.outputs:
        return []
    return [f"  model     {values(judged.outputs, outputs)}: the file is wrong; `halfulp vectors check` says more"]


def file_lines(judged: Judged, shown: int, explained: int) -> list[str]:
    """Return what there is to say of a file: its first mismatches and the case of a failure, as many stage by stage."""
    lines: list[str] = []
    for number, mismatch in enumerate(judged.mismatches[:shown]):
        lines += mismatch_lines(judged, mismatch) if number < explained else [mismatch_line(judged, mismatch)]
    if (more := len(judged.mismatches) - shown) > 0:
        lines.append(f"{judged.file.path}: {counted(more, 'more mismatch', 'more mismatches')}")
    if judged.alike is not None:
        lines.append(f"{judged.file.path}: behaves like: {judged.alike}")
    if judged.failure is not None:
        lines += failure_lines(judged, judged.failure)
        if judged.failure.case is not None and explained:
            lines += stage_lines(judged, judged.failure.case)
    return lines


def summary_lines(those: Sequence[Judged]) -> list[str]:
    """Return the classes in which something is wrong as a table, the others as counts, then one line of totals."""
    counts = total(those)
    silent = sum(count.unanswered == count.cases for count in counts.values())
    right = sum(count.agree == count.cases for count in counts.values())
    wrong = {name: count for name, count in counts.items() if count.differ or 0 < count.agree < count.cases}
    lines = table(wrong) if wrong else []
    other = "other " if wrong else ""
    if silent:
        lines.append(f"{counted(silent, f'{other}class', f'{other}classes')}: no answer")
    if right and (wrong or silent):
        lines.append(f"{counted(right, f'{other}class', f'{other}classes')}: every answer agrees")
    return [*lines, *([""] if lines else []), verdict(those, counts)]


def table(counts: Mapping[str, Count]) -> list[str]:
    """Return aligned rows of classes and their counts."""
    width = max(len("class"), *(len(name) for name in counts))
    lines = [f"{'class':<{width}}  cases  agree  differ  unanswered"]
    for name, count in counts.items():
        cells = (count.cases, count.agree, count.differ, count.unanswered)
        columns = "  ".join(f"{number or NONE:>{size}}" for number, size in zip(cells, (5, 5, 6, 10), strict=True))
        lines.append(f"{name:<{width}}  {columns}")
    return lines


def verdict(those: Sequence[Judged], counts: Mapping[str, Count]) -> str:
    """Return the totals in one line, what is wrong first."""
    cases, agree, differ = (
        sum(getattr(count, name) for count in counts.values()) for name in ("cases", "agree", "differ")
    )
    failed = sum(each.failure is not None for each in those)
    head = f"FAILED: {counted(failed, 'run')} of {len(those)}; " if failed else "MISMATCH: " if differ else ""
    scope = f"{head}{counted(len(those), 'file')}, {counted(cases, 'case')}"
    if agree == cases:
        return f"{scope}: every answer agrees"
    parts = [
        counted(agree, "agrees", "agree"),
        counted(differ, "differs", "differ"),
        *([f"{rest:,} unanswered"] if (rest := cases - agree - differ) else []),
    ]
    return f"{scope}: {', '.join(parts)}"


def as_record(those: Sequence[Judged]) -> dict[str, Any]:
    """Return everything as JSON values: files with their mismatches and failures, classes with their counts."""
    return {
        "files": [file_record(each) for each in those],
        "classes": {name: count_record(count) for name, count in total(those).items()},
    }


def file_record(judged: Judged) -> dict[str, Any]:
    """Return a file: counts, every mismatch, what the command behaves like, and what ended the run."""
    failure = judged.failure
    answered = len(judged.outcome.answers)
    return {
        "file": str(judged.file.path),
        "conversion": judged.conversion,
        "cases": len(judged.file.lines),
        "agree": answered - len(judged.mismatches),
        "differ": len(judged.mismatches),
        "unanswered": len(judged.file.lines) - answered,
        "seconds": round(judged.outcome.seconds, 3),
        "behaves_like": judged.alike,
        "failure": failure
        and {
            "reason": failure.reason.value,
            "text": f"the command {failure.text}",
            "case": failure.case and case_record(judged, failure.case),
        },
        "mismatches": [
            {**case_record(judged, each.case), "got": texts(judged.outputs, each.got)} for each in judged.mismatches
        ],
    }


def case_record(judged: Judged, case: Line) -> dict[str, Any]:
    """Return a case with the line that it stands on."""
    return {
        "line": case.number,
        "tc": case.tc,
        "class": case.corner,
        "in": texts(judged.inputs, case.inputs),
        "expected": texts(judged.outputs, case.outputs),
    }


def texts(fields: Sequence[Field], numbers: Sequence[int]) -> list[str]:
    """Return values in hex."""
    return [field.text(number) for field, number in zip(fields, numbers, strict=True)]


def count_record(count: Count) -> dict[str, int]:
    """Return the counts of a class."""
    return {"cases": count.cases, "agree": count.agree, "differ": count.differ, "unanswered": count.unanswered}
