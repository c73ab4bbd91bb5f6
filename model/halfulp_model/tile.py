"""The post-process of a whole tile: what it refuses before any effect, and what it publishes at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .fpatr import Attributes, Controls, controls_rule, fields_rule
from .fpatr_rows import FpatrWord, Reduction, Rule
from .integers import to_word
from .parameters import activation_word_legal, quant_word_legal
from .postprocess import RELU_SCALAR, RELU_VECTOR, Conversion, element
from .reduction import Reduced, group_max, initial_row_max, row_max
from .result import Result
from .rows import Format, ParameterWord, PreQuantMode

#: the largest M and N
LARGEST = 65535


class Operands(NamedTuple):
    """Which operands are bound: counts of elements, 0 for a tile that is not bound.

    rows, columns: M and N. row_max_in: elements of RowMaxIn. quant_scalar, relu_scalar: whether the scalar is bound.
    quant_columns, relu_columns: parameter and activation words of the columns.
    """

    accumulator: str
    rows: int
    columns: int
    row_max_in: int = 0
    quant_scalar: bool = False
    quant_columns: int = 0
    relu_scalar: bool = False
    relu_columns: int = 0


class Words(NamedTuple):
    """The parameter and activation words: a scalar that is not bound reads as 0."""

    quant_scalar: int = 0
    quant_columns: tuple[int, ...] = ()
    relu_scalar: int = 0
    relu_columns: tuple[int, ...] = ()


class Published(NamedTuple):
    """What an operation publishes, all of it at once: D of M × N 64-bit words, RowMaxOut of M, GroupMaxOut of M × groups.

    `row_max` and `group_max` have the accumulator's type, in 64-bit words like D's, and are empty where not enabled.
    """

    d: tuple[tuple[int, ...], ...]
    row_max: tuple[int, ...]
    group_max: tuple[tuple[int, ...], ...]
    flags: int


@dataclass(frozen=True, slots=True)
class Unit:
    """The rows that a legality check reads."""

    word: FpatrWord
    modes: tuple[PreQuantMode, ...]
    layout: ParameterWord
    fp19: Format


@dataclass(frozen=True, slots=True)
class Operation:
    """A legal operation: how an element is converted and reduced, and which outputs there are.

    relu: ReluMode. group_columns: columns of a group, 0 for no GroupMaxOut.
    """

    conversion: Conversion
    reduction: Reduction
    relu: int
    row_max: bool
    group_columns: int
    max_abs: bool


def broken_rule(
    unit: Unit, attributes: Attributes, controls: Controls, operands: Operands, words: Words
) -> Rule | None:
    """Return the first rule that an operation breaks, None for a legal one; nothing is read or written before.

    Sources: SetBundleFixedPointAttributeState, ExecuteBundleTMATMULOperation, BundleMatrixPostProcessSourcesLegal.
    """
    rule = fields_rule(unit.word, attributes)
    if rule is not None:
        return rule
    for mode in unit.modes:
        if mode.code == attributes.pre_quant:
            return operation_rule(unit, mode, attributes, controls, operands, words)
    return Rule.PRE_QUANT_MODE


def operation_rule(
    unit: Unit, mode: PreQuantMode, attributes: Attributes, controls: Controls, operands: Operands, words: Words
) -> Rule | None:
    """Return the first rule that controls and operands break under legal fields."""
    rule = scalars_rule(unit, mode, attributes, operands, words)
    if rule is None:
        rule = controls_rule(unit.modes, attributes.pre_quant, controls)
    if rule is None:
        rule = shapes_rule(mode, attributes, operands)
    return vectors_rule(unit, mode, attributes, operands, words) if rule is None else rule


def scalars_rule(
    unit: Unit, mode: PreQuantMode, attributes: Attributes, operands: Operands, words: Words
) -> Rule | None:
    """Return what the binding of operands breaks: those that are asked for and no others, and legal scalars."""
    if (operands.row_max_in != 0) != (attributes.row_max_init == 1):
        return Rule.OPERANDS
    if (operands.quant_columns != 0) != (mode.operand == "vector"):
        return Rule.OPERANDS
    if (operands.relu_columns != 0) != (attributes.relu == RELU_VECTOR):
        return Rule.OPERANDS
    if operands.quant_scalar and mode.operand != "scalar":
        return Rule.OPERANDS
    if operands.relu_scalar and attributes.relu != RELU_SCALAR:
        return Rule.OPERANDS
    if mode.operand == "scalar" and not quant_word_legal(unit.layout, mode, unit.fp19, words.quant_scalar):
        return Rule.SCALAR_QUANT_WORD
    if attributes.relu == RELU_SCALAR and not activation_word_legal(unit.layout, unit.fp19, words.relu_scalar):
        return Rule.SCALAR_RELU_WORD
    return None


def shapes_rule(mode: PreQuantMode, attributes: Attributes, operands: Operands) -> Rule | None:
    """Return what the shape, the accumulator's type or RowMaxIn breaks."""
    if not (1 <= operands.rows <= LARGEST and 1 <= operands.columns <= LARGEST):
        return Rule.SHAPE
    if operands.accumulator not in mode.accumulators:
        return Rule.ACCUMULATOR
    if attributes.row_max_init == 1 and operands.row_max_in != operands.rows:
        return Rule.ROW_MAX_SHAPE
    return None


