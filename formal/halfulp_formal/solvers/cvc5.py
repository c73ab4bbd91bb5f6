"""cvc5 through pySMT's own back-end, with a limit in time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cvc5
from pysmt.environment import get_env
from pysmt.logics import QF_BV
from pysmt.solvers.cvcfive import CVC5Solver

if TYPE_CHECKING:
    from halfulp_formal.solvers.door import Series

NAME = "cvc5"


def version() -> str:
    """cvc5's version."""
    return str(cvc5.__version__)


def create(seconds: float, _series: Series | None = None) -> Any:
    """A solver whose every check answers unknown after so many seconds.

    Our queries have no theory but bit-vectors, so that all can go to the SAT solver at once: it is several times as fast.
    """
    options = {"tlimit-per": max(1, round(seconds * 1000)), "bitblast": "eager"}
    return CVC5Solver(get_env(), QF_BV, solver_options=options)


def limit(solver: Any, seconds: float) -> None:
    """Change the limit of the checks that follow."""
    solver.cvc5.setOption("tlimit-per", str(max(1, round(seconds * 1000))))
