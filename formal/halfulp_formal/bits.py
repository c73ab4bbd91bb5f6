"""Bit-vector and truth-value terms under their SMT-LIB names.

Widths are Python integers, checked when a term is built; values are chosen with `ite`, never with `if`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn, TypeVar, overload

from pysmt.environment import get_env
from pysmt.typing import BOOL, BVType

if TYPE_CHECKING:
    from pysmt.fnode import FNode
    from pysmt.formula import FormulaManager

_Node = TypeVar("_Node", "Bits", "Bool")


def _manager() -> FormulaManager:
    return get_env().formula_manager


def _fold(term: FNode) -> FNode:
    """The constant a term over constants alone stands for, else the term itself."""
    arguments = term.args()
    return term.simplify() if arguments and all(argument.is_constant() for argument in arguments) else term


@dataclass(frozen=True, slots=True, eq=False)
class Bool:
    """A truth value; `term` is the pySMT formula."""

    term: FNode

    @classmethod
    def symbol(cls, name: str) -> Bool:
        """The free truth value of that name."""
        return cls(_manager().Symbol(name, BOOL))

    @classmethod
    def constant(cls, value: bool) -> Bool:
        """True or false as a term."""
        return cls(_manager().Bool(value))

    def __bool__(self) -> NoReturn:
        raise TypeError("a formula has no truth value in Python; choose between values with ite")

    def __invert__(self) -> Bool:
        return Bool(_fold(_manager().Not(self.term)))

    def __and__(self, other: Bool) -> Bool:
        for one, rest in ((self, other), (other, self)):
            if one.term.is_bool_constant():
                return rest if one.term.is_true() else one
        return Bool(_manager().And(self.term, other.term))

    def __or__(self, other: Bool) -> Bool:
        for one, rest in ((self, other), (other, self)):
            if one.term.is_bool_constant():
                return one if one.term.is_true() else rest
        return Bool(_manager().Or(self.term, other.term))

    def __xor__(self, other: Bool) -> Bool:
        return ~(self == other)

    def __eq__(self, other: Bool) -> Bool:  # type: ignore[override]  # a formula, not a Python truth value
        return Bool(_fold(_manager().Iff(self.term, other.term)))

    def __ne__(self, other: Bool) -> Bool:  # type: ignore[override]  # as __eq__
        return self ^ other

    def __hash__(self) -> int:
        return hash(self.term)

    def implies(self, other: Bool) -> Bool:
        """Self is false or the other is true."""
        return ~self | other

    def bits(self) -> Bits:
        """One bit: 1 when true."""
        return ite(self, Bits.constant(1, 1), Bits.constant(0, 1))


@dataclass(frozen=True, slots=True, eq=False)
class Bits:
    """A bit-vector of fixed `width`, at least one bit; `term` is the pySMT term.

    A Python integer may stand for the second operand and takes the width of the first. Operators wrap modulo
    2^width; `>>` is the logical shift. Raises ValueError where widths differ or a constant does not fit.
    """

    term: FNode
    width: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "width", self.term.bv_width())

    @classmethod
    def symbol(cls, name: str, width: int) -> Bits:
        """The free bit-vector of that name and width."""
        return cls(_manager().Symbol(name, BVType(width)))

    @classmethod
    def constant(cls, value: int, width: int) -> Bits:
        """The constant; a negative value is taken in two's complement."""
        if width < 1 or not -(1 << (width - 1)) <= value < 1 << width:
            raise ValueError(f"constant does not fit: {value} in {width} bits")
        return cls(_manager().BV(value % (1 << width), width))

    def __bool__(self) -> NoReturn:
        raise TypeError("a bit-vector term has no truth value in Python; compare it, and choose with ite")

    def _same(self, other: Bits | int) -> FNode:
        if isinstance(other, int):
            return Bits.constant(other, self.width).term
        if other.width != self.width:
            raise ValueError(f"widths differ: {self.width} and {other.width}")
        return other.term

    # Arithmetic, modulo 2^width.

    def bvadd(self, other: Bits | int) -> Bits:
        """The sum."""
        return Bits(_fold(_manager().BVAdd(self.term, self._same(other))))

    def bvsub(self, other: Bits | int) -> Bits:
        """The difference."""
        return Bits(_fold(_manager().BVSub(self.term, self._same(other))))

    def bvmul(self, other: Bits | int) -> Bits:
        """The product."""
        return Bits(_fold(_manager().BVMul(self.term, self._same(other))))

    def bvneg(self) -> Bits:
        """The two's complement."""
        return Bits(_fold(_manager().BVNeg(self.term)))

    # Bitwise.

    def bvand(self, other: Bits | int) -> Bits:
        """Bitwise and."""
        return Bits(_fold(_manager().BVAnd(self.term, self._same(other))))

    def bvor(self, other: Bits | int) -> Bits:
        """Bitwise or."""
        return Bits(_fold(_manager().BVOr(self.term, self._same(other))))

    def bvxor(self, other: Bits | int) -> Bits:
        """Bitwise exclusive or."""
        return Bits(_fold(_manager().BVXor(self.term, self._same(other))))

    def bvnot(self) -> Bits:
        """Every bit inverted."""
        return Bits(_fold(_manager().BVNot(self.term)))

    def bvshl(self, amount: Bits | int) -> Bits:
        """Shift left; zero once the amount reaches the width."""
        return Bits(_fold(_manager().BVLShl(self.term, self._same(amount))))

    def bvlshr(self, amount: Bits | int) -> Bits:
        """Shift right, zeros from the left."""
        return Bits(_fold(_manager().BVLShr(self.term, self._same(amount))))

    def bvashr(self, amount: Bits | int) -> Bits:
        """Shift right, copies of the sign bit from the left."""
        return Bits(_fold(_manager().BVAShr(self.term, self._same(amount))))

    __add__ = bvadd
    __sub__ = bvsub
    __mul__ = bvmul
    __neg__ = bvneg
    __and__ = bvand
    __or__ = bvor
    __xor__ = bvxor
    __invert__ = bvnot
    __lshift__ = bvshl
    __rshift__ = bvlshr

    # Comparison.

    def __eq__(self, other: Bits | int) -> Bool:  # type: ignore[override]  # a formula, not a Python truth value
        return Bool(_fold(_manager().Equals(self.term, self._same(other))))

    def __ne__(self, other: Bits | int) -> Bool:  # type: ignore[override]  # as __eq__
        return ~(self == other)

    def __hash__(self) -> int:
        return hash(self.term)

    def bvult(self, other: Bits | int) -> Bool:
        """Unsigned less than."""
        return Bool(_fold(_manager().BVULT(self.term, self._same(other))))

    def bvule(self, other: Bits | int) -> Bool:
        """Unsigned less than or equal."""
        return Bool(_fold(_manager().BVULE(self.term, self._same(other))))

    def bvugt(self, other: Bits | int) -> Bool:
        """Unsigned greater than."""
        return Bool(_fold(_manager().BVUGT(self.term, self._same(other))))

    def bvuge(self, other: Bits | int) -> Bool:
        """Unsigned greater than or equal."""
        return Bool(_fold(_manager().BVUGE(self.term, self._same(other))))

    def bvslt(self, other: Bits | int) -> Bool:
        """Signed less than."""
        return Bool(_fold(_manager().BVSLT(self.term, self._same(other))))

    def bvsle(self, other: Bits | int) -> Bool:
        """Signed less than or equal."""
        return Bool(_fold(_manager().BVSLE(self.term, self._same(other))))

    def bvsgt(self, other: Bits | int) -> Bool:
        """Signed greater than."""
        return Bool(_fold(_manager().BVSGT(self.term, self._same(other))))

    def bvsge(self, other: Bits | int) -> Bool:
        """Signed greater than or equal."""
        return Bool(_fold(_manager().BVSGE(self.term, self._same(other))))

    # Structure.

    def extract(self, high: int, low: int) -> Bits:
        """Bits high down to low, both included."""
        if not 0 <= low <= high < self.width:
            raise ValueError(f"no bits {high}:{low} in {self.width} bits")
        if high - low + 1 == self.width:
            return self
        return Bits(_fold(_manager().BVExtract(self.term, low, high)))

    def bit(self, position: int) -> Bool:
        """Whether the bit at that position is set."""
        return self.extract(position, position) == 1

    def concat(self, *lower: Bits) -> Bits:
        """Self as the most significant part, the others below it in order."""
        result = self
        for part in lower:
            result = Bits(_fold(_manager().BVConcat(result.term, part.term)))
        return result

    def zero_extend(self, width: int) -> Bits:
        """The same unsigned value in that many bits."""
        more = self._more(width)
        return Bits(_fold(_manager().BVZExt(self.term, more))) if more else self

    def sign_extend(self, width: int) -> Bits:
        """The same signed value in that many bits."""
        more = self._more(width)
        return Bits(_fold(_manager().BVSExt(self.term, more))) if more else self

    def _more(self, width: int) -> int:
        if width < self.width:
            raise ValueError(f"cannot extend {self.width} bits to {width}")
        return width - self.width


