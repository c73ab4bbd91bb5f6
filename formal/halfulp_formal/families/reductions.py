"""Row and group maximum of raw accumulators: `reduce.s32`, `reduce.fp32.maxabs` and their like."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import BVOr, Equals

from halfulp_formal import reduction_findings
from halfulp_formal.bits import Bits
from halfulp_formal.case import CallReplay, part
from halfulp_formal.encodings import reduction as encoding
from halfulp_formal.encodings.flags import flags_of
from halfulp_formal.lift.interpreter import Lifter
from halfulp_formal.lift.values import Int, conjoin, fit, symbol
from halfulp_formal.properties import reductions
from halfulp_formal.properties.claim import Claim, Kind
from halfulp_formal.properties.numbers import Number
from halfulp_formal.properties.reductions import Outcome, accumulator_of, is_absolute
from halfulp_formal.subject import Subject

from .family import Family, Group

NAMES = [f"reduce.{name}{end}" for name in ("s32", "u32", "fp32") for end in ("", ".maxabs")]

#: columns of the longest row
COLUMNS = 9
#: rows that are compared with a tree of comparators
TREES = (1, 2, 3, 4)
#: columns that most claims look at
SHORT = 5


class ReductionCase:
    """A reduction with its accumulators as symbols, in.element0 and so on, and in.initial for RowMaxIn."""

    def __init__(self, subject: Subject, name: str) -> None:
        self.subject = subject
        self.name = name
        self.model = subject.module("reduction")
        rules = subject.module("loader").default_rules()
        self.reduction = rules.reductions[accumulator_of(name).upper()]
        self.max_abs = is_absolute(name)
        self.lifter = Lifter(subject.package)
        self.elements: tuple[Int, ...] = tuple(self.free(f"in.element{column}") for column in range(COLUMNS))
        self.initial = self.free("in.initial")

    def free(self, name: str) -> Int:
        """Return a free accumulator; the sort is part of the name."""
        if accumulator_of(self.name) == "s32":
            return symbol(f"{name}.s32", -(1 << 31), (1 << 31) - 1)
        return symbol(f"{name}.32", 0, (1 << 32) - 1)

    @property
    def inputs(self) -> tuple[FNode, ...]:
        """The free symbols of a short row and of RowMaxIn."""
        return (self.initial.term, *(element.term for element in self.elements[:SHORT]))

    @property
    def all_inputs(self) -> tuple[FNode, ...]:
        """The free symbols of the longest row."""
        return tuple(element.term for element in self.elements)

    @property
    def replays(self) -> tuple[CallReplay, ...]:
        """A replay of every lifted call."""
        return tuple(CallReplay(call) for call in self.lifter.calls)

    def outcome(self, reduced: Any) -> Outcome:
        """View a reduced accumulator of the model as the judge's."""
        return Outcome(part(reduced, "value"), fit(part(reduced, "flags"), 5))

    def step(self, current: Number, candidate: Number) -> Outcome:
        """One step of the model."""
        return self.outcome(self.lifter.call(self.model.step, self.reduction, self.max_abs, current, candidate))

    def row(self, row: tuple[Number, ...], initial: Number | None = None) -> Outcome:
        """The model's maximum of a row, from RowMaxIn on where it is given."""
        if initial is None:
            return self.outcome(self.lifter.call(self.model.row_max, self.reduction, self.max_abs, row))
        call = partial(self.lifter.call, self.model.initial_row_max, self.reduction, self.max_abs)
        return self.outcome(call(row, initial))

    def groups(self, columns: int, row: tuple[Number, ...]) -> list[Outcome]:
        """The model's maxima of a row's groups."""
        found = self.lifter.call(self.model.group_max, self.reduction, self.max_abs, columns, row)
        return [self.outcome(each) for each in found]

    def then(self, earlier: Outcome, later: Outcome) -> Outcome:
        """An outcome that raises an earlier one's flags too."""
        return Outcome(later.value, BVOr(earlier.flags, later.flags))


def agree(outcome: Outcome, node: encoding.Node) -> FNode:
    """State that model and encoding have one result and one set of flags."""
    value, raised = node
    return conjoin(Equals(fit(outcome.value, 32), value.term), Equals(outcome.flags, raised.term))


def equivalent_to_encoding(case: ReductionCase) -> Claim:
    """A step, rows of one to four columns and shorter ones with RowMaxIn: model and encoding agree, rows on a tree."""
    accumulator, max_abs = accumulator_of(case.name), case.max_abs
    bits = [Bits(element.term) for element in case.elements]
    initial = Bits(case.initial.term)
    one, two = ((each, flags_of()) for each in bits[:2])
    claims = [agree(case.step(*case.elements[:2]), encoding.step(accumulator, max_abs, one, two))]
    claims += [
        agree(case.row(case.elements[:length]), encoding.tree(accumulator, max_abs, bits[:length])) for length in TREES
    ]
    for length in TREES[:2]:
        whole = encoding.tree(accumulator, max_abs, [initial, *bits[:length]])
        claims.append(agree(case.row(case.elements[:length], case.initial), whole))
    return Claim(conjoin(case.lifter.total(), *claims), case.inputs)


KINDS = (
    Kind(
        "equivalent",
        "Every enabled RowMax or GroupMax result MUST have one bit-exact architectural result.",
        "ADR 0085, Decision 174",
        reductions.every,
        equivalent_to_encoding,
        (
            "reduce_first_not_absolute",
            "reduce_flags_of_last_step",
            "reduce_zeros_keep_current",
            "reduce_initial_skipped",
            "reduce_absolute_wraps",
        ),
    ),
    *reductions.KINDS,
    *reduction_findings.KINDS,
)


def kinds_of(conversion: str) -> Iterator[Kind]:
    """Yield the kinds of obligation."""
    yield from (kind for kind in KINDS if kind.applies(conversion))


FAMILY = Family("reductions", Group.DEFAULT, lambda: list(NAMES), kinds_of, ReductionCase)
