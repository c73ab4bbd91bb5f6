"""z3 through pySMT's own back-end, with a limit in time and any formula as an assumption."""

from __future__ import annotations

from typing import TYPE_CHECKING

import z3
from pysmt.environment import get_env
from pysmt.exceptions import SolverReturnedUnknownResultError
from pysmt.logics import QF_BV
from pysmt.solvers.z3 import Z3Solver

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pysmt.fnode import FNode

    from halfulp_formal.solvers.door import Series

NAME = "z3"

#: what is done to a query that is asked once: z3's own choice for the logic takes several times as long on ours
ONCE = (
    "simplify",
    "propagate-values",
    "solve-eqs",
    "elim-uncnstr",
    "simplify",
    "max-bv-sharing",
    "bit-blast",
    "sat",
)


class PatientZ3Solver(Z3Solver):  # type: ignore[misc]  # pySMT ships no types
    """Decides by ONCE until a level is opened or an assumption made; from then on it keeps what it has learnt.

    pySMT pushes and pops assumptions that are no literals; z3 takes them as they are.
    """

    pending_pop: bool  # set by the base class

    def __init__(self, seconds: float) -> None:
        super().__init__(get_env(), QF_BV)
        self.learns = False
        self.z3 = z3.Then(*ONCE).solver()
        self.limit(seconds)

    def limit(self, seconds: float) -> None:
        """Let the checks that follow answer unknown after so many seconds."""
        self.milliseconds = max(1, round(seconds * 1000))
        self.z3.set("timeout", self.milliseconds)

    def _learn(self) -> None:
        """Go on with a solver that keeps what it learns."""
        if not self.learns:
            self.learns = True
            asserted = self.z3.assertions()
            self.z3 = z3.SolverFor(str(QF_BV))
            self.z3.set("timeout", self.milliseconds)
            self.z3.add(asserted)

    def _push(self, levels: int = 1) -> None:
        self._learn()
        super()._push(levels)

    def _solve(self, assumptions: Iterable[FNode] | None = None) -> bool:
        if self.pending_pop:
            self.pending_pop = False
            self.pop()
        given = [self.converter.convert(each) for each in assumptions or ()]
        if given:
            self._learn()
        answer = self.z3.check(*given)
        if answer == z3.unknown:
            raise SolverReturnedUnknownResultError
        return bool(answer == z3.sat)


def version() -> str:
    """z3's version."""
    return str(z3.get_version_string())


def create(seconds: float, _series: Series | None = None) -> PatientZ3Solver:
    """A solver whose every check answers unknown after so many seconds."""
    return PatientZ3Solver(seconds)


def limit(solver: PatientZ3Solver, seconds: float) -> None:
    """Change the limit of the checks that follow."""
    solver.limit(seconds)
