"""Legality of the 64-bit parameter and activation words, and their fields (B.FPATR, FP19)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from halfulp_formal.bits import Bits, Bool, and_reduce, or_reduce
from halfulp_formal.encodings.modes import Mode, conversion_named

if TYPE_CHECKING:
    from collections.abc import Sequence


def scale_field(quant_word: Bits) -> Bits:
    """The FP19 scale, bits 31:13."""
    return quant_word.extract(31, 13)


def offset_field(quant_word: Bits, width: int) -> Bits:
    """The signed offset of that width, from bit 37 up."""
    return quant_word.extract(36 + width, 37)


def shift_field(quant_word: Bits) -> Bits:
    """The four-bit shift code, bits 35:32; the shift is code + 1."""
    return quant_word.extract(35, 32)


def activation_field(relu_word: Bits) -> Bits:
    """The FP19 activation parameter, bits 18:0."""
    return relu_word.extract(18, 0)


def _zero_but(word: Bits, fields: Sequence[tuple[int, int]]) -> Bool:
    """Every bit outside the (high, low) fields is zero."""
    used = sum((2 << high) - (1 << low) for high, low in fields)
    return ~or_reduce(word & ((1 << word.width) - 1 - used))


def _positive_normal(fp19: Bits) -> Bool:
    exponent = fp19.extract(17, 10)
    return ~fp19.bit(18) & or_reduce(exponent) & ~and_reduce(exponent)


def quant_word_legal(mode: Mode, quant_word: Bits) -> Bool:
    """The parameter word is legal for the mode; a mode without a parameter reads none, so any word is."""
    if mode.parameter == "none":
        return Bool.constant(True)
    if mode.parameter == "shift":
        return _zero_but(quant_word, [(35, 32)])
    fields = [(31, 13)] + ([(36 + mode.offset_bits, 37)] if mode.offset_bits else [])
    return _zero_but(quant_word, fields) & _positive_normal(scale_field(quant_word))


def relu_word_legal(relu_word: Bits) -> Bool:
    """The activation word holds +0 or a positive normal FP19 and nothing else."""
    parameter = activation_field(relu_word)
    return _zero_but(relu_word, [(18, 0)]) & (~or_reduce(parameter) | _positive_normal(parameter))


def legal(conversion: str, relu: Bits, quant_word: Bits, relu_word: Bits) -> Bool:
    """The element is accepted: an assigned ReluMode and legal words wherever the conversion reads them.

    `relu` is 3 bits wide, the words 64. ReluMode 2 and 3 read the activation word, 0 and 1 do not.
    """
    reads_activation = relu.bit(1)
    return (
        ~relu.bit(2)
        & quant_word_legal(conversion_named(conversion).mode, quant_word)
        & (~reads_activation | relu_word_legal(relu_word))
    )
