"""Whole tiles, `tile.req8.rne.nosat` and its like: preflight, every element stage by stage, reductions, what is published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from halfulp_formal.subject import Subject
from halfulp_formal.wording import counted
from halfulp_model.conversions import PROGRAMMABLE

from . import pipeline
from .fields import Fields
from .fpatr import CONTROLS, WORD_PARTS, fault_record, fault_stage, mode_with, read_controls, read_word
from .lists import ROWS, Numbered, numbered, numbered_rows, read_list, read_rows
from .numerals import FieldError, hex_text, part_error, shown
from .operations import BOUND, KINDS, operand_stages, preflight_stages, read_bound, with_words
from .postprocess import PARTS, outcome, read_accumulator, read_quant_word, read_relu_word
from .reductions import reduction_stages, reductions_of
from .stages import Explanation, Stage, command_for, flags_text
from .trace import Call, trace

#: the parts of parameter and activation words; of a list there is one a column
OPERANDS = (*PARTS, "quant_word", "activation", "relu_word")
FIELDS = ("tile", "word", *WORD_PARTS, *CONTROLS, *BOUND, *OPERANDS, "row_max_in", "row_max_in_rows")

Words = int | tuple[int, ...] | None


@dataclass(frozen=True)
class Case:
    """A tile with its operands as `matrix_post_process` takes them, and the conversion that its name has."""

    name: str
    conversion: Any
    tile: tuple[tuple[int, ...], ...]
    word: int
    controls: Any
    quant: Words = None
    relu: Words = None
    row_max_in: tuple[int, ...] = ()


def names(subject: Subject) -> dict[str, Any]:
    """Return every post-processing conversion, by the name of its tile."""
    return {f"tile.{name}": row for name, row in subject.module("conversions").conversions().items()}


def read(subject: Subject, name: str, given: Mapping[str, Any]) -> Case:
    """Read a case: the rows of the tile, the word or its fields, and the operands. Raises FieldError.

    The word's mode, the rounding mode and Sat are those of the name where they are not given.
    """
    conversion = names(subject)[name]
    fmt = conversion.accumulator
    numbers = numbered_rows(numbered(with_words(given), "row_max_in_", "row_max_in"), "value_", "tile")
    fields = Fields(numbers, FIELDS, {"values": "tile"})
    expected = f"rows of {fmt.name} accumulators, {ROWS} between them, such as tile=1,2,3{ROWS}4,5,6"
    rows = [
        read_list(fields.spelt("tile", r), row, expected)
        for r, row in enumerate(read_rows(fields.spelt("tile"), fields.require("tile", expected), expected))
    ]
    tile = tuple(
        tuple(read_accumulator(subject, fields.spelt("tile", r, k), word, fmt) for k, word in enumerate(row))
        for r, row in enumerate(rows)
    )
    columns = len(rows[0])
    uneven = next((r for r, row in enumerate(rows) if len(row) != columns), None)
    if uneven is not None:
        row = rows[uneven]
        if isinstance(row, Numbered):
            raise row.wrong_count(columns)
        told = counted(len(row), "column")
        raise part_error(fields.spelt("tile", uneven), told, f"{columns}, as the first row has")
    word = read_word(subject, fields, conversion.mode.code)
    case = Case(name, conversion, tile, word, read_controls(subject, fields, control_codes(conversion)))
    case = replace(case, row_max_in=read_row_max_in(subject, fields, fmt))
    return replace(
        case, quant=read_quant(subject, fields, case, columns), relu=read_relu(subject, fields, case, columns)
    )


def control_codes(conversion: Any) -> dict[str, int]:
    """Return RMode and Sat of a conversion: NONE where its mode does not leave the rounding open."""
    open_rounding = conversion.mode.rounding == PROGRAMMABLE
    return {"rmode": conversion.rounding.code if open_rounding else 0, "sat": int(conversion.saturate)}


def read_row_max_in(subject: Subject, fields: Fields, fmt: Any) -> tuple[int, ...]:
    """Read RowMaxIn: one accumulator a row, cut to row_max_in_rows where that is given."""
    if "row_max_in" not in fields:
        return ()
    expected = f"{fmt.name} accumulators, one a row"
    words = read_list(fields.spelt("row_max_in"), fields.get("row_max_in"), expected)
    count = fields.integer("row_max_in_rows", len(words), 0, len(words))
    return tuple(read_accumulator(subject, fields.spelt("row_max_in", k), word, fmt) for k, word in enumerate(words))[
        :count
    ]


def read_quant(subject: Subject, fields: Fields, case: Case, columns: int) -> Words:
    """Read the parameter words that are bound: by their parts, or as vector files have them."""
    if any(f"quant_{end}" in fields for end in ("scalar_bound", "scalar", "columns", "words")):
        fields.refuse([*PARTS, "quant_word"], "quant_words or quant_scalar or their parts, not both")
        return bound_words(fields, "quant")
    mode = mode_of(subject, case)
    if mode is None or mode.operand not in ("scalar", "vector"):
        for part in (*PARTS, "quant_word"):
            fields.refuse([part], f"no {part}, as {mode.name if mode else 'a reserved mode'} takes no parameter")
        return None
    parts = [by_column(fields, columns, column) for column in range(columns)]
    words = tuple(read_quant_word(subject, mode, part) for part in parts)
    return words if mode.operand == "vector" else one_of(words, "quant_word", mode.name)


def read_relu(subject: Subject, fields: Fields, case: Case, columns: int) -> Words:
    """Read the activation words that are bound, as `read_quant` does."""
    if any(f"relu_{end}" in fields for end in ("scalar_bound", "scalar", "columns", "words")):
        fields.refuse(["activation", "relu_word"], "relu_words or relu_scalar or their parts, not both")
        return bound_words(fields, "relu")
    relu = attributes_of(subject, case).relu
    if relu not in (2, 3):
        fields.refuse(["activation", "relu_word"], "relu=2 or relu=3 beside it")
        return None
    words = tuple(read_relu_word(subject, by_column(fields, columns, column), relu) for column in range(columns))
    return words if relu > 2 else one_of(words, "relu_word", "ReluMode 2")


def bound_words(fields: Fields, kind: str) -> Words:
    """Return what is bound as vector files have it; the columns come before the scalar."""
    bound = read_bound(fields, kind)
    if bound.columns and len(bound.words) < bound.columns:
        raise FieldError(f"{kind}_columns", str(bound.columns), f"at most {len(bound.words)}, the words that are given")
    return bound.words if bound.columns else bound.scalar


def by_column(fields: Fields, columns: int, column: int) -> Fields:
    """Return the parts of a column's words; of a list, which has one a column, that of the column. Raises FieldError."""
    picked: dict[str, Any] = {}
    for part in OPERANDS:
        if part in fields:
            raw = fields.get(part)
            words = read_list(part, raw, "a value, or one a column") if isinstance(raw, str | list) else [raw]
            if len(words) not in (1, columns):
                raise FieldError(part, shown(raw), f"one value, or {columns}, one a column")
            picked[part] = words[column if len(words) > 1 else 0]
    return Fields(picked, OPERANDS, {})


