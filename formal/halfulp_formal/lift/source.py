"""The syntax tree of a model function, with the file and line that its messages name."""

from __future__ import annotations

import ast
import inspect
import textwrap
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from weakref import WeakKeyDictionary

from .values import LiftError


@dataclass(frozen=True)
class Source:
    """A function's definition and where it stands."""

    definition: ast.FunctionDef
    file: str
    first_line: int
    #: the names that the function assigns, its parameters included
    local_names: frozenset[str]
    signature: inspect.Signature

    def at(self, node: ast.AST) -> str:
        """Return `file:line` of a node."""
        return f"{self.file}:{self.first_line + getattr(node, 'lineno', 1) - 1}"


#: sources that were read; a function that nobody holds any more, as of a forgotten copy of the model, is dropped
READ: WeakKeyDictionary[FunctionType, Source] = WeakKeyDictionary()


def function_source(function: FunctionType) -> Source:
    """Return the source of a plain function. Raises LiftError where there is none or it is not a plain `def`."""
    if function not in READ:
        READ[function] = read_source(function)
    return READ[function]


def read_source(function: FunctionType) -> Source:
    """Read and parse the source of a function."""
    name = f"{function.__module__}.{function.__qualname__}"
    try:
        lines, first_line = inspect.getsourcelines(function)
    except (OSError, TypeError) as error:
        raise LiftError(f"{name}: no source to lift") from error
    try:
        definition = ast.parse(textwrap.dedent("".join(lines))).body[0]
    except SyntaxError:
        # the lines of a lambda inside an expression
        definition = ast.Pass()
    # a decorator's wrapper shows the source of what it wraps, a closure reads names that no module has
    if not isinstance(definition, ast.FunctionDef) or hasattr(function, "__wrapped__") or function.__closure__:
        raise LiftError(f"{name}: only a plain def can be lifted")
    file = Path(inspect.getsourcefile(function) or "?").name
    return Source(definition, file, first_line, frozenset(function.__code__.co_varnames), inspect.signature(function))
