"""Numbers as people write and read them: decimal and hex text, exact values, codes of a format."""

from __future__ import annotations

import re
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from halfulp_formal.subject import Subject
from halfulp_model.arguments import of_bits

INTEGER = re.compile(r"[+-]?(0[xX][0-9a-fA-F][0-9a-fA-F_]*|[0-9][0-9_]*)")
NUMBER = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))([eE][+-]?[0-9]{1,4})?")
POWER = re.compile(r"([+-]?)([0-9]+)(?:\*2\^([+-]?[0-9]{1,4}))?")
SPECIAL = re.compile(r"([+-]?)(inf|nan)")

#: longer text is no number that any field here can hold
LONGEST = 80

#: decimal digits that are printed exactly; a longer number is shown rounded, beside its exact integer · 2^k
EXACT_DIGITS = 24
ROUNDED_DIGITS = 12

#: bits that a decimal number keeps, the last of them sticky, before it is rounded to a format of at most 53 bits
KEPT_BITS = 80


class FieldError(ValueError):
    """A field that cannot be used: which one, what was given, what was expected."""

    def __init__(self, field: str, given: str, expected: str, message: str = "") -> None:
        where = f"{field}={given}" if given else field
        super().__init__(message or f"{where}: expected {expected}")
        self.field = field
        self.given = given
        self.expected = expected


def shown(given: object) -> str:
    """Return a given value as one short line."""
    text = " ".join(str(given).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def read_integer(field: str, given: object) -> int:
    """Read a whole number: a JSON number, or decimal or 0x text. Raises FieldError."""
    if type(given) is int:
        return given
    if isinstance(given, str) and len(given) <= LONGEST and INTEGER.fullmatch(given):
        return int(given, 0) if "x" in given.lower() else int(given)
    raise FieldError(field, shown(given), "an integer, in decimal or as 0x…")


def is_bare_integer(given: object) -> bool:
    """Tell whether a value is a whole number that might be meant as a number or as a code."""
    return type(given) is int or (isinstance(given, str) and given.lstrip("+-").isdecimal())


def read_code(subject: Subject, field: str, given: object, name: str) -> int:
    """Read a code of a floating format, FP32 or FP19: 0x… is the code, 1.5, 1e-3, inf and nan are numbers.

    A number is rounded to FP32, nearest even, and from there as `FP32ToFP19` does. A bare integer is refused, as it might
    mean either. Raises FieldError.
    """
    formats = subject.module("loader").default_rules().formats
    row = formats[name]
    digits = -(-row.code_bits // 4)
    if isinstance(given, str) and given[:2] in ("0x", "0X"):
        code = read_integer(field, given)
        if code >> row.code_bits:
            raise FieldError(field, shown(given), of_bits(row.code_bits, f"{name} code"))
        return code
    text = repr(given) if isinstance(given, float) else given
    if is_bare_integer(given):
        code = int(str(given))
        hexadecimal = f"0x{code:0{digits}x}" if 0 <= code < 1 << row.code_bits else "0x…"
        raise FieldError(field, shown(given), f"{code}.0 for the number or {hexadecimal} for the {name} code")
    expected = f"a number like 1.5 or a code of {name} like 0x{1:0{digits}x}"
    if not isinstance(text, str) or len(text) > LONGEST:
        raise FieldError(field, shown(given), expected)
    bits = fp32_code(subject, field, text, expected)
    return bits if name == "FP32" else int(subject.module("floats").fp32_to_fp19(bits, formats["FP32"], row))


def fp32_code(subject: Subject, field: str, text: str, expected: str) -> int:
    """Return the FP32 code nearest to a decimal number, ties to even; inf and nan too."""
    rules = subject.module("loader").default_rules()
    row = rules.formats["FP32"]
    floats = subject.module("floats")
    special = SPECIAL.fullmatch(text.lower())
    if special:
        magnitude = row.infinity if special[2] == "inf" else row.canonical_nan
        return int(floats.with_sign(row, magnitude, special[1] == "-"))
    if not NUMBER.fullmatch(text):
        raise FieldError(field, shown(text), expected)
    exact = subject.module("exact").Exact
    value = exact(text.startswith("-"), *sticky_significand(abs(Fraction(text))))
    if value.significand == 0:
        return int(floats.with_sign(row, 0, value.negative))
    encoder = rules.encoders["pto"]["FP32"]
    encode = subject.module("encode").encode
    result = encode(value, row, rules.roundings["RNE"], saturate=False, encoder=encoder, flags=rules.flags)
    if floats.is_infinite(row, result.word):
        raise FieldError(field, shown(text), "a number in the range of FP32")
    return int(result.word)


def sticky_significand(value: Fraction) -> tuple[int, int]:
    """Return significand and exponent of a number, cut to KEPT_BITS bits with the last one set where something was lost."""
    if value == 0:
        return 0, 0
    places = KEPT_BITS - (value.numerator.bit_length() - value.denominator.bit_length())
    scaled = value * Fraction(2) ** places
    whole = scaled.numerator // scaled.denominator
    return 2 * whole + (whole != scaled), -places - 1


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


def read_any_code(subject: Subject, field: str, given: object, fmt: Any) -> int:
    """Read a code of any format: 0x… is the code; an integer format takes numbers too, FP32 the nearest to a number.

    Any other floating format takes a number that it holds exactly. Raises FieldError.
    """
    digits = -(-fmt.code_bits // 4)
    expected = of_bits(fmt.code_bits, f"{fmt.name} code like 0x{1:0{digits}x}")
    if fmt.name == "FP32":
        return read_code(subject, field, given, fmt.name)
    code = given if type(given) is int else None
    if isinstance(given, str) and INTEGER.fullmatch(given):
        code = read_integer(field, given)
    if code is not None and (fmt.is_integer or (isinstance(given, str) and given[:2] in ("0x", "0X"))):
        if not min(fmt.minimum, 0) <= code < 1 << fmt.code_bits:
            raise FieldError(field, shown(given), expected)
        code = int(code % (1 << fmt.code_bits))
        if not fmt.is_integer and not subject.module("formats").is_valid(fmt, code):
            raise FieldError(field, shown(given), f"{expected} whose constrained bits are zero")
        return code
    if fmt.is_integer or is_bare_integer(given):
        raise FieldError(field, shown(given), expected)
    number = read_exact(subject, field, repr(given) if isinstance(given, float) else given)
    encoding = subject.module("formats").encode_exact(fmt, number)
    if not encoding.available:
        raise FieldError(field, shown(given), f"{expected}, or a number that {fmt.name} holds exactly")
    return int(encoding.bits)
