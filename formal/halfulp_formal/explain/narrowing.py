"""FP32 to FP19, `fp19.fp32`: what is kept, what is discarded, and how that rounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from halfulp_formal.subject import Subject

from .fields import Fields
from .literals import read_code
from .numerals import hex_text, machine_value, value_text
from .stages import Explanation, Stage, command_for

NAME = "fp19.fp32"


def names(subject: Subject) -> dict[str, Any]:
    """Return the one conversion, with the rows of its source and destination."""
    rows = subject.module("loader").default_rules().formats
    return {NAME: (rows["FP32"], rows["FP19"])}


def read(subject: Subject, _name: str, given: Mapping[str, Any]) -> int:
    """Read an FP32 code, or a number rounded to one. Raises FieldError."""
    fields = Fields(given, ("in",), {"bits": "in", "value": "in", "code": "in"})
    source, _ = names(subject)[NAME]
    raw = fields.require("in", "an FP32 code such as in=0x3f800000, or a number")
    return read_code(subject, fields.spelt("in"), raw, source)


def witness(_subject: Subject, _name: str, values: Mapping[str, int]) -> int | None:
    """Return the FP32 code that a solver's witness stands for, None where it has more inputs."""
    return next(iter(values.values())) if len(values) == 1 else None


def evaluate(subject: Subject, code: int) -> dict[str, Any]:
    """Run the model on a code; the FP19 code and its value as JSON values."""
    source, destination = names(subject)[NAME]
    result = subject.module("floats").fp32_to_fp19(code, source, destination)
    return {"out": hex_text(result, destination.code_bits), "value": machine_value(subject, destination, result)}


def explain(subject: Subject, code: int) -> Explanation:
    """Tell what is kept and discarded, and what comes of it."""
    source, destination = names(subject)[NAME]
    dropped = source.fraction_bits - destination.fraction_bits
    value, exact = value_text(subject, source, code)
    digits = hex_text(code, source.code_bits)
    stages = [Stage("in", value, digits, source.name, exact)]
    if subject.module("formats").is_finite(source, code):
        rest, half = code % (1 << dropped), 1 << (dropped - 1)
        beside = "exact" if rest == 0 else "half-way" if rest == half else f"{'above' if rest > half else 'below'} half"
        stages.append(Stage("kept", "", hex_text(code >> dropped, destination.code_bits)))
        stages.append(Stage("discarded", str(rest), hex_text(rest, dropped), note=beside))
    result = evaluate(subject, code)
    given, exact = value_text(subject, destination, int(result["out"], 0))
    stages.append(Stage("out", given, result["out"], destination.name, exact))
    return Explanation(
        conversion=NAME,
        summary="FP32 → FP19, RNE",
        command=command_for(NAME, [f"in={digits}"]),
        stages=tuple(stages),
        outcome=result,
    )
