"""Conversion to E8M0, the scale 2^(code - 127): TCVT, and the scale choices that MX quantisers make.

TCVT: ReferenceFloatToE8M0 and ReferenceE8M0RoundExponent. Here log2 is rounded by comparing the normalised significand
with one constant, where the ASL compares its square with a power of two.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import TYPE_CHECKING

from halfulp_formal.bits import Bits, Bool, ite, normalise, or_reduce, select
from halfulp_formal.encodings.binary import BINARY_FORMATS, BinaryFormat, take_apart
from halfulp_formal.encodings.flags import INEXACT, INVALID, OVERFLOW, UNDERFLOW, flags_of
from halfulp_formal.encodings.rounding_control import RoundingControl, rounding_operand

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

E8M0_SOURCES = ("fp16", "bf16", "fp32")
_BIAS = 127
_NAN, _GREATEST, _LEAST = 0xFF, 0xFE, 0x00
#: Holds FP32's least exponent, -149, less the exponent of any element format's largest value, in two's complement.
_EXPONENT_BITS = 10


def threshold(width: int) -> int:
    """The greatest significand of that width, top bit h = width - 1 set, that is below 2^(h + 1/2).

    It is the floor of the square root of 2^(2h + 1), which is no square: no significand has its logarithm half-way
    between integers, and "above the threshold" is "above 2^(h + 1/2)". Scaling a subnormal up by a power of two moves
    both sides alike, so one constant serves all values.
    """
    return isqrt(1 << (2 * width - 1))


def threshold_lemma(significand: Bits) -> Bool:
    """With its top bit set, a significand is above the threshold if and only if its square is above 2^(2h + 1).

    And never is its square equal to it. Both are to hold for every value.
    """
    width = significand.width
    wide = significand.zero_extend(2 * width)
    square, boundary = wide * wide, Bits.constant(1 << (2 * width - 1), 2 * width)
    agree = significand.bvugt(threshold(width)) == square.bvugt(boundary)
    return significand.bit(width - 1).implies(agree & (square != boundary))


@dataclass(frozen=True, slots=True)
class _Scaled:
    """A source: its class, and while it is finite and nonzero its normalised significand and floor(log2)."""

    negative: Bool
    zero: Bool
    infinity: Bool
    nan: Bool
    significand: Bits
    exponent: Bits

    @property
    def fraction(self) -> Bits:
        """The bits below the top one of the significand."""
        return self.significand.extract(self.significand.width - 2, 0)


def _scaled(source: str, bits: Bits) -> _Scaled:
    if source not in E8M0_SOURCES:
        raise ValueError(f"no conversion from {source!r} to E8M0; expected one of {', '.join(E8M0_SOURCES)}")
    row = BINARY_FORMATS[source]
    unpacked = take_apart(row, bits)
    significand, zeros = normalise(unpacked.significand)
    exponent = unpacked.exponent.zero_extend(_EXPONENT_BITS) - row.bias - zeros.zero_extend(_EXPONENT_BITS)
    return _Scaled(unpacked.negative, unpacked.zero, unpacked.infinity, unpacked.nan, significand, exponent)


def tcvt_e8m0(source: str, rounding: str, saturating: bool, bits: Bits) -> tuple[Bits, Bits]:
    """The eight-bit code and the five flags; the source is FP16, BF16 or FP32, in lower case.

    Raises ValueError for any other source, an unknown mode or a source of the wrong width.
    """
    return tcvt_e8m0_any(source, rounding_operand(rounding), Bool.constant(saturating), bits)


def tcvt_e8m0_any(source: str, rounding: Bits, saturating: Bool, bits: Bits) -> tuple[Bits, Bits]:
    """As `tcvt_e8m0`, with the mode (three bits, in the order of ROUNDING_CODES) and Sat as operands."""
    value, control = _scaled(source, bits), RoundingControl.decode(rounding)
    exponent, inexact = value.exponent, or_reduce(value.fraction)
    up = (
        control.rtp
        | (control.rtz & exponent.bvslt(0))
        | (control.rto & ~exponent.bit(0))
        | (control.nearest & value.significand.bvugt(threshold(value.significand.width)))
    )
    rounded = (exponent + _BIAS).extract(7, 0) + (up & inexact).bits().zero_extend(8)
    invalid = value.nan | value.zero | value.negative
    underflow = exponent.bvslt(-_BIAS)
    overflow = value.infinity | ((exponent == _BIAS) & inexact)
    code = select(
        (invalid, _code(_NAN)),
        (overflow, ite(saturating, _code(_GREATEST), _NAN)),
        (underflow, ite(saturating, _code(_LEAST), _NAN)),
        otherwise=rounded,
    )
    return code, flags_of((invalid, INVALID), (overflow, OVERFLOW), (underflow, UNDERFLOW), (inexact, INEXACT))


def _code(code: int) -> Bits:
    return Bits.constant(code, 8)


# Scale choices.


@dataclass(frozen=True, slots=True)
class _Divisor:
    """The number 2^exponent · (1 + fraction / 2^fraction_bits), by which a block's greatest magnitude is divided."""

    exponent: int
    fraction: int
    fraction_bits: int


