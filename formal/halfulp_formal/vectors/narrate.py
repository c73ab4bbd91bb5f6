"""One line that says how a result comes about, made of the model's own stages."""

from __future__ import annotations

from halfulp_model import postprocess as model
from halfulp_model import tapered
from halfulp_model.exact import Exact
from halfulp_model.floats import exact_value, is_infinite, is_nan, is_signalling
from halfulp_model.parameters import offset_value, shift_places
from halfulp_model.postprocess import Conversion
from halfulp_model.rows import Format, Kind, Parameter

#: a number with more fraction bits than this is written as significand * 2^exponent
MOST_PLACES = 10


def narrate(row: Conversion, value: int, relu: int, quant_word: int, relu_word: int) -> str:
    """Return the line for one element; `value` is the integer of an S32 or U32 accumulator, the code of an FP32 one."""
    if row.mode.destination is None and relu == model.RELU_NONE:
        return "passes unchanged"
    if row.mode.parameter is Parameter.SHIFT:
        return shift(row, value, quant_word)
    factor = model.select_multiplier(row, value, relu, quant_word, relu_word)
    given = accumulator(row.accumulator, value)
    if model.is_special(row, value, factor):
        return f"{given} -> {special(row, value)}"
    head = f"{given} * {exact(factor)}{origin(row, value, relu)}"
    if model.is_kept_negative_zero(row, value, factor) and not row.destination.is_integer:
        return f"{head} = -0 -> -0"
    product = model.exact_product(row, value, factor)
    head = f"{head} = {exact(product)}"
    if row.destination.is_integer:
        offset = offset_value(row.layout, row.mode, quant_word)
        return head + stages(row, model.integer_stages(row, product, offset), offset)
    return f"{head} -> {floating(row.destination, model.encode_product(row, product).word)}"


def exact(number: Exact) -> str:
    """Write an exact number: in decimal if it is short, else as significand * 2^exponent."""
    if number.significand == 0:
        return "0"
    sign = "-" if number.negative else ""
    twos = (number.significand & -number.significand).bit_length() - 1
    significand, exponent = number.significand >> twos, number.exponent + twos
    if exponent >= 0 and number.significand.bit_length() + number.exponent <= 32:
        return f"{sign}{significand << exponent}"
    if -MOST_PLACES <= exponent < 0:
        whole, rest = divmod(significand, 1 << -exponent)
        decimals = f"{rest * 5**-exponent:0{-exponent}d}"
        return f"{sign}{whole}.{decimals}"
    return f"{sign}2^{exponent}" if significand == 1 else f"{sign}{significand}*2^{exponent}"


def describe_number(number: Exact) -> str:
    """Write an exact number, and its significand and exponent where these are not what is written."""
    parts = f"{'-' if number.negative else ''}{number.significand}*2^{number.exponent}"
    return parts if exact(number) == parts else f"{exact(number)} = {parts}"


def integer(value: int) -> str:
    """Write an integer: a long one as significand * 2^exponent."""
    return exact(Exact(value < 0, abs(value), 0))


def accumulator(fmt: Format, value: int) -> str:
    """Write an accumulator."""
    return str(value) if fmt.is_integer else floating(fmt, value)


def floating(fmt: Format, code: int) -> str:
    """Write what a floating code stands for."""
    sign = "-" if code >> fmt.sign_bit else ""
    if is_nan(fmt, code):
        return f"{'signalling' if is_signalling(fmt, code) else 'quiet'} NaN"
    if is_infinite(fmt, code):
        return f"{sign or '+'}infinity"
    number = (tapered.exact_value if fmt.kind is Kind.TAPERED else exact_value)(fmt, code)
    return exact(number) if number.significand else f"{sign or '+'}0"


def origin(row: Conversion, value: int, relu: int) -> str:
    """Say where a factor that is not the scale comes from."""
    if relu == model.RELU_NONE or not model.source_negative(row, value):
        return ""
    return " (ReLU)" if relu == model.RELU_ZERO else " (activation)"


def special(row: Conversion, value: int) -> str:
    """Say what a NaN or an infinity becomes."""
    word = model.special_result(row, value).word
    if not row.destination.is_integer:
        return floating(row.destination, word)
    bits = row.destination.code_bits
    code = word % (1 << bits)
    number = code - (code >> (bits - 1) << bits)
    return f"{number}, as Sat is {int(row.saturate)}"


def shift(row: Conversion, value: int, quant_word: int) -> str:
    """Say what a shift gives."""
    places = shift_places(row.layout, quant_word)
    shifted = value >> places
    return f"{value} >> {places} = {shifted}{saturated(shifted, row.destination)}"


def saturated(value: int, fmt: Format) -> str:
    """Say what saturation makes of a value, nothing where it fits."""
    if fmt.minimum <= value <= fmt.maximum:
        return ""
    return f"; saturates to {fmt.minimum if value < fmt.minimum else fmt.maximum}"


def stages(row: Conversion, made: model.IntegerStages, offset: int) -> str:
    """Say what the stages of an integer destination give."""
    text = f" -> {integer(made.rounded)}"
    if bits := row.mode.offset_bits:
        if made.intermediate != made.rounded:
            text += f"; S{bits} saturates to {made.intermediate}"
        if offset:
            text += f"; {offset:+d} = {made.total}"
    fmt = row.destination
    if fmt.minimum <= made.total <= fmt.maximum:
        return text
    if row.saturate:
        return f"{text}; {fmt.name} clamps to {fmt.minimum if made.total < fmt.minimum else fmt.maximum}"
    number = made.word - (made.word >> 63 << 64)
    return f"{text}; {fmt.name} wraps to {number}"
