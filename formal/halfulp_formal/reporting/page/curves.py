"""The rounding staircase round a witness, asked of the golden model: which number came in, and what its neighbours get."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from halfulp_formal.explain import Explanation
from halfulp_formal.explain.numerals import hex_text, read_exact, value_text
from halfulp_formal.subject import base_subject
from halfulp_model import e8m0, floats, formats, postprocess
from halfulp_model.convert import PlainConversion, convert_number
from halfulp_model.e8m0 import ScaleConversion
from halfulp_model.exact import Exact, magnitude_exponent
from halfulp_model.postprocess import Conversion
from halfulp_model.rows import Format

from .staircase import Curve, staircase

#: the window reaches so many units to either side; steps are looked for at quarters of a unit
REACH = 3
QUARTERS = 4 * REACH

#: indices in a unit, as a power of two, so that what lies just beside a border is seen
FINE = 12

#: how often the unit is doubled while the window shows fewer than three steps
DOUBLINGS = 8

#: the stages that an explanation starts a rounding from, the first that it has
STARTS = ("product", "number", "in")


def curve_of(row: Any, explanation: Explanation) -> dict[str, Any] | None:
    """Return the staircase round the case of an explanation, None where it is not the rounding of one number."""
    number = start_of(explanation)
    if number is None or explanation.failure:
        return None
    if isinstance(row, Conversion):
        return of_product(row, number, explanation)
    if isinstance(row, PlainConversion):
        result = of_numbers(row.destination, lambda value: convert_number(row, value).word, number)
        return result | {"diagonal": 0}
    code = next((int(stage.bits, 0) for stage in explanation.stages if stage.name == "in" and stage.bits), None)
    if code is None:
        return None
    if isinstance(row, ScaleConversion):
        return of_scale(row, code)
    if isinstance(row, tuple):
        source, destination = row
        return of_narrowing(source, destination, code)
    return None


def start_of(explanation: Explanation) -> Exact | None:
    """Return the exact number that an explained case rounds, None where it is no number or was never come to."""
    exact = {stage.name: stage.exact for stage in explanation.stages if stage.exact}
    start = next((exact[name] for name in STARTS if name in exact), None)
    if start is None:
        return None
    return reduced(read_exact(base_subject(), "number", start.replace("·", "*")))


def reduced(value: Exact) -> Exact:
    """Return the same number with an odd significand, or zero with exponent 0, so that one number has one staircase."""
    if value.significand == 0:
        return Exact(value.negative, 0, 0)
    places = (value.significand & -value.significand).bit_length() - 1
    return Exact(value.negative, value.significand >> places, value.exponent + places)


def of_product(row: Conversion, product: Exact, explanation: Explanation) -> dict[str, Any] | None:
    """Return the staircase of a post-processing conversion round an exact product, its offset as explained."""
    destination = row.destination
    if not destination.is_integer:
        if row.encoder is None:
            return None
        return of_numbers(destination, lambda value: postprocess.encode_product(row, value).word, product) | {
            "diagonal": 0
        }
    offset = next((int(stage.value) for stage in explanation.stages if stage.name == "offset"), 0)
    found = of_numbers(destination, lambda value: postprocess.integer_stages(row, value, offset).word, product)
    return found | {"diagonal": offset}


def of_numbers(destination: Format, convert_exact: Callable[[Exact], int], given: Exact) -> dict[str, Any]:
    """Return the staircase of a conversion of exact numbers round one of them."""
    size = 1 << destination.code_bits
    unit = unit_exponent(destination, lambda value: convert_exact(value) % size, given)
    grid = min(unit - FINE, given.exponent)
    index = (given.significand << (given.exponent - grid)) * (-1 if given.negative else 1)
    curve = Curve(
        number=lambda index: Fraction(index) * Fraction(2) ** grid,
        convert=lambda index: convert_exact(Exact(index < 0, abs(index), grid)) % size,
        value=lambda code: code_value(destination, code),
        label=lambda code: code_label(destination, code),
    )
    width = 1 << (unit - grid)
    found = staircase(curve, index, index - REACH * width, index + REACH * width, width // 4, Fraction(2) ** unit)
    return found | {"unit": f"2^{unit}" if unit else "1", "reach": REACH}


def unit_exponent(destination: Format, code_of: Callable[[Exact], int], given: Exact) -> int:
    """Return the exponent of a unit in which the steps round a number can be seen: where it can be, the last place."""
    first = last_place(destination, given)
    for unit in range(first, first + DOUBLINGS):
        grid = min(unit - 2, given.exponent)
        middle = (given.significand << (given.exponent - grid)) * (-1 if given.negative else 1)
        stride = 1 << (unit - 2 - grid)
        indices = (middle + place * stride for place in range(-QUARTERS, QUARTERS + 1))
        if len({code_of(Exact(index < 0, abs(index), grid)) for index in indices}) >= REACH:
            return unit
    return first


def last_place(destination: Format, given: Exact) -> int:
    """Return the exponent of a destination's unit in the last place at a number, were its exponent unbounded above."""
    if destination.is_integer:
        return 0
    if given.significand == 0:
        return destination.smallest_exponent
    return max(magnitude_exponent(given) - destination.fraction_bits, destination.smallest_exponent)


