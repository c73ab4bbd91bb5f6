"""Evaluating the expressions of a model function on symbolic values."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any

from pysmt.fnode import FNode

from . import arithmetic
from .merge import merge, record_fields
from .narrowing import narrowed
from .operators import as_truth, binary, compare, negated, number, same
from .values import (
    Choice,
    Int,
    LiftError,
    Record,
    Truth,
    bounds,
    conjoin,
    disjoin,
    is_symbolic,
    make_truth,
    negate,
    truth_term,
)

if TYPE_CHECKING:
    from .interpreter import Frame, Lifter

BUILTINS: dict[str, Any] = {
    function.__name__: function
    for function in (
        abs,
        all,
        any,
        bool,
        divmod,
        enumerate,
        int,
        len,
        max,
        min,
        range,
        reversed,
        sum,
        tuple,
        zip,
    )
}


def evaluate(lifter: Lifter, node: ast.expr, frame: Frame) -> Any:
    """Evaluate an expression."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return lifter.lookup(name, frame, node)
        case ast.Attribute(value=owner, attr=name):
            return attribute(lifter, lifter.evaluate(owner, frame), name)
        case ast.Tuple(elts=items):
            return tuple(lifter.evaluate(item, frame) for item in items)
        case ast.BinOp(left=left, op=operator, right=right):
            place = frame.source.at(node)
            return binary(lifter, operator, lifter.evaluate(left, frame), lifter.evaluate(right, frame), place)
        case ast.UnaryOp(op=operator, operand=operand):
            return unary(lifter, operator, operand, frame)
        case ast.BoolOp():
            return connective(lifter, node, frame)
        case ast.Compare():
            return comparison(lifter, node, frame)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return conditional(lifter, test, body, orelse, frame)
        case ast.Call(func=function, args=arguments, keywords=keywords) if all(word.arg for word in keywords):
            values = tuple(lifter.evaluate(argument, frame) for argument in arguments)
            named = {str(word.arg): lifter.evaluate(word.value, frame) for word in keywords}
            return call(lifter, lifter.evaluate(function, frame), values, named, frame.source.at(node))
        case ast.Subscript(value=owner, slice=index):
            place = frame.source.at(node)
            return subscript(lifter, lifter.evaluate(owner, frame), lifter.evaluate(index, frame), place)
        case ast.GeneratorExp(elt=element, generators=[generator]) | ast.ListComp(elt=element, generators=[generator]):
            return comprehension(lifter, element, generator, frame)
        case _:
            raise LiftError(f"{type(node).__name__} is outside the liftable subset")


def truth(lifter: Lifter, node: ast.expr, frame: Frame) -> Truth | bool:
    """Evaluate a test: an integer is true where it is not zero."""
    return as_truth(lifter.evaluate(node, frame))


@dataclass(frozen=True)
class BitLength:
    """The method `bit_length` of a symbolic integer."""

    value: Int

    def __call__(self) -> Int | int:
        """Call the method."""
        return arithmetic.bit_length(self.value)


def attribute(lifter: Lifter, owner: Any, name: str) -> Any:
    """Return a field, property or method of a value."""
    if isinstance(owner, Choice):
        return each_option(lifter, owner, lambda option: attribute(lifter, option, name))
    if isinstance(owner, Int):
        if name == "bit_length":
            return BitLength(owner)
        raise LiftError(f"int.{name} is outside the liftable subset")
    if isinstance(owner, Record):
        if name in owner.fields:
            return owner.fields[name]
        member = getattr(owner.cls, name)
        if isinstance(member, property) and isinstance(member.fget, FunctionType):
            return lifter.follow(member.fget, (owner,), {})
        if isinstance(member, FunctionType):
            return MethodType(member, owner)
        raise LiftError(f"{owner.cls.__name__}.{name} is outside the liftable subset")
    return getattr(owner, name)


def each_option(lifter: Lifter, choice: Choice, function: Callable[[Any], Any]) -> Any:
    """Apply a function to every object of a choice, each under the condition that it is chosen; merge the outcomes."""
    outcomes: list[tuple[FNode, Any]] = []
    entered = len(lifter.context)
    try:
        for guard, option in choice.options:
            lifter.context.append(guard)
            outcomes.append((guard, function(option)))
            lifter.context[-1] = negate(guard)
    finally:
        del lifter.context[entered:]
    *guarded, (_, result) = outcomes
    for guard, value in reversed(guarded):
        result = merge(guard, value, result)
    return result


