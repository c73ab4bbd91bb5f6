"""The B.FPATR command as a decoder sees it: mask and match, fields, and the legality of a whole operation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from halfulp_formal.bits import Bits, Bool, ite, or_reduce, select
from halfulp_formal.encodings.modes import MODES, Mode
from halfulp_formal.encodings.parameters import quant_word_legal, relu_word_legal

#: the bits that are fixed, and what they are
MASK, MATCH = 0x7E7F, 0x2023

#: assigned codes of PreQuantMode, ends included
ASSIGNED = ((0, 5), (12, 13), (16, 20), (23, 28), (32, 39))
VECTOR = (2, 4, 12, 18, 20, 23, 28, 33, 36, 37, 38, 39)
UNSCALED = (0, 1, 16)
ROUNDS_FIXED = (1, 16, 25, 26, 28, 32, 33, 34, 36, 37)
NO_CONTROL = (0, 12, 13)
TAKES_S32 = (2, 3, 4, 5, 12, 13, 17, 18, 19, 20, 35, 39)

#: what a word is refused for, in the order of the checks; 0 is an accepted word
ACCEPTED, NO_FPATR, RESERVED_MODE, RESERVED_RELU, RESERVED_GROUP, LONE_INIT, GROUP_MISMATCH, LONE_ABSOLUTE = range(8)
REFUSAL_BITS = 3


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields that vary, each at its width."""

    pre_quant: Bits
    relu: Bits
    group_n: Bits
    row_max: Bits
    group_max: Bits
    row_max_init: Bits
    max_abs: Bits
    trans_a: Bits
    trans_b: Bits


@dataclass(frozen=True, slots=True)
class Datr:
    """The fields of B.DATR beside the data type."""

    rmode: Bits
    sat: Bits
    layout: Bits
    pad: Bits
    cmode: Bits
    canonicalize: Bits


@dataclass(frozen=True, slots=True)
class Bound:
    """What is bound: counts of elements (0 for none), whether a scalar is, and the words."""

    rows: Bits
    columns: Bits
    row_max_in: Bits
    quant_scalar: Bool
    quant_columns: Bits
    relu_scalar: Bool
    relu_columns: Bits
    quant_word: Bits
    quant_words: Sequence[Bits]
    relu_word: Bits
    relu_words: Sequence[Bits]


def decode(word: Bits) -> Fields:
    """Wires from the 32-bit word."""
    return Fields(
        pre_quant=word.extract(31, 26),
        relu=word.extract(25, 23),
        group_n=word.extract(22, 19),
        row_max=word.extract(18, 18),
        group_max=word.extract(17, 17),
        row_max_init=word.extract(16, 16),
        max_abs=word.extract(15, 15),
        trans_b=word.extract(8, 8),
        trans_a=word.extract(7, 7),
    )


def encode(fields: Fields) -> Bits:
    """The word of some fields."""
    fixed = Bits.constant(0b010_0_00, 6)
    enables = (fields.row_max, fields.group_max, fields.row_max_init, fields.max_abs)
    low = (fields.trans_b, fields.trans_a, Bits.constant(MATCH & 0x7F, 7))
    return fields.pre_quant.concat(fields.relu, fields.group_n, *enables, fixed, *low)


def refusal(word: Bits) -> Bits:
    """Why a word is refused on its own: the first check that fails, 0 for none."""
    return select(
        ((word & MASK) != MATCH, Bits.constant(NO_FPATR, REFUSAL_BITS)), otherwise=field_refusal(decode(word))
    )


def field_refusal(fields: Fields) -> Bits:
    """Why fields are refused: a reserved code, or enables that disagree."""
    checks = (
        (~_in_ranges(fields.pre_quant, ASSIGNED), RESERVED_MODE),
        (fields.relu.bit(2), RESERVED_RELU),
        (fields.group_n.bvuge(10), RESERVED_GROUP),
        (fields.row_max_init.bit(0) & ~fields.row_max.bit(0), LONE_INIT),
        (fields.group_max.bit(0) ^ or_reduce(fields.group_n), GROUP_MISMATCH),
        (fields.max_abs.bit(0) & ~fields.row_max.bit(0) & ~fields.group_max.bit(0), LONE_ABSOLUTE),
    )
    return select(
        *((fails, Bits.constant(code, REFUSAL_BITS)) for fails, code in checks),
        otherwise=Bits.constant(ACCEPTED, REFUSAL_BITS),
    )


