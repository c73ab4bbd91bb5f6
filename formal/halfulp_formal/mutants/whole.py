"""The whole expression around a change of the source: the test, the value or the argument that a statement has as its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from halfulp_formal.mutants.mutant import Edit, Mutant
from halfulp_formal.mutants.sources import ROW_FUNCTIONS
from halfulp_formal.subject import SourcePatch, model_sources, replaced_once


def whole_edit(mutant: Mutant) -> tuple[str, Edit] | None:
    """Return the module and the outermost expression that a mutant changes, None where it changes anything else.

    A function that makes rows has none: it runs before there is an input.
    """
    patch, sources = mutant.patches[0], dict(model_sources())
    if len(mutant.patches) != 1 or not isinstance(patch, SourcePatch) or patch.module in ROW_FUNCTIONS:
        return None
    trees = ast.parse(sources[patch.module]), ast.parse(replaced_once(patch, sources))
    changed = list(differing(*trees))
    if len(changed) != 1:
        return None
    (old, new), *_ = changed
    if not (isinstance(old, ast.expr) and isinstance(new, ast.expr)):
        return None
    end = old.end_lineno or old.lineno, old.end_col_offset or old.col_offset
    return patch.module, Edit(old.lineno, old.col_offset, *end, ast.unparse(new))


def differing(one: ast.AST, other: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Yield the pairs of nodes in which two trees differ: whole expressions, and anything else whose parts do not match."""
    if ast.dump(one) == ast.dump(other):
        return
    mine, its = list(ast.iter_child_nodes(one)), list(ast.iter_child_nodes(other))
    if isinstance(one, ast.expr) or shape(one) != shape(other):
        yield one, other
        return
    for part, counterpart in zip(mine, its, strict=True):
        yield from differing(part, counterpart)


def shape(node: ast.AST) -> object:
    """Return a node with a mark in the place of every node inside it: its kind, names and texts, and what is how long."""

    def marked(value: object) -> object:
        return [marked(each) for each in value] if isinstance(value, list) else isinstance(value, ast.AST) or (value,)

    return type(node), [marked(value) for _, value in ast.iter_fields(node)]
