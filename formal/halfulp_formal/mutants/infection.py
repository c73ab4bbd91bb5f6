"""Under which inputs a change of the model shows at all: some expression or row value comes out otherwise.

Elsewhere the changed model takes the same steps as the model, so nothing has to be proved there.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, TRUE

from halfulp_formal.lift import expressions
from halfulp_formal.lift.interpreter import Frame, Lifter
from halfulp_formal.lift.operators import same
from halfulp_formal.lift.values import conjoin, disjoin, negate, truth_term
from halfulp_formal.mutants.killing import candidates, changes_lines
from halfulp_formal.mutants.lifted import lifted
from halfulp_formal.mutants.mutant import Edit, Mutant
from halfulp_formal.mutants.reads import Path, watched
from halfulp_formal.mutants.sites import lines as lines_of
from halfulp_formal.mutants.usage import Line, passed_lines, passes
from halfulp_formal.mutants.whole import whole_edit
from halfulp_formal.subject import base_subject

#: where an expression stands: module, first and last line, first and last column
Span = tuple[str, int, int, int, int]


class Watcher(Lifter):
    """Lifts the model, and at every expression that a mutant changes evaluates the changed one beside it.

    shown: by mutant, the inputs for which the two differ, or the changed one breaks a side condition. statements: by line,
    the inputs for which its statement runs.
    """

    def __init__(self, package: str, edits: Mapping[str, tuple[str, Edit]]) -> None:
        super().__init__(package)
        self.edits: dict[Span, list[tuple[str, ast.expr]]] = defaultdict(list)
        for name, (module, edit) in edits.items():
            self.edits[span(module, edit)].append((name, ast.parse(edit.text, mode="eval").body))
        self.shown: dict[str, FNode] = defaultdict(FALSE)
        self.statements: dict[Line, FNode] = defaultdict(FALSE)
        self.beside = False

    @property
    def here(self) -> FNode:
        """The inputs that get where the lifter is."""
        return conjoin(*self.context)

    def statement(self, node: ast.stmt, frame: Frame, path: FNode) -> FNode | None:
        """Note under which inputs a statement runs."""
        if not self.beside:
            first, last = lines_of(node)
            for line in range(first, last + 1):
                place = module_of(frame), frame.source.first_line + line - 1
                self.statements[place] = disjoin(self.statements[place], self.here)
        return super().statement(node, frame, path)

    def evaluate(self, node: ast.expr, frame: Frame) -> Any:
        """Evaluate an expression, and what mutants make of it."""
        value = super().evaluate(node, frame)
        if not self.beside:
            offset = frame.source.first_line - 1
            lines = offset + node.lineno, offset + (node.end_lineno or node.lineno)
            for name, tree in self.edits.get((module_of(frame), *lines, node.col_offset, node.end_col_offset or 0), ()):
                self.beside = True
                try:
                    differs = self.difference(value, tree, frame)
                finally:
                    self.beside = False
                self.shown[name] = disjoin(self.shown[name], conjoin(self.here, differs))
        return value

    def difference(self, value: Any, tree: ast.expr, frame: Frame) -> FNode:
        """Return when a changed expression differs from a value, or cannot be evaluated; true where that is not known."""
        kept, tracer = len(self.side_conditions), sys.gettrace()
        sys.settrace(None)  # what a changed expression runs is not what the model runs
        try:
            changed = expressions.evaluate(self, ast.fix_missing_locations(tree), frame)
            agree = truth_term(same(value, changed))
            # a side condition stands under the path on which it arises
            sound = conjoin(*(condition.term for condition in self.side_conditions[kept:]))
        except Exception:  # noqa: BLE001  # whatever the changed expression does, it shows
            return TRUE()
        finally:
            sys.settrace(tracer)
            del self.side_conditions[kept:]
        return negate(conjoin(agree, sound))


class Infection:
    """For one conversion and mutants of it: the inputs for which the change of each shows.

    edits: by mutant, the module and the expression that is changed; of any other mutant all of its statement is.
    """

    def __init__(self, conversion: str, edits: Mapping[str, tuple[str, Edit]]) -> None:
        subject, family = base_subject(), lifted(conversion)
        case = family.case(subject, conversion)
        self.row, self.edits = case.conversion, edits
        watcher = Watcher(subject.package, edits)
        reads: dict[Path, FNode] = defaultdict(FALSE)

        def on_read(path: Path) -> None:
            reads[path] = disjoin(reads[path], watcher.here)

        case.conversion = watched(case.conversion, on_read)
        case.lifter = watcher
        self.native = passed_lines(subject.package, lambda: (family.legal(case), family.result(case)))
        self.watcher, self.reads = watcher, reads

    def of(self, mutant: Mutant, differing: Iterable[Path]) -> FNode:
        """Return under which inputs a mutant may differ from the model; `differing`: the row values that it changes."""
        if not changes_lines(mutant):
            return disjoin(*(self.reads[path] for path in differing if path in self.reads))
        assert mutant.place is not None
        if passes(mutant.place, self.native):
            # it runs where no input is involved, and the lifter does not see it
            return TRUE()
        if mutant.name in self.edits:
            return self.watcher.shown.get(mutant.name, FALSE())
        lines = range(mutant.place.first, mutant.place.last + 1)
        return disjoin(*(self.watcher.statements.get((mutant.place.module, line), FALSE()) for line in lines))


@lru_cache(maxsize=16)
def infection(conversion: str) -> Infection:
    """Return where the mutants of a conversion show."""
    own = [each for each in candidates(conversion) if changes_lines(each)]
    return Infection(
        conversion, {each.name: (each.place.module, each.edit) for each in own if each.place and each.edit}
    )


def shown_whole(conversion: str, mutant: Mutant) -> FNode:
    """Return under which inputs the whole expression that holds a mutant's change comes out otherwise.

    That is for fewer inputs than the change itself may: 1 is never 0, but `value < 1` is `value < 0` for every value but 0.
    Raises LookupError where the change is not inside one expression of a statement.
    """
    edit = whole_edit(mutant)
    if edit is None:
        raise LookupError(f"{mutant.name} changes more than one expression")
    return Infection(conversion, {mutant.name: edit}).of(mutant, ())


def module_of(frame: Frame) -> str:
    """Return the module that a frame's function is in."""
    return frame.source.file.removesuffix(".py")


def span(module: str, edit: Edit) -> Span:
    """Return where an edit stands."""
    return module, edit.line, edit.end_line, edit.column, edit.end_column
