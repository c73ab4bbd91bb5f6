"""Range narrowing: what a branch knows about the intervals of the names in its test."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from . import arithmetic
from .merge import as_record, is_int
from .values import Record, bounds

if TYPE_CHECKING:
    from .interpreter import Frame, Lifter

MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
}
NEGATED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


def narrowed(lifter: Lifter, test: ast.expr, frame: Frame, holds: bool) -> dict[str, Any]:
    """Return the local values under the knowledge that a test holds, or that it does not."""
    env = dict(frame.env)
    learn(lifter, test, frame.with_env(env), holds)
    return env


def learn(lifter: Lifter, test: ast.expr, frame: Frame, holds: bool) -> None:
    """Narrow the names of a frame by a test."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            learn(lifter, operand, frame, not holds)
        case ast.BoolOp(op=joint, values=values) if isinstance(joint, ast.And) == holds:
            for value in values:
                learn(lifter, value, frame, holds)
        case ast.Compare(left=left, ops=operators, comparators=comparators) if holds or len(operators) == 1:
            for one, operator, two in zip((left, *comparators[:-1]), operators, comparators, strict=True):
                kind = type(operator) if holds else NEGATED.get(type(operator))
                if kind in MIRRORED:
                    learn_comparison(lifter, one, kind, two, frame)
                    learn_comparison(lifter, two, MIRRORED[kind], one, frame)


def learn_comparison(lifter: Lifter, node: ast.expr, kind: type[ast.cmpop], other: ast.expr, frame: Frame) -> None:
    """Narrow a name, or a field of a named record, by `node kind other`."""
    path = name_path(node)
    if path is None or path[0] not in frame.env:
        return
    value, limit = quietly(lifter, node, frame), quietly(lifter, other, frame)
    if not is_int(value) or not is_int(limit):
        return
    low, high = bounds(value)
    least, most = bounds(limit)
    if kind is ast.Lt:
        high = min(high, most - 1)
    elif kind is ast.LtE:
        high = min(high, most)
    elif kind is ast.Gt:
        low = max(low, least + 1)
    elif kind is ast.GtE:
        low = max(low, least)
    elif kind is ast.Eq:
        low, high = max(low, least), min(high, most)
    elif kind is ast.NotEq and least == most:
        low, high = low + (low == least), high - (high == least)
    if low <= high:
        frame.env[path[0]] = replaced(frame.env[path[0]], path[1:], arithmetic.narrow(value, low, high))


def quietly(lifter: Lifter, node: ast.expr, frame: Frame) -> Any:
    """Evaluate an expression of a test again without adding its side conditions a second time."""
    kept = len(lifter.side_conditions)
    value = lifter.evaluate(node, frame)
    del lifter.side_conditions[kept:]
    return value


def name_path(node: ast.expr) -> tuple[str, ...] | None:
    """Return `a.b.c` as its parts, None for anything else."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        inner = name_path(node.value)
        return None if inner is None else (*inner, node.attr)
    return None


def replaced(value: Any, path: tuple[str, ...], new: Any) -> Any:
    """Return a record with one field replaced."""
    if not path:
        return new
    record = as_record(value)
    if record is None or path[0] not in record.fields:
        return value
    return Record(record.cls, {**record.fields, path[0]: replaced(record.fields[path[0]], path[1:], new)})
