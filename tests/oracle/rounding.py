"""The seven rounding modes on exact rationals, and the status flags, straight from their definitions."""

from fractions import Fraction
from math import floor

NV, DZ, OF, UF, NX = 0x01, 0x02, 0x04, 0x08, 0x10
OVERFLOW, UNDERFLOW = OF | NX, UF | NX

MODES = ("RNE", "RTM", "RTP", "RTZ", "RNA", "RTO", "RHB")
HALF = Fraction(1, 2)


def to_integer(value: Fraction, mode: str) -> int:
    """Round a signed rational to an integer; modes as in the section on rounding of the PTO specification."""
    lower = floor(value)
    rest = value - lower
    if rest == 0:
        return lower
    upper = lower + 1
    if mode == "RTM":
        return lower
    if mode == "RTP":
        return upper
    if mode == "RTZ":
        return upper if value < 0 else lower
    if mode == "RTO":
        return lower if lower % 2 == 1 else upper
    if rest < HALF:
        return lower
    if rest > HALF:
        return upper
    if mode == "RNE":
        return lower if lower % 2 == 0 else upper
    if mode == "RNA":
        return lower if value < 0 else upper
    if mode == "RHB":
        return upper
    raise ValueError(f"rounding mode {mode!r}: expected one of {', '.join(MODES)}")


def magnitude_to_integer(magnitude: Fraction, mode: str, negative: bool) -> int:
    """Round the magnitude of a number so that the mode holds for the signed number."""
    return abs(to_integer(-magnitude if negative else magnitude, mode))


def floor_log2(value: Fraction) -> int:
    """The integer e with 2^e <= value < 2^(e+1), for a positive value, by doubling and halving."""
    if value <= 0:
        raise ValueError(f"floor_log2 of {value}: expected a positive number")
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    while power_of_two(exponent) > value:
        exponent -= 1
    while power_of_two(exponent + 1) <= value:
        exponent += 1
    return exponent


def power_of_two(exponent: int) -> Fraction:
    """2^exponent as a rational, for any integer exponent."""
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


def signed(bits: int, width: int) -> int:
    """The two's-complement reading of the low `width` bits."""
    bits %= 1 << width
    return bits - (1 << width) if bits >> (width - 1) else bits
