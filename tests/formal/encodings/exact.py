"""Exact rational arithmetic for the tests of the encodings; it shares nothing with them or with the model."""

from fractions import Fraction as Q
from math import floor
from typing import NamedTuple

ONE = 127 << 10
ROUNDINGS = ("rne", "rtm", "rtp", "rtz", "rna", "rto", "rhb")

#: name: (accumulator, destination, offset bits, takes a scale, fixed rounding)
ROWS = {
    "f322f16": ("fp32", "fp16", 0, False, "rne"),
    "req8": ("s32", "s8", 9, True, None),
    "deqf16": ("s32", "fp16", 0, True, None),
    "f322bf16": ("fp32", "bf16", 0, False, "rne"),
    "req4": ("s32", "s4", 5, True, None),
    "deqs16": ("s32", "s16", 17, True, None),
    "qf322b8": ("fp32", "s8", 9, True, None),
    "qf322hif8": ("fp32", "hif8", 0, True, "rhb"),
    "qf322fp8": ("fp32", "e4m3", 0, True, "rne"),
    "qf322f32": ("fp32", "fp32", 0, True, None),
    "qf322f16": ("fp32", "fp16", 0, True, "rne"),
    "qf322bf16": ("fp32", "bf16", 0, True, "rne"),
    "qs322bf16": ("s32", "bf16", 0, True, None),
}


class Float(NamedTuple):
    """Field widths, the canonical NaN, and the largest finite value and infinity as (positive, negative)."""

    width: int
    exponent_bits: int
    fraction_bits: int
    nan: int
    largest: tuple[int, int]
    infinity: tuple[int, int]


FLOATS = {
    "fp32": Float(32, 8, 23, 0x7FC00000, (0x7F7FFFFF, 0xFF7FFFFF), (0x7F800000, 0xFF800000)),
    "fp16": Float(16, 5, 10, 0x7E00, (0x7BFF, 0xFBFF), (0x7C00, 0xFC00)),
    "bf16": Float(16, 8, 7, 0x7FC0, (0x7F7F, 0xFF7F), (0x7F80, 0xFF80)),
    "e4m3": Float(8, 4, 3, 0x7F, (0x7E, 0xFE), (0x7F, 0x7F)),
    "hif8": Float(8, 0, 0, 0x80, (0x6E, 0xEE), (0x6F, 0xEF)),
}
INTEGERS = {"s4": 4, "s8": 8, "s16": 16, "s32": 32}


def rounded(v: Q, mode: str) -> int:
    """The integer a mode rounds to, from the floor and what is above it."""
    low = floor(v)
    part = v - low
    if part == 0:
        return low
    half = Q(1, 2)
    up = {
        "rtm": False,
        "rtp": True,
        "rtz": v < 0,
        "rto": low % 2 == 0,
        "rne": part > half or (part == half and low % 2 == 1),
        "rna": part > half or (part == half and v > 0),
        "rhb": part >= half,
    }[mode]
    return low + up


def power(exponent: int) -> Q:
    """Two to the exponent."""
    return Q(2) ** exponent


def floor_log2(v: Q) -> int:
    """The greatest e with 2^e <= v."""
    e = v.numerator.bit_length() - v.denominator.bit_length()
    return e if power(e) <= v else e - 1


def fields_value(code: int, exponent_bits: int, fraction_bits: int) -> Q:
    """The finite value of an IEEE-shaped code."""
    field = code >> fraction_bits & ((1 << exponent_bits) - 1)
    fraction = code & ((1 << fraction_bits) - 1)
    bias = (1 << (exponent_bits - 1)) - 1
    significand = Q(fraction, 1 << fraction_bits) + (field > 0)
    sign = -1 if code >> (exponent_bits + fraction_bits) else 1
    return sign * significand * power(max(field, 1) - bias)


