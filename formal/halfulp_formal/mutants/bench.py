"""A copy of the model that takes on one mutant after the other, so that thousands can be run quickly."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

from halfulp_formal.mutants.mutant import Mutant
from halfulp_formal.mutants.mutated import FAMILIES, mutated
from halfulp_formal.mutants.sources import ROW_FUNCTIONS
from halfulp_formal.subject import (
    RulePatch,
    SourcePatch,
    give_rules,
    model_sources,
    patched_subject,
    replaced_once,
    replaced_values,
    shipped_document,
)
from halfulp_formal.vectors.family import Family

#: modules of the model that keep rows
ROW_KEEPERS = ("conversions", "api", "convert", "api_convert", "api_e8m0", "blocks", "api_tile", "matmul")

#: the widest shift that is carried out: far above what the model needs, far below what would fill the memory
MOST_PLACES = 1 << 16

#: changes nothing, but no other copy is made with it, so that the bench is nobody else's
OWN = SourcePatch("result", "def __init__(self, rule: str", "def __init__(self, rule: str")

SHIFT = "__bounded_shift_left__"

Outputs = tuple[int, ...] | str


def bounded_shift_left(value: int, places: int) -> int:
    """Shift left, but not without bound: a mutant may ask for more bits than there is memory."""
    if places > MOST_PLACES:
        raise OverflowError(f"a shift by more than {MOST_PLACES} places")
    return value << places


class Bounded(ast.NodeTransformer):
    """Lets every shift to the left go through `bounded_shift_left`; nothing else in the model can run away."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Replace a shift."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.LShift):
            return node
        call = ast.Call(ast.Name(SHIFT, ast.Load()), [node.left, node.right], [])
        return ast.copy_location(call, node)


class Bench:
    """The copy. Its functions get a mutant's code, its callers a mutant's rule data, and their own back afterwards."""

    def __init__(self) -> None:
        self.subject = patched_subject((OWN,))
        self.families = [(each.names(), each.vectors(self.subject.package)) for each in FAMILIES]
        self.sources = dict(model_sources())
        self.functions: dict[str, dict[str, FunctionType]] = {}
        for module in self.sources:
            made = codes(self.sources[module])
            found = {} if not module else {each.__name__: each for each in functions(self.subject.module(module))}
            self.functions[module] = found
            for name in found.keys() & made.keys():
                found[name].__globals__[SHIFT] = bounded_shift_left
                found[name].__code__ = made[name]
        keepers = [vars(self.subject.module(name)) for name in ROW_KEEPERS]
        self.kept = [value for names in keepers for value in names.values() if hasattr(value, "cache_clear")]
        self.rules = self._rules(None)

    @contextmanager
    def changed(self, mutant: Mutant) -> Iterator[Bench]:
        """Take on a mutant. Raises PatchError where it does not fit, and what the making of rows raises."""
        with ExitStack() as stack:
            stack.callback(self._forget_rows)
            for patch in mutant.patches:
                if isinstance(patch, SourcePatch):
                    self._replace_functions(patch, stack)
            values = [patch for patch in mutant.patches if isinstance(patch, RulePatch)]
            if values or any(module in ROW_FUNCTIONS for module in mutant.modules):
                stack.callback(give_rules, self.subject.package, self.rules)
                give_rules(self.subject.package, self._rules(replaced_values(values)))
            self._forget_rows()
            yield self

    def family(self, conversion: str) -> Family:
        """Return the family of a conversion that has mutants, on this copy."""
        return next(family for names, family in self.families if conversion in names)

    def row(self, conversion: str) -> Any:
        """Return the rows of a conversion as they now are."""
        return mutated(conversion).row(self.subject, conversion)

    def run(self, conversion: str, inputs: tuple[int, ...]) -> Outputs:
        """Run the conversion as it now is: its outputs, or the name of the exception that ends it.

        What is no number, a row in the place of a code, say, is as good as the exception that the next step would raise.
        """
        try:
            made = self.family(conversion).run(conversion, inputs)
        except Exception as error:  # noqa: BLE001  # a wrong model may raise anything
            return type(error).__name__
        return made if all(isinstance(value, int) for value in made) else TypeError.__name__

    def _replace_functions(self, patch: SourcePatch, stack: ExitStack) -> None:
        found = self.functions[patch.module]
        whole_function = patch.old.startswith("def ")
        made = codes(patch.new if whole_function else replaced_once(patch, self.sources))
        for name in found.keys() & made.keys():
            stack.callback(setattr, found[name], "__code__", found[name].__code__)
            found[name].__code__ = made[name]

    def _rules(self, document: dict[str, Any] | None) -> Any:
        return self.subject.module("loader").build_rules(shipped_document()[0] if document is None else document)

    def _forget_rows(self) -> None:
        for each in self.kept:
            each.cache_clear()


@cache
def bench() -> Bench:
    """Return the bench of this process."""
    return Bench()


def functions(module: ModuleType) -> Iterator[FunctionType]:
    """Yield the functions that a module defines, those behind a cache or a property included."""
    for value in vars(module).values():
        members: Iterable[Any] = vars(value).values() if isinstance(value, type) else [value]
        for member in members:
            found = getattr(member, "fget", None) or getattr(member, "__wrapped__", member)
            if isinstance(found, FunctionType) and found.__module__ == module.__name__:
                yield found


def codes(source: str) -> dict[str, CodeType]:
    """Return the code of every function of a source by its name, with its shifts bounded."""
    tree = ast.fix_missing_locations(Bounded().visit(ast.parse(source)))
    return dict(inner(compile(tree, "<mutant>", "exec", dont_inherit=True)))


def inner(code: CodeType) -> Iterator[tuple[str, CodeType]]:
    """Yield the code objects of a module or class that are functions, by name."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant.co_name, constant
            if constant.co_flags & inspect.CO_NEWLOCALS == 0:
                yield from inner(constant)