def one_of(words: tuple[int, ...], field: str, what: str) -> int:
    """Return the word that all columns share. Raises FieldError where they do not."""
    if len(set(words)) > 1:
        raise FieldError(field, "", f"one word, as {what} has one for all columns")
    return words[0]


def attributes_of(subject: Subject, case: Case) -> Any:
    """Return the fields of a case's word."""
    return subject.module("fpatr").decode_word(subject.module("loader").default_rules().fpatr, case.word)


def mode_of(subject: Subject, case: Case) -> Any:
    """Return the row of the word's mode, None for a reserved code."""
    return mode_with(subject, attributes_of(subject, case).pre_quant)


def witness(_subject: Subject, _name: str, _values: Mapping[str, int]) -> Case | None:
    """Return None: the tiles of the proofs have groups of two columns, which no word can ask for."""
    return None


def run(subject: Subject, case: Case) -> Any:
    """Run the model on a tile."""
    return subject.module("api_tile").matrix_post_process(
        case.tile,
        case.word,
        case.conversion.accumulator.name,
        datr=case.controls,
        quant_param=case.quant,
        relu_param=case.relu,
        row_max_in=case.row_max_in or None,
    )


def is_fault(result: Any) -> bool:
    """Tell whether the model refused the operation."""
    return not hasattr(result, "d")


def destination_of(subject: Subject, case: Case) -> Any:
    """Return the format of D: the mode's destination, or the accumulator's own."""
    mode = mode_of(subject, case)
    name = (mode.destination if mode else None) or case.conversion.accumulator.name
    return subject.module("loader").default_rules().formats[name]


def packed_bytes(subject: Subject, case: Case, result: Any) -> str:
    """Return D's bytes in hex where two elements share one, else nothing."""
    destination = destination_of(subject, case)
    if destination.code_bits != 4:
        return ""
    elements = [word for row in result.d for word in row]
    return f"0x{subject.module('api_tile').pack_s4x2(elements).hex()}"


