"""Operators on the syntax tree: which small changes a function of the model allows, and what each makes of its text."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

#: what a comparison is replaced by: its boundary moved, and its opposite
COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq, ast.LtE, ast.GtE),
    ast.NotEq: (ast.Eq, ast.Lt, ast.Gt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}

ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.FloorDiv: (ast.Mult,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
    ast.BitOr: (ast.BitAnd, ast.BitXor),
    ast.BitAnd: (ast.BitOr,),
    ast.BitXor: (ast.BitOr,),
}

#: functions of one shape whose names are easily taken for one another
EXCHANGED = {"min": "max", "max": "min", "clamp": "wrap", "wrap": "clamp"}


#: a node, the expression to show with it, the operator that fits, and the name and the tree of what it can become
Site = tuple[ast.expr, ast.expr, str, list[tuple[str, ast.expr]]]


@dataclass(frozen=True)
class Change:
    """One change of a function: the node, the text in its place, and the operator with the place among its kind.

    shown: the expression around the node that says what it is there for, or the node itself. lines: first and last line
    of its statement, for an if those of the test alone.
    """

    lines: tuple[int, int]
    node: ast.expr
    shown: ast.expr
    text: str
    operator: str
    index: int
    variant: str


def changes(function: ast.FunctionDef) -> Iterator[Change]:
    """Yield every change of a function's body, in the order of its text."""
    counts: dict[str, int] = {}
    for statement in statements(function.body):
        for node, shown, operator, made in sites(statement):
            counts[operator] = counts.get(operator, 0) + 1
            for variant, changed in made:
                yield Change(lines(statement), node, shown, text_of(changed), operator, counts[operator], variant)


def lines(statement: ast.stmt) -> tuple[int, int]:
    """Return the first and last line of a statement without the statements inside it."""
    last = getattr(statement, "test", None) or getattr(statement, "iter", None) or statement
    return statement.lineno, last.end_lineno or statement.lineno


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a body and those inside them; docstrings, assertions and messages are left alone."""
    for statement in body:
        if not isinstance(statement, ast.Expr | ast.Raise | ast.Assert):
            yield statement
            for inner in ("body", "orelse"):
                yield from statements(getattr(statement, inner, []))


def sites(statement: ast.stmt) -> Iterator[Site]:
    """Yield the places of a statement that an operator fits, outer ones first, without the statements inside it."""
    if isinstance(statement, ast.If):
        yield from branch(statement)
    annotation = getattr(statement, "annotation", None)
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.expr) and child is not annotation:
            for node, parent in expressions(child, child):
                shown = parent if isinstance(node, ast.Constant) else node
                for operator, made in operators(node):
                    yield node, shown, operator, made


def branch(statement: ast.If) -> Iterator[Site]:
    """Yield what the test of an if can become as a whole; one that never holds takes an early return away."""
    never = ("never", ast.Constant(value=False))
    if len(statement.body) == 1 and isinstance(statement.body[0], ast.Return) and not statement.orelse:
        yield statement.test, statement.test, "return", [("removed", never[1])]
        others: list[tuple[str, ast.expr]] = [("always", ast.Constant(value=True))]
    else:
        others = [("always", ast.Constant(value=True)), never]
    yield statement.test, statement.test, "branch", [*negation(statement.test), *others]


def negation(test: ast.expr) -> list[tuple[str, ast.expr]]:
    """Return a test negated, nothing where another operator does that already."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return []
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return []
    return [("negated", ast.UnaryOp(ast.Not(), test))]


def expressions(node: ast.AST, parent: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield an expression and those inside it, outer ones first, each with the expression around it."""
    if isinstance(node, ast.expr):
        yield node, parent
        parent = node
    for child in ast.iter_child_nodes(node):
        yield from expressions(child, parent)


def operators(node: ast.expr) -> Iterator[tuple[str, list[tuple[str, ast.expr]]]]:
    """Yield the operators that fit a node, with the name and the tree of what each makes of it."""
    match node:
        case ast.Compare():
            for place, operator in enumerate(node.ops):
                yield "compare", [(word(new), with_comparison(node, place, new)) for new in COMPARISONS[type(operator)]]
        case ast.BinOp(left=left, op=operator):
            if type(operator) in ARITHMETIC:
                yield (
                    "arithmetic",
                    [(word(new), ast.BinOp(left, new(), node.right)) for new in ARITHMETIC[type(operator)]],
                )
            elif isinstance(operator, ast.Mod):
                yield "arithmetic", [("dropped", left)]
        case ast.UnaryOp(op=ast.USub(), operand=operand) if not isinstance(operand, ast.Constant):
            yield "minus", [("dropped", operand)]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not", [("dropped", operand)]
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            yield "constant", [("plus-1", ast.Constant(value + 1)), ("minus-1", ast.Constant(value - 1))]
        case ast.Constant(value=bool() as value):
            yield "constant", [("negated", ast.Constant(not value))]
        case ast.BoolOp(op=operator, values=values):
            other: ast.boolop = ast.Or() if isinstance(operator, ast.And) else ast.And()
            dropped = [(f"without-{place + 1}", without(node, place)) for place in range(len(values))]
            yield "condition", [("exchanged", ast.BoolOp(other, values)), *dropped]
        case ast.IfExp(test=test, body=body, orelse=orelse):
            negated = [(name, ast.IfExp(tree, body, orelse)) for name, tree in negation(test)]
            yield "choice", [*negated, ("always", body), ("never", orelse)]
        case ast.Call(func=ast.Name(id=name)) if name in EXCHANGED:
            yield "function", [(EXCHANGED[name], ast.Call(ast.Name(EXCHANGED[name]), node.args, node.keywords))]
            yield from swaps(node)
        case ast.Call():
            yield from swaps(node)


def swaps(node: ast.Call) -> Iterator[tuple[str, list[tuple[str, ast.expr]]]]:
    """Yield a call with two arguments that stand side by side swapped; those of min and max have no order."""
    if isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
        return
    for place in range(len(node.args) - 1):
        arguments = list(node.args)
        arguments[place], arguments[place + 1] = arguments[place + 1], arguments[place]
        yield "arguments", [("swapped", ast.Call(node.func, arguments, node.keywords))]


def with_comparison(node: ast.Compare, place: int, new: type[ast.cmpop]) -> ast.Compare:
    """Return a comparison with one of its operators replaced."""
    changed = copy.copy(node)
    changed.ops = [new() if index == place else operator for index, operator in enumerate(node.ops)]
    return changed


def without(node: ast.BoolOp, place: int) -> ast.expr:
    """Return a conjunction or disjunction without one of its parts."""
    kept = [value for index, value in enumerate(node.values) if index != place]
    return kept[0] if len(kept) == 1 else ast.BoolOp(node.op, kept)


def word(operator: type[ast.AST]) -> str:
    """Return the short name of an operator."""
    return {
        "LtE": "le", "Lt": "lt", "GtE": "ge", "Gt": "gt", "Eq": "eq", "NotEq": "ne", "Is": "is", "IsNot": "is-not",
        "In": "in", "NotIn": "not-in", "Add": "plus", "Sub": "minus", "Mult": "times", "LShift": "left",
        "RShift": "right", "BitAnd": "and", "BitOr": "or", "BitXor": "xor",
    }[operator.__name__]  # fmt: skip


def text_of(tree: ast.expr) -> str:
    """Return an expression as text that may stand wherever an operand may."""
    text = ast.unparse(tree)
    return text if isinstance(tree, ast.Name | ast.Constant | ast.Call | ast.Attribute) else f"({text})"
