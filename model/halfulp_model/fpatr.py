"""The B.FPATR word, its fields and their legality, and that of B.DATR's controls beside it.

Every function takes the row of the word, or the rows of the modes, first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .conversions import NO_CHOICE, PROGRAMMABLE
from .fpatr_rows import FpatrWord, InstructionField, Rule
from .rows import PreQuantMode


class Attributes(NamedTuple):
    """The fields of B.FPATR that vary, as codes; an enable is 0 or 1."""

    pre_quant: int = 0
    relu: int = 0
    group_n: int = 0
    row_max: int = 0
    group_max: int = 0
    row_max_init: int = 0
    max_abs: int = 0
    trans_a: int = 0
    trans_b: int = 0


class Controls(NamedTuple):
    """The fields of B.DATR as codes: RMode 0 is NONE. The data type belongs to the product's operands."""

    rmode: int = 0
    sat: int = 0
    layout: int = 0
    pad: int = 0
    cmode: int = 0
    canonicalize: int = 0


def value_of(part: InstructionField, word: int) -> int:
    """Return the value of a field of a word."""
    return (word >> part.low) % (1 << part.bits)


def decode_word(layout: FpatrWord, word: int) -> Attributes:
    """Return the fields of any 32-bit word, be it a legal B.FPATR or not."""
    return Attributes(
        pre_quant=value_of(layout.pre_quant, word),
        relu=value_of(layout.relu, word),
        group_n=value_of(layout.group_n, word),
        row_max=value_of(layout.row_max, word),
        group_max=value_of(layout.group_max, word),
        row_max_init=value_of(layout.row_max_init, word),
        max_abs=value_of(layout.max_abs, word),
        trans_a=value_of(layout.trans_a, word),
        trans_b=value_of(layout.trans_b, word),
    )


def encode_word(layout: FpatrWord, attributes: Attributes) -> int:
    """Return the word of some fields, each within its width."""
    word = sum(part.assigned[0] << part.low for part in layout.fixed)
    word += attributes.pre_quant << layout.pre_quant.low
    word += attributes.relu << layout.relu.low
    word += attributes.group_n << layout.group_n.low
    word += attributes.row_max << layout.row_max.low
    word += attributes.group_max << layout.group_max.low
    word += attributes.row_max_init << layout.row_max_init.low
    word += attributes.max_abs << layout.max_abs.low
    word += attributes.trans_a << layout.trans_a.low
    return word + (attributes.trans_b << layout.trans_b.low)


def has_fixed_bits(layout: FpatrWord, word: int) -> bool:
    """Tell whether a word is a B.FPATR at all: every fixed part has its value."""
    return all(value_of(part, word) == part.assigned[0] for part in layout.fixed)


def reserved_rule(layout: FpatrWord, attributes: Attributes) -> Rule | None:
    """Return the first field that has a reserved value, None where there is none. Sources: BundleFPATR…Legal."""
    if attributes.pre_quant not in layout.pre_quant.assigned:
        return Rule.PRE_QUANT_MODE
    if attributes.relu not in layout.relu.assigned:
        return Rule.RELU_MODE
    if attributes.group_n not in layout.group_n.assigned:
        return Rule.GROUP_N_CODE
    return None


def consistency_rule(attributes: Attributes) -> Rule | None:
    """Return the first rule by which assigned fields disagree with each other. Source: BundleFPATRFieldsLegal."""
    if attributes.row_max_init == 1 and attributes.row_max == 0:
        return Rule.ROW_MAX_INIT
    if (attributes.group_max == 1) != (attributes.group_n != 0):
        return Rule.GROUP_MAX
    if attributes.max_abs == 1 and attributes.row_max == 0 and attributes.group_max == 0:
        return Rule.MAX_ABS
    return None


def fields_rule(layout: FpatrWord, attributes: Attributes) -> Rule | None:
    """Return the first rule that fields break on their own."""
    reserved = reserved_rule(layout, attributes)
    return consistency_rule(attributes) if reserved is None else reserved


def word_rule(layout: FpatrWord, word: int) -> Rule | None:
    """Return the first rule that a word breaks on its own, None where it is accepted."""
    return fields_rule(layout, decode_word(layout, word)) if has_fixed_bits(layout, word) else Rule.FIXED_BITS


def controls_rule(modes: Sequence[PreQuantMode], pre_quant: int, controls: Controls) -> Rule | None:
    """Return the first rule that B.DATR breaks beside a PreQuantMode.

    Sources: BundleTMATMULDataAttributesLegal, BundleFPATRDATRFieldsLegal.
    """
    if controls.layout != 0 or controls.pad != 0 or controls.cmode != 0 or controls.canonicalize != 0:
        return Rule.DATR_FIELDS
    for mode in modes:
        if mode.code == pre_quant:
            if mode.rounding != PROGRAMMABLE and controls.rmode != 0:
                return Rule.ROUNDING
            return Rule.SATURATION if mode.saturate == NO_CHOICE and controls.sat != 0 else None
    return Rule.PRE_QUANT_MODE
