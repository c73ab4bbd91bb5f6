"""Rows of B.FPATR: the fields of its word, what an operation may break and the fault of each, and the reductions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from .rows import Flags, Format
from .scale_rows import flag_mask

#: a place in the rule data and what is wrong there
Mistake = tuple[tuple[str | int, ...], str]

#: width of the instruction word
INSTRUCTION_BITS = 32


class FaultKind(Enum):
    """How an operation is refused."""

    ILLEGAL_INSTRUCTION = "illegal_instruction"
    TILE_LEGALITY = "tile_legality"


class Rule(Enum):
    """What an operation may break, in the order in which it is looked for; see `rules/fpatr.yaml`, legality."""

    FIXED_BITS = "fixed_bits"
    PRE_QUANT_MODE = "pre_quant_mode"
    RELU_MODE = "relu_mode"
    GROUP_N_CODE = "group_n_code"
    ROW_MAX_INIT = "row_max_init"
    GROUP_MAX = "group_max"
    MAX_ABS = "max_abs"
    OPERANDS = "operands"
    SCALAR_QUANT_WORD = "scalar_quant_word"
    SCALAR_RELU_WORD = "scalar_relu_word"
    DATR_FIELDS = "datr_fields"
    ROUNDING = "rounding"
    SATURATION = "saturation"
    SHAPE = "shape"
    ACCUMULATOR = "accumulator"
    ROW_MAX_SHAPE = "row_max_shape"
    QUANT_SHAPE = "quant_shape"
    QUANT_WORDS = "quant_words"
    RELU_SHAPE = "relu_shape"
    RELU_WORDS = "relu_words"


@dataclass(frozen=True, slots=True)
class LegalityRule:
    """A rule of legality: the fault that breaking it raises, what it asks, and where the specification says so."""

    fault: FaultKind
    sentence: str
    source: str


@dataclass(frozen=True, slots=True)
class InstructionField:
    """A field of an instruction word: `bits` wide, from bit `low` up; any value that is not assigned is reserved."""

    name: str
    low: int
    bits: int
    assigned: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FpatrWord:
    """The fields of the B.FPATR word; `fixed` are the ones that have a single value."""

    pre_quant: InstructionField
    relu: InstructionField
    group_n: InstructionField
    row_max: InstructionField
    group_max: InstructionField
    row_max_init: InstructionField
    max_abs: InstructionField
    trans_a: InstructionField
    trans_b: InstructionField
    fixed: tuple[InstructionField, ...]
    #: columns of a group by GroupNCode
    group_columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Reduction:
    """The maximum of one accumulator type: flags of an absolute value that saturates, and of a signalling NaN."""

    accumulator: Format
    absolute_overflow: int
    signalling: int


#: the fields of `FpatrWord` that vary, by their names in the specification
VARIABLE = {
    "PreQuantMode": "pre_quant",
    "ReluMode": "relu",
    "GroupNCode": "group_n",
    "RowMaxEn": "row_max",
    "GroupMaxEn": "group_max",
    "RowMaxInit": "row_max_init",
    "MaxAbsEn": "max_abs",
    "TransA": "trans_a",
    "TransB": "trans_b",
}


def fpatr_mistakes(document: Mapping[str, Any]) -> Iterator[Mistake]:
    """Yield what a schema cannot refuse in the sections of B.FPATR."""
    owner: dict[int, str] = {}
    for name, row in document["fpatr"].items():
        for bit in range(row["low"], row["low"] + row["bits"]):
            if bit in owner:
                yield ("fpatr", name, "low"), f"bit {bit} is already taken by {owner[bit]}"
            owner[bit] = name
        assigned = row.get("assigned", ())
        if assigned != "prequant" and any(value >> row["bits"] for value in assigned):
            yield ("fpatr", name, "assigned"), f"{max(assigned)} does not fit {row['bits']} bits"
    missing = [bit for bit in range(INSTRUCTION_BITS) if bit not in owner]
    if missing:
        yield ("fpatr",), f"bits {missing} belong to no field; expected all of 0 to {INSTRUCTION_BITS - 1}"
    count, codes = len(document["group_columns"]["columns"]), document["fpatr"]["GroupNCode"].get("assigned", [])
    if codes != list(range(count)):
        yield ("group_columns", "columns"), f"{count} columns for the codes {codes}; expected one a code"
    names = [rule.value for rule in Rule]
    for name in document["legality"]:
        if name not in names:
            yield ("legality", name), f"no rule is called {name!r}"
    for name in names:
        if name not in document["legality"]:
            yield ("legality",), f"no row for the rule {name!r}"


def build_word(document: Mapping[str, Any]) -> FpatrWord:
    """Make the row of the B.FPATR word."""
    fields = {name: build_field(name, row, document["prequant"]) for name, row in document["fpatr"].items()}
    return FpatrWord(
        **{key: fields[name] for name, key in VARIABLE.items()},
        fixed=tuple(field for name, field in fields.items() if name not in VARIABLE),
        group_columns=tuple(document["group_columns"]["columns"]),
    )


def build_field(name: str, row: Mapping[str, Any], modes: Mapping[str, Any]) -> InstructionField:
    """Make a field."""
    assigned = row.get("assigned", range(1 << row["bits"]))
    if assigned == "prequant":
        assigned = sorted(mode["code"] for mode in modes.values())
    return InstructionField(name, row["low"], row["bits"], tuple(assigned))


def build_legality(row: Mapping[str, Any]) -> LegalityRule:
    """Make a rule of legality."""
    return LegalityRule(FaultKind(row["fault"]), row["sentence"], row["source"])


def build_reductions(row: Mapping[str, Any], formats: Mapping[str, Format], flags: Flags) -> dict[str, Reduction]:
    """Make the reductions, by accumulator type."""
    masks = flag_mask(row["absolute_overflow"], flags), flag_mask(row["signalling"], flags)
    return {name: Reduction(formats[name], *masks) for name in row["accumulators"]}
