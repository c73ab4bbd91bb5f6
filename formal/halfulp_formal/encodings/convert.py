"""Plain conversions by the rules of IEEE 754 and OCP: every source to every destination, mode and Sat as operands.

Overflow and tininess are decided after rounding with unbounded exponent (IEEE 754, 7.4 and 7.5). An overflow that
leaves the finite range becomes the infinity, or the NaN of a format that has NaN alone, or else the largest finite
value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from halfulp_formal.bits import Bits, Bool, and_reduce, ite, normalise, or_reduce, select, shift_right_jam
from halfulp_formal.encodings.align import Product, align
from halfulp_formal.encodings.binary import BINARY_FORMATS, BinaryFormat, padding_is_zero, take_apart
from halfulp_formal.encodings.flags import INEXACT, INVALID, OVERFLOW, UNDERFLOW, flags_of
from halfulp_formal.encodings.rounding_control import RoundingControl, rounding_operand

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class IntegerFormat:
    """Two's complement or unsigned, of that width."""

    width: int
    signed: bool

    @property
    def least(self) -> int:
        """The code of the least value."""
        return 1 << (self.width - 1) if self.signed else 0


INTEGER_FORMATS: Mapping[str, IntegerFormat] = {
    "s32": IntegerFormat(32, signed=True),
    "u32": IntegerFormat(32, signed=False),
    "s16": IntegerFormat(16, signed=True),
    "s8": IntegerFormat(8, signed=True),
    "u8": IntegerFormat(8, signed=False),
    "s4": IntegerFormat(4, signed=True),
}

SOURCES = (
    "fp64", "fp32", "tf32", "fp16", "bf16", "e5m2", "e4m3", "e3m2", "e2m3", "e2m1", "s32", "u32", "s16", "s8", "u8",
)  # fmt: skip
DESTINATIONS = (
    "fp32", "tf32", "fp16", "bf16", "e5m2", "e4m3", "e3m2", "e2m3", "e2m1", "s32", "u32", "s16", "s8", "u8", "s4",
)  # fmt: skip

#: Holds FP64's least exponent, 2^-1074, less the largest exponent of any destination, and both signs of it.
_EXPONENT_BITS = 13


@dataclass(frozen=True, slots=True)
class _Operand:
    """A source taken apart; of a NaN, `product.negative` is the sign and `payload` the fraction, quiet bit first."""

    product: Product
    zero: Bool
    infinity: Bool
    nan: Bool
    signalling: Bool
    payload: Bits
    #: The exponent below which significands lack their top bit; integers lack theirs everywhere.
    least_exponent: int


def width_of(name: str) -> int:
    """Bits of a code of that source or destination; ValueError for a name that is neither."""
    if name not in SOURCES + DESTINATIONS:
        raise ValueError(f"no format is named {name!r}; expected one of {', '.join((*SOURCES, 's4'))}")
    return (BINARY_FORMATS.get(name) or INTEGER_FORMATS[name]).width


def convert(source: str, destination: str, rounding: str, saturating: bool, bits: Bits) -> tuple[Bits, Bits]:
    """The destination's code, of its own width, and the five flags.

    TF32 has 32 bits, the low 13 zero; E3M2 and E2M3 have 6, E2M1 and S4 have 4. Meaningful where `convert_legal`
    holds. Raises ValueError for an unknown name or a source of the wrong width.
    """
    return convert_any(source, destination, rounding_operand(rounding), Bool.constant(saturating), bits)


def convert_any(source: str, destination: str, rounding: Bits, saturating: Bool, bits: Bits) -> tuple[Bits, Bits]:
    """As `convert`, with the mode (three bits, in the order of ROUNDING_CODES) and Sat as operands."""
    if source not in SOURCES or destination not in DESTINATIONS:
        raise ValueError(f"no conversion from {source!r} to {destination!r}")
    if bits.width != width_of(source):
        raise ValueError(f"{source} code has {bits.width} bits; expected {width_of(source)}")
    operand = (
        _float_operand(BINARY_FORMATS[source], bits)
        if source in BINARY_FORMATS
        else _integer_operand(INTEGER_FORMATS[source], bits)
    )
    control = RoundingControl.decode(rounding)
    if destination in BINARY_FORMATS:
        return _to_float(operand, BINARY_FORMATS[destination], control, saturating)
    return _to_integer(operand, INTEGER_FORMATS[destination], control, saturating)


