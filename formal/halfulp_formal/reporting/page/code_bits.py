"""The bits of a code by field, as its format's row says where the fields are: what the page colours."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any, NamedTuple

from halfulp_model.fpatr_rows import INSTRUCTION_BITS, InstructionField
from halfulp_model.loader import default_rules

#: the types of intermediates that are no format of the rules: S9, S5
INTEGER_TYPE = re.compile(r"([SU])([1-9][0-9]?)")


class Field(NamedTuple):
    """Neighbouring bits of a code with one meaning, highest bit first.

    name: sign, prefix, exponent, fraction, integer or zero (bits that must be zero); else a flag's or a word's field's own.
    """

    name: str
    bits: str


#: the type of the instruction word
WORD = "B.FPATR"


def typed_fields(type_name: str, code: int) -> list[Field]:
    """Return the fields of a code of a type: a format, an integer such as S9, the word of B.FPATR; none of another type."""
    if type_name == WORD:
        return cut(code, INSTRUCTION_BITS, [(field.name, field.bits) for field in word_fields()])
    row = default_rules().formats.get(type_name)
    if row is not None:
        return format_fields(row, code)
    integer = INTEGER_TYPE.fullmatch(type_name)
    return integer_fields(int(integer[2]), integer[1] == "S", code) if integer else []


def word_fields() -> list[InstructionField]:
    """Return the fields of the word of B.FPATR from the highest bit down."""
    word = default_rules().fpatr
    found = [value for each in fields(word) if isinstance(value := getattr(word, each.name), InstructionField)]
    return sorted((*found, *word.fixed), key=lambda field: -field.low)


def format_fields(row: Any, code: int) -> list[Field]:
    """Return the fields of a format's code, from the highest bit down; together they are its `code_bits` bits."""
    if row.is_integer:
        return integer_fields(row.code_bits, row.signed, code)
    widths = [("zero", row.high_zero_bits), ("sign", int(row.signed))]
    widths += tapered_widths(row, code) if row.bands else [("exponent", row.exponent_bits)]
    rest = row.code_bits - row.low_zero_bits - sum(width for _, width in widths)
    return cut(code, row.code_bits, [*widths, ("fraction", rest), ("zero", row.low_zero_bits)])


def tapered_widths(row: Any, code: int) -> list[tuple[str, int]]:
    """Return prefix and exponent, sign of the exponent included, of the band that a tapered code is in."""
    magnitude = code % (1 << row.sign_bit)
    band = next(band for band in row.bands if magnitude >> (row.sign_bit - band.prefix_bits) == band.prefix)
    return [("prefix", band.prefix_bits), ("exponent", band.exponent_signed + band.exponent_bits)]


def integer_fields(bits: int, signed: bool, code: int) -> list[Field]:
    """Return sign and value bits of an integer."""
    return cut(code, bits, [("sign", int(signed)), ("integer", bits - signed)])


def flag_fields(mask: int) -> list[Field]:
    """Return the five flags, the highest bit first, each a field of its own."""
    flags = default_rules().flags
    bits = {getattr(flags, each.name): each.name.upper() for each in fields(flags)}
    return [Field(bits[bit], str(int(bool(mask & bit)))) for bit in sorted(bits, reverse=True)]


def cut(code: int, bits: int, widths: list[tuple[str, int]]) -> list[Field]:
    """Cut the low `bits` bits of a code into fields of the given widths; those without bits are left out."""
    text, start, found = f"{code % (1 << bits):0{bits}b}", 0, []
    for name, width in widths:
        if width:
            found.append(Field(name, text[start : start + width]))
            start += width
    assert start == bits
    return found
