"""A finite real number into a destination of the post-processing, each destination as its own rule has it."""

from fractions import Fraction
from functools import cache

from oracle import formats
from oracle.rounding import (
    NX,
    OVERFLOW,
    UNDERFLOW,
    floor_log2,
    magnitude_to_integer,
    power_of_two,
    to_integer,
)

SINGLE_SIGN, SINGLE_INFINITY, SINGLE_LARGEST = 0x80000000, 0x7F800000, 0x7F7FFFFF


def integer(exact: Fraction, low: int, high: int, rounding: str, sat: bool) -> tuple[int, int]:
    """Round, then clamp when saturating; without Sat the caller keeps the low bits of the number returned."""
    rounded = to_integer(exact, rounding)
    if low <= rounded <= high:
        return rounded, (NX if rounded != exact else 0)
    if not sat:
        return rounded, OVERFLOW
    return (low if rounded < low else high), OVERFLOW


def single(exact: Fraction, rounding: str, sat: bool) -> tuple[int, int]:
    """FP32: the rounding mode is applied to the signed value."""
    if exact == 0:
        return 0, 0
    sign = SINGLE_SIGN if exact < 0 else 0
    overflow = sign | (SINGLE_LARGEST if sat else SINGLE_INFINITY), OVERFLOW
    exponent = floor_log2(abs(exact))
    if exponent > 127:
        return overflow
    if exponent < -126:
        scaled = exact / power_of_two(-149)
        rounded = to_integer(scaled, rounding)
        return sign | abs(rounded), (UNDERFLOW if rounded != scaled else 0)
    scaled = exact / power_of_two(exponent) * 0x800000
    rounded = to_integer(scaled, rounding)
    flags = NX if rounded != scaled else 0
    magnitude, field = abs(rounded), exponent + 127
    if magnitude == 0x1000000:
        magnitude, field = 0x800000, field + 1
    if field >= 255:
        return overflow
    return sign | field << 23 | magnitude - 0x800000, flags


def binary16(exact: Fraction, name: str, rounding: str, sat: bool) -> tuple[int, int]:
    """FP16 and BF16: the magnitude is rounded, with the mode turned about for a negative number."""
    if exact == 0:
        return 0, 0
    fraction_bits, bias = (7, 127) if name == "BF16" else (10, 15)
    hidden = 1 << fraction_bits
    infinity = (2 * bias + 1) << fraction_bits
    negative, magnitude = exact < 0, abs(exact)
    sign = 0x8000 if negative else 0
    overflow = sign | (infinity - 1 if sat else infinity), OVERFLOW
    exponent = floor_log2(magnitude)
    if exponent > bias:
        return overflow
    if exponent < 1 - bias:
        scaled = magnitude / power_of_two(1 - bias - fraction_bits)
        rounded = magnitude_to_integer(scaled, rounding, negative)
        return sign | rounded, (UNDERFLOW if rounded != scaled else 0)
    scaled = magnitude / power_of_two(exponent) * hidden
    rounded = magnitude_to_integer(scaled, rounding, negative)
    flags = NX if rounded != scaled else 0
    field = exponent + bias
    if rounded == 2 * hidden:
        rounded, field = hidden, field + 1
    if field >= 2 * bias + 1:
        return overflow
    return sign | field * hidden + rounded - hidden, flags


@cache
def finite_codes(name: str) -> tuple[tuple[int, Fraction], ...]:
    """Every finite code of an 8-bit format with its value, in code order."""
    pairs = ((code, formats.value(name, code)) for code in range(256))
    return tuple((code, number) for code, number in pairs if number is not None)


def _eligible(candidate: Fraction, exact: Fraction, rounding: str) -> bool:
    if rounding == "RTP":
        return candidate >= exact
    if rounding == "RTM":
        return candidate <= exact
    if rounding in ("RTZ", "RTO"):
        return exact <= candidate <= 0 if exact < 0 else 0 <= candidate <= exact
    return True


def _better(new: tuple[int, Fraction], best: tuple[int, Fraction], exact: Fraction, rounding: str) -> bool:
    """Whether a later candidate strictly beats the best so far."""
    if rounding == "RTP":
        return new[1] < best[1]
    if rounding == "RTM":
        return new[1] > best[1]
    if rounding in ("RTZ", "RTO"):
        return new[1] < best[1] if exact < 0 else new[1] > best[1]
    distance, best_distance = abs(new[1] - exact), abs(best[1] - exact)
    if distance != best_distance:
        return distance < best_distance
    if rounding == "RNE":
        return new[0] % 2 == 0 and best[0] % 2 == 1
    if rounding == "RNA":
        return abs(new[1]) > abs(best[1])
    return new[1] > best[1]


def fp8(exact: Fraction, name: str, rounding: str, sat: bool) -> tuple[int, int]:
    """E4M3 and HiF8: overflow is decided before rounding, then all finite codes are scanned in code order."""
    if exact == 0:
        return 0, 0
    negative, magnitude = exact < 0, abs(exact)
    if magnitude > (448 if name == "E4M3" else 32768):
        sign = 0x80 if negative else 0
        if sat:
            return sign | (0x7E if name == "E4M3" else 0x6E), OVERFLOW
        return (0x7F if name == "E4M3" else sign | 0x6F), OVERFLOW
    best: tuple[int, Fraction] | None = None
    for new in finite_codes(name):
        if _eligible(new[1], exact, rounding) and (best is None or _better(new, best, exact, rounding)):
            best = new
    assert best is not None
    if rounding == "RTO" and best[1] != exact and best[0] % 2 == 0:
        best = _next_odd(best, name, negative)
    if best[1] == exact:
        return best[0], 0
    smallest_normal = power_of_two(-6 if name == "E4M3" else -15)
    return best[0], (UNDERFLOW if magnitude < smallest_normal else NX)


def _next_odd(best: tuple[int, Fraction], name: str, negative: bool) -> tuple[int, Fraction]:
    """The nearest odd code further from zero than an even choice; the choice itself where there is none."""
    away = [
        pair
        for pair in finite_codes(name)
        if pair[0] % 2 == 1 and (pair[1] < best[1] if negative else pair[1] > best[1])
    ]
    return min(away, key=lambda pair: abs(pair[1] - best[1]), default=best)
