"""Plain conversions between formats as IEEE 754 and the OCP format papers have them, on exact rationals."""

from dataclasses import dataclass
from fractions import Fraction

from oracle import formats
from oracle.rounding import (
    NV,
    NX,
    OVERFLOW,
    UF,
    floor_log2,
    magnitude_to_integer,
    power_of_two,
    signed,
    to_integer,
)

FLOATS = ("FP64", "FP32", "TF32", "FP16", "BF16", "E5M2", "E4M3", "E3M2", "E2M3", "E2M1")
INTEGERS = {
    "S32": (32, True),
    "U32": (32, False),
    "S16": (16, True),
    "S8": (8, True),
    "U8": (8, False),
    "S4": (4, True),
}

# Under these an overflow goes away from zero, for a positive and for a negative number.
OUTWARD = {False: ("RNE", "RNA", "RHB", "RTP"), True: ("RNE", "RNA", "RHB", "RTM")}


@dataclass(frozen=True)
class Target:
    """A floating destination as the limits an encoder needs."""

    precision: int  # bits of a normal significand
    smallest: int  # exponent of the smallest normal number
    largest: Fraction  # largest finite number
    shift: int  # constrained zero bits below the fraction
    sign: int  # the sign bit
    infinity: int | None
    nan: int | None  # quiet NaN without payload


def target(name: str) -> Target:
    """Limits of a format, derived from its bit layout."""
    layout = formats.LAYOUTS["E2M1X2" if name == "E2M1" else name]
    top = (1 << layout.exponent) - 1
    significand = (2 << layout.fraction) - 1
    if layout.top == "ieee":
        highest = top - 1
    else:
        highest = top
        significand -= layout.top == "nan"
    quiet = layout.nan if layout.top == "nan" else (top << 1 | 1) << (layout.fraction - 1) + layout.low_zero
    return Target(
        precision=layout.fraction + 1,
        smallest=1 - layout.bias,
        largest=significand * power_of_two(highest - layout.bias - layout.fraction),
        shift=layout.low_zero,
        sign=1 << (layout.low_zero + layout.fraction + layout.exponent),
        infinity=top << (layout.fraction + layout.low_zero) if layout.top == "ieee" else None,
        nan=None if layout.top == "finite" else quiet,
    )


def read(bits: int, source: str) -> tuple[str, bool, Fraction]:
    """Kind ("finite", "infinity", "quiet_nan" or "signaling_nan"), sign and exact value (0 unless finite)."""
    if source in INTEGERS:
        width, is_signed = INTEGERS[source]
        number = Fraction(signed(bits, width) if is_signed else bits % (1 << width))
        return "finite", number < 0, number
    name = "E2M1X2" if source == "E2M1" else source
    kind = formats.classify(name, bits)
    if kind == "invalid_encoding":
        raise ValueError(f"{source} {bits:x}: expected zero in the constrained bits")
    layout = formats.LAYOUTS[name]
    negative = bool(bits >> (layout.low_zero + layout.fraction + layout.exponent) & 1)
    exact = formats.value(name, bits)
    if exact is not None:
        return "finite", negative, exact
    return ("infinity" if kind.endswith("infinity") else kind), negative, Fraction(0)


def convert(
    bits: int, source: str, destination: str, rounding: str, sat: bool, *, payload: bool = True
) -> tuple[int, int]:
    """The destination's code (its own width, unsigned) and the flags.

    A NaN becomes a quiet NaN of its sign; `payload` keeps the payload's high bits, or else they are cleared.
    """
    kind, negative, exact = read(bits, source)
    if destination in INTEGERS:
        return _to_integer(kind, negative, exact, destination, rounding, sat)
    limits = target(destination)
    sign = limits.sign if negative else 0
    if kind in ("quiet_nan", "signaling_nan"):
        invalid = NV if kind == "signaling_nan" else 0
        if limits.nan is None:
            # No encoding stands for "not a number": the largest finite one, and the operation is invalid.
            return magnitude_code(limits.largest, limits), NV
        kept = _payload(bits, source, destination) if payload else 0
        return sign | limits.nan | kept, invalid
    if kind == "infinity":
        if sat or limits.infinity is None:
            return _overflowed(limits, sign, sat), OVERFLOW
        return sign | limits.infinity, 0
    code, flags = encode(exact, destination, rounding, sat)
    return (sign, 0) if exact == 0 else (code, flags)


