"""The preflight of an operation on a tile, `fpatr.s32` and its like: word, controls, operands; and how words are bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from halfulp_formal.subject import Subject
from halfulp_formal.wording import counted

from .fields import Fields
from .fpatr import (
    CONTROLS,
    WORD_PARTS,
    control_stages,
    fault_record,
    fault_stage,
    read_controls,
    read_word,
    word_stages,
)
from .fpatr import Case as WordCase
from .lists import numbered, read_list
from .numerals import FieldError, hex_text, read_integer, shown
from .stages import Explanation, Stage, command_for
from .trace import told

KINDS = ("quant", "relu")
#: how words are bound: a scalar, or so many columns, as vector files have it
BOUND = tuple(f"{kind}_{end}" for kind in KINDS for end in ("scalar_bound", "scalar", "columns", "words"))
COUNTS = ("rows", "columns", "row_max_in_rows")

#: the most elements of a side that can be given: one more than are legal
MOST = 1 << 16


@dataclass(frozen=True)
class Case:
    """An operation before any effect: the word, and controls, counts and words in the model's own types."""

    name: str
    word: int
    controls: Any
    operands: Any
    words: Any


def names(subject: Subject) -> dict[str, str]:
    """Return the preflights by name, each with its accumulator's type."""
    rows = subject.module("loader").default_rules().reductions
    return {f"fpatr.{name.lower()}": name for name in rows}


