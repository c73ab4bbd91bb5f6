"""The model under proof: the package itself, or a copy of it with changed sources, functions or rule data.

A copy is a real package under another name, so that its functions run, are lifted and are replayed like the originals.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import importlib
import importlib.util
import json
import linecache
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import halfulp_model
from halfulp_model.loader import Marks, read_documents, rule_files

BASE = halfulp_model.__name__
BASE_FOLDER = Path(halfulp_model.__file__ or "").parent


class PatchError(ValueError):
    """A patch that does not fit the source or the rule data it is to change."""


@dataclass(frozen=True, slots=True)
class SourcePatch:
    """Replace a piece of text, which must occur once, in a module of the model."""

    module: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class RulePatch:
    """Replace one value of the rule data, named by its path: ("rounding", "RNE", "choice"); a list is given as a tuple."""

    path: tuple[str, ...]
    value: Any


@dataclass(frozen=True, slots=True)
class RuleMerge:
    """Merge a mapping, given as JSON text, into the rule data: null removes, a mapping is merged, all else replaces."""

    text: str


@dataclass(frozen=True, slots=True)
class FunctionPatch:
    """Replace functions of the model by those of a source text, which becomes a module of the copy.

    file: the name that messages show. functions: module and name of what is replaced, and the name of what replaces it.
    """

    file: str
    text: str
    functions: tuple[tuple[str, str, str], ...]


Patch = SourcePatch | RulePatch | RuleMerge | FunctionPatch

#: the module of a copy that holds the functions of a FunctionPatch
REPLACEMENTS = "replacements"


@dataclass(frozen=True)
class Subject:
    """A model to lift from: the name of its package, whose modules are attributes of nothing but `module`."""

    package: str

    def module(self, name: str) -> ModuleType:
        """Return a module of the model, for instance `postprocess`."""
        return importlib.import_module(f"{self.package}.{name}")


def base_subject() -> Subject:
    """Return the model as it is shipped."""
    return Subject(BASE)


#: the copies that exist, by package
COPIES: dict[str, Subject] = {}


def patched_subject(patches: tuple[Patch, ...]) -> Subject:
    """Return a copy of the model with patches applied; the same copy for the same patches.

    Raises PatchError where one does not fit, or what it makes is not Python or not rule data.
    """
    digest = hashlib.sha256(repr(patches).encode()).hexdigest()[:16]
    package = f"halfulp_patched_{digest}"
    if package not in COPIES:
        sources = dict(model_sources())
        labels: dict[str, str] = {}
        functions: tuple[tuple[str, str, str], ...] = ()
        for patch in patches:
            if isinstance(patch, SourcePatch):
                sources[patch.module] = replaced_once(patch, sources)
            elif isinstance(patch, FunctionPatch):
                sources[REPLACEMENTS], labels[REPLACEMENTS] = patch.text, patch.file
                functions = patch.functions
        document = replaced_values([patch for patch in patches if isinstance(patch, RulePatch | RuleMerge)])
        sys.meta_path.insert(0, CopyFinder(package, sources, labels))
        try:
            if functions:
                replace_functions(package, functions)
            install_rules(package, document)
        except BaseException:
            forget(package)
            raise
        COPIES[package] = Subject(package)
    return COPIES[package]


def model_sources() -> Iterator[tuple[str, str]]:
    """Yield the model's modules by name with their sources; the package's own is named ''."""
    for path in sorted(BASE_FOLDER.glob("*.py")):
        yield "" if path.stem == "__init__" else path.stem, path.read_text(encoding="utf-8")


@cache
def module_names() -> tuple[str, ...]:
    """Return the names of the modules inside the model's package."""
    return tuple(sorted(path.stem for path in BASE_FOLDER.glob("*.py") if path.stem != "__init__"))


def replaced_once(patch: SourcePatch, sources: dict[str, str]) -> str:
    """Return a module's source with the patch applied."""
    source = sources.get(patch.module)
    if source is None:
        raise PatchError(f"{patch.module}: the model has no such module")
    count = source.count(patch.old)
    if count != 1:
        raise PatchError(f"{patch.module}: {patch.old!r} occurs {count} times; expected once")
    changed = source.replace(patch.old, patch.new)
    try:
        ast.parse(changed)
    except SyntaxError as error:
        raise PatchError(f"{patch.module}:{error.lineno}: {error.msg}") from error
    return changed


@cache
def shipped_document() -> tuple[dict[str, Any], Marks]:
    """Return the shipped rule data as plain values, with the place of every node."""
    return read_documents(rule_files())


def replaced_values(patches: Sequence[RulePatch | RuleMerge]) -> dict[str, Any] | None:
    """Return the rule data with the patches applied, None where there are none."""
    if not patches:
        return None
    document = copy.deepcopy(shipped_document()[0])
    for patch in patches:
        if isinstance(patch, RuleMerge):
            document = merged(document, json.loads(patch.text))
            continue
        row: Any = document
        for key in patch.path[:-1]:
            row = row.get(key) if isinstance(row, dict) else None
        if not isinstance(row, dict) or patch.path[-1] not in row:
            raise PatchError(f"{'.'.join(patch.path)}: the rule data has nothing there")
        # rule data has lists only; a patch in the source may write a tuple
        row[patch.path[-1]] = list(patch.value) if isinstance(patch.value, tuple) else patch.value
    return document


