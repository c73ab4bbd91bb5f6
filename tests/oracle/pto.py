"""One element through the matrix post-processing, all 27 modes, on exact rationals, as plain as can be."""

from fractions import Fraction
from functools import cache

from oracle import formats
from oracle.encoders import binary16, fp8, integer, single
from oracle.rounding import NV, NX, OVERFLOW, signed, to_integer

WORD = (1 << 64) - 1
S32, U32, FP32 = "S32", "U32", "FP32"

# mode: name, accumulator, destination, parameter
MODES = {
    0: ("NoQuant", "", "", "none"),
    1: ("F322F16", FP32, "FP16", "none"),
    2: ("VREQ8", S32, "S8", "vector"),
    3: ("REQ8", S32, "S8", "scalar"),
    4: ("VDEQF16", S32, "FP16", "vector"),
    5: ("DEQF16", S32, "FP16", "scalar"),
    12: ("VSHIFTS322S16", S32, "S16", "vector"),
    13: ("SHIFTS322S16", S32, "S16", "scalar"),
    16: ("F322BF16", FP32, "BF16", "none"),
    17: ("REQ4", S32, "S4X2", "scalar"),
    18: ("VREQ4", S32, "S4X2", "vector"),
    19: ("DEQS16", S32, "S16", "scalar"),
    20: ("VDEQS16", S32, "S16", "vector"),
    23: ("VQF322B8_PRE", FP32, "S8", "vector"),
    24: ("QF322B8_PRE", FP32, "S8", "scalar"),
    25: ("QF322HIF8_PRE", FP32, "HiF8", "scalar"),
    26: ("QF322FP8_PRE", FP32, "E4M3", "scalar"),
    27: ("QF322F32_PRE", FP32, FP32, "scalar"),
    28: ("VQF322HIF8_PRE", FP32, "HiF8", "vector"),
    32: ("QF322F16_PRE", FP32, "FP16", "scalar"),
    33: ("VQF322F16_PRE", FP32, "FP16", "vector"),
    34: ("QF322BF16_PRE", FP32, "BF16", "scalar"),
    35: ("QS322BF16_PRE", S32, "BF16", "scalar"),
    36: ("VQF322BF16_PRE", FP32, "BF16", "vector"),
    37: ("VQF322FP8_PRE", FP32, "E4M3", "vector"),
    38: ("VQF322F32_PRE", FP32, FP32, "vector"),
    39: ("VQS322BF16_PRE", S32, "BF16", "vector"),
}
SHIFT_MODES = (12, 13)
ALWAYS_RHB = (25, 28)
ALWAYS_RNE = (1, 16, 26, 32, 33, 34, 36, 37)
OFFSET_WIDTH = {17: 5, 18: 5, 2: 9, 3: 9, 23: 9, 24: 9, 19: 17, 20: 17}
GROUP_COLUMNS = (0, 8, 16, 32, 48, 64, 80, 96, 112, 128)

INTEGER_RANGE = {
    "S4X2": (-8, 7),
    "S8": (-(1 << 7), (1 << 7) - 1),
    "S16": (-(1 << 15), (1 << 15) - 1),
    S32: (-(1 << 31), (1 << 31) - 1),
    U32: (0, (1 << 32) - 1),
}
LARGEST_FINITE = {FP32: 0x7F7FFFFF, "FP16": 0x7BFF, "BF16": 0x7F7F, "E4M3": 0x7E, "HiF8": 0x6E}
INFINITY = {FP32: 0x7F800000, "FP16": 0x7C00, "BF16": 0x7F80, "HiF8": 0x6F}
SIGN = {FP32: 0x80000000, "FP16": 0x8000, "BF16": 0x8000, "E4M3": 0x80, "HiF8": 0x80}


def bit_field(word: int, high: int, low: int) -> int:
    """Bits high down to low of a word, as an unsigned number."""
    return word >> low & ((1 << (high - low + 1)) - 1)


# Legality.


def scale_legal(fp19: int) -> bool:
    """A scale is a positive normal FP19."""
    return formats.classify("FP19", fp19) == "positive_normal"


