"""What corner classes may say of a format's code: its bits, its class, its exact number, its place in the order."""

from __future__ import annotations

from functools import cached_property

from pysmt.fnode import FNode
from pysmt.shortcuts import BV, Ite

from halfulp_formal.bits import Bool
from halfulp_formal.case import CallReplay
from halfulp_formal.families.formats import FormatCase
from halfulp_formal.lift.values import fit, truth_term
from halfulp_formal.properties.formats import CLASSES
from halfulp_formal.vectors.algebra import Num
from halfulp_formal.vectors.facts.order import Key
from halfulp_formal.vectors.formats import CLASS_BITS, EXPONENT_BITS, UNORDERED, key_bits
from halfulp_model.formats import ValueClass
from halfulp_model.rows import Format


class FormatFacts:
    """One format's vocabulary: a code of it, which in a packed format is that of one lane of a carrier."""

    def __init__(self, case: FormatCase) -> None:
        self.case = case
        self.row: Format = case.row
        self.legal = Bool.constant(value=True)
        self.inputs = case.given
        self._code = case.asked
        self.code = Num(self._code)

    @property
    def replays(self) -> tuple[CallReplay, ...]:
        """A replay of every lifted call."""
        return self.case.replays

    @cached_property
    def value_class(self) -> Num:
        """The class, as its place among the eleven."""
        return Num(self.case.reading.value_class)

    def place(self, which: ValueClass) -> int:
        """The place of a class."""
        return CLASSES.index(which.value)

    @cached_property
    def codes(self) -> tuple[FNode, ...]:
        """The outputs, at the widths that a file declares."""
        lane = (fit(self._code, self.row.code_bits),) if self.row.lanes > 1 else ()
        available, parts = self.case.reading.available, self.case.reading.number
        number = (
            one_bit(available),
            one_bit(truth_term(parts.negative)),
            fit(parts.significand, self.row.fraction_bits + 1),
            fit(parts.exponent, EXPONENT_BITS),
        )
        ordered = Bool.constant(value=True)
        for which in UNORDERED:
            ordered &= self.value_class != self.place(which)
        width = key_bits(self.row)
        key = Ite(ordered.term, fit(self.case.reading.key, width), BV(0, width))
        return (*lane, self.value_class.bits(CLASS_BITS), *number, one_bit(ordered.term), key)

    # The fields of a binary code.

    @cached_property
    def magnitude_code(self) -> Num:
        """The code without its sign; the bits above that count as well."""
        return self.code & ((1 << self.row.code_bits) - 1 - (1 << self.row.sign_bit))

    @property
    def code_of_one(self) -> int:
        """The code of 1."""
        return self.row.bias << (self.row.fraction_bits + self.row.low_zero_bits)

    def variant(self, name: str) -> tuple[Bool, list[Key]]:
        """Return what a variant asks for, and the number by which its point is the least: the code, from either end."""
        width = self.row.code_bits
        key = {
            "least": ("code", self.code.bits(width)),
            "far": ("code_from_end", ((1 << width) - 1 - self.code).bits(width)),
        }[name]
        return Bool.constant(value=True), [key]


def one_bit(truth: FNode) -> FNode:
    """Return a truth value as one bit."""
    return Bool(truth).bits().term