def merged(base: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """Return a mapping with another one merged into it: null removes a key, mappings are merged, all else replaces."""
    result = dict(base)
    for key, value in change.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, dict):
            below = result.get(key)
            result[key] = merged(below if isinstance(below, dict) else {}, value)
        else:
            result[key] = value
    return result


def replace_functions(package: str, functions: Sequence[tuple[str, str, str]]) -> None:
    """Let every module of a copy use the replacements wherever it has the function that each replaces."""
    modules = copied_modules(package)
    replacements = vars(importlib.import_module(f"{package}.{REPLACEMENTS}"))
    for module, name, replacement in functions:
        old, new = vars(importlib.import_module(f"{package}.{module}"))[name], replacements[replacement]
        assert isinstance(new, FunctionType)
        # an explanation goes by the names of functions
        new.__code__ = new.__code__.replace(co_name=name)
        for each in (*modules, replacements):
            each.update({key: new for key, value in each.items() if value is old})


def copied_modules(package: str) -> list[dict[str, Any]]:
    """Return the names in each module of a copy."""
    return [vars(importlib.import_module(f"{package}.{name}")) for name in module_names()]


def install_rules(package: str, document: dict[str, Any] | None) -> None:
    """Give a copy its own rule data, checked like any other; the shipped rule data where none is given."""
    shipped, marks = shipped_document()
    loader = importlib.import_module(f"{package}.loader")
    if document is not None:
        try:
            loader.check_schema(document, marks)
            loader.check_references(document, marks)
        except loader.RuleError as error:
            # the copy's own exception, which nobody outside can name
            raise PatchError(str(error)) from error
    give_rules(package, loader.build_rules(shipped if document is None else document))


def give_rules(package: str, rules: Any) -> None:
    """Let every module of a copy that asks for the default rules have these."""
    names = copied_modules(package)
    if f"{package}.{REPLACEMENTS}" in sys.modules:
        names.append(vars(sys.modules[f"{package}.{REPLACEMENTS}"]))
    for module in names:
        if "default_rules" in module:
            module["default_rules"] = lambda: rules


class CopyFinder(MetaPathFinder, InspectLoader):
    """Imports a copy of the model from sources in memory."""

    def __init__(self, package: str, sources: dict[str, str], labels: dict[str, str] | None = None) -> None:
        self.package = package
        self.sources = sources
        self.labels = labels or {}  #: what stands for a module's name in its file's

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:  # noqa: ARG002  # the protocol's signature
        """Find a module of the copy."""
        name = self.module_name(fullname)
        if name is None or name not in self.sources:
            return None
        spec = ModuleSpec(fullname, self, origin=self.file_name(name), is_package=not name)
        spec.has_location = True
        if not name:
            # the copy reads no files of its own; its data folder stays the original's
            spec.submodule_search_locations = []
        return spec

    def module_name(self, fullname: str) -> str | None:
        """Return the module's name inside the package, None for a module of another one."""
        if fullname == self.package:
            return ""
        return fullname.removeprefix(f"{self.package}.") if fullname.startswith(f"{self.package}.") else None

    def file_name(self, name: str) -> str:
        """Return the file name that tracebacks and the lifter's messages show."""
        # in the original's folder, where the rule data is; the package's name keeps the names apart
        return str(BASE_FOLDER / f"{self.labels.get(name, name) or '__init__'}.{self.package}.py")

    def get_source(self, fullname: str) -> str:
        """Return a module's source."""
        return self.sources[self.module_name(fullname) or ""]

    def get_code(self, fullname: str) -> CodeType:
        """Compile a module, and let `inspect` find its source."""
        name = self.module_name(fullname) or ""
        source, file = self.sources[name], self.file_name(name)
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        return in_file(compiled(source), file)


@cache
def compiled(source: str) -> CodeType:
    """Return the code of a module's source; copies that leave a module as it is compile it once."""
    return compile(source, "<a copy of the model>", "exec", dont_inherit=True)


def in_file(code: CodeType, file: str) -> CodeType:
    """Return code, and all code inside it, with the name of another file."""
    inner = tuple(in_file(each, file) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_filename=file, co_consts=inner)


@contextmanager
def discarded(subject: Subject) -> Iterator[Subject]:
    """Use a patched copy and forget it afterwards."""
    try:
        yield subject
    finally:
        forget(subject.package)


def forget(package: str) -> None:
    """Take a copy out of the interpreter's tables."""
    COPIES.pop(package, None)
    sys.meta_path[:] = [
        each for each in sys.meta_path if not (isinstance(each, CopyFinder) and each.package == package)
    ]
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]
    for file in [file for file in linecache.cache if file.endswith(f".{package}.py")]:
        del linecache.cache[file]