def convert_legal(source: str, bits: Bits) -> Bool:
    """The source's constrained bits are zero, which TF32 alone has."""
    return padding_is_zero(bits, BINARY_FORMATS[source].padding if source in BINARY_FORMATS else 0)


def _float_operand(row: BinaryFormat, code: Bits) -> _Operand:
    unpacked = take_apart(row, code)
    exponent = unpacked.exponent.zero_extend(_EXPONENT_BITS) - (row.bias + row.fraction_bits)
    fraction = unpacked.significand.extract(row.fraction_bits - 1, 0)
    return _Operand(
        Product(unpacked.negative, unpacked.significand, exponent),
        unpacked.zero,
        unpacked.infinity,
        unpacked.nan,
        unpacked.signalling,
        # The only NaN of a format without infinity says nothing but its sign.
        fraction if row.has_infinity else Bits.constant(0, row.fraction_bits),
        row.least_exponent,
    )


def _integer_operand(row: IntegerFormat, code: Bits) -> _Operand:
    never = Bool.constant(False)
    negative = code.bit(row.width - 1) if row.signed else never
    product = Product(negative, ite(negative, -code, code), Bits.constant(0, _EXPONENT_BITS))
    return _Operand(product, code == 0, never, never, never, Bits.constant(0, 1), row.width)


# Floating destinations.


def _to_float(operand: _Operand, row: BinaryFormat, control: RoundingControl, saturating: Bool) -> tuple[Bits, Bits]:
    rounded = _round_float(operand, row, control)
    negative = operand.product.negative

    def body(value: int) -> Bits:
        return Bits.constant(value, row.body_bits)

    # What lies beyond the largest finite value, where the format has anything there.
    beyond = body(row.infinity if row.has_infinity else row.largest + row.has_nan)
    overflow = ite(~saturating & control.overflows_to_infinity(negative), beyond, body(row.largest))
    chosen = select(
        (operand.nan, _nan_body(operand.payload, row)),
        (operand.infinity, ite(saturating, body(row.largest), beyond)),
        (operand.zero, body(0)),
        (rounded.overflow, overflow),
        otherwise=rounded.body,
    )
    # Without a NaN to give, the largest positive value stands for it.
    keeps_sign = ~operand.nan | Bool.constant(row.has_nan)
    word = (negative & keeps_sign).bits().concat(chosen)
    exact_infinity = ~saturating & Bool.constant(row.has_infinity)
    flags = flags_of(
        (operand.nan & (operand.signalling | Bool.constant(not row.has_nan)), INVALID),
        (operand.nan | operand.zero | (operand.infinity & exact_infinity), 0),
        (operand.infinity | rounded.overflow, OVERFLOW),
        (rounded.inexact & rounded.tiny, UNDERFLOW),
        (rounded.inexact, INEXACT),
    )
    return (word.concat(Bits.constant(0, row.padding)) if row.padding else word), flags


def _nan_body(payload: Bits, row: BinaryFormat) -> Bits:
    """The quiet NaN with the payload's high bits (IEEE 754, 6.2.3), below its sign.

    All ones where that is the only NaN, and the largest finite value where there is none.
    """
    if not row.has_infinity:
        return Bits.constant((1 << row.body_bits) - 1, row.body_bits)
    width = max(payload.width, row.fraction_bits)
    aligned = payload.concat(Bits.constant(0, width - payload.width)) if width > payload.width else payload
    kept = aligned.extract(width - 1, width - row.fraction_bits)
    return kept.zero_extend(row.body_bits) | (row.infinity | 1 << (row.fraction_bits - 1))


@dataclass(frozen=True, slots=True)
class _RoundedFloat:
    """A nonzero finite value rounded: exponent and fraction fields, and what rounding did."""

    body: Bits
    overflow: Bool
    tiny: Bool
    inexact: Bool