def _largest(row: BinaryFormat) -> _Divisor:
    field, fraction = divmod(row.largest, 1 << row.fraction_bits)
    return _Divisor(field - row.bias, fraction, row.fraction_bits)


_ONE = _Divisor(0, 0, 0)
#: The largest finite value of each element format.
_LARGEST: Mapping[str, _Divisor] = {
    **{name: _largest(BINARY_FORMATS[name]) for name in ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1")},
    "hif8": _Divisor(15, 0, 0),
}


def _floor(_value: _Scaled, _beyond: Bool) -> Bool:
    return Bool.constant(False)


def _ceil(_value: _Scaled, beyond: Bool) -> Bool:
    return beyond


def _even(value: _Scaled, _beyond: Bool) -> Bool:
    """Above 1.5 · 2^e, or at it where e is odd, the next power of two is nearer."""
    half = 1 << (value.fraction.width - 1)
    return value.fraction.bvugt(half) | ((value.fraction == half) & value.exponent.bit(0))


#: Whether the exponent steps up, from the value and from whether its fraction is beyond that of the divisor.
_RULES: Mapping[str, Callable[[_Scaled, Bool], Bool]] = {
    "floor": _floor,
    "ceil": _ceil,
    "even": _even,
    "rceil": _ceil,
}
SCALE_RULES = tuple(_RULES)


def mx_scale(source: str, rule: str, element: str | None, bits: Bits) -> tuple[Bits, Bits]:
    """The E8M0 scale of a block whose greatest magnitude is `bits`, and the flags.

    "floor", "ceil" and "even" give the power of two at or below it, at or above it, and the nearest, a tie going to the
    even exponent. "rceil" gives the least scale by which it divides to at most the element format's largest finite
    value. Out of range the scale is the end of the range, with overflow or underflow; inexact is a quotient that is no
    power of two. Specials are a choice made here: NaN and negative values give NaN and invalid, zero the least scale
    without flags, infinity NaN and overflow. Raises ValueError for an unknown source, rule or element, and for an
    element with a rule that takes none.
    """
    value, divisor = _scaled(source, bits), _divisor(rule, element)
    fraction = divisor.fraction << (value.fraction.width - divisor.fraction_bits)
    up = _RULES[rule](value, value.fraction.bvugt(fraction))
    exact = value.fraction == fraction
    chosen = value.exponent - divisor.exponent + up.bits().zero_extend(_EXPONENT_BITS)
    invalid = value.nan | (value.negative & ~value.zero)
    overflow, underflow = chosen.bvsgt(_BIAS), chosen.bvslt(-_BIAS)
    code = select(
        (invalid | value.infinity, _code(_NAN)),
        (value.zero | underflow, _code(_LEAST)),
        (overflow, _code(_GREATEST)),
        otherwise=(chosen + _BIAS).extract(7, 0),
    )
    flags = flags_of(
        (invalid, INVALID),
        (value.zero, 0),
        (value.infinity | overflow, OVERFLOW),
        (underflow, UNDERFLOW),
        (~exact, INEXACT),
    )
    return code, flags


def _divisor(rule: str, element: str | None) -> _Divisor:
    if rule not in _RULES:
        raise ValueError(f"no scale rule is named {rule!r}; expected one of {', '.join(SCALE_RULES)}")
    if rule != "rceil":
        if element is not None:
            raise ValueError(f"scale rule {rule!r} takes no element format; given {element!r}")
        return _ONE
    if element is None or element not in _LARGEST:
        raise ValueError(f"no element format is named {element!r}; expected one of {', '.join(_LARGEST)}")
    return _LARGEST[element]