def _payload(bits: int, source: str, destination: str) -> int:
    """The NaN fraction of the source aligned with the destination's, for formats that carry a payload."""
    wide, narrow = formats.LAYOUTS[source], formats.LAYOUTS[destination]
    if wide.top != "ieee" or narrow.top != "ieee":
        return 0
    fraction = bits >> wide.low_zero & ((1 << wide.fraction) - 1)
    if wide.fraction > narrow.fraction:
        fraction >>= wide.fraction - narrow.fraction
    else:
        fraction <<= narrow.fraction - wide.fraction
    return fraction << narrow.low_zero


def _overflowed(limits: Target, sign: int, sat: bool) -> int:
    """What an overflow away from zero gives: infinity, else NaN, else the largest finite number."""
    if not sat and limits.infinity is not None:
        return sign | limits.infinity
    if not sat and limits.nan is not None:
        return sign | limits.nan
    return sign | magnitude_code(limits.largest, limits)


def round_to_precision(magnitude: Fraction, precision: int, rounding: str, negative: bool) -> Fraction:
    """Round a positive number to so many significant bits as though the exponent had no bounds."""
    unit = power_of_two(floor_log2(magnitude) - precision + 1)
    return magnitude_to_integer(magnitude / unit, rounding, negative) * unit


def encode(exact: Fraction, destination: str, rounding: str, sat: bool) -> tuple[int, int]:
    """Code and flags of a finite number (+0 for 0). Overflow and tininess are both decided after rounding."""
    if exact == 0:
        return 0, 0
    limits = target(destination)
    negative, magnitude = exact < 0, abs(exact)
    sign = limits.sign if negative else 0
    unbounded = round_to_precision(magnitude, limits.precision, rounding, negative)
    if unbounded > limits.largest:
        if rounding in OUTWARD[negative]:
            return _overflowed(limits, sign, sat), OVERFLOW
        return sign | magnitude_code(limits.largest, limits), OVERFLOW
    delivered = unbounded
    unit = power_of_two(limits.smallest - limits.precision + 1)
    if magnitude < power_of_two(limits.smallest):
        delivered = magnitude_to_integer(magnitude / unit, rounding, negative) * unit
    flags = 0
    if delivered != magnitude:
        flags = NX | (UF if unbounded < power_of_two(limits.smallest) else 0)
    return sign | magnitude_code(delivered, limits), flags


def magnitude_code(magnitude: Fraction, limits: Target) -> int:
    """The code of a representable nonnegative number, without its sign."""
    hidden = 1 << (limits.precision - 1)
    if magnitude < power_of_two(limits.smallest):
        count = magnitude / power_of_two(limits.smallest - limits.precision + 1)
        assert count.denominator == 1
        return int(count) << limits.shift
    exponent = floor_log2(magnitude)
    count = magnitude / power_of_two(exponent - limits.precision + 1)
    assert count.denominator == 1
    return ((exponent - limits.smallest + 1) * hidden + int(count) - hidden) << limits.shift


def _to_integer(
    kind: str, negative: bool, exact: Fraction, destination: str, rounding: str, sat: bool
) -> tuple[int, int]:
    """Out of range is invalid: clamped when saturating, else the low bits.

    A NaN gives 0 when saturating, else the minimum; an infinity the endpoint of its sign, else the minimum.
    """
    width, is_signed = INTEGERS[destination]
    low = -(1 << (width - 1)) if is_signed else 0
    high = low + (1 << width) - 1
    mask = (1 << width) - 1
    if kind.endswith("nan"):
        return (0 if sat else low & mask), NV
    if kind == "infinity":
        return (high if sat and not negative else low) & mask, NV
    rounded = to_integer(exact, rounding)
    if not low <= rounded <= high:
        return (min(max(rounded, low), high) if sat else rounded) & mask, NV
    return rounded & mask, (NX if rounded != exact else 0)


def add32(left: int, right: int, rounding: str) -> tuple[int, int]:
    """FP32 addition: code and flags. An exact zero sum of opposite signs is +0, under RTM -0."""
    kinds = read(left, "FP32"), read(right, "FP32")
    nans = [bits for bits, (kind, _, _) in zip((left, right), kinds, strict=True) if kind.endswith("nan")]
    if nans:
        invalid = any(kind == "signaling_nan" for kind, _, _ in kinds)
        return 0x7FC00000, (NV if invalid else 0)
    infinite = {negative for kind, negative, _ in kinds if kind == "infinity"}
    if len(infinite) == 2:
        return 0x7FC00000, NV
    if infinite:
        return (0xFF800000 if infinite.pop() else 0x7F800000), 0
    exact = kinds[0][2] + kinds[1][2]
    if exact == 0:
        both_negative = kinds[0][1] and kinds[1][1]
        opposite = kinds[0][1] != kinds[1][1]
        return (0x80000000 if both_negative or (opposite and rounding == "RTM") else 0), 0
    return encode(exact, "FP32", rounding, False)
