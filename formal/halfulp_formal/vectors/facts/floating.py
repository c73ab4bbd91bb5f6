"""Where an exact number lies between the codes of a binary floating format."""

from __future__ import annotations

from functools import cached_property

from halfulp_formal.bits import Bool
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import bounds
from halfulp_formal.properties.numbers import Magnitude
from halfulp_formal.vectors.algebra import Num
from halfulp_formal.vectors.facts.position import Position
from halfulp_model.rows import Format


class FloatPosition:
    """A nonzero exact number counted in quanta: units in the last place at its own magnitude, never below the least.

    `quanta` is its position between codes; `code` is the magnitude code of the number cut to whole quanta, counted on
    beyond the largest finite one. Of zero nothing here means anything.
    """

    def __init__(self, number: Magnitude, fmt: Format) -> None:
        self.format = fmt
        product = Position(number)
        self.binade = product.binade
        self.nonzero: Bool = ~product.zero
        high = Num(arithmetic.maximum(self.binade.number, fmt.minimum_exponent))
        least, _ = bounds(product.exponent.number)
        _, most = bounds(product.significand.number)
        places = arithmetic.narrow(
            (product.exponent - high + fmt.fraction_bits).number,
            min(least - fmt.smallest_exponent, fmt.fraction_bits + 1 - most.bit_length()),
            fmt.fraction_bits,
        )
        self.quanta = Position(Magnitude(number.negative, number.significand, places))
        self._binades = high - fmt.minimum_exponent

    @cached_property
    def code(self) -> Num:
        """The magnitude code below or at the number."""
        return (self._binades << self.format.fraction_bits) + self.quanta.whole_part

    @cached_property
    def subnormal(self) -> Bool:
        """The number is below the smallest normal one."""
        return self.nonzero & (self.binade < self.format.minimum_exponent)

    @cached_property
    def normal(self) -> Bool:
        """The number is between the smallest normal and the largest finite one, or less than a quantum above it."""
        return self.nonzero & (self.binade >= self.format.minimum_exponent) & (self.code <= self.format.largest_finite)

    @cached_property
    def last_of_binade(self) -> Bool:
        """The code has every fraction bit set: the next one starts a binade."""
        return self.code % (1 << self.format.fraction_bits) == (1 << self.format.fraction_bits) - 1
