"""Numbers and truth values as a corner class writes them: ordinary operators, exact, never wrapping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from pysmt.fnode import FNode

from halfulp_formal.bits import Bool
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import Int, Truth, fit, truth_term
from halfulp_formal.properties.numbers import bit_field, select, signed_field

Number = Int | int


@dataclass(frozen=True, slots=True, eq=False)
class Num:
    """An exact integer; comparisons give formulas."""

    number: Number

    def __bool__(self) -> NoReturn:
        raise TypeError("a number has no truth value: compare it")

    def __hash__(self) -> int:
        return hash(self.number)

    def __eq__(self, other: Num | int) -> Bool:  # type: ignore[override]  # a formula, not a Python truth value
        return truth(arithmetic.equal(self.number, plain(other)))

    def __ne__(self, other: Num | int) -> Bool:  # type: ignore[override]  # as __eq__
        return ~truth(arithmetic.equal(self.number, plain(other)))

    def __lt__(self, other: Num | int) -> Bool:
        return truth(arithmetic.less(self.number, plain(other)))

    def __le__(self, other: Num | int) -> Bool:
        return truth(arithmetic.less_equal(self.number, plain(other)))

    def __gt__(self, other: Num | int) -> Bool:
        return truth(arithmetic.less(plain(other), self.number))

    def __ge__(self, other: Num | int) -> Bool:
        return truth(arithmetic.less_equal(plain(other), self.number))

    def __add__(self, other: Num | int) -> Num:
        return Num(arithmetic.add(self.number, plain(other)))

    def __sub__(self, other: Num | int) -> Num:
        return Num(arithmetic.subtract(self.number, plain(other)))

    def __rsub__(self, other: int) -> Num:
        return Num(arithmetic.subtract(other, self.number))

    def __neg__(self) -> Num:
        return Num(arithmetic.minus(self.number))

    def __lshift__(self, places: Num | int) -> Num:
        return Num(arithmetic.shift_left(self.number, plain(places)))

    def __rshift__(self, places: Num | int) -> Num:
        return Num(arithmetic.shift_right(self.number, plain(places)))

    def __mod__(self, other: Num | int) -> Num:
        return Num(arithmetic.modulo(self.number, plain(other)))

    def __and__(self, other: Num | int) -> Num:
        return Num(arithmetic.bitwise_and(self.number, plain(other)))

    def magnitude(self) -> Num:
        """The absolute value."""
        return Num(arithmetic.absolute(self.number))

    def field(self, high: int, low: int) -> Num:
        """Bits high:low of an unsigned number, unsigned."""
        return Num(bit_field(self._symbolic(), high, low))

    def signed_field(self, high: int, low: int) -> Num:
        """Bits high:low of an unsigned number, as two's complement."""
        return Num(signed_field(self._symbolic(), high, low))

    def bits(self, width: int) -> FNode:
        """The number modulo 2^width as a term."""
        return fit(self.number, width)

    def _symbolic(self) -> Int:
        assert isinstance(self.number, Int)
        return self.number


def plain(value: Num | int) -> Number:
    """Return the number inside."""
    return value.number if isinstance(value, Num) else value


def truth(value: Truth | bool) -> Bool:
    """Return a truth value of the lifter as a formula."""
    return Bool(truth_term(value))


def choose(condition: Bool, then: Num | int, other: Num | int) -> Num:
    """Return one of two numbers."""
    return Num(select(condition.term, plain(then), plain(other)))


def zigzag(value: Num) -> Num:
    """Count 0, 1, -1, 2, -2 … as 0, 1, 2, 3, 4 …: small numbers first, the positive one before the negative."""
    return choose(value > 0, (value << 1) - 1, -(value << 1))
