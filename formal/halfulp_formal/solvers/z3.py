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

NAME = "z3"


class AssumingZ3Solver(Z3Solver):  # type: ignore[misc]  # pySMT ships no types
    """pySMT pushes and pops assumptions that are no literals; z3 takes them, and keeps what it has learnt."""

    pending_pop: bool  # set by the base class

    def _solve(self, assumptions: Iterable[FNode] | None = None) -> bool:
        if self.pending_pop:
            self.pending_pop = False
            self.pop()
        answer = self.z3.check(*(self.converter.convert(each) for each in assumptions or ()))
        if answer == z3.unknown:
            raise SolverReturnedUnknownResultError
        return bool(answer == z3.sat)


def version() -> str:
    """z3's version."""
    return str(z3.get_version_string())


def create(seconds: float) -> AssumingZ3Solver:
    """A solver whose every check answers unknown after so many seconds."""
    return AssumingZ3Solver(get_env(), QF_BV, solver_options={"timeout": max(1, round(seconds * 1000))})


def limit(solver: AssumingZ3Solver, seconds: float) -> None:
    """Change the limit of the checks that follow."""
    solver.z3.set("timeout", max(1, round(seconds * 1000)))