def hif8_value(code: int) -> Q:
    """The finite value of a HiF8 code."""
    body, sign = code & 0x7F, -1 if code & 0x80 else 1
    if body < 8:
        return sign * (power(body - 23) if body else Q(0))
    if body < 16:
        magnitude, fraction_bits, minus = 0, 3, 0
    elif body < 32:
        magnitude, fraction_bits, minus = 1, 3, body >> 3 & 1
    elif body < 64:
        magnitude, fraction_bits, minus = 2 + (body >> 3 & 1), 3, body >> 4 & 1
    elif body < 96:
        magnitude, fraction_bits, minus = 4 + (body >> 2 & 3), 2, body >> 4 & 1
    else:
        magnitude, fraction_bits, minus = 8 + (body >> 1 & 7), 1, body >> 4 & 1
    fraction = Q(body & ((1 << fraction_bits) - 1), 1 << fraction_bits)
    return sign * (1 + fraction) * power(-magnitude if minus else magnitude)


FP8_VALUES = {
    "e4m3": {code: fields_value(code, 4, 3) for code in range(256) if code & 0x7F != 0x7F},
    "hif8": {code: hif8_value(code) for code in range(256) if code not in (0x80, 0x6F, 0xEF)},
}


#: The finite values in units of 2^-25, of which they all are multiples.
FP8_UNITS = {name: {code: int(v * 2**25) for code, v in values.items()} for name, values in FP8_VALUES.items()}


def scan_fp8(v: Q, destination: str, mode: str) -> int:
    """Every finite code in code order; a later one wins only if strictly better."""
    places = max(v.denominator.bit_length() - 26, 0)
    target = int(v * 2 ** (25 + places))
    best: tuple[tuple[int, int], int] | None = None
    for code, unit in FP8_UNITS[destination].items():
        candidate = unit << places
        if mode == "rtp":
            eligible, key = candidate >= target, (candidate, 0)
        elif mode == "rtm":
            eligible, key = candidate <= target, (-candidate, 0)
        elif mode in ("rtz", "rto"):
            eligible = target <= candidate <= 0 if v < 0 else 0 <= candidate <= target
            key = (-abs(candidate), 0)
        else:
            tie = {"rne": code % 2, "rna": -abs(candidate), "rhb": -candidate}[mode]
            eligible, key = True, (abs(candidate - target), tie)
        if eligible and (best is None or key < best[0]):
            best = (key, code)
    assert best is not None
    code, candidates = best[1], FP8_VALUES[destination]
    if mode == "rto" and candidates[code] != v and code % 2 == 0:
        beyond = [c for c in candidates if c % 2 and (candidates[c] - candidates[code]) * v > 0]
        code = min(beyond, key=lambda c: abs(candidates[c]))
    return code


def end_of_range(destination: str, negative: bool, sat: bool) -> int:
    """What an overflow becomes."""
    row = FLOATS[destination]
    return (row.largest if sat else row.infinity)[negative]


def encode_fp8(v: Q, destination: str, mode: str, sat: bool) -> tuple[int, int]:
    """Code and flags of a nonzero value."""
    if abs(v) > {"e4m3": 448, "hif8": 32768}[destination]:
        return end_of_range(destination, v < 0, sat), 0x14
    code = scan_fp8(v, destination, mode)
    if FP8_VALUES[destination][code] == v:
        return code, 0
    return code, 0x18 if abs(v) < power({"e4m3": -6, "hif8": -15}[destination]) else 0x10


def encode_binary(v: Q, destination: str, mode: str, sat: bool) -> tuple[int, int]:
    """Code and flags of a nonzero value."""
    width, exponent_bits, fraction_bits = FLOATS[destination][:3]
    bias = (1 << (exponent_bits - 1)) - 1
    exponent = max(floor_log2(abs(v)), 1 - bias)
    unit = power(exponent - fraction_bits)
    steps = abs(rounded(v / unit, mode))
    if steps * unit >= power(bias + 1):
        return end_of_range(destination, v < 0, sat), 0x14
    inexact = steps * unit != abs(v)
    tiny = abs(v) < power(1 - bias)
    code = steps + ((exponent + bias - 1) << fraction_bits)
    return ((v < 0) << (width - 1)) + code, inexact * (0x18 if tiny else 0x10)


