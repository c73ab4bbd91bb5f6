"""Codes as people write them: 0x… is the code; 0.1, 1e-3, 3*2^-5, inf, nan and -0 are numbers, taken as the nearest code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import cache
from typing import Any

from halfulp_formal.subject import Subject
from halfulp_model.arguments import of_bits

from .numerals import (
    INTEGER,
    LONGEST,
    NUMBER,
    POWER,
    FieldError,
    decimal_text,
    exact_text,
    hex_text,
    read_integer,
    shown,
)

SPECIAL = re.compile(r"([+-]?)(inf|nan)")

#: what was rounded while a case was read: one sentence a field
ROUNDED: ContextVar[list[str] | None] = ContextVar("rounded", default=None)


@contextmanager
def rounded_fields() -> Iterator[list[str]]:
    """Collect the sentences on every number that its format does not hold, read while this lasts."""
    found: list[str] = []
    token = ROUNDED.set(found)
    try:
        yield found
    finally:
        ROUNDED.reset(token)


def is_code(given: object) -> bool:
    """Tell whether a value is written as a code."""
    return isinstance(given, str) and given[:2] in ("0x", "0X")


def read_code(subject: Subject, field: str, given: object, fmt: Any, *, valid: bool = True) -> int:
    """Read a code of a format given by its row. Raises FieldError.

    Of an integer format a number stands for itself, and must lie in its range. Of a floating one a number is rounded to
    the nearest code, ties to even; of FP19, which makes the factors, to FP32, and from there as `FP32ToFP19` does. A
    whole number other than 0 is refused, as it might mean number or code. valid: whether a code must keep its constrained
    bits clear.
    """
    expected = of_bits(fmt.code_bits, f"{fmt.name} code like {hex_text(1, fmt.code_bits)}")
    if is_code(given):
        code = read_integer(field, given)
        if code >> fmt.code_bits:
            raise FieldError(field, shown(given), expected)
        if valid and not fmt.is_integer and not subject.module("formats").is_valid(fmt, code):
            raise FieldError(field, shown(given), f"{expected} whose constrained bits are zero")
        return code
    number = f"a number like 1.5 or a code of {fmt.name} like {hex_text(1, fmt.code_bits)}"
    if fmt.is_integer:
        return read_whole(field, given, fmt) % (1 << int(fmt.code_bits))
    text = repr(given) if isinstance(given, float) else str(given) if type(given) is int else given
    if not isinstance(text, str) or len(text) > LONGEST:
        raise FieldError(field, shown(given), number)
    if fmt.name == "FP19":
        source = subject.module("loader").default_rules().formats["FP32"]
        wide, exact = read_number(subject, field, text, source, number, fmt)
        code = int(subject.module("floats").fp32_to_fp19(wide, source, fmt))
    else:
        code, exact = read_number(subject, field, text, fmt, number, fmt)
    note_rounding(subject, field, text, fmt, code, exact)
    return code


def read_whole(field: str, given: object, fmt: Any) -> int:
    """Read a number in the range of an integer format, where it is not written as a code. Raises FieldError."""
    number = given if type(given) is int else None
    if isinstance(given, str) and len(given) <= LONGEST and INTEGER.fullmatch(given):
        number = read_integer(field, given)
    if number is None or not fmt.minimum <= number <= fmt.maximum:
        code = of_bits(fmt.code_bits, f"{fmt.name} code like {hex_text(1, fmt.code_bits)}")
        raise FieldError(field, shown(given), f"an integer from {fmt.minimum} to {fmt.maximum} or {code}")
    return number


def read_number(
    subject: Subject, field: str, text: str, fmt: Any, expected: str, shown_as: Any
) -> tuple[int, Fraction | None]:
    """Return the code of a floating format nearest to a number, and the number, None for an infinity or a NaN.

    expected, shown_as: what a message asks for, and the format that it speaks of. Raises FieldError.
    """
    special = SPECIAL.fullmatch(text.lower())
    if special:
        return read_special(subject, field, text, fmt, special[2], special[1] == "-"), None
    power = POWER.fullmatch(text)
    if power and power[3] is None and int(power[2]):
        whole = int(power[2])
        fits = not power[1] and not whole >> shown_as.code_bits
        digits = hex_text(whole, shown_as.code_bits) if fits else "0x…"
        number = f"{power[1].removeprefix('+')}{whole}.0"
        raise FieldError(field, shown(text), f"{number} for the number or {digits} for the {shown_as.name} code")
    if power:
        value = Fraction(int(power[2])) * Fraction(2) ** int(power[3] or 0)
    elif NUMBER.fullmatch(text):
        value = abs(Fraction(text))
    else:
        raise FieldError(field, shown(text), expected)
    negative = text.startswith("-")
    code = nearest_code(subject, fmt, value, negative)
    if code is None:
        raise FieldError(field, shown(text), f"a number in the range of {shown_as.name}")
    return code, -value if negative else value


def read_special(subject: Subject, field: str, text: str, fmt: Any, name: str, negative: bool) -> int:
    """Return the code of an infinity or of the canonical NaN. Raises FieldError where the format has none."""
    floats = subject.module("floats")
    magnitude = fmt.infinity if name == "inf" else fmt.canonical_nan
    code = int(floats.with_sign(fmt, magnitude % (1 << fmt.sign_bit), negative)) if fmt.signed else magnitude
    # HiF8 and E8M0 have one NaN
    code = code if name == "inf" or floats.is_nan(fmt, code) else fmt.canonical_nan
    has = floats.is_infinite(fmt, code) if name == "inf" else floats.is_nan(fmt, code)
    if not has or (negative and not fmt.signed):
        what = "infinity" if name == "inf" else "NaN"
        raise FieldError(field, shown(text), f"a number, as {fmt.name} has no {'negative ' if has else ''}{what}")
    return int(code)


def nearest_code(subject: Subject, fmt: Any, value: Fraction, negative: bool) -> int | None:
    """Return the code nearest to a magnitude with a sign, the even one of two; None beyond the format's range."""
    formats, exact = subject.module("formats"), subject.module("exact").Exact
    if value == 0:
        encoding = formats.encode_exact(fmt, exact(negative, 0, 0))
        return int(encoding.bits) if encoding.available else None
    if fmt.kind.value != "binary":
        return nearest_listed(subject, fmt, -value if negative else value)
    binade = value.numerator.bit_length() - value.denominator.bit_length()
    binade -= value < Fraction(2) ** binade
    place = max(binade - fmt.fraction_bits, fmt.smallest_exponent)
    encoding = formats.encode_exact(fmt, exact(negative, round(value / Fraction(2) ** place), place))
    return int(encoding.bits) if encoding.available else None


