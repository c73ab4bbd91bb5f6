"""Symbolic values: integers that carry their interval, truth values, records and choices between concrete objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from pysmt.fnode import FNode
from pysmt.shortcuts import (
    BV,
    FALSE,
    TRUE,
    And,
    BVExtract,
    BVSExt,
    BVZExt,
    Iff,
    Ite,
    Not,
    Or,
    Symbol,
)
from pysmt.typing import BOOL, BVType

# pySMT has one node for each constant; its own questions whether a node is one take longer than all that is done here
_TRUE, _FALSE = TRUE(), FALSE()
_CONSTANTS = frozenset({_TRUE, _FALSE})


class LiftError(Exception):
    """The source is outside the liftable subset; the message starts with file and line."""


def no_truth_value(kind: str) -> NoReturn:
    """Refuse to branch on a formula."""
    raise TypeError(f"{kind} has no truth value: a formula cannot be branched on")


@dataclass(frozen=True, slots=True, eq=False)
class Int:
    """An integer in [low, high] as a bit-vector just wide enough: unsigned if low >= 0, else two's complement.

    `power` is the exponent where the integer was made as 1 << exponent, so that division by it stays a shift.
    """

    term: FNode
    low: int
    high: int
    power: Int | int | None = None

    def __bool__(self) -> NoReturn:  # noqa: PLE0304  # raising is the point
        no_truth_value("a symbolic integer")

    @property
    def width(self) -> int:
        """Width of the term in bits."""
        return width_of(self.low, self.high)


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """A truth value as a Bool term."""

    term: FNode

    def __bool__(self) -> NoReturn:  # noqa: PLE0304  # raising is the point
        no_truth_value("a symbolic truth value")


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """An instance of a named tuple or dataclass some of whose fields are symbolic."""

    cls: type
    fields: Mapping[str, Any]

    def __bool__(self) -> NoReturn:  # noqa: PLE0304  # raising is the point
        no_truth_value("a symbolic record")


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """One of several concrete objects: the first whose condition holds; the last one's condition is true."""

    options: tuple[tuple[FNode, Any], ...]

    def __bool__(self) -> NoReturn:  # noqa: PLE0304  # raising is the point
        no_truth_value("a choice between objects")


SYMBOLIC = (Int, Truth, Record, Choice)


def is_symbolic(value: Any) -> bool:
    """Tell whether a value has a symbolic part."""
    if isinstance(value, tuple):
        return any(is_symbolic(item) for item in value)
    return isinstance(value, SYMBOLIC)


def width_of(low: int, high: int) -> int:
    """Return the width of the representation of an interval: at least one bit."""
    if low >= 0:
        return max(1, high.bit_length())
    return max((-low - 1).bit_length(), high.bit_length()) + 1


def symbol(name: str, low: int, high: int) -> Int:
    """Return a free integer whose interval is exactly what its bits can hold.

    Raises ValueError for an interval that is not a whole bit-vector range, as its symbol would need an assumption.
    """
    width = width_of(low, high)
    expected = (0, (1 << width) - 1) if low >= 0 else (-(1 << (width - 1)), (1 << (width - 1)) - 1)
    if (low, high) != expected:
        raise ValueError(f"[{low}, {high}] is not the range of a bit-vector; expected {list(expected)}")
    return Int(Symbol(name, BVType(width)), low, high)


def truth_symbol(name: str) -> Truth:
    """Return a free truth value."""
    return Truth(Symbol(name, BOOL))


def make_int(term: FNode, low: int, high: int, power: Int | int | None = None) -> Int | int:
    """Return an integer of an interval; a one-point interval is the number itself."""
    return low if low == high else Int(term, low, high, power)


def fit(value: Int | int, width: int) -> FNode:
    """Return the value's bits modulo 2^width: extended or cut."""
    if isinstance(value, int):
        return BV(value % (1 << width), width)
    extra = width - value.width
    if extra > 0:
        return BVZExt(value.term, extra) if value.low >= 0 else BVSExt(value.term, extra)
    return BVExtract(value.term, 0, width - 1) if extra < 0 else value.term


def bounds(value: Int | int) -> tuple[int, int]:
    """Return the interval of an integer."""
    return (value, value) if isinstance(value, int) else (value.low, value.high)


def truth_term(value: Truth | bool) -> FNode:
    """Return the Bool term of a truth value."""
    return value.term if isinstance(value, Truth) else (_TRUE if value else _FALSE)


def make_truth(term: FNode) -> Truth | bool:
    """Return a truth value, concrete where the term is a constant."""
    if term is _TRUE:
        return True
    return False if term is _FALSE else Truth(term)


def conjoin(*terms: FNode) -> FNode:
    """Return the conjunction, without the constants that decide or do not matter."""
    kept = [term for term in terms if term is not _TRUE]
    if any(term is _FALSE for term in kept):
        return _FALSE
    return And(kept) if len(kept) > 1 else (kept[0] if kept else _TRUE)


def disjoin(*terms: FNode) -> FNode:
    """Return the disjunction, without the constants that decide or do not matter."""
    kept = [term for term in terms if term is not _FALSE]
    if any(term is _TRUE for term in kept):
        return _TRUE
    return Or(kept) if len(kept) > 1 else (kept[0] if kept else _FALSE)


def negate(term: FNode) -> FNode:
    """Return the negation."""
    if term is _TRUE:
        return _FALSE
    if term is _FALSE:
        return _TRUE
    return term.arg(0) if term.is_not() else Not(term)


def choose(condition: FNode, then: FNode, other: FNode) -> FNode:
    """Return if-then-else of two terms of one sort."""
    if condition is _TRUE or then is other:
        return then
    if condition is _FALSE:
        return other
    if then in _CONSTANTS and other in _CONSTANTS:
        return condition if then is _TRUE else negate(condition)
    return Ite(condition, then, other)


def equivalent(left: FNode, right: FNode) -> FNode:
    """Return the equivalence of two truth values."""
    for one, two in ((left, right), (right, left)):
        if one is _TRUE:
            return two
        if one is _FALSE:
            return negate(two)
    return Iff(left, right)
