"""Integer destinations: align, round, saturate the intermediate, add the offset, clamp or wrap."""

from __future__ import annotations

from dataclasses import dataclass

from halfulp_formal.bits import Bits, Bool, ite, or_reduce, select, shift_right_jam
from halfulp_formal.encodings.flags import INEXACT, OVERFLOW, flags_of
from halfulp_formal.encodings.rounding import increment


@dataclass(frozen=True, slots=True)
class Product:
    """The exact value (-1)^negative · significand · 2^exponent; the exponent is in two's complement."""

    negative: Bool
    significand: Bits
    exponent: Bits


@dataclass(frozen=True, slots=True)
class Rounded:
    """An integer modulo 2^width, whether the true one is outside the signed range, whether it is inexact."""

    value: Bits
    overflow: Bool
    inexact: Bool


def round_to_signed(product: Product, width: int, rounding: str) -> Rounded:
    """The product rounded to an integer and read as a signed one of that width.

    The window starts with the significand `width` places to the left of the binary point, two fraction bits
    behind that: as far left as it need ever go, for times 2^width any nonzero digit is out of range and the
    bits that wrapping keeps are zero.
    """
    window = product.significand.concat(Bits.constant(0, width + 2))
    distance = -product.exponent + width
    amount = select(
        (distance.bvsle(0), Bits.constant(0, distance.width)),
        (distance.bvsge(window.width), Bits.constant(window.width, distance.width)),
        otherwise=distance,
    )
    window = shift_right_jam(window, amount.extract(window.width.bit_length() - 1, 0))
    guard, sticky = window.bit(1), window.bit(0)
    up = increment(rounding, negative=product.negative, lsb=window.bit(2), guard=guard, sticky=sticky)
    beyond = or_reduce(window.extract(window.width - 1, width + 2))
    magnitude = window.extract(width + 1, 2).zero_extend(width + 1) + up.bits().zero_extend(width + 1)
    limit = Bits.constant((1 << (width - 1)) - 1, width + 1) + product.negative.bits().zero_extend(width + 1)
    low = magnitude.extract(width - 1, 0)
    return Rounded(
        value=ite(product.negative, -low, low),
        overflow=beyond | magnitude.bvugt(limit),
        inexact=guard | sticky,
    )


def endpoint(negative: Bool, width: int) -> Bits:
    """The least or the greatest signed integer of that width."""
    return (~negative).bits().sign_extend(width) ^ (1 << (width - 1))


def affine(
    product: Product, offset: Bits, width: int, rounding: str, *, saturating: bool
) -> tuple[Bits, Bits]:
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
