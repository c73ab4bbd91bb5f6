"""A formula as it reads inside one cube: terms the cube fixes are replaced by their constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysmt.environment import get_env

if TYPE_CHECKING:
    from pysmt.fnode import FNode


def _facts(cube: FNode) -> dict[FNode, FNode]:
    """What the conjuncts of a cube say outright: a term equals a constant, a truth value holds or does not."""
    manager = get_env().formula_manager
    found: dict[FNode, FNode] = {}
    pending = [cube]
    while pending:
        fact = pending.pop()
        if fact.is_and():
            pending.extend(fact.args())
        elif fact.is_constant():
            continue
        elif fact.is_not():
            found[fact.arg(0)] = manager.FALSE()
        else:
            found[fact] = manager.TRUE()
            if fact.is_equals() or fact.is_iff():
                left, right = fact.args()
                term, value = (right, left) if left.is_constant() else (left, right)
                if value.is_constant() and not term.is_constant():
                    found[term] = value
    return found


def specialise(formula: FNode, cube: FNode) -> FNode:
    """A formula equal to the given one wherever the cube holds, and simpler: a shift by a fixed amount is a selection.

    Solvers do not make this step for a term that is not a symbol. The cube must still be asserted beside the result.
    """
    facts = _facts(cube)
    return formula.substitute(facts).simplify() if facts else formula
