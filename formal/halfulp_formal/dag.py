"""Walks over pySMT terms that keep their own stack, so that the depth of a term is no limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysmt import operators as op

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from pysmt.fnode import FNode


class UnsupportedTerm(TypeError):
    """A term outside the quantifier-free Booleans and bit-vectors."""


def postorder(roots: Iterable[FNode], known: Container[FNode] = ()) -> list[FNode]:
    """Every node under the roots once, arguments before their users; nodes in `known` are left out.

    The order depends on the structure of the terms alone.
    """
    done: set[FNode] = set()
    order: list[FNode] = []
    stack = list(roots)[::-1]
    while stack:
        node = stack[-1]
        if node in done or node in known:
            stack.pop()
            continue
        pending = [argument for argument in node.args() if argument not in done and argument not in known]
        if pending:
            stack.extend(reversed(pending))
        else:
            done.add(node)
            order.append(stack.pop())
    return order


def symbols(roots: Iterable[FNode]) -> list[FNode]:
    """The free symbols under the roots, in order of first use."""
    return [node for node in postorder(roots) if node.is_symbol()]


def symbol_width(symbol: FNode) -> int:
    """The bits of a symbol's type, 0 for Bool; any other type is an UnsupportedTerm."""
    kind = symbol.symbol_type()
    if kind.is_bool_type():
        return 0
    if kind.is_bv_type():
        return int(kind.width)
    raise UnsupportedTerm(f"symbol {symbol.symbol_name()} is of type {kind}; expected Bool or a bit-vector")


def widths(order: Iterable[FNode]) -> dict[FNode, int]:
    """The width in bits of every node of a post-order, 0 for Bool."""
    found: dict[FNode, int] = {}
    for node in order:
        kind = node.node_type()
        if kind == op.SYMBOL:
            found[node] = symbol_width(node)
        elif kind == op.ITE:
            found[node] = found[node.arg(1)]
        elif kind == op.BV_CONSTANT or kind in op.BV_OPERATORS:
            found[node] = node.bv_width()
        else:
            found[node] = 0
    return found
