"""The one door to the solvers: open a session by name, assert, check within a limit, read values."""

from __future__ import annotations

from enum import Enum
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pysmt.exceptions import SolverAPINotFound, SolverReturnedUnknownResultError

if TYPE_CHECKING:
    from types import ModuleType, TracebackType
    from typing import Self

    from pysmt.fnode import FNode

#: Names of the known solvers, the preferred first; each is a family of its own.
PREFERENCE = ("bitwuzla", "z3", "cvc5")
_PACKAGE = {"bitwuzla": "bitwuzla", "z3": "z3-solver", "cvc5": "cvc5"}


class Answer(Enum):
    """What a solver says about its assertions; UNKNOWN covers its time limit."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


class MissingSolver(Exception):
    """A solver was asked for that is unknown or not installed."""


class SolverFailure(Exception):
    """A solver raised an error instead of answering."""


@cache
def _backend(name: str) -> ModuleType | None:
    try:
        return import_module(f"halfulp_formal.solvers.{name}")
    except (ImportError, SolverAPINotFound):
        return None


def available() -> dict[str, str]:
    """Names and versions of the solvers that are installed, the preferred first."""
    found = {name: _backend(name) for name in PREFERENCE}
    return {name: backend.version() for name, backend in found.items() if backend is not None}


def _installed(name: str) -> ModuleType:
    if name not in PREFERENCE:
        raise MissingSolver(f"unknown solver {name}; known are {', '.join(PREFERENCE)}")
    backend = _backend(name)
    if backend is None:
        raise MissingSolver(f"solver {name} is not installed; pip install {_PACKAGE[name]}, or choose another")
    return backend


def version_of(name: str) -> str:
    """The version of an installed solver; MissingSolver if it is unknown or not installed."""
    return str(_installed(name).version())


def second_opinion(name: str) -> str:
    """The preferred installed solver of another family; MissingSolver if there is none."""
    for other in PREFERENCE:
        if other != name and _backend(other) is not None:
            return other
    raise MissingSolver(f"a cross-check of {name} needs a second solver, and none is installed")


def preferred() -> str:
    """The installed solver that comes first in PREFERENCE; MissingSolver if there is none."""
    for name in PREFERENCE:
        if _backend(name) is not None:
            return name
    raise MissingSolver(f"no solver is installed; expected one of {', '.join(PREFERENCE)}")


class Series:
    """What sessions of one solver have in common that ask many small questions each, about terms which they share."""

    def __init__(self) -> None:
        #: kept by the solver's own file
        self.shared: Any = None


def open_solver(name: str, timeout: float, series: Series | None = None) -> Session:
    """A session with a solver, each check of which may take `timeout` seconds.

    MissingSolver: the name is unknown or the solver not installed. ValueError: the limit is not positive.
    """
    if not timeout > 0:
        raise ValueError(f"time limit is {timeout:g} s; expected more than 0")
    return Session(name, _installed(name), timeout, series)


class Session:
    """One solver's assertions, its last answer and the model that goes with it."""

    def __init__(self, name: str, backend: ModuleType, timeout: float, series: Series | None = None) -> None:
        self.name = name
        self.version: str = backend.version()
        self.timeout = timeout
        self._backend = backend
        self._answer = Answer.UNKNOWN
        self._shortened = False  # the last check had a limit of its own
        self._solver: Any = self._guarded(backend.create, timeout, series)

    def _guarded(self, call: Any, *arguments: Any) -> Any:
        try:
            return call(*arguments)
        except SolverReturnedUnknownResultError:
            raise
        except Exception as error:
            reason = " ".join(str(error).split()) or "no reason given"
            raise SolverFailure(f"{self.name} failed: {type(error).__name__}: {reason}") from error

    def add(self, *formulas: FNode) -> None:
        """Assert the formulas at the current level."""
        self._answer = Answer.UNKNOWN
        for formula in formulas:
            self._guarded(self._solver.add_assertion, formula)

    def push(self) -> None:
        """Open a level."""
        self._guarded(self._solver.push)

    def pop(self) -> None:
        """Drop the last level and what was asserted at it."""
        self._answer = Answer.UNKNOWN
        self._guarded(self._solver.pop)

    def check(self, *assumptions: FNode, seconds: float | None = None) -> Answer:
        """Can assertions and assumptions hold together? `seconds` is a limit below the session's own."""
        self._answer = Answer.UNKNOWN
        if seconds is not None or self._shortened:
            self._shortened = seconds is not None
            own = self.timeout if seconds is None else min(seconds, self.timeout)
            self._guarded(self._backend.limit, self._solver, own)
        try:
            holds = self._guarded(self._solver.solve, list(assumptions) or None)
        except SolverReturnedUnknownResultError:
            return Answer.UNKNOWN
        self._answer = Answer.SAT if holds else Answer.UNSAT
        return self._answer

    def value(self, term: FNode) -> int:
        """The term's value in the model of the last check, which must have been SAT; 0 or 1 for a Bool."""
        if self._answer is not Answer.SAT:
            raise SolverFailure(f"{self.name} has no model: its last answer is {self._answer.value}")
        return int(self._guarded(self._solver.get_py_value, term))

    def close(self) -> None:
        """Free the solver."""
        self._solver.exit()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