@overload
def ite(condition: Bool, then: Bits, otherwise: Bits | int) -> Bits: ...
@overload
def ite(condition: Bool, then: Bool, otherwise: Bool) -> Bool: ...


def ite(condition: Bool, then: Bits | Bool, otherwise: Bits | Bool | int) -> Bits | Bool:
    """The one value or the other; both of one width."""
    if isinstance(then, Bits) and isinstance(otherwise, int):
        otherwise = Bits.constant(otherwise, then.width)
    if isinstance(then, Bits) and isinstance(otherwise, Bits):
        if then.width != otherwise.width:
            raise ValueError(f"widths differ: {then.width} and {otherwise.width}")
        return _ite(condition, then, otherwise)
    if isinstance(then, Bool) and isinstance(otherwise, Bool):
        return _ite(condition, then, otherwise)
    raise TypeError("ite chooses between two bit-vectors or between two truth values")


def _ite(condition: Bool, then: _Node, otherwise: _Node) -> _Node:
    if condition.term.is_bool_constant():
        return then if condition.term.is_true() else otherwise
    if then.term is otherwise.term:
        return then
    return type(then)(_manager().Ite(condition.term, then.term, otherwise.term))


def select(*cases: tuple[Bool, Bits], otherwise: Bits) -> Bits:
    """The value of the first condition that holds: a priority multiplexer."""
    result = otherwise
    for condition, value in reversed(cases):
        result = ite(condition, value, result)
    return result


