"""Which conversions an amendment can touch, worked out from what their functions are and what rows these are given."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

from halfulp_formal.subject import Subject, base_subject

from .sides import ADAPTERS, Adapter


class Fate(Enum):
    """What is known of a conversion before anything is lifted."""

    #: the same functions are given the same rows
    UNTOUCHED = "untouched"
    TOUCHED = "touched"
    NEW = "new"
    REMOVED = "removed"


#: families whose conversions are many elements at once
SLOW = ("tiles", "blocks", "matmul", "adder")


@dataclass(frozen=True)
class Standing:
    """A conversion, its family, and the digests of what decides its behaviour under base and amended model."""

    name: str
    adapter: Adapter
    fate: Fate
    base: str
    amended: str


def standings(amended: Subject) -> list[Standing]:
    """Return every conversion of base and amended model, in table order, new ones last of their family."""
    base, found = base_subject(), []
    for adapter in ADAPTERS:
        before, after = fingerprints(adapter, base), fingerprints(adapter, amended)
        for name in [*before, *(name for name in after if name not in before)]:
            one, two = before.get(name, ""), after.get(name, "")
            found.append(Standing(name, adapter, fate(one, two), one, two))
    return found


def is_quick(standing: Standing) -> bool:
    """Tell whether a conversion does not take long: the others come first, so that none is waited for in the end."""
    return standing.adapter.family.name not in SLOW


def fate(before: str, after: str) -> Fate:
    """Return what two digests say; an empty one means that there is no such conversion."""
    if not before or not after:
        return Fate.NEW if after else Fate.REMOVED
    return Fate.UNTOUCHED if before == after else Fate.TOUCHED


def fingerprints(adapter: Adapter, subject: Subject) -> Mapping[str, str]:
    """Return a digest a conversion of a family: of the rows it is given, and of all functions that may run."""
    code = code_digest(adapter, subject)
    return {
        name: hashlib.sha256(f"{code}\n{rows!r}".encode()).hexdigest() for name, rows in adapter.names(subject).items()
    }


def code_digest(adapter: Adapter, subject: Subject) -> str:
    """Return a digest of every function that the entry functions of a family may call, and of the constants they name."""
    whole = hashlib.sha256()
    for text in sorted(describe(subject, adapter.entries)):
        whole.update(f"{text}\n".encode())
    return whole.hexdigest()


def describe(subject: Subject, entries: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield the name and source of every reachable function, and the name and value of every constant."""
    functions, constants = reachable(subject, entries)
    for function in functions:
        yield source_of(function)
    for name, value in constants.items():
        yield f"{name} = {value}"


@cache
def source_of(function: FunctionType) -> str:
    """Return a function's name and source."""
    return f"{function.__name__}\n{inspect.getsource(function)}"


def reachable(subject: Subject, entries: Sequence[tuple[str, str]]) -> tuple[list[FunctionType], dict[str, str]]:
    """Return the functions of a model that entry functions may call, whatever the inputs, and the constants they name.

    Whatever name a function's code mentions counts as a call: more may be found than ever runs, never less.
    """
    todo = [vars(subject.module(module))[name] for module, name in entries]
    seen: dict[FunctionType, None] = {}
    constants: dict[str, str] = {}
    while todo:
        value = todo.pop()
        function = inspect.unwrap(value) if callable(value) else value
        if function in seen:
            continue
        seen[function] = None
        for name, found in mentioned(function):
            plain = inspect.unwrap(found) if callable(found) and not isinstance(found, type) else found
            if isinstance(plain, FunctionType):
                if plain.__module__.partition(".")[0] == subject.package:
                    todo.append(found)
            elif isinstance(plain, int | str | tuple):
                constants[name] = repr(plain)
    return list(seen), constants


def mentioned(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the globals that a function's code names, and what it names in modules that are among them."""
    names = set(all_names(function.__code__))
    for name in sorted(names & set(function.__globals__)):
        found = function.__globals__[name]
        if isinstance(found, ModuleType):
            yield from ((f"{name}.{inner}", value) for inner, value in vars(found).items() if inner in names)
        else:
            yield name, found


def all_names(code: CodeType) -> Iterator[str]:
    """Yield the names in a function's code, those of its comprehensions and lambdas included."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from all_names(constant)