def record(subject: Subject, case: Case, result: Any) -> dict[str, Any]:
    """Return what is published as JSON values, `d`, `row_max` and `group_max` codes in hex; or the fault."""
    if is_fault(result):
        return fault_record(subject, result.rule)
    bits, wide = destination_of(subject, case).code_bits, case.conversion.accumulator.code_bits
    packed = packed_bytes(subject, case, result)
    found: dict[str, Any] = {"fault": None, "d": [[hex_text(word, bits) for word in row] for row in result.d]}
    found |= {"bytes": packed} if packed else {}
    found |= {"row_max": [hex_text(word, wide) for word in result.row_max]} if result.row_max else {}
    if result.group_max:
        found["group_max"] = [[hex_text(word, wide) for word in row] for row in result.group_max]
    return found | {"flags": flags_text(subject.module("loader").default_rules().flags, result.flags)}


def evaluate(subject: Subject, case: Case) -> dict[str, Any]:
    """Run the model on a tile; what is published, or the fault, as JSON values."""
    return record(subject, case, run(subject, case))


def explain(subject: Subject, case: Case) -> Explanation:
    """Tell the preflight, then of a legal operation every element's stages, the reductions and what is published."""
    ran = trace(subject.package, lambda: run(subject, case))
    stages = list(preflight_stages(subject, case.word, case.controls))
    result: dict[str, Any] = {}
    if not ran.failure and is_fault(ran.result):
        checks = (call.arguments for call in ran.calls if call.function == "broken_rule")
        stages += (stage for each in checks for stage in operand_stages(each["operands"], each["words"]))
    if not ran.failure:
        stages.append(fault_stage(subject, ran.result.rule if is_fault(ran.result) else None))
    if ran.failure or not is_fault(ran.result):
        stages += element_stages(subject, case, ran.calls, failed=bool(ran.failure))
        for reduction in reductions_of(ran.calls):
            prefix = f"row {reduction.row} " + ("" if reduction.group is None else f"{reduction.name} ")
            stages += reduction_stages(subject, case.conversion.accumulator, reduction, prefix)
    if not ran.failure:
        result = record(subject, case, ran.result)
        stages += published_stages(result, ran.result)
    return Explanation(
        conversion=case.name,
        summary=heading(case, ran.calls),
        command=command_for(case.name, arguments(case)),
        stages=tuple(stages),
        outcome=result,
        failure=ran.failure,
    )


def heading(case: Case, calls: Sequence[Call]) -> str:
    """Return what is computed in one line: the word and B.DATR may ask for another conversion than the name."""
    computed = (call.arguments["conversion"] for call in calls if call.function == "element")
    conversion = next(computed, None)
    what = pipeline.summary(conversion) if conversion else f"{case.conversion.accumulator.name}, nothing computed"
    return f"tile of {len(case.tile)} × {len(case.tile[0])}, {what}"


def element_stages(subject: Subject, case: Case, calls: Sequence[Call], *, failed: bool) -> Iterator[Stage]:
    """Yield the stages of every element, each as for one element alone, its row and column in front."""
    starts = [place for place, call in enumerate(calls) if call.function == "element"]
    columns = len(case.tile[0])
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(calls)
        call = calls[start]
        conversion = call.arguments["conversion"]
        found = [pipeline.accumulator_stage(subject, conversion, call.arguments["value"])]
        found += pipeline.call_stages(subject, conversion, calls[start:end], failed=failed)
        if call.result is not None:
            found += pipeline.last_stages(conversion, outcome(subject, conversion, call.result), call.result)
        for stage in found:
            yield replace(stage, name=f"{number // columns},{number % columns} {stage.name}")


def published_stages(result: Mapping[str, Any], published: Any) -> Iterator[Stage]:
    """Yield the bytes of packed elements and the flags of everything together."""
    if result["fault"] is None:
        if "bytes" in result:
            yield Stage("D", "", result["bytes"], note="bytes, the first element in the low nibble")
        yield Stage("flags", result["flags"], hex_text(published.flags, 5), note="of all elements and maxima")


def arguments(case: Case) -> Iterator[str]:
    """Yield the fields that name a case exactly."""
    bits = case.conversion.accumulator.code_bits
    yield f"tile={ROWS.join(','.join(hex_text(value, bits) for value in row) for row in case.tile)}"
    yield f"word={hex_text(case.word, 32)}"
    own = control_codes(case.conversion)
    yield from (f"{name}={code}" for name, code in case.controls._asdict().items() if code != own.get(name, 0))
    for kind, words in zip(KINDS, (case.quant, case.relu), strict=True):
        if isinstance(words, tuple):
            yield f"{kind}_words={','.join(f'{word:#x}' for word in words)}"
        else:
            yield f"{kind}_scalar_bound=0" if words is None else f"{kind}_scalar={words:#x}"
    if case.row_max_in:
        yield f"row_max_in={','.join(hex_text(value, bits) for value in case.row_max_in)}"