def or_reduce(value: Bits) -> Bool:
    """Whether any bit is set."""
    return value != 0


def and_reduce(value: Bits) -> Bool:
    """Whether every bit is set."""
    return value == (1 << value.width) - 1


def normalise(value: Bits) -> tuple[Bits, Bits]:
    """The value shifted left until its top bit is set, and the number of leading zeros that took.

    Zero stays zero, and its count, the largest the stages can make, means nothing.
    """
    count: list[Bits] = []
    step = 1 << max((value.width - 1).bit_length() - 1, 0)
    while step:
        empty = ~or_reduce(value.extract(value.width - 1, value.width - min(step, value.width)))
        count.append(empty.bits())
        if step < value.width:
            shifted = value.extract(value.width - 1 - step, 0).concat(Bits.constant(0, step))
            value = ite(empty, shifted, value)
        step >>= 1
    return value, count[0].concat(*count[1:])


def shift_right_jam(value: Bits, amount: Bits) -> Bits:
    """The logical right shift whose lowest bit is set when any bit shifted out was: a sticky bit in place.

    Value and amount may differ in width; an amount beyond the width leaves only the sticky bit.
    """
    for stage in range(amount.width):
        distance = 1 << stage
        lost = or_reduce(value.extract(min(distance, value.width - 1), 0))
        if distance < value.width - 1:
            kept = value.extract(value.width - 1, distance + 1).concat(lost.bits()).zero_extend(value.width)
        else:
            kept = lost.bits().zero_extend(value.width)
        value = ite(amount.bit(stage), kept, value)
    return value
