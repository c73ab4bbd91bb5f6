"""Operators of the liftable subset on symbolic values: arithmetic, comparison, equality and truth."""

from __future__ import annotations

import ast
from collections.abc import Callable
from enum import Enum
from operator import ge, gt, le, lt
from typing import TYPE_CHECKING, Any

from . import arithmetic
from .merge import as_record, is_int, is_truth, over_choice
from .values import (
    Choice,
    Int,
    LiftError,
    Record,
    Truth,
    conjoin,
    disjoin,
    equivalent,
    is_symbolic,
    make_truth,
    negate,
    truth_term,
)

if TYPE_CHECKING:
    from .interpreter import Lifter


def as_truth(value: Any) -> Truth | bool:
    """Return the truth value of a value."""
    if is_truth(value):
        checked: Truth | bool = value
        return checked
    if isinstance(value, Int):
        return negated(arithmetic.equal(value, 0))
    if isinstance(value, Choice):
        chosen: Truth | bool = over_choice(value, as_truth)
        return chosen
    if isinstance(value, Record):
        raise LiftError(f"a {value.cls.__name__} is not a truth value")
    return bool(value)


def negated(value: Truth | bool) -> Truth | bool:
    """Return the negation of a truth value."""
    return make_truth(negate(truth_term(value)))


def number(value: Any) -> Int | int:
    """Return a value as an integer, a truth value as 0 or 1."""
    if is_truth(value):
        return arithmetic.from_truth(value)
    if is_int(value):
        checked: Int | int = value
        return checked
    if isinstance(value, Choice):
        chosen: Int | int = over_choice(value, number)
        return chosen
    raise LiftError(f"{type(value).__name__} is not an integer")


def binary(lifter: Lifter, operator: ast.operator, left: Any, right: Any, place: str) -> Any:
    """Apply an arithmetic or bitwise operator."""
    if isinstance(left, tuple) and isinstance(right, tuple) and isinstance(operator, ast.Add):
        return (*left, *right)
    if is_truth(left) and is_truth(right) and isinstance(operator, (ast.BitAnd, ast.BitOr)):
        join = conjoin if isinstance(operator, ast.BitAnd) else disjoin
        return make_truth(join(truth_term(left), truth_term(right)))
    one, two = number(left), number(right)
    if isinstance(operator, (ast.LShift, ast.RShift)):
        lifter.require(truth_term(arithmetic.less_equal(0, two)), "a shift by a negative number of places", place)
    if isinstance(operator, (ast.FloorDiv, ast.Mod)):
        lifter.require(truth_term(negated(arithmetic.equal(two, 0))), "a division by zero", place)
    if isinstance(operator, ast.Pow):
        if isinstance(two, Int):
            lifter.require(truth_term(arithmetic.less_equal(0, two)), "a power with a negative exponent", place)
        return power(one, two)
    if type(operator) not in OPERATORS:
        raise LiftError(f"{type(operator).__name__} is outside the liftable subset")
    return OPERATORS[type(operator)](one, two)


def power(base: Int | int, exponent: Int | int) -> Any:
    """Return a concrete power, or a power of two as a shift."""
    if isinstance(base, int) and isinstance(exponent, int):
        return base**exponent
    if base == 2:
        return arithmetic.shift_left(1, exponent)
    raise LiftError("** needs concrete operands, or 2 with a symbolic exponent")


OPERATORS: dict[type[ast.operator], Callable[[Int | int, Int | int], Int | int]] = {
    ast.Add: arithmetic.add,
    ast.Sub: arithmetic.subtract,
    ast.Mult: arithmetic.multiply,
    ast.FloorDiv: arithmetic.floor_divide,
    ast.Mod: arithmetic.modulo,
    ast.LShift: arithmetic.shift_left,
    ast.RShift: arithmetic.shift_right,
    ast.BitAnd: arithmetic.bitwise_and,
    ast.BitOr: arithmetic.bitwise_or,
    ast.BitXor: arithmetic.bitwise_xor,
}


#: texts are always concrete, and are ordered as Python has it
TEXT_ORDERS: dict[type[ast.cmpop], Callable[[str, str], bool]] = {ast.Lt: lt, ast.LtE: le, ast.Gt: gt, ast.GtE: ge}


def compare(operator: ast.cmpop, left: Any, right: Any) -> Truth | bool:
    """Compare two values."""
    match operator:
        case ast.Eq() | ast.Is():
            return same(left, right)
        case ast.NotEq() | ast.IsNot():
            return negated(same(left, right))
        case ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE() if isinstance(left, str) and isinstance(right, str):
            return TEXT_ORDERS[type(operator)](left, right)
        case ast.Lt():
            return arithmetic.less(number(left), number(right))
        case ast.LtE():
            return arithmetic.less_equal(number(left), number(right))
        case ast.Gt():
            return arithmetic.less(number(right), number(left))
        case ast.GtE():
            return arithmetic.less_equal(number(right), number(left))
        case ast.In() | ast.NotIn() if isinstance(right, (tuple, range, frozenset, dict)):
            # a set's own order changes from run to run
            items = sorted(right, key=repr) if isinstance(right, frozenset) else right
            found = make_truth(disjoin(*(truth_term(same(left, item)) for item in items)))
            return found if isinstance(operator, ast.In) else negated(found)
        case _:
            raise LiftError(f"{type(operator).__name__} is outside the liftable subset here")


def same(left: Any, right: Any) -> Truth | bool:
    """Return whether two values are equal."""
    if isinstance(left, Choice):
        return choice_is_same(left, right)
    if isinstance(right, Choice):
        return choice_is_same(right, left)
    if is_int(left) and is_int(right):
        return arithmetic.equal(left, right)
    if is_truth(left) and is_truth(right):
        return make_truth(equivalent(truth_term(left), truth_term(right)))
    if counts_as_int(left) and counts_as_int(right):
        return arithmetic.equal(number(left), number(right))
    if not is_symbolic(left) and not is_symbolic(right):
        return bool(left == right)
    one, two = as_record(left), as_record(right)
    if one is not None and two is not None and one.cls is two.cls:
        return all_same(tuple(one.fields.values()), tuple(two.fields.values()))
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all_same(left, right)
    if any(value is None or (isinstance(value, Enum) and not isinstance(value, int)) for value in (left, right)):
        return False  # neither None nor a member equals a number, a truth value or a record
    if (one is not None and counts_as_int(right)) or (two is not None and counts_as_int(left)):
        return False  # a record has no numeric value, and Python compares unlike objects as unequal
    raise LiftError(f"{type(left).__name__} and {type(right).__name__} cannot be compared")


def counts_as_int(value: Any) -> bool:
    """Tell whether a value is an integer or a truth value, which Python compares as one."""
    return is_truth(value) or is_int(value)


def choice_is_same(choice: Choice, other: Any) -> Truth | bool:
    """Return whether the chosen object equals another value."""
    outcome = over_choice(choice, lambda option: same(option, other))
    return as_truth(outcome)


def all_same(left: tuple[Any, ...], right: tuple[Any, ...]) -> Truth | bool:
    """Return whether two rows of values are equal, one by one."""
    return make_truth(conjoin(*(truth_term(same(one, two)) for one, two in zip(left, right, strict=True))))
