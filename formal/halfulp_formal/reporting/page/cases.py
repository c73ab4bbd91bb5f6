"""A witness as the page shows it: its inputs and every stage of the model, bit by bit, and the staircase round it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from halfulp_formal.explain import Explanation, Stage, explain_witness
from halfulp_formal.explain.numerals import value_text
from halfulp_formal.reporting.results import Row, witness_words
from halfulp_formal.subject import base_subject
from halfulp_model.loader import default_rules

from .code_bits import Field, flag_fields, typed_fields
from .curves import curve_of
from .rule_lines import rows_by_name

#: the type of inputs that have fields and that no explanation shows, by the start of their names
INPUT_TYPES = {"in.left": "FP32"}


def case_of(row: Row) -> dict[str, Any] | None:
    """Return the witness of a refuted row as JSON values, None of a row without one.

    inputs: what the solver gave. stages: [name, value, bits, type, exact, note, fields] in the model's order. curve: the
    staircase. The stages and the curve are computed here by the model that is installed.
    """
    proof = row.proof
    if proof.witness is None:
        return None
    explanation = explain_witness(proof.conversion, proof.witness)
    record: dict[str, Any] = {"inputs": list(witness_words(row))}
    if row.differences:
        record["differences"] = list(row.differences)
    if explanation is None:
        stages = [stage_record(stage) for stage in input_stages(row)]
        return record | ({"stages": stages} if stages else {})
    return record | explanation_record(proof.conversion, explanation)


def explanation_record(conversion: str, explanation: Explanation) -> dict[str, Any]:
    """Return an explained case as JSON values."""
    record: dict[str, Any] = {
        "command": explanation.command,
        "stages": [stage_record(stage) for stage in explanation.stages],
    }
    if explanation.failure:
        record["failure"] = explanation.failure
    curve = curve_of(rows_by_name().get(conversion), explanation)
    if curve is not None:
        record["curve"] = curve
    return record


def stage_record(stage: Stage) -> list[Any]:
    """Return a stage as a list; its exact value is left out where it says no more than the value."""
    exact = "" if stage.exact == stage.value else stage.exact
    fields = [[field.name, field.bits] for field in stage_fields(stage)]
    return [stage.name, stage.value, stage.bits, stage.type, exact, stage.note, fields]


def stage_fields(stage: Stage) -> list[Field]:
    """Return the fields of a stage's bits, none where their type has none."""
    if not stage.bits:
        return []
    code = int(stage.bits, 0)
    return flag_fields(code) if stage.name == "flags" else typed_fields(stage.type, code)


def input_stages(row: Row) -> Iterator[Stage]:
    """Yield the inputs that have fields, of a witness that cannot be explained."""
    for name, word in witness_words(row):
        for start, type_name in INPUT_TYPES.items():
            if name.startswith(start):
                fmt = default_rules().formats.get(type_name)
                value, exact = ("", "") if fmt is None else value_text(base_subject(), fmt, int(word, 0))
                yield Stage(name.removeprefix("in."), value, word, type_name, exact)