def unary(lifter: Lifter, operator: ast.unaryop, operand: ast.expr, frame: Frame) -> Any:
    """Apply a unary operator."""
    if isinstance(operator, ast.Not):
        return negated(truth(lifter, operand, frame))
    value = number(lifter.evaluate(operand, frame))
    if isinstance(operator, ast.USub):
        return arithmetic.minus(value)
    return arithmetic.invert(value) if isinstance(operator, ast.Invert) else value


def connective(lifter: Lifter, node: ast.BoolOp, frame: Frame) -> Any:
    """Evaluate `and` and `or`; each operand knows that the ones before it did not decide."""
    is_and = isinstance(node.op, ast.And)
    join = conjoin if is_and else disjoin
    terms: list[FNode] = []
    entered = len(lifter.context)
    try:
        for operand in node.values:
            value = lifter.evaluate(operand, frame)
            if isinstance(value, Truth):
                terms.append(value.term)
                frame = frame.with_env(narrowed(lifter, operand, frame, is_and))
                lifter.context.append(value.term if is_and else negate(value.term))
            elif is_symbolic(value) or (terms and not isinstance(value, bool)):
                raise LiftError("and, or join truth values only")
            elif bool(value) is not is_and:
                return make_truth(join(*terms, truth_term(value))) if terms else value
    finally:
        del lifter.context[entered:]
    return make_truth(join(*terms)) if terms else value


def conditional(lifter: Lifter, test: ast.expr, body: ast.expr, orelse: ast.expr, frame: Frame) -> Any:
    """Evaluate `body if test else orelse`."""
    value = truth(lifter, test, frame)
    if isinstance(value, bool):
        return lifter.evaluate(body if value else orelse, frame)
    condition = truth_term(value)
    then = lifter.under(condition, lambda: lifter.evaluate(body, frame.with_env(narrowed(lifter, test, frame, True))))
    other = lifter.under(
        negate(condition),
        lambda: lifter.evaluate(orelse, frame.with_env(narrowed(lifter, test, frame, False))),
    )
    return merge(condition, then, other)


def comparison(lifter: Lifter, node: ast.Compare, frame: Frame) -> Truth | bool:
    """Evaluate a comparison; in a chain each operand knows that the comparisons before it hold."""
    left = lifter.evaluate(node.left, frame)
    terms: list[FNode] = []
    entered = len(lifter.context)
    try:
        for position, (operator, operand) in enumerate(zip(node.ops, node.comparators, strict=True)):
            right = lifter.evaluate(operand, frame)
            terms.append(truth_term(compare(operator, left, right)))
            if terms[-1].is_false():
                break
            if position + 1 < len(node.ops):
                known = ast.Compare(node.left, node.ops[: position + 1], node.comparators[: position + 1])
                frame = frame.with_env(narrowed(lifter, known, frame, True))
                lifter.context.append(terms[-1])
            left = right
    finally:
        del lifter.context[entered:]
    return make_truth(conjoin(*terms))


def call(lifter: Lifter, function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any], place: str) -> Any:
    """Call a built-in, a record's class, a bound method or a function of the model."""
    if isinstance(function, Choice):
        return each_option(lifter, function, lambda option: call(lifter, option, arguments, keywords, place))
    if isinstance(function, MethodType):
        return lifter.follow(function.__func__, (function.__self__, *arguments), keywords)
    if isinstance(function, type) and record_fields(function) is not None:
        return construct(function, arguments, keywords)
    if not is_symbolic(arguments) and not is_symbolic(tuple(keywords.values())):
        return function(*arguments, **keywords)
    if function is zip and keywords.keys() == {"strict"}:
        return tuple(zip(*(iterate(argument, place) for argument in arguments), strict=keywords["strict"]))
    if function in BUILTINS.values() and not keywords:
        return builtin(lifter, function.__name__, arguments, place)
    return lifter.follow(function, arguments, keywords)


