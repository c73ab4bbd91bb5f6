"""Number formats, `format.e4m3` and its like: what the model makes of a code, of two beside one another, or of a number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from halfulp_formal.subject import Subject, base_subject
from halfulp_model.arguments import of_bits

from .code_fields import field_stages
from .fields import Fields
from .literals import read_code
from .numerals import (
    FieldError,
    decimal_text,
    exact_argument,
    exact_text,
    hex_text,
    machine_value,
    read_exact,
    shown,
    value_text,
)
from .stages import Explanation, Stage, command_for
from .trace import told
from .witness import signed


@dataclass(frozen=True)
class Case:
    """A format with the codes and the number that are asked about."""

    name: str
    row: Any
    codes: Mapping[str, int]  #: by field: in, other
    number: Any = None


def names(subject: Subject) -> dict[str, Any]:
    """Return the rows of all formats by conversion name."""
    rows = subject.module("loader").default_rules().formats
    return {f"format.{name.lower()}": row for name, row in rows.items()}


def read(subject: Subject, name: str, given: Mapping[str, Any]) -> Case:
    """Read a case. Raises FieldError."""
    row = names(subject)[name]
    if row.lanes > 1:
        given = with_lane(subject, row, given)
    fields = Fields(given, ("in", "other", "number"), {"bits": "in", "code": "in"})
    codes = {
        key: read_code(subject, fields.spelt(key), fields.get(key), row, valid=False)
        for key in ("in", "other")
        if key in fields
    }
    if "number" in fields:
        if row.is_integer:
            raise FieldError("number", shown(fields.get("number")), f"in, as {row.name} is an integer format")
        return Case(name, row, codes, read_exact(subject, "number", fields.get("number")))
    fields.require("in", f"a code of {row.name} such as in=0x1, or number=3*2^-1")
    return Case(name, row, codes)


def with_lane(subject: Subject, row: Any, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return fields with the carrier and the lane of a packed format as the lane's code. Raises FieldError."""
    if "carrier" not in given and "lane" not in given:
        return given
    both = [key for key in ("in", "bits", "code", "") if key in given]
    if both:
        raise FieldError(both[0] or "in", shown(given[both[0]]), "carrier and lane, or the lane's code, not both")
    parts = Fields({key: given[key] for key in ("carrier", "lane") if key in given}, ("carrier", "lane"), {})
    parts.require("carrier", of_bits(row.carrier_bits, f"carrier of {row.lanes} lanes beside the lane"))
    carrier = parts.integer("carrier", 0, 0, (1 << row.carrier_bits) - 1)
    lane = parts.integer("lane", 0, 0, row.lanes - 1)
    code = hex_text(subject.module("formats").lanes(row, carrier)[lane], row.code_bits)
    return {key: value for key, value in given.items() if key not in ("carrier", "lane")} | {"in": code}


def witness(subject: Subject, name: str, values: Mapping[str, int]) -> Case | None:
    """Return the case that a solver's witness stands for, None where it gives neither a code nor a number."""
    row, codes, parts = names(subject)[name], {}, {}
    for key, value in values.items():
        stem, _, bits = key.rpartition(".")
        if stem in ("in.bits", "in.other"):
            codes["in" if stem == "in.bits" else "other"] = value
        elif stem == "number.significand":
            parts["significand"] = value
        elif stem == "number.exponent":
            parts["exponent"] = signed(value, int(bits) + 1)
    if len(parts) == 2:
        negative = bool(values.get("number.negative", 0))
        return Case(name, row, codes, subject.module("exact").Exact(negative=negative, **parts))
    return Case(name, row, codes) if codes else None


def evaluate(subject: Subject, case: Case) -> dict[str, Any]:
    """Ask the model about a case; the answers as JSON values, those on another code with its field's name in front."""
    formats, row = subject.module("formats"), case.row
    found: dict[str, Any] = {}
    for field, code in case.codes.items():
        prefix = "" if field == "in" else f"{field}_"
        kind = formats.classify(row, code).value
        found[f"{prefix}out"] = hex_text(code, row.code_bits)
        found[f"{prefix}class"] = kind
        found[f"{prefix}value"] = machine_value(subject, row, code)
        if formats.is_valid(row, code) and "nan" not in kind:
            found[f"{prefix}order_key"] = formats.order_key(row, code)
    if case.number is not None:
        encoding = formats.encode_exact(row, case.number)
        found["number"] = exact_argument(case.number)
        found["encoded"] = hex_text(encoding.bits, row.code_bits) if encoding.available else None
    return found


def explain(subject: Subject, case: Case) -> Explanation:
    """Tell what the model makes of a case."""
    words = [f"{key}={hex_text(code, case.row.code_bits)}" for key, code in case.codes.items()]
    words += [f"number={exact_argument(case.number)}"] if case.number is not None else []
    stages, found, failure = told(lambda: (stages_of(subject, case), evaluate(subject, case)))
    kind = "integer" if case.row.is_integer else case.row.kind.value
    return Explanation(
        conversion=case.name,
        summary=f"{case.row.name}, {kind}, {case.row.code_bits} bits",
        command=command_for(case.name, words),
        stages=stages,
        outcome=found,
        failure=failure,
    )


def stages_of(subject: Subject, case: Case) -> Iterator[Stage]:
    """Yield the answers on each code, then those on the number."""
    formats, row = subject.module("formats"), case.row
    for field, code in case.codes.items():
        value, exact = value_text(subject, row, code)
        kind = formats.classify(row, code).value
        yield Stage(field, value, hex_text(code, row.code_bits), row.name, exact, kind.replace("_", " "))
        yield from field_stages(subject, row, code) if field == "in" else ()
        if formats.is_valid(row, code) and "nan" not in kind:
            yield Stage("order key", str(formats.order_key(row, code)))
    if case.number is not None:
        encoding = formats.encode_exact(row, case.number)
        yield Stage("number", decimal_text(case.number), exact=exact_text(case.number))
        bits = hex_text(encoding.bits, row.code_bits) if encoding.available else ""
        yield Stage("encoded", "exactly" if encoding.available else "not held exactly", bits, row.name)


def explain_format(fmt: str | int, bits: int, subject: Subject | None = None) -> Explanation:
    """Explain one code of a format, given by its name in any case or its DataType code: class, value and fields.

    bits: a code of the format, valid or not; of a packed format, of one lane. Raises the model's Rejected for an unknown
    format or a code that does not fit.
    """
    subject = subject or base_subject()
    calls = subject.module("api_formats")
    row = calls.find_format(fmt)
    return explain(subject, Case(f"format.{row.name.lower()}", row, {"in": calls.checked_code(row, bits)}))
