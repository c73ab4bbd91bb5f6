"""The solvers behind one door; each foreign library is imported by one file of this folder only."""

from halfulp_formal.solvers.door import (
    PREFERENCE,
    Answer,
    MissingSolver,
    Series,
    Session,
    SolverFailure,
    available,
    open_solver,
    preferred,
    second_opinion,
    version_of,
)

__all__ = [
    "PREFERENCE",
    "Answer",
    "MissingSolver",
    "Series",
    "Session",
    "SolverFailure",
    "available",
    "open_solver",
    "preferred",
    "second_opinion",
    "version_of",
]