def of_scale(row: ScaleConversion, code: int) -> dict[str, Any] | None:
    """Return the staircase of a scale round a positive code of its source: a binade to the left, two to the right."""
    source, destination = row.source, row.destination
    if not formats.is_finite(source, code) or code == 0 or formats.is_negative(source, code):
        return None
    curve = Curve(
        number=lambda code: number_of(floats.exact_value(source, code)),
        convert=lambda code: e8m0.to_scale(row, code).word,
        value=lambda code: code_value(destination, code),
        label=lambda code: code_label(destination, code),
    )
    binade = 1 << source.fraction_bits
    low, high = max(1, code - binade), min(source.largest_finite, code + 3 * binade // 2)
    unit = magnitude_exponent(floats.exact_value(source, code))
    found = staircase(curve, code, low, high, max(1, binade >> 3), Fraction(2) ** unit)
    return found | {"unit": f"2^{unit}", "reach": None, "diagonal": None}


def of_narrowing(source: Format, destination: Format, code: int) -> dict[str, Any] | None:
    """Return the staircase of dropping fraction bits round a code of the source."""
    dropped = source.fraction_bits - destination.fraction_bits
    magnitude = code % (1 << source.sign_bit)
    if not formats.is_finite(source, code) or magnitude < REACH << dropped or formats.is_negative(source, code):
        return None
    curve = Curve(
        number=lambda code: number_of(floats.exact_value(source, code)),
        convert=lambda code: floats.fp32_to_fp19(code, source, destination),
        value=lambda code: code_value(destination, code),
        label=lambda code: code_label(destination, code),
    )
    reach = REACH << dropped
    low, high = code - reach, min(code + reach, source.largest_finite)
    unit = last_place(destination, floats.exact_value(source, code))
    found = staircase(curve, code, low, high, 1 << (dropped - 2), Fraction(2) ** unit)
    return found | {"unit": f"2^{unit}", "reach": REACH, "diagonal": 0}


def number_of(value: Exact) -> Fraction:
    """Return an exact number as a fraction."""
    return Fraction(-value.significand if value.negative else value.significand) * Fraction(2) ** value.exponent


def code_value(fmt: Format, code: int) -> Fraction | None:
    """Return what a code stands for, None where that is no number."""
    if fmt.is_integer:
        return Fraction(int(value_text(base_subject(), fmt, code)[0]))
    value = formats.decompose(fmt, code)
    return number_of(Exact(value.negative, value.significand, value.exponent)) if value.available else None


def code_label(fmt: Format, code: int) -> str:
    """Return a code in hex and what it stands for in words."""
    return f"{hex_text(code, fmt.code_bits)} = {value_text(base_subject(), fmt, code)[0]}"
