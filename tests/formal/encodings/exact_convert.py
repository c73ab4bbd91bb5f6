"""Plain conversions on exact rational numbers, for the tests of the encodings; nothing is shared with them."""

from fractions import Fraction as Q
from typing import NamedTuple

from formal.encodings.exact import floor_log2, power, rounded


class Format(NamedTuple):
    """Exponent and fraction bits, zero bits to the right, and which specials: "ieee", "nan" at the top, or "none"."""

    exponent_bits: int
    fraction_bits: int
    specials: str = "ieee"
    padding: int = 0

    @property
    def bias(self):
        return 2 ** (self.exponent_bits - 1) - 1

    @property
    def width(self):
        return 1 + self.exponent_bits + self.fraction_bits + self.padding

    @property
    def largest(self):
        """Body of the largest finite value."""
        top = 2 ** (self.exponent_bits + self.fraction_bits)
        return top - {"ieee": 2**self.fraction_bits + 1, "nan": 2, "none": 1}[self.specials]


FORMATS = {
    "fp64": Format(11, 52),
    "fp32": Format(8, 23),
    "tf32": Format(8, 10, padding=13),
    "fp16": Format(5, 10),
    "bf16": Format(8, 7),
    "e5m2": Format(5, 2),
    "e4m3": Format(4, 3, "nan"),
    "e3m2": Format(3, 2, "none"),
    "e2m3": Format(2, 3, "none"),
    "e2m1": Format(2, 1, "none"),
}
#: name: (width, least, greatest)
INTEGERS = {
    "s32": (32, -(2**31), 2**31 - 1),
    "u32": (32, 0, 2**32 - 1),
    "s16": (16, -(2**15), 2**15 - 1),
    "s8": (8, -128, 127),
    "u8": (8, 0, 255),
    "s4": (4, -8, 7),
}


def width(name):
    """Bits of a code."""
    return FORMATS[name].width if name in FORMATS else INTEGERS[name][0]


def body_value(row, body):
    """The value of a body as though it were finite."""
    field, fraction = divmod(body, 2**row.fraction_bits)
    significand = fraction + (2**row.fraction_bits if field else 0)
    return significand * power(max(field, 1) - row.bias - row.fraction_bits)


def value(name, code):
    """Sign and value of a code; "nan" or "infinity" in the place of the value."""
    if name in INTEGERS:
        bits, least, _ = INTEGERS[name]
        number = code - 2**bits if least and code >= 2 ** (bits - 1) else code
        return number < 0, Q(abs(number))
    row = FORMATS[name]
    negative, body = divmod(code >> row.padding, 2 ** (row.exponent_bits + row.fraction_bits))
    if body <= row.largest:
        return bool(negative), body_value(row, body)
    return bool(negative), "infinity" if row.specials == "ieee" and body == row.largest + 1 else "nan"


def convert(source, destination, mode, sat, code):
    """Code and flags."""
    negative, magnitude = value(source, code)
    if destination in INTEGERS:
        return _integer(negative, magnitude, mode, sat, INTEGERS[destination])
    row = FORMATS[destination]
    if magnitude == "nan":
        sign, body, flags = _nan(FORMATS[source], row, code)
        return _word(row, sign, body), flags
    body, flags = _body(row, negative, magnitude, mode, sat)
    return _word(row, negative, body), flags


def _word(row, negative, body):
    return ((negative << (row.exponent_bits + row.fraction_bits)) + body) << row.padding


def _nan(source, row, code):
    sign = code >> (source.width - 1)
    payload = code >> source.padding & (2**source.fraction_bits - 1)
    signalling = source.specials == "ieee" and payload < 2 ** (source.fraction_bits - 1)
    if row.specials == "none":
        return 0, row.largest, 1
    if row.specials == "nan":
        return sign, row.largest + 1, int(signalling)
    scaled = payload * 2**row.fraction_bits // 2**source.fraction_bits if source.specials == "ieee" else 0
    quiet = 2 ** (row.fraction_bits - 1)
    return sign, row.largest + 1 + quiet + scaled % quiet, int(signalling)


def _body(row, negative, magnitude, mode, sat):
    beyond = row.largest + (row.specials != "none")
    if magnitude == "infinity":
        exact = row.specials == "ieee" and not sat
        return row.largest if sat else beyond, 0 if exact else 0x14
    if magnitude == 0:
        return 0, 0
    least = 1 - row.bias
    exponent = floor_log2(magnitude)

    def round_at(unit):
        return abs(rounded((-magnitude if negative else magnitude) / unit, mode)) * unit

    result = round_at(power(max(exponent, least) - row.fraction_bits))
    if result > body_value(row, row.largest):
        outward = mode in ("rne", "rna", "rhb", "rtm" if negative else "rtp")
        return beyond if outward and not sat else row.largest, 0x14
    tiny = round_at(power(exponent - row.fraction_bits)) < power(least)
    flags = 0 if result == magnitude else 0x18 if tiny else 0x10
    if result < power(least):
        return int(result / power(least - row.fraction_bits)), flags
    exponent = floor_log2(result)
    return ((exponent + row.bias - 1) << row.fraction_bits) + int(result / power(exponent - row.fraction_bits)), flags


def _integer(negative, magnitude, mode, sat, row):
    bits, least, greatest = row
    if magnitude == "nan":
        return (0 if sat else least) % 2**bits, 1
    if magnitude == "infinity":
        return ((least if negative else greatest) if sat else least) % 2**bits, 1
    number = rounded(-magnitude if negative else magnitude, mode)
    if not least <= number <= greatest:
        return (max(least, min(greatest, number)) if sat else number) % 2**bits, 1
    return number % 2**bits, 0 if number in (magnitude, -magnitude) else 0x10


def truncate(name, number):
    """The code of the greatest finite value of the format that is not above a nonnegative number."""
    if name in INTEGERS:
        return min(int(number), INTEGERS[name][2])
    row = FORMATS[name]
    return _word(row, 0, _body(row, negative=False, magnitude=Q(number), mode="rtz", sat=True)[0])
