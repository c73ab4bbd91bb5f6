"""Steps that widen sums: the sign extension of a sum is the sum of the sign extensions, where nothing wraps.

Solvers put sums of one width into one order, and so find two of them equal at once; extensions in between hide that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pysmt.operators as op
from pysmt.fnode import FNode
from pysmt.shortcuts import BVAdd, BVSExt, Equals

from halfulp_formal.dag import postorder


def widened_sums(terms: Iterable[FNode]) -> Iterator[FNode]:
    """Yield a step for every extended sum in some terms, inner ones first."""
    for node in postorder(list(terms)):
        if node.node_type() == op.BV_SEXT and node.arg(0).node_type() == op.BV_ADD:
            width = node.bv_width()
            yield Equals(sum_of([extended(part, width) for part in summands(node.arg(0))]), node)


def summands(term: FNode) -> list[FNode]:
    """Return what a sum adds up, through the sums and extended sums in it."""
    if term.node_type() == op.BV_ADD:
        return [part for each in term.args() for part in summands(each)]
    if term.node_type() == op.BV_SEXT and term.arg(0).node_type() == op.BV_ADD:
        return summands(term.arg(0))
    return [term]


def extended(term: FNode, width: int) -> FNode:
    """Return a term in more bits, or in as many, extended once."""
    while term.node_type() == op.BV_SEXT:
        term = term.arg(0)
    more = width - term.bv_width()
    return BVSExt(term, more) if more else term


def sum_of(terms: list[FNode]) -> FNode:
    """Return a sum, added up from the left."""
    total, *rest = terms
    for term in rest:
        total = BVAdd(total, term)
    return total