def controls_legal(pre_quant: Bits, datr: Datr) -> Bool:
    """B.DATR asks for nothing that the mode does not leave open."""
    others = datr.layout.concat(datr.pad, datr.cmode, datr.canonicalize)
    closed = _one_of(pre_quant, NO_CONTROL)
    free_rounding = ~closed & ~_one_of(pre_quant, ROUNDS_FIXED)
    return ~or_reduce(others) & (~or_reduce(datr.rmode) | free_rounding) & (~datr.sat.bit(0) | ~closed)


def operation_legal(accumulator: str, fields: Fields, datr: Datr, bound: Bound) -> Bool:
    """The whole preflight for an accumulator of s32, u32 or fp32: nothing is refused."""
    vector, plain = _one_of(fields.pre_quant, VECTOR), _one_of(fields.pre_quant, UNSCALED)
    scalar, relu_scalar, relu_vector = ~vector & ~plain, fields.relu == 2, fields.relu == 3
    quant_given, relu_given = or_reduce(bound.quant_columns), or_reduce(bound.relu_columns)
    initial = fields.row_max_init.bit(0)
    operands = (
        (or_reduce(bound.row_max_in) == initial)
        & (quant_given == vector)
        & (relu_given == relu_vector)
        & (scalar | ~bound.quant_scalar)
        & (relu_scalar | ~bound.relu_scalar)
    )
    shapes = (
        _dimension(bound.rows)
        & _dimension(bound.columns)
        & (~initial | (bound.row_max_in == bound.rows))
        & (~vector | (bound.quant_columns == bound.columns))
        & (~relu_vector | (bound.relu_columns == bound.columns))
    )
    words = ~scalar | _quant_legal(fields.pre_quant, bound.quant_word)
    words = words & (~relu_scalar | relu_word_legal(bound.relu_word))
    for word in bound.quant_words:
        words = words & (~vector | _quant_legal(fields.pre_quant, word))
    for word in bound.relu_words:
        words = words & (~relu_vector | relu_word_legal(word))
    return (
        (field_refusal(fields) == ACCEPTED)
        & controls_legal(fields.pre_quant, datr)
        & takes(accumulator, fields.pre_quant)
        & operands
        & shapes
        & words
    )


def takes(accumulator: str, pre_quant: Bits) -> Bool:
    """An assigned mode takes the accumulator: mode 0 any, the others the one they are listed for."""
    listed = _one_of(pre_quant, TAKES_S32)
    own = {"s32": listed, "u32": Bool.constant(False), "fp32": ~listed}[accumulator]
    return ~or_reduce(pre_quant) | own


def _quant_legal(pre_quant: Bits, word: Bits) -> Bool:
    """A parameter word is legal for a mode given by its code; modes of one layout share a checker."""
    checkers: dict[tuple[str, int], tuple[Mode, list[int]]] = {}
    for mode in MODES.values():
        if mode.parameter != "none":
            checkers.setdefault((mode.parameter, mode.offset_bits), (mode, []))[1].append(mode.code)
    result = Bool.constant(False)
    for mode, codes in checkers.values():
        result = ite(_one_of(pre_quant, codes), quant_word_legal(mode, word), result)
    return result


def _dimension(count: Bits) -> Bool:
    """A count is 1 to 65535."""
    high = or_reduce(count.extract(count.width - 1, 16)) if count.width > 16 else Bool.constant(False)
    return or_reduce(count) & ~high


def _one_of(value: Bits, codes: Sequence[int]) -> Bool:
    """A value is one of some codes."""
    result = Bool.constant(False)
    for code in codes:
        result = result | (value == code)
    return result


def _in_ranges(value: Bits, ranges: Sequence[tuple[int, int]]) -> Bool:
    """A value lies in one of some ranges."""
    result = Bool.constant(False)
    for low, high in ranges:
        result = result | (value.bvuge(low) & value.bvule(high))
    return result
