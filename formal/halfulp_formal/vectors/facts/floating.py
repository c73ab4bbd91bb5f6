"""Where an exact number lies between the codes of a floating format, binary or tapered."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from halfulp_formal.bits import Bool
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.interpreter import Lifter
from halfulp_formal.lift.values import bounds
from halfulp_formal.properties.numbers import Magnitude
from halfulp_formal.subject import Subject
from halfulp_formal.vectors.algebra import Num
from halfulp_formal.vectors.facts.position import Position
from halfulp_formal.vectors.format_codes import largest_exponent, power_code
from halfulp_model.rows import Format, Kind


class FloatPosition:
    """A nonzero exact number counted in quanta: units in the last place at its own magnitude, never below the least.

    `quanta` is its position between codes; `code` is the magnitude code of the number cut to whole quanta, counted on
    beyond the largest finite one. Of zero nothing here means anything.
    """

    def __init__(self, number: Magnitude, fmt: Format, quanta: Position, start: Num) -> None:
        product = Position(number)
        self.format = fmt
        self.largest_exponent = largest_exponent(fmt)
        #: the magnitude code of the largest finite number, as codes are counted here
        self.largest_code = fmt.largest_finite >> fmt.low_zero_bits
        self.binade = product.binade
        self.nonzero: Bool = ~product.zero
        self.quanta = quanta
        self.code = start + quanta.whole_part

    @cached_property
    def subnormal(self) -> Bool:
        """The number is below the smallest normal one."""
        return self.nonzero & (self.binade < self.format.minimum_exponent)

    @cached_property
    def normal(self) -> Bool:
        """The number is between the smallest normal and the largest finite one, or less than a quantum above it."""
        last = (self.binade == self.largest_exponent) & (self.code <= self.largest_code)
        return self.nonzero & (self.binade >= self.format.minimum_exponent) & (self.below_last_binade | last)

    @cached_property
    def below_last_binade(self) -> Bool:
        """The number is in a binade below that of the largest finite one."""
        return self.binade < self.largest_exponent

    @cached_property
    def even(self) -> Bool:
        """The code below or at the number is even."""
        return self.code % 2 == 0

    @cached_property
    def odd(self) -> Bool:
        """The code below or at the number is odd."""
        return self.code % 2 == 1

    @cached_property
    def last_of_binade(self) -> Bool:
        """The code is the last one of its binade: every fraction bit is set."""
        count = self.quanta.whole_part
        return (count & (count + 1)) == 0

    def at(self, exponent: int) -> Bool:
        """The number is at or above 2^exponent, less than a quantum away; the format has 2^exponent."""
        return self.nonzero & (self.code == power_code(self.format, exponent))

    def before(self, exponent: int) -> Bool:
        """The number is below 2^exponent, by a quantum or less; the format has 2^exponent."""
        return self.nonzero & (self.code == power_code(self.format, exponent) - 1)

    @cached_property
    def at_largest(self) -> Bool:
        """The number is at or above the largest finite one, less than a quantum away."""
        return self.nonzero & (self.code == self.largest_code)

    @cached_property
    def at_largest_subnormal(self) -> Bool:
        """The number is at or above the largest subnormal one, and below the smallest normal one."""
        if self.format.kind is Kind.BINARY:
            return self.nonzero & (self.code == (1 << self.format.fraction_bits) - 1)
        return self.at(self.format.minimum_exponent - 1)

    @cached_property
    def below_smallest(self) -> Bool:
        """The number is below the smallest positive one."""
        return self.nonzero & (self.code == 0)


def binary_position(number: Magnitude, fmt: Format) -> FloatPosition:
    """Return a number's position in a binary format, as the judge counts it."""
    product = Position(number)
    high = Num(arithmetic.maximum(product.binade.number, fmt.minimum_exponent))
    least, _ = bounds(product.exponent.number)
    _, most = bounds(product.significand.number)
    places = arithmetic.narrow(
        (product.exponent - high + fmt.fraction_bits).number,
        min(least - fmt.smallest_exponent, fmt.fraction_bits + 1 - most.bit_length()),
        fmt.fraction_bits,
    )
    quanta = Position(Magnitude(number.negative, number.significand, places))
    return FloatPosition(number, fmt, quanta, (high - fmt.minimum_exponent) << fmt.fraction_bits)


def tapered_position(number: Magnitude, record: Any, fmt: Format, subject: Subject, lifter: Lifter) -> FloatPosition:
    """Return a number's position in a tapered format, as the model counts it."""
    found = lifter.call(subject.module("tapered").position, record, fmt)
    quanta = found.fields["quanta"].fields
    position = Position(Magnitude(number.negative, quanta["significand"], quanta["exponent"]))
    return FloatPosition(number, fmt, position, Num(found.fields["start"]))