def _round_float(operand: _Operand, row: BinaryFormat, control: RoundingControl) -> _RoundedFloat:
    """Align, cut to the precision and three bits below it, the last one sticky, and round.

    The window's top bit is the hidden bit: clear below the smallest normal, where the window is shifted down to the
    subnormal unit. A carry out of the fraction is the exponent's, one out of the exponent is the top of `magnitude`.
    """
    negative = operand.product.negative
    significand, exponent = _leading(operand, row)
    below = Bits.constant(row.least_exponent, _EXPONENT_BITS) - exponent
    window = _window(significand, row.fraction_bits + 4)
    amount = select(
        (below.bvsle(0), Bits.constant(0, _EXPONENT_BITS)),
        (below.bvsgt(window.width), Bits.constant(window.width, _EXPONENT_BITS)),
        otherwise=below,
    )
    window = shift_right_jam(window, amount.extract(window.width.bit_length() - 1, 0))
    hidden = window.bit(window.width - 1)
    fraction = window.extract(window.width - 2, 3)
    guard, lower = window.bit(2), or_reduce(window.extract(1, 0))
    up = control.increment(negative=negative, lsb=fraction.bit(0), guard=guard, sticky=lower)
    biased = exponent + row.bias
    field = ite(hidden, biased.extract(row.exponent_bits - 1, 0), Bits.constant(0, row.exponent_bits))
    truncated = Bits.constant(0, 1).concat(field, fraction)
    magnitude = truncated + up.bits().zero_extend(truncated.width)
    # With unbounded exponent the digits of a subnormal go on into the guard bit. It is not tiny if these are all
    # ones and rounding there carries up to the smallest normal.
    carries = control.increment(negative=negative, lsb=guard, guard=window.bit(1), sticky=window.bit(0))
    return _RoundedFloat(
        body=magnitude.extract(row.body_bits - 1, 0),
        overflow=biased.bvsge(1 << row.exponent_bits) | magnitude.bvugt(row.largest),
        tiny=~hidden & ~(and_reduce(fraction) & guard & carries),
        inexact=guard | lower,
    )


def _leading(operand: _Operand, row: BinaryFormat) -> tuple[Bits, Bits]:
    """The significand and the exponent of its top bit, which is set where the value is normal in the destination.

    A source that reaches as far down as the destination has its subnormals among those of the destination, and only
    any other has to be normalised.
    """
    product = operand.product
    top = product.exponent + (product.significand.width - 1)
    if operand.least_exponent <= row.least_exponent:
        return product.significand, top
    significand, zeros = normalise(product.significand)
    return significand, top - zeros.zero_extend(_EXPONENT_BITS)


def _window(significand: Bits, width: int) -> Bits:
    """The significand in `width` bits from the top, the last of which stands for all below it."""
    rest = significand.width - width + 1
    if rest > 1:
        sticky = or_reduce(significand.extract(rest - 1, 0)).bits()
        return significand.extract(significand.width - 1, rest).concat(sticky)
    return significand.concat(Bits.constant(0, width - significand.width)) if rest < 1 else significand


# Integer destinations.


def _to_integer(operand: _Operand, row: IntegerFormat, control: RoundingControl, saturating: Bool) -> tuple[Bits, Bits]:
    """Round to an integer; out of range raises invalid alone (IEEE 754, 5.8), and clamps or wraps."""
    width, negative = row.width, operand.product.negative
    # The digits kept are units; times 2^width or more, all that wrapping keeps of the value is zero.
    aligned = align(operand.product, Bits.constant(width, _EXPONENT_BITS), width)
    lsb = aligned.magnitude.bit(0)
    up = control.increment(negative=negative, lsb=lsb, guard=aligned.guard, sticky=aligned.sticky)
    magnitude = aligned.magnitude.zero_extend(aligned.magnitude.width + 1)
    magnitude += up.bits().zero_extend(magnitude.width)
    greatest = (1 << (width - row.signed)) - 1
    limit = ite(negative, Bits.constant(row.least, magnitude.width), Bits.constant(greatest, magnitude.width))
    special = operand.nan | operand.infinity
    invalid = special | magnitude.bvugt(limit)
    low = magnitude.extract(width - 1, 0)
    endpoint = ite(negative, Bits.constant(row.least, width), Bits.constant(greatest, width))
    code = select(
        (special, _special_integer(operand, row, endpoint, saturating)),
        (invalid & saturating, endpoint),
        otherwise=ite(negative, -low, low),
    )
    return code, flags_of((invalid, INVALID), (aligned.inexact, INEXACT))


def _special_integer(operand: _Operand, row: IntegerFormat, endpoint: Bits, saturating: Bool) -> Bits:
    """NaN is zero and infinity the endpoint of its sign with Sat, both the least value without."""
    clamped = ite(operand.nan, Bits.constant(0, row.width), endpoint)
    return ite(saturating, clamped, Bits.constant(row.least, row.width))
