"""Lifted functions against Python itself, at every input."""

from itertools import product
from typing import NamedTuple

from pysmt.shortcuts import Symbol
from pysmt.typing import BVType

from halfulp_formal.dag import symbol_width, symbols
from halfulp_formal.evaluate import compile_term
from halfulp_formal.lift.interpreter import Lifter
from halfulp_formal.lift.merge import concretize, leaves
from halfulp_formal.lift.values import Int, symbol, width_of


class Tally(NamedTuple):
    """At how many inputs terms and Python agree, Python raises, and only the side conditions refuse."""

    agreed: int
    raised: int = 0
    refused: int = 0


def s(bits, name="a"):
    """A signed symbol."""
    return symbol(f"in.{name}.s{bits}", -(1 << (bits - 1)), (1 << (bits - 1)) - 1)


def u(bits, name="a"):
    """An unsigned symbol."""
    return symbol(f"in.{name}.u{bits}", 0, (1 << bits) - 1)


def i(low, high, name="a"):
    """A symbol of which only an interval is looked at."""
    width = width_of(low, high)
    return Int(Symbol(f"in.{name}.i{width}", BVType(width)), low, high)


def lift(function, *arguments):
    """Lift one call."""
    lifter = Lifter("formal")
    lifter.call(function, *arguments)
    assert lifter.context == []
    return lifter.calls[0]


def points(call):
    """Yield for every input whose arguments are in range: arguments, whether all side conditions hold, result."""
    conditions = [condition.term for condition in call.side_conditions]
    terms = list(dict.fromkeys(leaf.term for leaf in leaves((call.arguments, call.result))))
    free = symbols([*conditions, *terms])
    compiled = compile_term([*conditions, *terms], free)
    for point in product(*(range(1 << (symbol_width(each) or 1)) for each in free)):
        values = compiled(*point)
        assigned = dict(zip(terms, values[len(conditions) :], strict=True)).__getitem__
        arguments = concretize(call.arguments, assigned)
        outside = (
            isinstance(symbolic, Int) and not symbolic.low <= number <= symbolic.high
            for symbolic, number in zip(call.arguments, arguments, strict=True)
        )
        if not any(outside):
            yield arguments, all(values[: len(conditions)]), concretize(call.result, assigned)


def tally(function, *arguments, raises=()):
    """Lift a call and compare it at every input; Python may raise only where a side condition refuses the input."""
    call = lift(function, *arguments)
    agreed = raised = refused = 0
    for concrete, holds, result in points(call):
        try:
            expected = function(*concrete)
        except raises:
            assert not holds, f"{concrete} is accepted but raises"
            raised += 1
            continue
        if not holds:
            refused += 1
            continue
        assert result == expected, f"{concrete} gives {expected}, its terms give {result}"
        if isinstance(call.result, Int):
            assert call.result.low <= result <= call.result.high
        agreed += 1
    return Tally(agreed, raised, refused)
