"""Abstraction of products: two multiplications whose operands are proved equal become one free number.

The abstract query admits every behaviour of the original one and more, so that unsat carries over; sat does not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import pysmt.operators as op
from pysmt.environment import get_env
from pysmt.fnode import FNode
from pysmt.shortcuts import BV, BVUGT, BVULE, And, BVExtract, BVType, BVZExt, Equals, FreshSymbol, Iff, Not, Or

from halfulp_formal.dag import postorder

#: decides whether a formula holds for every value of its symbols
Proved = Callable[[FNode], bool]


@dataclass(frozen=True)
class Product:
    """A multiplication: its node, worth left · right modulo 2^width, and its operands without their leading zeros."""

    node: FNode
    left: FNode
    right: FNode


def products(terms: list[FNode]) -> list[Product]:
    """Return the multiplications of two variable operands in the terms' DAG, where no operand is cut before."""
    found = []
    for node in postorder(terms):
        if node.node_type() == op.BV_MUL:
            left, right = (without_leading_zeros(operand) for operand in node.args())
            if not left.is_constant() and not right.is_constant():
                found.append(Product(node, left, right))
    return found


def without_leading_zeros(term: FNode) -> FNode:
    """Return the term that a zero extension extends, or the term itself."""
    while True:
        if term.node_type() == op.BV_ZEXT:
            term = term.arg(0)
        elif term.node_type() == op.BV_CONCAT and term.arg(0).is_constant() and term.arg(0).constant_value() == 0:
            term = term.arg(1)
        else:
            return term


def resized(term: FNode, width: int) -> FNode:
    """Return an unsigned term modulo 2^width."""
    extra = width - term.bv_width()
    if extra > 0:
        return BVZExt(term, extra)
    return BVExtract(term, 0, width - 1) if extra < 0 else term


def abstract_products(assumption: FNode, claim: FNode, proved: Proved) -> FNode | None:
    """Return a query that is unsat only if `assumption and not claim` is, or None where nothing can be abstracted.

    Two products are replaced by one number only after `proved` has agreed that the assumption implies equal operands.
    What the abstract query says of that number is true of every product: see `facts`.
    """
    query = And(assumption, Not(claim))
    replacement: dict[FNode, FNode] = {}
    known: list[FNode] = []
    for one, two in combinations(products([query]), 2):
        if one.node in replacement and two.node in replacement:
            continue
        if not any(proved(Not(And(assumption, Not(equal)))) for equal in equal_operands(one, two)):
            continue
        number = replacement.get(one.node, replacement.get(two.node))
        if number is None:
            number = FreshSymbol(BVType(one.left.bv_width() + one.right.bv_width()), "product%d")
            known.append(facts(number, one, assumption, proved))
        for product in (one, two):
            replacement[product.node] = resized(number, product.node.bv_width())
    return And(substitute(query, replacement), *known) if replacement else None


def facts(number: FNode, product: Product, assumption: FNode, proved: Proved) -> FNode:
    """Return what is true of an exact product: zero if and only if an operand is, and within the operands' bounds."""
    zero = Or(*(Equals(operand, BV(0, operand.bv_width())) for operand in (product.left, product.right)))
    greatest = bound(product.left, assumption, proved) * bound(product.right, assumption, proved)
    return And(Iff(Equals(number, BV(0, number.bv_width())), zero), BVULE(number, BV(greatest, number.bv_width())))


def bound(operand: FNode, assumption: FNode, proved: Proved) -> int:
    """Return a bound of an operand: half its range where that is proved (a magnitude of two's complement), or all."""
    width = operand.bv_width()
    half: int = 1 << (width - 1)
    return half if proved(Not(And(assumption, BVUGT(operand, BV(half, width))))) else 2 * half - 1


def equal_operands(one: Product, two: Product) -> list[FNode]:
    """Return the two ways in which the operands of two products can be equal: in order, or crossed."""
    ways = []
    for left, right in ((two.left, two.right), (two.right, two.left)):
        pairs = ((one.left, left), (one.right, right))
        widths = [max(mine.bv_width(), other.bv_width()) for mine, other in pairs]
        ways.append(
            And(*(Equals(resized(a, width), resized(b, width)) for (a, b), width in zip(pairs, widths, strict=True)))
        )
    return sorted(ways, key=lambda way: abs(one.left.bv_width() - way.arg(0).arg(1).bv_width()))


def substitute(term: FNode, replacement: dict[FNode, FNode]) -> FNode:
    """Return the term with nodes replaced, without simplification and without recursion."""
    manager = get_env().formula_manager
    result: dict[FNode, FNode] = dict(replacement)
    for node in postorder([term]):
        if node in result:
            continue
        arguments = tuple(result[argument] for argument in node.args())
        unchanged = all(new is old for new, old in zip(arguments, node.args(), strict=True))
        result[node] = node if unchanged else manager.create_node(node.node_type(), arguments, node._content.payload)  # noqa: SLF001  # pySMT has no public way to copy a node
    return result[term]