def construct(cls: type, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Make an instance, or a record where a field is symbolic."""
    if not is_symbolic(arguments) and not is_symbolic(tuple(keywords.values())):
        return cls(*arguments, **keywords)
    bound = signature(cls).bind(*arguments, **keywords)
    bound.apply_defaults()
    return Record(cls, dict(bound.arguments))


def builtin(lifter: Lifter, name: str, arguments: tuple[Any, ...], place: str) -> Any:
    """Call a built-in function on symbolic values."""
    if name in ("min", "max", "sum", "all", "any") and len(arguments) == 1:
        items = iterate(arguments[0], place)
    else:
        items = list(arguments)
    match name:
        case "abs":
            return arithmetic.absolute(number(items[0]))
        case "int":
            return number(items[0])
        case "bool":
            return as_truth(items[0])
        case "min" | "max":
            join = arithmetic.minimum if name == "min" else arithmetic.maximum
            return fold(join, [number(item) for item in items])
        case "sum":
            return fold(arithmetic.add, [0, *(number(item) for item in items)])
        case "all":
            return make_truth(conjoin(*(truth_term(as_truth(item)) for item in items)))
        case "any":
            return make_truth(disjoin(*(truth_term(as_truth(item)) for item in items)))
        case "divmod":
            dividend, divisor = items
            quotient = binary(lifter, ast.FloorDiv(), dividend, divisor, place)
            return quotient, binary(lifter, ast.Mod(), dividend, divisor, place)
        case "len" | "tuple" | "zip" | "enumerate" | "reversed":
            value = getattr(__import__("builtins"), name)(*(iterate(item, place) for item in items))
            return value if name == "len" else tuple(value)
        case _:
            raise LiftError(f"{name} cannot take a symbolic argument")


def fold(join: Callable[[Int | int, Int | int], Int | int], items: list[Int | int]) -> Int | int:
    """Combine numbers pairwise, from the left."""
    total, *rest = items
    for item in rest:
        total = join(total, item)
    return total


def iterate(value: Any, place: str) -> list[Any]:
    """Return the items of a tuple, a concrete range or a record that is a named tuple."""
    if isinstance(value, Record) and issubclass(value.cls, tuple):
        return list(value.fields.values())
    if isinstance(value, (tuple, range, list, zip, enumerate, reversed)):
        return list(value)
    raise LiftError(f"{place}: only a tuple or a concrete range can be run through")


def subscript(lifter: Lifter, owner: Any, index: Any, place: str) -> Any:
    """Look up an item; a symbolic index into a tuple becomes a choice and must be proved in range."""
    if isinstance(owner, Choice):
        return each_option(lifter, owner, lambda option: subscript(lifter, option, index, place))
    if isinstance(owner, Record) and issubclass(owner.cls, tuple):
        owner = tuple(owner.fields.values())
    if not is_symbolic(index):
        return owner[index]
    if isinstance(owner, tuple) and isinstance(index, Int):
        inside = conjoin(truth_term(arithmetic.less_equal(0, index)), truth_term(arithmetic.less(index, len(owner))))
        lifter.require(inside, "an index out of range", place)
        low, high = bounds(index)
        items = [(key, item) for key, item in enumerate(owner) if low <= key <= high]
    elif isinstance(owner, dict):
        inside = disjoin(*(truth_term(same(index, key)) for key in owner))
        lifter.require(inside, "a key that is not in the table", place)
        items = list(owner.items())
    else:
        raise LiftError(f"{place}: a symbolic index needs a tuple or a table")
    if not items:
        raise LiftError(f"{place}: the index is never in the table")
    value = items[-1][1]
    for key, item in reversed(items[:-1]):
        value = merge(truth_term(same(index, key)), item, value)
    return value


def comprehension(lifter: Lifter, element: ast.expr, generator: ast.comprehension, frame: Frame) -> tuple[Any, ...]:
    """Unroll a comprehension over a tuple or a concrete range."""
    place = frame.source.at(element)
    if generator.ifs or generator.is_async:
        raise LiftError(f"{place}: a condition in a comprehension is outside the liftable subset")
    items = []
    for item in iterate(lifter.evaluate(generator.iter, frame), place):
        inner = frame.with_env(dict(frame.env))
        lifter.assign(generator.target, item, inner, element)
        items.append(lifter.evaluate(element, inner))
    return tuple(items)
