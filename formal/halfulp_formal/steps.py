"""Proof by steps: formulas that follow from the assumption are proved one by one, and each makes the rest smaller."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, TRUE

from halfulp_formal.abstraction import substitute

#: decides whether a formula holds wherever the assumption does
Proved = Callable[[FNode], bool]


def after_steps(claim: FNode, steps: Iterable[FNode], proved: Proved) -> FNode:
    """Return a claim that says the same wherever `proved` was right, simplified by every step that it agreed to.

    The right side of an equation is replaced by the left one from then on, so that two ways to compute one thing become
    one; any other step is replaced by its truth. A step that is not proved is left out, which costs nothing but time.
    """
    replacement: dict[FNode, FNode] = {}
    for step in steps:
        if proved(substitute(step, replacement)):
            said, instead = consequence(step)
            replacement[said] = substitute(instead, replacement)
    return substitute(claim, replacement)


def consequence(step: FNode) -> tuple[FNode, FNode]:
    """Return a term that a step settles, and what may stand in its place; constants stay where they are."""
    if step.is_equals() or step.is_iff():
        left, right = step.args()
        return (left, right) if right.is_constant() else (right, left)
    return (step.arg(0), FALSE()) if step.is_not() else (step, TRUE())