def parameter_legal(mode: int, word: int) -> bool:
    """Whether a 64-bit quantization parameter word is legal; a mode without a parameter accepts none."""
    if mode not in MODES or MODES[mode][3] == "none":
        return False
    if mode in SHIFT_MODES:
        return bit_field(word, 31, 0) == 0 and bit_field(word, 63, 36) == 0
    if bit_field(word, 12, 0) or not scale_legal(bit_field(word, 31, 13)):
        return False
    if mode not in OFFSET_WIDTH:
        return bit_field(word, 63, 32) == 0
    return bit_field(word, 36, 32) == 0 and bit_field(word, 63, 37 + OFFSET_WIDTH[mode]) == 0


def activation_legal(word: int) -> bool:
    """Whether a 64-bit activation word is legal: FP19 in bits 18:0, +0 or positive normal, nothing above."""
    kind = formats.classify("FP19", bit_field(word, 18, 0))
    return bit_field(word, 63, 19) == 0 and kind in ("positive_zero", "positive_normal")


def controls_legal(mode: int, rounding: str, sat: bool) -> bool:
    """Whether the programmed rounding mode (NONE or one of the seven) and Sat go with the mode."""
    if mode not in MODES:
        return False
    if mode == 0 or mode in SHIFT_MODES:
        return rounding == "NONE" and not sat
    return rounding == "NONE" if mode in ALWAYS_RHB + ALWAYS_RNE else True


def accumulator_legal(mode: int, accumulator: str) -> bool:
    """Whether the mode takes this accumulator type."""
    if mode == 0:
        return accumulator in (FP32, S32, U32)
    return mode in MODES and accumulator == MODES[mode][1]


def legal(mode: int, rounding: str, sat: bool, relu: int, quant_word: int, relu_word: int, accumulator: str) -> bool:
    """Every legality rule of one element together; words that the mode does not consume are not looked at."""
    return (
        accumulator_legal(mode, accumulator)
        and controls_legal(mode, rounding, sat)
        and relu in (0, 1, 2, 3)
        and (MODES[mode][3] == "none" or parameter_legal(mode, quant_word))
        and (relu < 2 or activation_legal(relu_word))
    )


def fields_legal(
    mode: int,
    relu: int,
    group_code: int,
    row_max: bool,
    group_max: bool,
    row_init: bool,
    max_abs: bool,
) -> bool:
    """Whether the B.FPATR fields go together."""
    if mode not in MODES or relu > 3 or group_code > 9:
        return False
    if row_init and not row_max:
        return False
    if group_max != (group_code != 0):
        return False
    return not max_abs or row_max or group_max


# Parameters.


def build_parameter(fp19: int, offset: int = 0, offset_width: int = 0) -> int:
    """Build a parameter word from an FP19 scale and a signed offset."""
    return fp19 << 13 | (offset & ((1 << offset_width) - 1)) << 37


def build_shift(code: int) -> int:
    """Build a shift parameter word; the shift is code + 1."""
    return code << 32


def fp32_to_fp19(bits: int) -> int:
    """How a scale is made: keep ten fraction bits, round to nearest even on the thirteen discarded ones."""
    if formats.classify(FP32, bits) in ("quiet_nan", "signaling_nan"):
        return 0x3FF00
    sign, exponent, fraction = bit_field(bits, 31, 31), bit_field(bits, 30, 23), bit_field(bits, 22, 13)
    discarded = bit_field(bits, 12, 0)
    if discarded > 0x1000 or (discarded == 0x1000 and fraction % 2 == 1):
        fraction += 1
    if fraction == 1024:
        exponent, fraction = exponent + 1, 0
    return sign << 18 | exponent << 10 | fraction


@cache
def _exact(name: str, bits: int) -> Fraction:
    number = formats.value(name, bits)
    if number is None:
        raise ValueError(f"{name} {bits:x} is not finite: expected a finite encoding")
    return number


# One element.


def word_of(accumulator: str, value: int) -> int:
    """An accumulator element in its 64-bit carrier: S32 sign-extended, U32 and FP32 zero-extended."""
    return signed(value, 32) & WORD if accumulator == S32 else value & 0xFFFFFFFF


