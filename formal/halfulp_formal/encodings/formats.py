"""Validity, class, exact value and order of a code in every format, decoded as hardware does it.

Sources: the ASL under arch/data-types/formats, FP19, TileNumericEncodingValid, TileNumericValueClass,
TileNumericFiniteDecomposition and HardwareNumericFloatingOrderKey.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from halfulp_formal.bits import Bits, Bool, and_reduce, ite, select
from halfulp_formal.encodings.binary import BINARY_FORMATS, BinaryFormat, padding_is_zero, take_apart
from halfulp_formal.encodings.tapered import decode_hif8

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: The eleven classes; a class is its position.
CLASSES = (
    "invalid_encoding", "positive_zero", "negative_zero", "positive_subnormal", "negative_subnormal",
    "positive_normal", "negative_normal", "positive_infinity", "negative_infinity", "quiet_nan", "signaling_nan",
)  # fmt: skip
CLASS_BITS = 4
SIGNIFICAND_BITS = 64
#: Signed; FP64 goes down to 2^-1074.
EXPONENT_BITS = 12


@dataclass(frozen=True, slots=True)
class Decomposition:
    """The exact value (-1)^negative · significand · 2^exponent; false and zeros where it is not available.

    The significand has 64 bits, the exponent 12 in two's complement.
    """

    available: Bool
    negative: Bool
    significand: Bits
    exponent: Bits


@dataclass(frozen=True, slots=True)
class _Decoded:
    """A lane's code: its class as separate lines, its exact value while it is finite, its rank among magnitudes."""

    negative: Bool
    zero: Bool
    subnormal: Bool
    infinity: Bool
    nan: Bool
    signalling: Bool
    significand: Bits
    exponent: Bits
    #: Orders the magnitudes, infinity above the finite ones.
    rank: Bits


def _no() -> Bool:
    return Bool.constant(False)


def _binary(row: BinaryFormat) -> Callable[[Bits], _Decoded]:
    def decode(code: Bits) -> _Decoded:
        unpacked = take_apart(row, code)
        subnormal = ~unpacked.significand.bit(row.fraction_bits) & ~unpacked.zero
        return _Decoded(
            unpacked.negative,
            unpacked.zero,
            subnormal & Bool.constant(row.has_subnormal),
            unpacked.infinity,
            unpacked.nan,
            unpacked.signalling,
            unpacked.significand,
            unpacked.exponent.zero_extend(EXPONENT_BITS) - (row.bias + row.fraction_bits),
            code.extract(row.width - 2, 0),
        )

    return decode


def _hif8(code: Bits) -> _Decoded:
    fields = decode_hif8(code)
    return _Decoded(
        fields.negative,
        fields.zero,
        fields.denormal,
        fields.infinity,
        fields.nan,
        _no(),
        fields.significand,
        fields.exponent.sign_extend(EXPONENT_BITS),
        fields.rank,
    )


def _e8m0(code: Bits) -> _Decoded:
    exponent = code.zero_extend(EXPONENT_BITS) - 127
    return _Decoded(_no(), _no(), _no(), _no(), and_reduce(code), _no(), Bits.constant(1, 1), exponent, code)


def _signed(code: Bits) -> _Decoded:
    negative, digits = code.bit(code.width - 1), code.extract(code.width - 2, 0)
    return _whole(negative, code, ite(negative, ~digits, digits))


def _unsigned(code: Bits) -> _Decoded:
    return _whole(_no(), code, code)


def _whole(negative: Bool, code: Bits, rank: Bits) -> _Decoded:
    no, unused = _no(), Bits.constant(0, 1)
    return _Decoded(negative, code == 0, no, no, no, no, unused, unused.zero_extend(EXPONENT_BITS), rank)


@dataclass(frozen=True, slots=True)
class Format:
    """Where a format's codes lie in its carrier, and what decodes one of them."""

    carrier_bits: int
    lane_bits: int
    decode: Callable[[Bits], _Decoded]
    lanes: int = 1
    #: Zero bits at the right end of a code.
    padding: int = 0
    #: Integer types have no decomposition.
    decomposes: bool = True
    has_sign: bool = True


def _floating(name: str, carrier_bits: int, lanes: int = 1) -> Format:
    row = BINARY_FORMATS[name]
    return Format(carrier_bits, row.width, _binary(row), lanes, row.padding)


def _integer(carrier_bits: int, *, signed: bool, lanes: int = 1) -> Format:
    return Format(
        carrier_bits, carrier_bits // lanes, _signed if signed else _unsigned, lanes, decomposes=False, has_sign=signed
    )


