"""z3 through pySMT's own back-end, with a limit in time."""

from __future__ import annotations

from typing import Any

import z3
from pysmt.environment import get_env
from pysmt.logics import QF_BV
from pysmt.solvers.z3 import Z3Solver

NAME = "z3"


def version() -> str:
    """z3's version."""
    return str(z3.get_version_string())


def create(seconds: float) -> Any:
    """A solver whose every check answers unknown after so many seconds."""
    return Z3Solver(get_env(), QF_BV, solver_options={"timeout": max(1, round(seconds * 1000))})


def limit(solver: Any, seconds: float) -> None:
    """Change the limit of the checks that follow."""
    solver.z3.set("timeout", max(1, round(seconds * 1000)))