def nearest_listed(subject: Subject, fmt: Any, value: Fraction) -> int | None:
    """Return the nearest code of a short format whose codes are not in the order of their values."""
    numbers = finite_numbers(subject, fmt.name)
    least, greatest = numbers[0], numbers[-1]
    below, above = (abs(one[0] - two[0]) / 2 for one, two in ((numbers[1], least), (numbers[-2], greatest)))
    if not least[0] - below <= value < greatest[0] + above:
        return None
    return min(numbers, key=lambda each: (abs(each[0] - value), each[1] % 2))[1]


@cache
def finite_numbers(subject: Subject, name: str) -> tuple[tuple[Fraction, int], ...]:
    """Return every finite number of a short format with its code, in increasing order."""
    fmt = subject.module("loader").default_rules().formats[name]
    formats = subject.module("formats")
    codes = (code for code in range(1 << fmt.code_bits) if formats.is_finite(fmt, code))
    return tuple(sorted((as_fraction(formats.finite_value(fmt, code)), code) for code in codes))


def as_fraction(value: Any) -> Fraction:
    """Return an exact number of the model as a fraction."""
    magnitude: Fraction = Fraction(value.significand) * Fraction(2) ** value.exponent
    return -magnitude if value.negative else magnitude


def note_rounding(subject: Subject, field: str, text: str, fmt: Any, code: int, given: Fraction | None) -> None:
    """Add a sentence to what was rounded, if this number was and anybody asks."""
    notes, formats = ROUNDED.get(), subject.module("formats")
    if notes is None or given is None:
        return
    value = formats.decompose(fmt, code)
    if not value.available or as_fraction(value) != given:
        digits = hex_text(code, fmt.code_bits)
        number = decimal_text(value) if value.available else "an infinity"
        number = exact_text(value) if number.startswith("≈") else number
        sentence = f"{field}={shown(text)}: taken as {digits}, the nearest {fmt.name} code: {number}"
        # a factor of a tile is read once a column
        if sentence not in notes:
            notes.append(sentence)
