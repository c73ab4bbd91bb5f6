"""Conversions to the E8M0 scale: TCVT rounds the base-two logarithm; the other choices are MX practice."""

from fractions import Fraction

from oracle import formats
from oracle.rounding import NV, NX, OVERFLOW, UNDERFLOW, floor_log2, power_of_two

SOURCES = ("FP16", "BF16", "FP32")
NAN, SMALLEST, LARGEST = 0xFF, 0x00, 0xFE
BIAS = 127


def tcvt_e8m0(bits: int, source: str, rounding: str, sat: bool) -> tuple[int, int]:
    """The E8M0 code and the flags of one FP16, BF16 or FP32 source."""
    if source not in SOURCES:
        raise ValueError(f"source {source}: expected one of {', '.join(SOURCES)}")
    kind = formats.classify(source, bits)
    if kind == "positive_infinity":
        return (LARGEST if sat else NAN), OVERFLOW
    if kind not in ("positive_normal", "positive_subnormal"):
        return NAN, NV
    number = formats.value(source, bits)
    assert number is not None
    exponent = floor_log2(number)
    if exponent < -BIAS:
        return (SMALLEST if sat else NAN), UNDERFLOW
    if number > power_of_two(BIAS):
        return (LARGEST if sat else NAN), OVERFLOW
    if number == power_of_two(exponent):
        return exponent + BIAS, 0
    return round_logarithm(number, exponent, rounding) + BIAS, NX


def round_logarithm(number: Fraction, lower: int, rounding: str) -> int:
    """log2 of a number strictly between 2^lower and 2^(lower+1), rounded to an integer.

    log2(number) against lower + 1/2 is number^2 against 2^(2 lower + 1): never equal, since the right-hand
    side is no square of a rational.
    """
    upper = lower + 1
    if rounding == "RTM":
        return lower
    if rounding == "RTP":
        return upper
    if rounding == "RTZ":
        return upper if lower < 0 else lower
    if rounding == "RTO":
        return lower if lower % 2 == 1 else upper
    if rounding not in ("RNE", "RNA", "RHB"):
        raise ValueError(f"rounding mode {rounding!r}: expected one of the seven")
    assert number * number != power_of_two(2 * lower + 1)
    return lower if number * number < power_of_two(2 * lower + 1) else upper


ELEMENT_MAXIMUM = {
    "HiF8": Fraction(32768),
    "E5M2": Fraction(57344),
    "E4M3": Fraction(448),
    "E3M2": Fraction(28),
    "E2M3": Fraction(15, 2),
    "E2M1": Fraction(6),
}


def mx_scale(bits: int, source: str, rule: str, element: str = "E4M3") -> int:
    """The unclamped exponent a positive finite block maximum gets under a scale choice, as an integer.

    floor and ceil round log2; even takes the nearest power of two in the linear domain, a tie to the even
    exponent; rceil is the least exponent at which the maximum, divided by the element's largest value, fits.
    """
    number = formats.value(source, bits)
    if number is None or number <= 0:
        raise ValueError(f"{source} {bits:x}: expected a positive finite number")
    if rule == "rceil":
        number /= ELEMENT_MAXIMUM[element]
    lower = floor_log2(number)
    exact = number == power_of_two(lower)
    if rule == "floor" or exact:
        return lower
    if rule in ("ceil", "rceil"):
        return lower + 1
    if rule != "even":
        raise ValueError(f"scale rule {rule!r}: expected floor, ceil, even or rceil")
    middle = 3 * power_of_two(lower - 1)
    if number == middle:
        return lower if lower % 2 == 0 else lower + 1
    return lower if number < middle else lower + 1
