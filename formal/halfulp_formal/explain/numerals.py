"""Numbers as people write and read them: decimal and hex text, exact values, codes of a format."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from halfulp_formal.subject import Subject

INTEGER = re.compile(r"[+-]?(0[xX][0-9a-fA-F][0-9a-fA-F_]*|[0-9][0-9_]*)")
NUMBER = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))([eE][+-]?[0-9]{1,4})?")
POWER = re.compile(r"([+-]?)([0-9]+)(?:\*2\^([+-]?[0-9]{1,4}))?")

#: longer text is no number that any field here can hold
LONGEST = 80

#: decimal digits that are printed exactly; a longer number is shown rounded, beside its exact integer · 2^k
EXACT_DIGITS = 24
ROUNDED_DIGITS = 12


class FieldError(ValueError):
    """A field that cannot be used: which one, what was given, what was expected."""

    def __init__(self, field: str, given: str, expected: str, message: str = "") -> None:
        where = f"{field}={given}" if given else field
        super().__init__(message or f"{where}: expected {expected}")
        self.field = field
        self.given = given
        self.expected = expected


def part_error(field: str, given: str, expected: str) -> FieldError:
    """Return the error of a part of a field, or of how many there are: a: given exponent 255, expected 0 to 254."""
    return FieldError(field, given, expected, f"{field}: given {given}, expected {expected}")


def spelt(given: object) -> str:
    """Return a value as JSON has it, the digits of a number as they were given."""
    if isinstance(given, str | bool | None):
        return json.dumps(given, ensure_ascii=False)
    if isinstance(given, Mapping):
        return f"{{{', '.join(f'{spelt(str(key))}: {spelt(value)}' for key, value in given.items())}}}"
    if isinstance(given, list | tuple):
        return f"[{', '.join(map(spelt, given))}]"
    return str(given)


def shown(given: object) -> str:
    """Return a given value as one short line: text as it is, anything else as JSON has it."""
    text = " ".join((given if isinstance(given, str) else spelt(given)).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def read_integer(field: str, given: object) -> int:
    """Read a whole number: a JSON number, or decimal or 0x text. Raises FieldError."""
    if type(given) is int:
        return given
    if isinstance(given, str) and len(given) <= LONGEST and INTEGER.fullmatch(given):
        return int(given, 0) if "x" in given.lower() else int(given)
    raise FieldError(field, shown(given), "an integer, in decimal or as 0x…")


def read_exact(subject: Subject, field: str, given: object) -> Any:
    """Read an exact binary number in the model's own type: 307200*2^-10, 300, -1.5. Raises FieldError."""
    exact = subject.module("exact").Exact
    text = str(given) if type(given) is int else given
    if isinstance(text, str) and len(text) <= LONGEST:
        power = POWER.fullmatch(text)
        if power:
            return exact(power[1] == "-", int(power[2]), int(power[3] or 0))
        if NUMBER.fullmatch(text):
            value = Fraction(text)
            if value.denominator & (value.denominator - 1) == 0:
                return exact(text.startswith("-"), abs(value.numerator), 1 - value.denominator.bit_length())
    raise FieldError(field, shown(given), "an exact binary number such as 307200*2^-10, 300 or -1.5")


def exact_text(value: Any) -> str:
    """Return an exact number as integer · 2^k, without a power where k is 0; a long integer without its low zero bits."""
    significand, exponent = value.significand, value.exponent
    if significand >= 10**EXACT_DIGITS:
        twos = (significand & -significand).bit_length() - 1
        significand, exponent = significand >> twos, exponent + twos
    sign = "-" if value.negative else ""
    return f"{sign}{significand}" + (f"·2^{exponent}" if exponent else "")


def exact_argument(value: Any) -> str:
    """Return an exact number as `read_exact` reads it."""
    return f"{'-' if value.negative else ''}{value.significand}*2^{value.exponent}"


def decimal_text(value: Any) -> str:
    """Return an exact number in decimal; ≈ marks one that is too long to be written out."""
    sign = "-" if value.negative else ""
    number = Fraction(value.significand) * Fraction(2) ** value.exponent
    if number.denominator == 1:
        digits = str(number.numerator)
        if len(digits) <= EXACT_DIGITS:
            return f"{sign}{digits}"
    places = number.denominator.bit_length() - 1
    if places <= EXACT_DIGITS:
        digits = str(number.numerator * 5**places).rjust(places + 1, "0")
        if places and len(digits) <= EXACT_DIGITS + 1:
            return f"{sign}{digits[:-places]}.{digits[-places:]}"
    context = Context(prec=ROUNDED_DIGITS)
    rounded = context.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"≈ {sign}{rounded.normalize(context):g}"


def hex_text(value: int, bits: int) -> str:
    """Return the low `bits` bits of an integer in hex, whole digits: 0x0ff for nine bits."""
    return f"0x{value % (1 << bits):0{-(-bits // 4)}x}"


def value_text(subject: Subject, fmt: Any, code: int) -> tuple[str, str]:
    """Return what a code of a format stands for, in decimal and as integer · 2^k; both the same for an integer."""
    if fmt.is_integer:
        low = code % (1 << fmt.code_bits)
        number = low - (1 << fmt.code_bits) if fmt.signed and low >> (fmt.code_bits - 1) else low
        return str(number), str(number)
    formats = subject.module("formats")
    value = formats.decompose(fmt, code)
    if value.available:
        return decimal_text(value), exact_text(value)
    name = str(formats.classify(fmt, code).value).replace("_", " ").replace("nan", "NaN")
    return name, ""


def machine_value(subject: Subject, fmt: Any, code: int) -> int | str:
    """Return what a code stands for: an integer as itself, a float exactly in decimal or as integer*2^k, else its class."""
    value, exact = value_text(subject, fmt, code)
    if fmt.is_integer:
        return int(value)
    return exact.replace("·", "*") if value.startswith("≈") else value
