"""A Python file whose functions replace functions of the model: read, checked, and rewritten as a module of a copy."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

from halfulp_formal.nearest import nearest
from halfulp_formal.subject import BASE, FunctionPatch, base_subject, model_sources

Function = TypeVar("Function", bound=Callable[..., Any])


class AmendmentError(ValueError):
    """An amendment that cannot be used; the message names file, line and field, what was given and what was expected."""


def mistake(path: Path, line: int, field: str, message: str) -> AmendmentError:
    """Return the exception for a mistake in a file."""
    return AmendmentError(f"{path}:{line}: {field}: {message}")


def replaces(_function: str) -> Callable[[Function], Function]:
    """Mark a function of an amendment as the replacement of one of the model's: `@replaces("rounding.goes_away")`."""
    return lambda function: function


def read_functions(path: Path) -> tuple[FunctionPatch, str]:
    """Read a file of replacements; return it as a patch, with the file's docstring.

    Raises AmendmentError for what is not Python, replaces nothing, or replaces what the model has not; OSError.
    """
    text = path.read_text(encoding="utf-8")
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise mistake(path, error.lineno or 1, "file", f"not Python: {error.msg}") from error
    lines = text.split("\n")
    functions: dict[tuple[str, str], str] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                target = target_of(path, decorator)
                if target in functions:
                    raise mistake(path, decorator.lineno, "replaces", f"{'.'.join(target)} is replaced twice")
                check_parameters(path, node, target)
                functions[target] = node.name
                blank(lines, decorator)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            rewrite_import(path, lines, node)
        elif not isinstance(node, ast.Assign | ast.AnnAssign | ast.Expr):
            kind = type(node).__name__
            raise mistake(path, node.lineno, "file", f"given {kind}, expected imports, constants and functions")
    if not functions:
        raise mistake(path, 1, "file", 'no function is under @replaces("module.function")')
    named = tuple((module, name, new) for (module, name), new in functions.items())
    return FunctionPatch(path.stem, "\n".join(lines), named), ast.get_docstring(tree) or ""


def target_of(path: Path, decorator: ast.expr) -> tuple[str, str]:
    """Return module and function that a decorator names. Raises AmendmentError."""
    match decorator:
        case ast.Call(func=ast.Name(id="replaces"), args=[ast.Constant(value=str(name))], keywords=[]):
            pass
        case _:
            given = ast.unparse(decorator)
            raise mistake(path, decorator.lineno, "decorator", f"given @{given}, expected @replaces(...)")
    known = model_functions()
    if name not in known:
        near = nearest(name, known)
        hint = f"; did you mean {near!r}?" if near else "; expected module.function"
        raise mistake(path, decorator.lineno, "replaces", f"the model has no function {name!r}{hint}")
    module, _, function = name.partition(".")
    return module, function


def model_functions() -> dict[str, Callable[..., Any]]:
    """Return every function of the model by module and name."""
    found = {}
    for module, _ in model_sources():
        if module:
            for name, value in vars(base_subject().module(module)).items():
                plain = inspect.unwrap(value) if callable(value) else value
                if isinstance(plain, FunctionType) and plain.__module__ == f"{BASE}.{module}":
                    found[f"{module}.{name}"] = value
    return found


def check_parameters(path: Path, node: ast.FunctionDef, target: tuple[str, str]) -> None:
    """Raise AmendmentError where a replacement has other parameters than what it replaces."""
    expected = list(inspect.signature(model_functions()[".".join(target)]).parameters)
    spec = node.args
    given = [each.arg for each in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)]
    if given != expected or spec.vararg or spec.kwarg:
        names = ", ".join(expected)
        message = f"given parameters ({', '.join(given)}), expected those of {'.'.join(target)}: ({names})"
        raise mistake(path, node.lineno, node.name, message)


def rewrite_import(path: Path, lines: list[str], node: ast.Import | ast.ImportFrom) -> None:
    """Turn an import from the model into one from the copy; leave out the import of the marker."""
    if isinstance(node, ast.ImportFrom) and node.module == "halfulp_formal.amend":
        blank(lines, node)
    elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == BASE:
        place = node.lineno - 1
        lines[place] = re.sub(rf"from\s+{BASE}\.?", "from .", lines[place], count=1)
    elif any(alias.name.partition(".")[0] == BASE for alias in node.names):
        given = ast.unparse(node)
        raise mistake(path, node.lineno, "import", f"given {given}, expected from {BASE}.module import name")


def blank(lines: list[str], node: ast.expr | ast.stmt) -> None:
    """Empty the lines of a node, so that all others keep their numbers."""
    for place in range(node.lineno - 1, node.end_lineno or node.lineno):
        lines[place] = "#"
