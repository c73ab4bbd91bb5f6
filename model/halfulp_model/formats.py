"""Every format's codes: validity, class, exact decomposition and its inverse, order, and the lanes of a carrier.

Every function takes the format's row first and a code of `code_bits` bits second.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from . import floats, tapered
from .exact import Exact, is_integer, magnitude_exponent, truncate
from .floats import is_infinite, is_nan, is_signalling, with_sign
from .rows import Format, Kind


class ValueClass(Enum):
    """What kind of value a code stands for. Source: NumericValueClass."""

    INVALID_ENCODING = "invalid_encoding"
    POSITIVE_ZERO = "positive_zero"
    NEGATIVE_ZERO = "negative_zero"
    POSITIVE_SUBNORMAL = "positive_subnormal"
    NEGATIVE_SUBNORMAL = "negative_subnormal"
    POSITIVE_NORMAL = "positive_normal"
    NEGATIVE_NORMAL = "negative_normal"
    POSITIVE_INFINITY = "positive_infinity"
    NEGATIVE_INFINITY = "negative_infinity"
    QUIET_NAN = "quiet_nan"
    SIGNALING_NAN = "signaling_nan"


class Decomposition(NamedTuple):
    """A finite number (-1)^negative · significand · 2^exponent, or all zero fields where `available` is false."""

    available: bool
    negative: bool
    significand: int
    exponent: int


class Encoding(NamedTuple):
    """The code of an exact number; meaningless where `available` is false."""

    available: bool
    bits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Descriptor:
    """What the specification says a format is; all zero where it says that there is no floating format.

    Widths are in bits and bit numbers count within one lane. Source: NumericFormatDescriptor.
    """

    available: bool = False
    kind: Kind = Kind.INTEGER
    carrier_bits: int = 0
    lane_bits: int = 0
    lanes_per_carrier: int = 0
    sign_bits: int = 0
    sign_bit: int = 0
    exponent_bits_min: int = 0
    exponent_bits_max: int = 0
    fraction_bits_min: int = 0
    fraction_bits_max: int = 0
    exponent_bias_available: bool = False
    exponent_bias: int = 0
    required_low_zero_bits: int = 0
    required_high_zero_bits: int = 0
    has_zero: bool = False
    has_signed_zero: bool = False
    has_subnormal: bool = False
    has_infinity: bool = False
    has_quiet_nan: bool = False
    has_signaling_nan: bool = False


UNAVAILABLE = Decomposition(available=False, negative=False, significand=0, exponent=0)


def descriptor(fmt: Format) -> Descriptor:
    """Return the descriptor of a format, its claims as the specification makes them. Source: TileNumericFormatDescriptor."""
    if fmt.is_integer:
        return Descriptor()
    claims = fmt.claims
    return Descriptor(
        available=True,
        kind=fmt.kind,
        carrier_bits=fmt.carrier_bits,
        lane_bits=fmt.lane_bits,
        lanes_per_carrier=fmt.lanes,
        sign_bits=int(fmt.signed),
        sign_bit=fmt.sign_bit if fmt.signed else 0,
        exponent_bits_min=claims.exponent_bits[0],
        exponent_bits_max=claims.exponent_bits[1],
        fraction_bits_min=claims.fraction_bits[0],
        fraction_bits_max=claims.fraction_bits[1],
        exponent_bias_available=fmt.kind is not Kind.TAPERED,
        exponent_bias=fmt.bias,
        required_low_zero_bits=fmt.low_zero_bits,
        required_high_zero_bits=fmt.high_zero_bits,
        has_zero=claims.has_zero,
        has_signed_zero=claims.has_signed_zero,
        has_subnormal=claims.has_subnormal,
        has_infinity=claims.has_infinity,
        has_quiet_nan=claims.has_quiet_nan,
        has_signaling_nan=claims.has_signaling_nan,
    )


def lanes(fmt: Format, carrier: int) -> tuple[int, ...]:
    """Return the codes in a carrier, the one in the lowest bits first."""
    return tuple((carrier >> (lane * fmt.code_bits)) % (1 << fmt.code_bits) for lane in range(fmt.lanes))


def is_valid(fmt: Format, bits: int) -> bool:
    """Tell whether a code keeps the bits clear that the format requires. Source: TileNumericEncodingValid."""
    return bits % (1 << fmt.low_zero_bits) == 0 and bits < 1 << fmt.lane_bits


def is_finite(fmt: Format, bits: int) -> bool:
    """Tell whether a code of a floating format is valid and neither an infinity nor a NaN."""
    return is_valid(fmt, bits) and not is_nan(fmt, bits) and not is_infinite(fmt, bits)


def is_negative(fmt: Format, bits: int) -> bool:
    """Tell whether the sign bit of a floating code is set; a format without sign has none."""
    return (bits >> fmt.sign_bit) % 2 == 1


def is_zero(fmt: Format, bits: int) -> bool:
    """Tell whether a valid code is a zero of either sign."""
    if fmt.kind is Kind.SCALE or is_nan(fmt, bits):
        return False
    return bits == 0 if fmt.is_integer else bits % (1 << fmt.sign_bit) == 0


def lacks_hidden_bit(fmt: Format, bits: int) -> bool:
    """Tell whether a valid code is a nonzero number below the normal range: exponent field 0, or the subnormal band."""
    if fmt.kind is Kind.TAPERED:
        return tapered.is_subnormal(fmt, bits)
    if fmt.kind is not Kind.BINARY:
        return False
    code = floats.fields(fmt, bits)
    return code.exponent == 0 and code.fraction != 0


def classify(fmt: Format, bits: int) -> ValueClass:
    """Return the class of any code. Source: TileNumericValueClass."""
    if fmt.is_integer:
        return classify_integer(fmt, bits)
    if not is_valid(fmt, bits):
        return ValueClass.INVALID_ENCODING
    if is_nan(fmt, bits):
        return ValueClass.SIGNALING_NAN if is_signalling(fmt, bits) else ValueClass.QUIET_NAN
    negative = is_negative(fmt, bits)
    if is_infinite(fmt, bits):
        return ValueClass.NEGATIVE_INFINITY if negative else ValueClass.POSITIVE_INFINITY
    if is_zero(fmt, bits):
        return ValueClass.NEGATIVE_ZERO if negative else ValueClass.POSITIVE_ZERO
    if fmt.subnormal_class and lacks_hidden_bit(fmt, bits):
        return ValueClass.NEGATIVE_SUBNORMAL if negative else ValueClass.POSITIVE_SUBNORMAL
    return ValueClass.NEGATIVE_NORMAL if negative else ValueClass.POSITIVE_NORMAL


def classify_integer(fmt: Format, bits: int) -> ValueClass:
    """Return the class of an integer code: zero, positive or negative. Sources: ClassifySignedInteger and its twin."""
    if bits == 0:
        return ValueClass.POSITIVE_ZERO
    return ValueClass.NEGATIVE_NORMAL if bits > fmt.maximum else ValueClass.POSITIVE_NORMAL


def decompose(fmt: Format, bits: int) -> Decomposition:
    """Return the exact number of a code; none for NaN, infinity, an invalid code or an integer format.

    Zero has significand 0 and exponent 0. Source: TileNumericFiniteDecomposition.
    """
    if fmt.is_integer or not is_finite(fmt, bits):
        return UNAVAILABLE
    value = finite_value(fmt, bits)
    if value.significand == 0:
        return Decomposition(available=True, negative=value.negative, significand=0, exponent=0)
    return Decomposition(True, value.negative, value.significand, value.exponent)


def finite_value(fmt: Format, bits: int) -> Exact:
    """Return the exact value of a finite code of a floating format."""
    if fmt.kind is Kind.TAPERED:
        return tapered.exact_value(fmt, bits)
    if fmt.kind is Kind.SCALE:
        return Exact(negative=False, significand=1, exponent=bits - fmt.bias)
    return floats.exact_value(fmt, bits)


def encode_exact(fmt: Format, value: Exact) -> Encoding:
    """Return the code of a number that a floating format holds exactly: the inverse of `decompose`.

    Any significand and exponent of the number will do, not only those that `decompose` gives.
    """
    if value.significand == 0:
        available = fmt.kind is not Kind.SCALE and (fmt.signed_zero or not value.negative)
        return Encoding(available, with_sign(fmt, 0, value.negative))
    if value.negative and not fmt.signed:
        return Encoding(available=False, bits=0)
    if fmt.kind is Kind.TAPERED:
        magnitude = tapered.magnitude_code(fmt, value)
        return Encoding(magnitude != 0, with_sign(fmt, magnitude, value.negative))
    if fmt.kind is Kind.SCALE:
        return encode_power(fmt, value)
    return encode_binary(fmt, value)


def encode_power(fmt: Format, value: Exact) -> Encoding:
    """Return the code of a positive power of two."""
    code = magnitude_exponent(value) + fmt.bias
    is_power = value.significand == 1 << (value.significand.bit_length() - 1)
    return Encoding(is_power and 0 <= code <= fmt.largest_finite, code)


def encode_binary(fmt: Format, value: Exact) -> Encoding:
    """Return the code of a nonzero number in a binary format.

    Counted in units in the last place from the start of its binade, the number is the code without the binades below.
    """
    places = min(fmt.fraction_bits + 1 - value.significand.bit_length(), value.exponent - fmt.smallest_exponent)
    if places < -value.significand.bit_length():
        return Encoding(available=False, bits=0)
    units = Exact(value.negative, value.significand, places)
    binades = max(magnitude_exponent(value) - fmt.minimum_exponent, 0)
    magnitude = ((binades << fmt.fraction_bits) + truncate(units)) << fmt.low_zero_bits
    return Encoding(is_integer(units) and magnitude <= fmt.largest_finite, with_sign(fmt, magnitude, value.negative))


def order_key(fmt: Format, bits: int) -> int:
    """Return a number that grows with the value of a valid code that is not a NaN; -0 stands just below +0.

    For the formats with a fixed sign bit this is the key of HardwareNumericFloatingOrderKey, which knows FP64, FP32,
    TF32, HF32, FP16, BF16, E4M3 and E5M2: a negative code complemented, any other with its sign bit set.
    """
    if fmt.is_integer:
        return (bits - fmt.minimum) % (1 << fmt.code_bits)
    if fmt.kind is Kind.TAPERED:
        middle = tapered.magnitude_rank(fmt, fmt.infinity) + 1
        rank = tapered.magnitude_rank(fmt, bits)
        return middle - 1 - rank if is_negative(fmt, bits) else middle + rank
    if not fmt.signed:
        return bits
    half = 1 << fmt.sign_bit
    return 2 * half - 1 - bits if bits >= half else bits + half