def encode_float(v: Q, destination: str, mode: str, sat: bool) -> tuple[int, int]:
    """Code and flags; zero is +0."""
    if v == 0:
        return 0, 0
    encode = encode_fp8 if destination in FP8_VALUES else encode_binary
    return encode(v, destination, mode, sat)


def wrap(v: int, width: int) -> int:
    """The signed integer of that width congruent to v."""
    return (v + (1 << (width - 1))) % (1 << width) - (1 << (width - 1))


def clamp(v: int, width: int) -> int:
    """The signed integer of that width nearest to v."""
    return max(-(1 << (width - 1)), min((1 << (width - 1)) - 1, v))


def encode_integer(v: Q, offset: int, offset_bits: int, bits: int, mode: str, sat: bool) -> tuple[int, int]:
    """Signed integer and flags; no intermediate stage where offset_bits is 0."""
    total, flags = rounded(v, mode), 0x10 * (v.denominator > 1)
    if offset_bits:
        middle = clamp(total, offset_bits)
        flags = 0x14 if middle != total else flags
        total = middle + offset
    if clamp(total, bits) != total:
        flags |= 0x14
    return clamp(total, bits) if sat else wrap(total, bits), flags


def special(value: int, destination: str, sat: bool) -> tuple[int, int]:
    """What an FP32 NaN or infinity becomes; a signed destination as a signed integer."""
    nan, negative, signalling = bool(value & 0x7FFFFF), value >> 31, not value & 0x400000
    if destination in INTEGERS:
        bits = INTEGERS[destination]
        least = -(1 << (bits - 1))
        if not sat:
            return least, 1
        return (0, 1) if nan else (least if negative else -least - 1, 0x14)
    if nan:
        return 0 if sat else FLOATS[destination].nan, int(signalling)
    return end_of_range(destination, negative == 1, sat), 0x14 if sat or destination == "e4m3" else 0


def controls(name: str) -> tuple[str, str, int, bool, str, bool]:
    """Accumulator, destination, offset bits, whether there is a scale, rounding and Sat of a conversion."""
    head, *rest = name.split(".")
    if head == "noquant":
        return rest[0], rest[0], 0, False, "rne", False
    source, destination, offset_bits, scaled, fixed = ROWS[head.removeprefix("v")]
    return source, destination, offset_bits, scaled, fixed or rest[0], rest[-1] == "sat"


def exact(name: str, value: int, relu: int, quant_word: int, relu_word: int) -> tuple[int, int]:
    """The word, modulo 2^64, and the flags."""
    if "shift" in name:
        shifted = wrap(value, 32) >> ((quant_word >> 32 & 15) + 1)
        return clamp(shifted, 16) % 2**64, 0x14 * (clamp(shifted, 16) != shifted)
    source, destination, offset_bits, scaled, mode, sat = controls(name)
    if source == destination and (relu == 0 or source == "u32") and not scaled:
        return (wrap(value, 32) if source == "s32" else value) % 2**64, 0
    odd = source == "fp32" and value >> 23 & 0xFF == 0xFF
    negative = value >> 31 == 1 and not (odd and value & 0x7FFFFF)
    scale = fields_value(quant_word >> 13 & 0x7FFFF, 8, 10) if scaled else Q(1)
    if negative and relu:
        scale = Q(0) if relu == 1 else fields_value(relu_word & 0x7FFFF, 8, 10)
    if odd and not (negative and scale == 0):
        word, flags = special(value, destination, sat)
        return word % 2**64, flags
    v = scale * wrap(value, 32) if source == "s32" else Q(0) if odd else fields_value(value, 8, 23) * scale
    if destination in INTEGERS:
        offset = wrap(quant_word >> 37 & ((1 << offset_bits) - 1), offset_bits) if offset_bits else 0
        word, flags = encode_integer(v, offset, offset_bits, INTEGERS[destination], mode, sat)
        return word % 2**64, flags
    if source == "fp32" and value == 1 << 31 and scale != 0:
        return 0 if destination == "hif8" else 1 << (FLOATS[destination].width - 1), 0
    return encode_float(v, destination, mode, sat)
