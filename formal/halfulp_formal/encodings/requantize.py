"""Integer destinations: align, round, saturate the intermediate, add the offset, clamp or wrap."""

from __future__ import annotations

from dataclasses import dataclass

from halfulp_formal.bits import Bits, Bool, ite, or_reduce
from halfulp_formal.encodings.align import Product, align
from halfulp_formal.encodings.flags import INEXACT, OVERFLOW, flags_of


@dataclass(frozen=True, slots=True)
class Rounded:
    """An integer modulo 2^width, whether the true one is outside the signed range, whether it is inexact."""

    value: Bits
    overflow: Bool
    inexact: Bool


def round_to_signed(product: Product, width: int, rounding: str) -> Rounded:
    """The product rounded to an integer and read as a signed one of that width.

    Times 2^width or more, any nonzero digit is out of range and the bits that wrapping keeps are zero, so that far
    up the exponent no longer matters.
    """
    aligned = align(product, Bits.constant(width, product.exponent.width), width)
    beyond = or_reduce(aligned.magnitude.extract(aligned.magnitude.width - 1, width))
    kept = aligned.magnitude.extract(width - 1, 0).zero_extend(width + 1)
    magnitude = kept + aligned.increment(rounding, product.negative).zero_extend(width + 1)
    limit = Bits.constant((1 << (width - 1)) - 1, width + 1) + product.negative.bits().zero_extend(width + 1)
    low = magnitude.extract(width - 1, 0)
    return Rounded(
        value=ite(product.negative, -low, low),
        overflow=beyond | magnitude.bvugt(limit),
        inexact=aligned.inexact,
    )


def endpoint(negative: Bool, width: int) -> Bits:
    """The least or the greatest signed integer of that width."""
    return (~negative).bits().sign_extend(width) ^ (1 << (width - 1))


def affine(product: Product, offset: Bits, width: int, rounding: str, *, saturating: bool) -> tuple[Bits, Bits]:
    """Round, saturate to the offset's width, add it, clamp or wrap to `width` bits (MatrixQuantizedAffine).

    Returns the element and the flags: 14 for an overflow of either stage, else 10 when rounding was inexact.
    """
    rounded = round_to_signed(product, offset.width, rounding)
    intermediate = ite(rounded.overflow, endpoint(product.negative, offset.width), rounded.value)
    total = intermediate.sign_extend(offset.width + 1) + offset.sign_extend(offset.width + 1)
    element, overflow = narrow(total, width, saturating=saturating)
    return element, flags_of((rounded.overflow | overflow, OVERFLOW), (rounded.inexact, INEXACT))


def narrow(value: Bits, width: int, *, saturating: bool) -> tuple[Bits, Bool]:
    """A signed value in fewer bits, clamped or wrapped, and whether it did not fit."""
    element = value.extract(width - 1, 0)
    overflow = element.sign_extend(value.width) != value
    if saturating:
        element = ite(overflow, endpoint(value.bit(value.width - 1), width), element)
    return element, overflow


def wrap_to_signed(product: Product, width: int, rounding: str) -> tuple[Bits, Bits]:
    """Round once and wrap modulo 2^width (ReferenceMatrixIntegerEncoding without Sat)."""
    rounded = round_to_signed(product, width, rounding)
    return rounded.value, flags_of((rounded.overflow, OVERFLOW), (rounded.inexact, INEXACT))


def shift_and_saturate(value: Bits, code: Bits, width: int) -> tuple[Bits, Bits]:
    """Arithmetic right shift by code + 1, saturated to `width` bits; the bits shifted out raise nothing."""
    shifted = value.bvashr(code.zero_extend(value.width) + 1)
    element, overflow = narrow(shifted, width, saturating=True)
    return element, flags_of((overflow, OVERFLOW))