def with_words(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields with the words of the columns, quant_word_0 … and relu_word_0 …, put into two lists."""
    fields = dict(given)
    for kind in KINDS:
        fields = numbered(fields, f"{kind}_word_", f"{kind}_words")
    return fields


def read(subject: Subject, name: str, given: Mapping[str, Any]) -> Case:
    """Read a case: the word or its fields, B.DATR's, M and N, and what is bound. Raises FieldError."""
    tile = subject.module("tile")
    fields = Fields(with_words(given), ("word", *WORD_PARTS, *CONTROLS, *COUNTS, *BOUND), {})
    word, controls = read_word(subject, fields, None), read_controls(subject, fields, {})
    rows, columns = (fields.require(side, f"a count of 0 to {MOST}") for side in ("rows", "columns"))
    bound = {kind: read_bound(fields, kind) for kind in KINDS}
    operands = tile.Operands(
        accumulator=names(subject)[name],
        rows=read_count("rows", rows),
        columns=read_count("columns", columns),
        row_max_in=fields.integer("row_max_in_rows", 0, 0, MOST),
        quant_scalar=bound["quant"].scalar is not None,
        quant_columns=bound["quant"].columns,
        relu_scalar=bound["relu"].scalar is not None,
        relu_columns=bound["relu"].columns,
    )
    words = tile.Words(bound["quant"].scalar or 0, bound["quant"].words, bound["relu"].scalar or 0, bound["relu"].words)
    return Case(name, word, controls, operands, words)


def read_count(field: str, given: object) -> int:
    """Read M or N; one too large for an operation is a case too. Raises FieldError."""
    count = read_integer(field, given)
    if not 0 <= count <= MOST:
        raise FieldError(field, shown(given), f"a count of 0 to {MOST}")
    return count


@dataclass(frozen=True)
class Bound:
    """Words that are bound: the scalar, None where it is not; so many columns, and the words of those that are given."""

    scalar: int | None
    columns: int
    words: tuple[int, ...]


def read_bound(fields: Fields, kind: str) -> Bound:
    """Read which words of a kind are bound. Raises FieldError."""
    words: tuple[int, ...] = ()
    key = f"{kind}_words"
    if key in fields:
        expected = "64-bit words, separated by commas"
        listed = read_list(fields.spelt(key), fields.get(key), expected)
        words = tuple(read_word_of(fields.spelt(key, k), each) for k, each in enumerate(listed))
    columns = fields.integer(f"{kind}_columns", len(words), 0, MOST)
    flag, scalar = f"{kind}_scalar_bound", f"{kind}_scalar"
    is_bound = fields.integer(flag, int(scalar in fields), 0, 1) == 1
    value = fields.integer(scalar, 0, 0, (1 << 64) - 1)
    return Bound(value if is_bound else None, columns, words[:columns])


def read_word_of(field: str, given: object) -> int:
    """Read a 64-bit word. Raises FieldError."""
    word = read_integer(field, given)
    if not 0 <= word < 1 << 64:
        raise FieldError(field, shown(given), "a 64-bit word")
    return word


def witness(subject: Subject, name: str, values: Mapping[str, int]) -> Case | None:
    """Return the operation that a solver's witness stands for, None where it has other inputs."""
    codes = {key.removeprefix("in."): value for key, value in values.items()}
    counts = ("rows", "columns", "row_max_in", "quant_columns", "relu_columns")
    if not {"rows", "columns", *WORD_PARTS, *CONTROLS} <= set(codes):
        return None
    model, tile = subject.module("fpatr"), subject.module("tile")
    layout = subject.module("loader").default_rules().fpatr
    operands = tile.Operands(
        accumulator=names(subject)[name],
        quant_scalar=bool(codes.get("quant_scalar", 0)),
        relu_scalar=bool(codes.get("relu_scalar", 0)),
        **{each: codes.get(each, 0) for each in counts},
    )
    columns = {kind: [codes[key] for key in codes if key.startswith(f"{kind}_word.column")] for kind in KINDS}
    words = tile.Words(
        codes.get("quant_word", 0), tuple(columns["quant"]), codes.get("relu_word", 0), tuple(columns["relu"])
    )
    attributes = model.Attributes(**{part: codes[part] for part in WORD_PARTS})
    controls = model.Controls(**{each: codes[each] for each in CONTROLS})
    return Case(name, model.encode_word(layout, attributes), controls, operands, words)


def broken(subject: Subject, case: Case) -> Any:
    """Return the first rule that the model finds broken, None for a legal operation."""
    model, calls = subject.module("fpatr"), subject.module("api_tile")
    layout = subject.module("loader").default_rules().fpatr
    rule = model.word_rule(layout, case.word)
    if rule is not None:
        return rule
    attributes = model.decode_word(layout, case.word)
    unit = calls.build_unit(subject.module("loader").default_rules())
    return subject.module("tile").broken_rule(unit, attributes, case.controls, case.operands, case.words)


def evaluate(subject: Subject, case: Case) -> dict[str, Any]:
    """Judge an operation; the fault as JSON values, or that there is none."""
    return fault_record(subject, broken(subject, case))


def explain(subject: Subject, case: Case) -> Explanation:
    """Tell word, controls and operands, and the rule that is broken first."""

    def stages_of() -> Iterator[Stage]:
        yield from preflight_stages(subject, case.word, case.controls)
        yield from operand_stages(case.operands, case.words)
        yield fault_stage(subject, broken(subject, case))

    stages, found, failure = told(lambda: (stages_of(), evaluate(subject, case)))
    return Explanation(
        conversion=case.name,
        summary=f"the preflight of an operation on {case.operands.accumulator} accumulators",
        command=command_for(case.name, arguments(case)),
        stages=stages,
        outcome=found,
        failure=failure,
    )


def preflight_stages(subject: Subject, word: int, controls: Any) -> Iterator[Stage]:
    """Yield the word with its fields, and the controls of B.DATR that are set."""
    yield from word_stages(subject, WordCase("fpatr", word))
    _, *stages = control_stages(subject, WordCase("fpatr.datr", controls=controls))
    yield from (stage for stage in stages if stage.value != "0" or stage.name in ("RMode", "Sat"))


def operand_stages(operands: Any, words: Any) -> Iterator[Stage]:
    """Yield what is bound, given in the model's own types."""
    yield Stage("shape", f"{operands.rows} × {operands.columns}", note=f"{operands.accumulator} accumulators")
    yield Stage("RowMaxIn", counted(operands.row_max_in, "row") if operands.row_max_in else "not bound")
    for kind, name in (("quant", "parameter word"), ("relu", "activation word")):
        columns, listed = getattr(operands, f"{kind}_columns"), getattr(words, f"{kind}_columns")
        is_scalar = getattr(operands, f"{kind}_scalar")
        if is_scalar or not columns:
            bits = hex_text(getattr(words, f"{kind}_scalar"), 64) if is_scalar else ""
            yield Stage(f"scalar {name}", "bound" if is_scalar else "not bound", bits)
        if columns:
            yield Stage(f"{name}s", counted(columns, "column"))
            yield from (Stage(f"{name} {k}", "", hex_text(word, 64)) for k, word in enumerate(listed))


def arguments(case: Case) -> Iterator[str]:
    """Yield the fields that name a case exactly."""
    operands = case.operands
    yield f"word={hex_text(case.word, 32)}"
    yield from (f"{name}={code}" for name, code in case.controls._asdict().items() if code)
    yield from (f"rows={operands.rows}", f"columns={operands.columns}")
    if operands.row_max_in:
        yield f"row_max_in_rows={operands.row_max_in}"
    for kind in KINDS:
        scalar, columns = getattr(case.words, f"{kind}_scalar"), getattr(operands, f"{kind}_columns")
        listed = getattr(case.words, f"{kind}_columns")
        if getattr(operands, f"{kind}_scalar"):
            yield f"{kind}_scalar={scalar:#x}"
        if listed:
            yield f"{kind}_words={','.join(f'{word:#x}' for word in listed)}"
        if columns != len(listed):
            yield f"{kind}_columns={columns}"