def vectors_rule(
    unit: Unit, mode: PreQuantMode, attributes: Attributes, operands: Operands, words: Words
) -> Rule | None:
    """Return what the words of the columns break."""
    if mode.operand == "vector":
        if operands.quant_columns != operands.columns:
            return Rule.QUANT_SHAPE
        if not all(quant_word_legal(unit.layout, mode, unit.fp19, word) for word in words.quant_columns):
            return Rule.QUANT_WORDS
    if attributes.relu == RELU_VECTOR:
        if operands.relu_columns != operands.columns:
            return Rule.RELU_SHAPE
        if not all(activation_word_legal(unit.layout, unit.fp19, word) for word in words.relu_columns):
            return Rule.RELU_WORDS
    return None


def publish(
    operation: Operation,
    tile: tuple[tuple[int, ...], ...],
    row_max_in: tuple[int, ...],
    quant_words: tuple[int, ...],
    relu_words: tuple[int, ...],
) -> Published:
    """Return what a legal operation publishes: D, the maxima of the raw accumulators, and every flag raised.

    tile: rows of accumulators. row_max_in: one value a row, none without RowMaxInit. quant_words, relu_words: one a
    column. Source: CommitMatrixResult.
    """
    d = tuple(convert_row(operation, row, quant_words, relu_words) for row in tile)
    maxima = row_maxima(operation, tile, row_max_in)
    groups = tuple(group_maxima(operation, row) for row in tile) if operation.group_columns != 0 else ()
    raised = union(maxima)
    for converted in d:
        raised |= union(converted)
    for reduced in groups:
        raised |= union(reduced)
    return Published(
        tuple(tuple(result.word for result in converted) for converted in d),
        tuple(to_word(each.value) for each in maxima),
        tuple(tuple(to_word(each.value) for each in reduced) for reduced in groups),
        raised,
    )


def convert_row(
    operation: Operation, row: tuple[int, ...], quant_words: tuple[int, ...], relu_words: tuple[int, ...]
) -> tuple[Result, ...]:
    """Return the elements of D of a row, each under the words of its column. Source: MatrixPostProcessResult."""
    return tuple(
        element(operation.conversion, value, operation.relu, quant_word, relu_word)
        for value, quant_word, relu_word in zip(row, quant_words, relu_words, strict=True)
    )


def row_maxima(
    operation: Operation, tile: tuple[tuple[int, ...], ...], row_max_in: tuple[int, ...]
) -> tuple[Reduced, ...]:
    """Return the maximum of every row, from RowMaxIn on where it is given; none where RowMaxEn is 0."""
    if not operation.row_max:
        return ()
    if len(row_max_in) == 0:
        return tuple(row_max(operation.reduction, operation.max_abs, row) for row in tile)
    return tuple(
        initial_row_max(operation.reduction, operation.max_abs, row, initial)
        for row, initial in zip(tile, row_max_in, strict=True)
    )


def group_maxima(operation: Operation, row: tuple[int, ...]) -> tuple[Reduced, ...]:
    """Return the maximum of every group of a row."""
    return group_max(operation.reduction, operation.max_abs, operation.group_columns, row)


def union(results: tuple[Result, ...] | tuple[Reduced, ...]) -> int:
    """Return the flags that any of some results raises."""
    raised = 0
    for result in results:
        raised |= result.flags
    return raised
