"""What the block formats share: the tree that finds the largest exponent, and members aligned to it with a sticky bit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from halfulp_formal.bits import Bits, Bool, ite, or_reduce, shift_right_jam

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Integer digits of an aligned member: the hidden bit and six fraction bits.
DIGITS = 7


@dataclass(frozen=True, slots=True)
class BlockTerms:
    """A block: member i is mantissas[i], int8, times 2^(exponent - 133).

    Where `characterised` does not hold, the source leaves the result open and the other fields mean nothing.
    """

    characterised: Bool
    exponent: Bits
    mantissas: tuple[Bits, ...]


@dataclass(frozen=True, slots=True)
class Lane:
    """The sign and exact magnitude of a member at some scale: seven digits, a guard bit and a sticky bit."""

    negative: Bool
    window: Bits

    @property
    def digits(self) -> Bits:
        """The magnitude cut to an integer, seven bits."""
        return self.window.extract(DIGITS + 1, 2)

    @property
    def guard(self) -> Bool:
        """The first bit below the digits."""
        return self.window.bit(1)

    @property
    def sticky(self) -> Bool:
        """Whether anything is set below the guard bit."""
        return self.window.bit(0)

    def halved_if(self, condition: Bool) -> Lane:
        """The same member at twice the scale where the condition holds."""
        return Lane(self.negative, shift_right_jam(self.window, condition.bits()))

    def signed(self, magnitude: Bits) -> Bits:
        """A magnitude of eight bits with the member's sign, in two's complement."""
        return ite(self.negative, -magnitude, magnitude)


def exponent_field(member: Bits) -> Bits:
    """The exponent field of an FP32 word."""
    return member.extract(30, 23)


def largest(values: Sequence[Bits]) -> Bits:
    """The greatest of some unsigned values, by a tree of comparisons; ValueError: there are none."""
    if not values:
        raise ValueError("a block has at least one member; none given")
    level = list(values)
    while len(level) > 1:
        pairs = [ite(a.bvult(b), b, a) for a, b in zip(level[::2], level[1::2], strict=False)]
        level = pairs + level[len(pairs) * 2 :]
    return level[0]


def align(member: Bits, significand: Bits, shared: Bits) -> Lane:
    """An FP32 member of a 24-bit significand at a shared exponent no smaller than its own.

    Digits are cut below the sixth fraction bit. The distance is clamped to 15: past eight places only the sticky bit is left.
    """
    window = significand.extract(23, 16).concat(or_reduce(significand.extract(15, 0)).bits())
    distance = shared - exponent_field(member)
    clamped = ite(or_reduce(distance.extract(7, 4)), Bits.constant(15, 4), distance.extract(3, 0))
    return Lane(member.bit(31), shift_right_jam(window, clamped))


def any_of(conditions: Sequence[Bool]) -> Bool:
    """Whether at least one holds."""
    return reduce(Bool.__or__, conditions, Bool.constant(False))
