"""Where an exact number lies between integers: the vocabulary of ties and near ties."""

from __future__ import annotations

from functools import cached_property

from halfulp_formal.bits import Bool
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import bounds
from halfulp_formal.properties.numbers import Magnitude
from halfulp_formal.vectors.algebra import Num, choose, truth


class Position:
    """An exact number, (-1)^negative · significand · 2^exponent, seen from its integer part and its fraction.

    "One last place" is one unit of the significand as it stands. Ties and their neighbours are kept apart by asking
    for at least three fraction bits.
    """

    def __init__(self, number: Magnitude) -> None:
        self.significand = Num(number.significand)
        self.exponent = Num(number.exponent)
        self.zero: Bool = self.significand == 0
        sign = truth(number.negative)
        self.negative: Bool = sign & ~self.zero
        self.positive: Bool = ~sign & ~self.zero

    @cached_property
    def places(self) -> Num:
        """The number of fraction bits of the significand."""
        return Num(arithmetic.maximum((-self.exponent).number, 0))

    @cached_property
    def unit(self) -> Num:
        """One, counted in last places."""
        return Num(1) << self.places

    @cached_property
    def rest(self) -> Num:
        """The fraction, counted in last places."""
        return self.significand % self.unit

    @cached_property
    def whole_part(self) -> Num:
        """The magnitude without its fraction."""
        low, high = bounds(self.exponent.number)
        if high <= 0:
            return self.significand >> self.places
        left = Num(arithmetic.narrow(self.exponent.number, max(low, 0), high))
        return choose(self.exponent > 0, self.significand << left, self.significand >> self.places)

    @cached_property
    def whole(self) -> Bool:
        """The number is an integer."""
        return self.rest == 0

    @cached_property
    def even(self) -> Bool:
        """The magnitude without its fraction is even."""
        return self.whole_part % 2 == 0

    @cached_property
    def odd(self) -> Bool:
        """The magnitude without its fraction is odd."""
        return self.whole_part % 2 == 1

    @cached_property
    def tie(self) -> Bool:
        """The fraction is exactly one half."""
        return (self.rest << 1) == self.unit

    @cached_property
    def under_tie(self) -> Bool:
        """The fraction is not zero and less than one half."""
        return (self.rest > 0) & ((self.rest << 1) < self.unit)

    @cached_property
    def over_tie(self) -> Bool:
        """The fraction is more than one half."""
        return (self.rest << 1) > self.unit

    @cached_property
    def fine(self) -> Bool:
        """There are at least three fraction bits, so that ties, integers and their neighbours differ."""
        return self.places >= 3

    @cached_property
    def before_tie(self) -> Bool:
        """The magnitude is one last place below a tie."""
        return self.fine & (((self.rest + 1) << 1) == self.unit)

    @cached_property
    def after_tie(self) -> Bool:
        """The magnitude is one last place above a tie."""
        return self.fine & ((self.rest << 1) == self.unit + 2)

    @cached_property
    def before_integer(self) -> Bool:
        """The magnitude is one last place below an integer."""
        return self.fine & (self.rest + 1 == self.unit)

    @cached_property
    def after_integer(self) -> Bool:
        """The magnitude is one last place above an integer."""
        return self.fine & (self.rest == 1)

    def lost_alone(self, place: int) -> Bool:
        """The fraction is 2^-place: of all that a rounding loses one digit is set."""
        return (self.rest << place) == self.unit

    def past_tie(self, place: int) -> Bool:
        """The fraction is 1/2 + 2^-place: beyond a tie by one digit; place is at least 2."""
        return (self.rest << place) == (self.unit << (place - 1)) + self.unit

    @cached_property
    def binade(self) -> Num:
        """floor(log2 |number|) of a number that is not zero."""
        return self.exponent + Num(arithmetic.bit_length(self.significand.number)) - 1