def post_process(
    value: int,
    mode: int,
    rounding: str,
    sat: bool,
    relu: int,
    quant_word: int,
    relu_word: int,
    accumulator: str,
) -> tuple[int, int]:
    """The 64-bit result word and the flags of one element, for legal inputs.

    `value` is a 32-bit pattern or the signed number with that pattern. Modes that fix the rounding ignore
    `rounding`; NONE stands for the default, RNE.
    """
    if mode == 0 and relu == 0:
        return word_of(accumulator, value), 0
    if mode in SHIFT_MODES:
        return _shift(signed(value, 32), bit_field(quant_word, 35, 32) + 1)
    if mode in ALWAYS_RHB:
        rounding = "RHB"
    elif mode in ALWAYS_RNE or rounding == "NONE":
        rounding = "RNE"
    destination = accumulator if mode == 0 else MODES[mode][2]
    kind = formats.classify(accumulator, value)
    scale = _exact("FP19", bit_field(quant_word, 31, 13)) if MODES[mode][3] != "none" else Fraction(1)
    multiplier = _multiplier(kind.startswith("negative"), relu, scale, relu_word)

    vanishes = kind == "negative_infinity" and multiplier == 0
    if accumulator == FP32 and not vanishes:
        special = _special(kind, destination, sat)
        if special is not None:
            return special
    width = OFFSET_WIDTH.get(mode, 0)
    offset = signed(quant_word >> 37, width) if width else 0
    if kind == "negative_zero" and multiplier != 0 and offset == 0 and destination in LARGEST_FINITE:
        return (0 if destination == "HiF8" else SIGN[destination]), 0
    source = Fraction(0) if vanishes else _exact(accumulator, value & 0xFFFFFFFF)
    return _encode(source * multiplier, destination, rounding, sat, width, offset)


def _shift(value: int, count: int) -> tuple[int, int]:
    shifted = value >> count
    low, high = INTEGER_RANGE["S16"]
    if shifted < low:
        return low & WORD, OVERFLOW
    if shifted > high:
        return high, OVERFLOW
    return shifted & WORD, 0


def _multiplier(negative: bool, relu: int, scale: Fraction, relu_word: int) -> Fraction:
    if not negative or relu == 0:
        return scale
    if relu == 1:
        return Fraction(0)
    return _exact("FP19", bit_field(relu_word, 18, 0))


def _special(kind: str, destination: str, sat: bool) -> tuple[int, int] | None:
    """The NaN and infinity table; None for a finite source."""
    to_integers = destination in INTEGER_RANGE
    if kind in ("quiet_nan", "signaling_nan"):
        if to_integers:
            return (0 if sat else INTEGER_RANGE[destination][0] & WORD), NV
        nan = formats.canonical_nan(destination)
        assert nan is not None
        return (0 if sat else nan), (NV if kind == "signaling_nan" else 0)
    if kind not in ("positive_infinity", "negative_infinity"):
        return None
    negative = kind == "negative_infinity"
    if to_integers:
        low, high = INTEGER_RANGE[destination]
        if not sat:
            return low & WORD, NV
        return (low if negative else high) & WORD, OVERFLOW
    sign = SIGN[destination] if negative else 0
    if sat:
        return sign | LARGEST_FINITE[destination], OVERFLOW
    if destination == "E4M3":
        return 0x7F, OVERFLOW
    return sign | INFINITY[destination], 0


def _encode(exact: Fraction, destination: str, rounding: str, sat: bool, width: int, offset: int) -> tuple[int, int]:
    if destination == FP32:
        return single(exact, rounding, sat)
    if destination in ("FP16", "BF16"):
        return binary16(exact, destination, rounding, sat)
    if destination in ("E4M3", "HiF8"):
        return fp8(exact, destination, rounding, sat)
    flags = 0
    if width:
        intermediate, flags = round_and_saturate(exact, width, rounding)
        exact = Fraction(intermediate + offset)
    low, high = INTEGER_RANGE[destination]
    number, final_flags = integer(exact, low, high, rounding, sat)
    bits = 4 if destination == "S4X2" else int(destination[1:])
    extended = signed(number, bits) if destination[0] == "S" else number % (1 << bits)
    return extended & WORD, flags | final_flags


def round_and_saturate(exact: Fraction, width: int, rounding: str) -> tuple[int, int]:
    """The S5, S9 or S17 intermediate: rounded, always saturated, with its flags."""
    rounded = to_integer(exact, rounding)
    low, high = -(1 << (width - 1)), (1 << (width - 1)) - 1
    if rounded < low:
        return low, OVERFLOW
    if rounded > high:
        return high, OVERFLOW
    return rounded, (NX if rounded != exact else 0)
