"""Mutants of the model's source: every change that the operators allow in the functions that a conversion may run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from itertools import accumulate

from halfulp_formal.mistakes import MISTAKES
from halfulp_formal.mutants.habits import HABITS
from halfulp_formal.mutants.mutant import Edit, Mutant, Place
from halfulp_formal.mutants.sites import Change, changes
from halfulp_formal.subject import SourcePatch, model_sources

#: modules whose functions compute a result
ELEMENT_MODULES = (
    "postprocess", "convert", "parameters", "floats", "formats", "exact", "rounding", "integers", "encode", "tapered",
    "rows", "e8m0", "blocks", "tile", "fpatr", "reduction", "packing", "matmul", "adder",
)  # fmt: skip
#: functions that work out a row's fields when the rules are read, by module
ROW_FUNCTIONS = {"format_rows": ("integer_fields", "binary_fields", "tapered_fields", "lowest_exponent")}


@cache
def source_mutants() -> tuple[Mutant, ...]:
    """Return all mutants of the model's source, in the order of modules and lines."""
    sources = dict(model_sources())
    made = []
    for module in (*ELEMENT_MODULES, *ROW_FUNCTIONS):
        wanted, text = ROW_FUNCTIONS.get(module), Text(sources[module])
        for function in functions(ast.parse(sources[module])):
            if wanted is None or function.name in wanted:
                each = (mutant(module, text, function, change) for change in changes(function))
                made += [one for one in each if one is not None]
    return tuple(made)


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Yield the functions and methods of a module."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from (inner for inner in node.body if isinstance(inner, ast.FunctionDef))


class Text:
    """A module's source, in which nodes of its syntax tree can be found: their columns count bytes."""

    def __init__(self, source: str) -> None:
        self.whole = source.encode()
        lines = self.whole.splitlines(keepends=True)
        self.starts = [0, *accumulate(len(line) for line in lines)]

    def span(self, node: ast.expr | ast.FunctionDef) -> tuple[int, int]:
        """Return where a node begins and ends."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.starts[node.lineno - 1] + node.col_offset, self.starts[node.end_lineno - 1] + node.end_col_offset

    def of(self, node: ast.expr | ast.FunctionDef) -> str:
        """Return a node's text."""
        begin, end = self.span(node)
        return self.whole[begin:end].decode()

    def changed(self, around: ast.expr | ast.FunctionDef, node: ast.expr, text: str) -> str:
        """Return the text of a node with another text in the place of a node inside it."""
        (begin, end), (first, last) = self.span(around), self.span(node)
        return (self.whole[begin:first] + text.encode() + self.whole[last:end]).decode()


def mutant(module: str, text: Text, function: ast.FunctionDef, change: Change) -> Mutant | None:
    """Return the mutant of a change, None where it changes nothing."""
    node = change.node
    old, new = text.of(function), text.changed(function, node, change.text)
    if old == new:
        return None
    return Mutant(
        name=f"{module}.{function.name}.{change.operator}-{change.index}.{change.variant}",
        what=f"{module}.{function.name}: {described(text, change)}",
        where=f"{module}.py:{node.lineno}",
        patches=(SourcePatch(module, old, new),),
        place=Place(module, *change.lines),
        edit=Edit(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0, change.text),
    )


def described(text: Text, change: Change) -> str:
    """Return the change in one line."""
    old = " ".join(text.of(change.shown).split())
    if change.operator == "return":
        return f"the early return if {old} is removed"
    if change.operator == "branch" and change.variant != "negated":
        return f"the condition {old} is dropped, as if it {change.variant} held"
    new = " ".join(text.changed(change.shown, change.node, change.text).split())
    bare = new[1:-1] if change.shown is change.node and new.startswith("(") else new
    return f"{bare} instead of {old}"


@cache
def seeded_mutants() -> tuple[Mutant, ...]:
    """Return the mistakes, seeded and of habit, in modules that compute a result: no operator makes them of one node."""
    sources = dict(model_sources())
    made = []
    for name, mistake in (MISTAKES | HABITS).items():
        patches = [patch for patch in mistake.patches if isinstance(patch, SourcePatch)]
        if len(patches) == len(mistake.patches) == 1 and patches[0].module in ELEMENT_MODULES:
            patch = patches[0]
            before = sources[patch.module].partition(patch.old)[0]
            first = before.count("\n") + 1
            last = first + patch.old.rstrip("\n").count("\n")
            where = f"{patch.module}.py:{first}"
            made.append(Mutant(f"seeded.{name}", mistake.what, where, (patch,), Place(patch.module, first, last)))
    return tuple(made)