FORMATS: Mapping[str, Format] = {
    "fp64": _floating("fp64", 64),
    "fp32": _floating("fp32", 32),
    "tf32": _floating("tf32", 32),
    "hf32": _floating("hf32", 32),
    "fp16": _floating("fp16", 16),
    "bf16": _floating("bf16", 16),
    "hif8": Format(8, 8, _hif8),
    "e4m3": _floating("e4m3", 8),
    "e5m2": _floating("e5m2", 8),
    "e3m2": _floating("e3m2", 8),
    "e2m3": _floating("e2m3", 8),
    "e2m1x2": _floating("e2m1", 8, lanes=2),
    "e1m2x2": _floating("e1m2", 8, lanes=2),
    "e8m0": Format(8, 8, _e8m0, has_sign=False),
    "hif4x2": _floating("e1m2", 8, lanes=2),
    "fp19": _floating("fp19", 19),
    **{f"s{width}": _integer(width, signed=True) for width in (64, 32, 16, 8)},
    "s4x2": _integer(8, signed=True, lanes=2),
    **{f"u{width}": _integer(width, signed=False) for width in (64, 32, 16, 8)},
    "u4x2": _integer(8, signed=False, lanes=2),
}


def format_named(name: str) -> Format:
    """The format of that name; ValueError if there is none."""
    if name not in FORMATS:
        raise ValueError(f"no format is named {name!r}; expected one of {', '.join(FORMATS)}")
    return FORMATS[name]


def lane_of(fmt: str, bits: Bits, lane: int = 0) -> Bits:
    """The code in a lane of a carrier, lane 0 the lowest.

    ValueError: the carrier has another width, or no such lane.
    """
    row = format_named(fmt)
    if bits.width != row.carrier_bits:
        raise ValueError(f"{fmt} carrier has {bits.width} bits; expected {row.carrier_bits}")
    if not 0 <= lane < row.lanes:
        raise ValueError(f"{fmt} carrier has no lane {lane}; expected less than {row.lanes}")
    return bits.extract((lane + 1) * row.lane_bits - 1, lane * row.lane_bits)


def valid(fmt: str, bits: Bits) -> Bool:
    """The bits of the carrier that must be zero are: below the fraction, or above the code."""
    row, code = format_named(fmt), lane_of(fmt, bits)
    used = row.lanes * row.lane_bits
    above = bits.extract(bits.width - 1, used) == 0 if used < bits.width else Bool.constant(True)
    return above & padding_is_zero(code, row.padding)


def classify(fmt: str, bits: Bits, lane: int = 0) -> Bits:
    """The class of one lane of a carrier, as its position in CLASSES, four bits."""
    decoded = format_named(fmt).decode(lane_of(fmt, bits, lane))

    def named(name: str) -> Bits:
        return Bits.constant(CLASSES.index(name), CLASS_BITS)

    def signed(kind: str) -> Bits:
        return ite(decoded.negative, named(f"negative_{kind}"), named(f"positive_{kind}"))

    return select(
        (~valid(fmt, bits), named("invalid_encoding")),
        (decoded.signalling, named("signaling_nan")),
        (decoded.nan, named("quiet_nan")),
        (decoded.infinity, signed("infinity")),
        (decoded.zero, signed("zero")),
        (decoded.subnormal, signed("subnormal")),
        otherwise=signed("normal"),
    )


def decompose(fmt: str, bits: Bits, lane: int = 0) -> Decomposition:
    """The exact value of one lane of a carrier; not available for NaN, infinity, an invalid encoding and an integer.

    Zero has significand and exponent zero, and its sign.
    """
    row = format_named(fmt)
    decoded = row.decode(lane_of(fmt, bits, lane))
    available = Bool.constant(row.decomposes) & valid(fmt, bits) & ~decoded.nan & ~decoded.infinity
    nonzero = available & ~decoded.zero
    return Decomposition(
        available=available,
        negative=available & decoded.negative,
        significand=ite(nonzero, decoded.significand.zero_extend(SIGNIFICAND_BITS), 0),
        exponent=ite(nonzero, decoded.exponent, 0),
    )


def order_key(fmt: str, bits: Bits, lane: int = 0) -> Bits:
    """An unsigned number that orders valid codes by value, infinities included; -0 is next below +0.

    A negative code has its magnitude's bits flipped below a clear top bit, any other has a set one above them; where
    no code is negative there is no such bit. Means nothing for a NaN.
    """
    row = format_named(fmt)
    decoded = row.decode(lane_of(fmt, bits, lane))
    if not row.has_sign:
        return decoded.rank
    return (~decoded.negative).bits().concat(ite(decoded.negative, ~decoded.rank, decoded.rank))


def is_finite_class(value_class: Bits) -> Bool:
    """The class is that of a zero, a subnormal or a normal value."""
    first, last = CLASSES.index("positive_zero"), CLASSES.index("negative_normal")
    return value_class.bvuge(first) & value_class.bvule(last)
