"""Special codes of every destination, and what a NaN or an infinity becomes there.

Sources: MatrixPostQuantSpecialValue, MatrixFloatingInfinity, MatrixFloatingLargestFinite,
MatrixFloatingSignedZero and the canonical NaN of each format.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from halfulp_formal.bits import Bits, Bool, ite
from halfulp_formal.encodings.flags import INVALID, OVERFLOW, flags_of
from halfulp_formal.encodings.requantize import endpoint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from halfulp_formal.encodings.unpack import Unpacked


@dataclass(frozen=True, slots=True)
class FloatCodes:
    """Codes of a floating destination; a pair is (positive, negative)."""

    width: int
    nan: int
    largest: tuple[int, int]
    #: What an overflow and an infinite source give without saturation.
    infinity: tuple[int, int]
    negative_zero: int
    #: The format has an infinity, so an infinite source loses nothing.
    has_infinity: bool = True


FLOAT_CODES: Mapping[str, FloatCodes] = {
    "fp32": FloatCodes(32, 0x7FC00000, (0x7F7FFFFF, 0xFF7FFFFF), (0x7F800000, 0xFF800000), 0x80000000),
    "fp16": FloatCodes(16, 0x7E00, (0x7BFF, 0xFBFF), (0x7C00, 0xFC00), 0x8000),
    "bf16": FloatCodes(16, 0x7FC0, (0x7F7F, 0xFF7F), (0x7F80, 0xFF80), 0x8000),
    "e4m3": FloatCodes(8, 0x7F, (0x7E, 0xFE), (0x7F, 0x7F), 0x80, has_infinity=False),
    "hif8": FloatCodes(8, 0x80, (0x6E, 0xEE), (0x6F, 0xEF), 0x00),
}


def _signed(codes: tuple[int, int], negative: Bool, width: int) -> Bits:
    positive, opposite = codes
    return ite(negative, Bits.constant(opposite, width), Bits.constant(positive, width))


def overflowed(codes: FloatCodes, negative: Bool, *, saturating: bool) -> Bits:
    """The code of an overflow: the largest finite value of the sign, or the infinity, or E4M3's NaN."""
    return _signed(codes.largest if saturating else codes.infinity, negative, codes.width)


def special_float(source: Unpacked, codes: FloatCodes, *, saturating: bool) -> tuple[Bits, Bits]:
    """A NaN or an infinity in a floating destination; NV only for a signalling NaN."""
    nan = Bits.constant(0 if saturating else codes.nan, codes.width)
    loses_infinity = Bool.constant(saturating or not codes.has_infinity)
    return (
        ite(source.nan, nan, overflowed(codes, source.negative, saturating=saturating)),
        flags_of((source.signalling, INVALID), (source.infinity & loses_infinity, OVERFLOW)),
    )


def special_integer(source: Unpacked, width: int, *, saturating: bool) -> tuple[Bits, Bits]:
    """A NaN or an infinity in a signed destination: the least integer, or with Sat zero and the endpoints."""
    if not saturating:
        return endpoint(Bool.constant(True), width), Bits.constant(INVALID, 5)
    return (
        ite(source.nan, Bits.constant(0, width), endpoint(source.negative, width)),
        flags_of((source.nan, INVALID), (source.infinity, OVERFLOW)),
    )
