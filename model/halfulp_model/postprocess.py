"""One element through the matrix post-processing pipeline of B.FPATR, in the specification's order.

Every function takes the conversion first: the resolved rows of one PreQuant mode, accumulator, rounding mode and Sat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .encode import encode, encode_infinity, encode_nan
from .exact import ZERO, Exact, from_integer, is_integer, multiply
from .floats import (
    exact_value,
    is_infinite,
    is_nan,
    is_negative,
    is_negative_zero,
    one,
    with_sign,
)
from .integers import clamp, in_range, narrowed, saturate_signed, stands_for, to_word
from .parameters import (
    activation_bits,
    activation_word_legal,
    offset_value,
    quant_word_legal,
    scale_bits,
    shift_places,
)
from .result import Result
from .rounding import round_to_integer
from .rows import Encoder, Flags, Format, Parameter, ParameterWord, PreQuantMode, Rounding

#: B.FPATR.ReluMode codes
RELU_NONE, RELU_ZERO, RELU_SCALAR, RELU_VECTOR = range(4)


@dataclass(frozen=True, slots=True)
class Conversion:
    """One conversion, every rule resolved to its row: what `req8.rne.nosat` means."""

    name: str
    mode: PreQuantMode
    accumulator: Format
    destination: Format
    rounding: Rounding
    saturate: bool
    layout: ParameterWord
    fp19: Format
    encoder: Encoder | None
    out_of_range: int
    flags: Flags


class IntegerStages(NamedTuple):
    """The stages of an integer destination: `rounded` product, saturated `intermediate`, `total` with the offset."""

    rounded: int
    intermediate: int
    total: int
    word: int
    flags: int


def legal(conversion: Conversion, relu: int, quant_word: int, relu_word: int) -> bool:
    """Tell whether ReluMode, parameter word and activation word are legal; a word that is not consumed is free."""
    if relu < RELU_NONE or relu > RELU_VECTOR:
        return False
    if relu >= RELU_SCALAR and not activation_word_legal(conversion.layout, conversion.fp19, relu_word):
        return False
    return quant_word_legal(conversion.layout, conversion.mode, conversion.fp19, quant_word)


def element(conversion: Conversion, value: int, relu: int, quant_word: int, relu_word: int) -> Result:
    """Convert one accumulator element under legal parameters.

    `value` is the integer of an S32 or U32 accumulator, or the 32-bit code of an FP32 one.
    Source: MatrixPostQuantBaseWithFlags.
    """
    if conversion.mode.destination is None and relu == RELU_NONE:
        return Result(to_word(value), 0)
    if conversion.mode.parameter is Parameter.SHIFT:
        return shift_element(conversion, value, quant_word)
    multiplier = select_multiplier(conversion, value, relu, quant_word, relu_word)
    if is_special(conversion, value, multiplier):
        return special_result(conversion, value)
    offset = offset_value(conversion.layout, conversion.mode, quant_word)
    if conversion.destination.is_integer:
        product = exact_product(conversion, value, multiplier)
        stages = integer_stages(conversion, product, offset)
        return Result(stages.word, stages.flags)
    if is_kept_negative_zero(conversion, value, multiplier):
        return Result(with_sign(conversion.destination, 0, conversion.destination.signed_zero), 0)
    return encode_product(conversion, exact_product(conversion, value, multiplier))


def shift_element(conversion: Conversion, value: int, quant_word: int) -> Result:
    """Shift right arithmetically (floor, never inexact) and saturate. Source: MatrixShiftS32ToS16."""
    shifted = value >> shift_places(conversion.layout, quant_word)
    word = to_word(clamp(shifted, conversion.destination))
    return Result(word, 0 if in_range(shifted, conversion.destination) else conversion.flags.overflow)


def source_negative(conversion: Conversion, value: int) -> bool:
    """Tell whether the accumulator takes the negative path: -0 and -infinity do, a NaN and U32 do not."""
    if conversion.accumulator.is_integer:
        return value < 0
    return is_negative(conversion.accumulator, value)


def select_multiplier(conversion: Conversion, value: int, relu: int, quant_word: int, relu_word: int) -> Exact:
    """Return the factor of the element: the scale, or on the negative path what the activation puts in its place.

    Source: MatrixSelectedMultiplier; ADR 0085, Decision 176.
    """
    if relu == RELU_NONE or not source_negative(conversion, value):
        if conversion.mode.parameter is Parameter.SCALE:
            return exact_value(conversion.fp19, scale_bits(conversion.layout, quant_word))
        return one(conversion.fp19)
    if relu == RELU_ZERO:
        return ZERO
    return exact_value(conversion.fp19, activation_bits(conversion.layout, relu_word))


def is_special(conversion: Conversion, value: int, multiplier: Exact) -> bool:
    """Tell whether the value is a NaN or an infinity; -infinity under a factor of zero goes on as 0 instead."""
    if conversion.accumulator.is_integer:
        return False
    if is_nan(conversion.accumulator, value):
        return True
    if not is_infinite(conversion.accumulator, value):
        return False
    return not (is_negative(conversion.accumulator, value) and multiplier.significand == 0)


def special_result(conversion: Conversion, value: int) -> Result:
    """Return the result of a NaN or an infinity. Source: MatrixPostQuantSpecialValue."""
    source, destination, saturate = conversion.accumulator, conversion.destination, conversion.saturate
    nan, negative = is_nan(source, value), is_negative(source, value)
    if destination.is_integer:
        word = to_word(stands_for(destination, nan, negative, saturate))
        return Result(word, conversion.flags.nv if nan or not saturate else conversion.out_of_range)
    assert conversion.encoder is not None
    if nan:
        return encode_nan(source, value, destination, saturate, conversion.encoder, conversion.flags)
    return encode_infinity(destination, negative, saturate, conversion.encoder, conversion.flags)


def is_kept_negative_zero(conversion: Conversion, value: int, multiplier: Exact) -> bool:
    """Tell whether the value is -0 with a factor that is not zero: it stays -0 where the destination has one."""
    if conversion.accumulator.is_integer:
        return False
    return is_negative_zero(conversion.accumulator, value) and multiplier.significand != 0


def exact_product(conversion: Conversion, value: int, multiplier: Exact) -> Exact:
    """Return value · multiplier exactly; an infinity that got here stands for 0."""
    if conversion.accumulator.is_integer:
        return multiply(from_integer(value), multiplier)
    if is_infinite(conversion.accumulator, value):
        return ZERO
    return multiply(exact_value(conversion.accumulator, value), multiplier)


def integer_stages(conversion: Conversion, product: Exact, offset: int) -> IntegerStages:
    """Round, saturate to the intermediate width, add the offset, then clamp or wrap into the destination.

    The intermediate saturates whatever Sat says; a mode without an intermediate width goes straight to the destination.
    Sources: MatrixQuantizedAffine, ReferenceMatrixIntegerEncoding; ADR 0085, Decisions 177 and 178.
    """
    mode = conversion.mode
    rounded = round_to_integer(product, conversion.rounding)
    intermediate = saturate_signed(rounded, mode.offset_bits) if mode.offset_bits else rounded
    total = intermediate + offset
    fits = in_range(total, conversion.destination)
    final = narrowed(total, conversion.destination, conversion.saturate)
    if intermediate != rounded or not fits:
        flags = conversion.out_of_range
    else:
        flags = 0 if is_integer(product) else conversion.flags.nx
    return IntegerStages(rounded, intermediate, total, to_word(final), flags)


def encode_product(conversion: Conversion, product: Exact) -> Result:
    """Round the product once into the floating destination."""
    assert conversion.encoder is not None
    return encode(
        product,
        conversion.destination,
        conversion.rounding,
        conversion.saturate,
        conversion.encoder,
        conversion.flags,
    )
