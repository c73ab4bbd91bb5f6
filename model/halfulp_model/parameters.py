"""Parameter words of B.FPATR: an FP19 scale with a signed offset, a shift code, or an FP19 activation factor."""

from __future__ import annotations

from .floats import is_positive_normal
from .rows import Format, Parameter, ParameterWord, PreQuantMode


def field(word: int, low: int, bits: int) -> int:
    """Return `bits` bits of a word, lowest bit at `low`, as an unsigned number."""
    return (word >> low) % (1 << bits)


def offset_value(layout: ParameterWord, mode: PreQuantMode, word: int) -> int:
    """Return the signed offset of a parameter word, 0 for a mode without one. Source: MatrixQuantOffset."""
    if mode.offset_bits == 0:
        return 0
    unsigned = field(word, layout.offset.low, mode.offset_bits)
    sign = 1 << (mode.offset_bits - 1)
    return unsigned - 2 * sign if unsigned >= sign else unsigned


def scale_bits(layout: ParameterWord, word: int) -> int:
    """Return the FP19 code of the scale in a parameter word."""
    return field(word, layout.scale.low, layout.scale.bits)


def shift_places(layout: ParameterWord, word: int) -> int:
    """Return the shift of a parameter word: its code plus one, 1 to 16 places."""
    return field(word, layout.shift.low, layout.shift.bits) + 1


def activation_bits(layout: ParameterWord, word: int) -> int:
    """Return the FP19 code of the activation factor in an activation word."""
    return field(word, layout.activation.low, layout.activation.bits)


def quant_word_legal(layout: ParameterWord, mode: PreQuantMode, fp19: Format, word: int) -> bool:
    """Tell whether a parameter word is legal for a mode: a positive normal scale, every other bit zero.

    A mode without a parameter does not read the word. Source: BundleFPATRQuantParameterWordLegal.
    """
    if mode.parameter is Parameter.NONE:
        return True
    if mode.parameter is Parameter.SHIFT:
        return word == field(word, layout.shift.low, layout.shift.bits) << layout.shift.low
    scale = scale_bits(layout, word)
    offset = field(word, layout.offset.low, mode.offset_bits)
    if word != (scale << layout.scale.low) + (offset << layout.offset.low):
        return False
    return is_positive_normal(fp19, scale)


def activation_word_legal(layout: ParameterWord, fp19: Format, word: int) -> bool:
    """Tell whether an activation word is legal: +0 or a positive normal FP19, every other bit zero.

    Source: BundleFPATRReluParameterWordLegal.
    """
    factor = activation_bits(layout, word)
    if word != factor << layout.activation.low:
        return False
    return factor == 0 or is_positive_normal(fp19, factor)


def build_scale_word(layout: ParameterWord, mode: PreQuantMode, scale: int, offset: int) -> int:
    """Return the parameter word of an FP19 scale and a signed offset. Source: MatrixQuantParameter."""
    return (scale << layout.scale.low) + (offset % (1 << mode.offset_bits) << layout.offset.low)
