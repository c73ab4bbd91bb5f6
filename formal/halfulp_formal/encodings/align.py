"""Exact products, and the one shift that brings them to the place they are rounded at."""

from __future__ import annotations

from dataclasses import dataclass

from halfulp_formal.bits import Bits, Bool, normalise, select, shift_right_jam
from halfulp_formal.encodings.rounding import increment


@dataclass(frozen=True, slots=True)
class Product:
    """The exact value (-1)^negative · significand · 2^exponent; the exponent is in two's complement."""

    negative: Bool
    significand: Bits
    exponent: Bits

    def leading_exponent(self) -> Bits:
        """The floor of log2 of the magnitude; meaningless for zero."""
        _, zeros = normalise(self.significand)
        return self.exponent + (self.significand.width - 1) - zeros.zero_extend(self.exponent.width)


@dataclass(frozen=True, slots=True)
class Aligned:
    """A magnitude cut at the place it is rounded at: the digits kept, the first one lost, whether more is lost."""

    magnitude: Bits
    guard: Bool
    sticky: Bool

    @property
    def inexact(self) -> Bool:
        """Whether anything is lost."""
        return self.guard | self.sticky

    def increment(self, rounding: str, negative: Bool, odd: Bool | None = None) -> Bits:
        """One bit to add to the magnitude; `odd` stands for its lowest bit where the code's parity is another."""
        lsb = self.magnitude.bit(0) if odd is None else odd
        return increment(rounding, negative=negative, lsb=lsb, guard=self.guard, sticky=self.sticky).bits()


def align(product: Product, top: Bits, digits: int) -> Aligned:
    """The significand in units of 2^(top - digits), cut to an integer; it keeps all its bits to the left.

    The window starts with the significand `digits` places up, and guard and sticky bits below, as it stands when `top`
    is the product's exponent. It only ever moves right; a smaller `top` than that leaves it there.
    """
    window = product.significand.concat(Bits.constant(0, digits + 2))
    distance = top - product.exponent
    amount = select(
        (distance.bvsle(0), Bits.constant(0, distance.width)),
        (distance.bvsge(window.width), Bits.constant(window.width, distance.width)),
        otherwise=distance,
    )
    window = shift_right_jam(window, amount.extract(window.width.bit_length() - 1, 0))
    return Aligned(window.extract(window.width - 1, 2), window.bit(1), window.bit(0))
