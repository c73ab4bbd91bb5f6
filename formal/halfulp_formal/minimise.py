"""The least point that satisfies a solver's assertions, the same whatever solver finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysmt.environment import get_env

from halfulp_formal.dag import symbol_width
from halfulp_formal.solvers import Answer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pysmt.fnode import FNode

    from halfulp_formal.solvers import Session


class LimitReached(Exception):
    """A solver answered unknown where a definite answer was needed."""


def least_point(
    solver: Session, inputs: Sequence[FNode], preferred: Mapping[str, int], *, also: Sequence[FNode] = ()
) -> dict[str, int] | None:
    """The point that satisfies the solver's assertions and is lexicographically nearest to the preferred one, or None.

    Compared are, input by input and from the most significant bit, the bits of (input xor preferred); an
    absent preference is 0. So the point depends on the assertions alone. Bits that the current model already
    has right cost no query. The caller checks the point, since models are taken at their word here. `also`: symbols
    whose values at the point are given as well.

    LimitReached: a query did not end.
    """
    if not definite(solver.check()):
        return None
    model = {symbol: solver.value(symbol) for symbol in dict.fromkeys([*inputs, *also])}
    solver.push()
    try:
        for symbol in inputs:
            _settle(solver, model, symbol, preferred.get(symbol.symbol_name(), 0))
    finally:
        solver.pop()
    return {symbol.symbol_name(): value for symbol, value in model.items()}


def _settle(solver: Session, model: dict[FNode, int], symbol: FNode, wanted: int) -> None:
    """Assert the symbol's least distance from `wanted`; `model` stays a model of all that is asserted."""
    unsettled = symbol_width(symbol) or 1  # bits below it are not asserted yet
    if unsettled > 1 and model[symbol] != wanted:
        _improve(solver, model, _bits_equal(symbol, unsettled - 1, 0, wanted))
    for bit in reversed(range(unsettled)):
        if not (model[symbol] ^ wanted) >> bit & 1:
            continue
        if unsettled > bit + 1:
            solver.add(_bits_equal(symbol, unsettled - 1, bit + 1, model[symbol]))
            unsettled = bit + 1
        if _improve(solver, model, _bits_equal(symbol, bit, bit, wanted)):
            continue
        # one question settles a symbol that can come no nearer, however many of its bits differ
        if bit and not _improve(solver, model, _nearer(symbol, wanted, model[symbol])):
            break
    solver.add(_bits_equal(symbol, unsettled - 1, 0, model[symbol]))


def equals(symbol: FNode, value: int) -> FNode:
    """The symbol has a value; it is told of the whole symbol, so that the value can take its place."""
    manager, width = get_env().formula_manager, symbol_width(symbol)
    return manager.Equals(symbol, manager.BV(value, width)) if width else manager.Iff(symbol, manager.Bool(bool(value)))


def _improve(solver: Session, model: dict[FNode, int], condition: FNode) -> bool:
    """Move to a model of the condition, if there is one."""
    if not definite(solver.check(condition)):
        return False
    model.update({symbol: solver.value(symbol) for symbol in model})
    return True


def _nearer(symbol: FNode, wanted: int, value: int) -> FNode:
    """The symbol is nearer to `wanted` than the value is."""
    manager, width = get_env().formula_manager, symbol_width(symbol)
    distance = manager.BVXor(symbol, manager.BV(wanted, width))
    return manager.BVULT(distance, manager.BV(value ^ wanted, width))


def _bits_equal(symbol: FNode, high: int, low: int, value: int) -> FNode:
    """The symbol's bits high to low are those of the value; a Bool is its own bit 0."""
    manager = get_env().formula_manager
    if symbol_width(symbol) == 0:
        return manager.Iff(symbol, manager.Bool(bool(value & 1)))
    width = high - low + 1
    constant = manager.BV(value >> low & (1 << width) - 1, width)
    return manager.Equals(manager.BVExtract(symbol, low, high), constant)


def definite(answer: Answer) -> bool:
    """True for SAT, False for UNSAT."""
    if answer is Answer.UNKNOWN:
        raise LimitReached("a solver reached its limit while a witness was being minimised")
    return answer is Answer.SAT
