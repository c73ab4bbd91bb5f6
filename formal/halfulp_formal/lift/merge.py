"""Merging the values of two branches, and giving a value's parts back as terms."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from typing import Any

from pysmt.fnode import FNode

from .values import (
    SYMBOLIC,
    Choice,
    Int,
    Record,
    Truth,
    bounds,
    choose,
    conjoin,
    fit,
    make_int,
    make_truth,
    truth_term,
    width_of,
)


def record_fields(cls: type) -> tuple[str, ...] | None:
    """Return the field names of a named tuple or dataclass, None for any other class."""
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return tuple(cls._fields)
    if is_dataclass(cls):
        return tuple(field.name for field in dataclass_fields(cls))
    return None


def as_record(value: Any) -> Record | None:
    """View a value as a record where it is one."""
    if isinstance(value, Record):
        return value
    if isinstance(value, SYMBOLIC):
        return None
    names = record_fields(type(value))
    return None if names is None else Record(type(value), {name: getattr(value, name) for name in names})


def is_truth(value: Any) -> bool:
    """Tell whether a value is a truth value, concrete or symbolic."""
    return isinstance(value, (bool, Truth))


def is_int(value: Any) -> bool:
    """Tell whether a value is an integer and not a truth value."""
    return isinstance(value, (int, Int)) and not isinstance(value, bool)


def merge(condition: FNode, then: Any, other: Any) -> Any:
    """Return the value that is `then` where the condition holds and `other` elsewhere."""
    if then is other or condition.is_true():
        return then
    if condition.is_false():
        return other
    if is_truth(then) and is_truth(other):
        return make_truth(choose(condition, truth_term(then), truth_term(other)))
    if is_int(then) and is_int(other):
        return merge_ints(condition, then, other)
    if isinstance(then, tuple) and isinstance(other, tuple) and plain_pair(then, other):
        return tuple(merge(condition, one, two) for one, two in zip(then, other, strict=True))
    one, two = as_record(then), as_record(other)
    if one is not None and two is not None and one.cls is two.cls:
        if not isinstance(then, Record) and not isinstance(other, Record) and then == other:
            return then
        return Record(one.cls, {name: merge(condition, one.fields[name], two.fields[name]) for name in one.fields})
    return merge_choices(condition, then, other)


def plain_pair(then: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Tell whether two tuples are plain ones of one length."""
    return type(then) is tuple and type(other) is tuple and len(then) == len(other)


def merge_ints(condition: FNode, then: Int | int, other: Int | int) -> Int | int:
    """Merge two integers into the hull of their intervals."""
    (low1, high1), (low2, high2) = bounds(then), bounds(other)
    low, high = min(low1, low2), max(high1, high2)
    width = width_of(low, high)
    return make_int(choose(condition, fit(then, width), fit(other, width)), low, high)


def merge_choices(condition: FNode, then: Any, other: Any) -> Choice:
    """Merge two objects that have no common shape: the result remembers which is meant when."""
    options: list[tuple[FNode, Any]] = []
    for guard, value in (
        *((conjoin(condition, guard), value) for guard, value in choice_options(then)),
        *choice_options(other),
    ):
        options.append((guard, value))
    return Choice(tuple(options))


def choice_options(value: Any) -> tuple[tuple[FNode, Any], ...]:
    """View a value as a choice."""
    return value.options if isinstance(value, Choice) else ((truth_term(True), value),)


def over_choice(choice: Choice, function: Callable[[Any], Any]) -> Any:
    """Apply a function to every object of a choice and merge the outcomes."""
    *guarded, (_, last) = choice.options
    result = function(last)
    for guard, value in reversed(guarded):
        result = merge(guard, function(value), result)
    return result


def leaves(value: Any) -> Iterable[Int | Truth]:
    """Yield the symbolic integers and truth values in a value, in a fixed order."""
    if isinstance(value, (Int, Truth)):
        yield value
    elif isinstance(value, Record):
        for part in value.fields.values():
            yield from leaves(part)
    elif isinstance(value, tuple):
        for part in value:
            yield from leaves(part)
    elif isinstance(value, Choice):
        for guard, option in value.options:
            yield Truth(guard)
            yield from leaves(option)


def concretize(value: Any, assigned: Callable[[FNode], int | bool]) -> Any:
    """Return the concrete object that a value is under an assignment of its terms."""
    if isinstance(value, Int):
        number = int(assigned(value.term))
        return number - (1 << value.width) if value.low < 0 and number >> (value.width - 1) else number
    if isinstance(value, Truth):
        return bool(assigned(value.term))
    if isinstance(value, Record):
        return value.cls(**{name: concretize(part, assigned) for name, part in value.fields.items()})
    if isinstance(value, Choice):
        for guard, option in value.options:
            if guard.is_true() or assigned(guard):
                return concretize(option, assigned)
    if type(value) is tuple:
        return tuple(concretize(part, assigned) for part in value)
    return value
