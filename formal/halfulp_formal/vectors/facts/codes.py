"""What corner classes may say of a conversion whose only input is a code: its fields, its kind, its exact number."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Protocol

from pysmt.fnode import FNode

from halfulp_formal.bits import Bool
from halfulp_formal.case import CallReplay
from halfulp_formal.lift.values import Int
from halfulp_formal.properties.layouts import LAYOUTS, CodeReading
from halfulp_formal.vectors.algebra import Num
from halfulp_formal.vectors.facts import order
from halfulp_formal.vectors.facts.order import Key
from halfulp_formal.vectors.facts.position import Position
from halfulp_model.rows import Format


class CodeCase(Protocol):
    """A lifted conversion of a code."""

    @property
    def inputs(self) -> tuple[FNode, ...]:
        """The symbol of the code."""
        ...

    @property
    def replays(self) -> tuple[CallReplay, ...]:
        """A replay of every lifted call."""
        ...


class CodeFacts:
    """A code of a source, as the judge reads it."""

    def __init__(self, case: CodeCase, row: Any, bits: Int, legal: Bool) -> None:
        self.row = row
        self.source: Format = row.source
        self.inputs = case.inputs
        self.legal = legal
        self.bits = bits
        self.code = Num(bits)
        self._case = case

    @property
    def replays(self) -> tuple[CallReplay, ...]:
        """A replay of every lifted call."""
        return self._case.replays

    @property
    def codes(self) -> tuple[FNode, ...]:
        """The outputs: the code and the flags, at the widths that a file declares."""
        raise NotImplementedError

    @cached_property
    def flags(self) -> Num:
        """The flags of the result."""
        return Num(Int(self.codes[1], 0, 31))

    @cached_property
    def value(self) -> Num:
        """The number of an integer source, the code of a floating one."""
        if self.source.is_integer and self.source.signed:
            return self.code.signed_field(self.source.code_bits - 1, 0)
        return self.code

    @cached_property
    def reading(self) -> CodeReading:
        """What the code is."""
        layout = LAYOUTS[self.source.name.lower()]
        # a code is given without the bits above the sign that are always zero
        return layout.read(Int(self.code.bits(layout.code_bits), 0, (1 << layout.code_bits) - 1))

    @cached_property
    def nan(self) -> Bool:
        """The code is a NaN."""
        return Bool(self.reading.nan)

    @cached_property
    def quiet(self) -> Bool:
        """The top fraction bit is set, or the format has one kind of NaN."""
        return Bool(self.reading.quiet)

    @cached_property
    def infinite(self) -> Bool:
        """The code is an infinity."""
        return Bool(self.reading.infinite)

    @cached_property
    def sign(self) -> Bool:
        """The sign bit is set, or the integer is negative."""
        return Bool(self.reading.negative)

    @cached_property
    def zero(self) -> Bool:
        """The code is a zero of either sign."""
        return Bool(self.reading.zero)

    @cached_property
    def subnormal(self) -> Bool:
        """The code is a number below the normal range, not zero."""
        return Bool(self.reading.subnormal)

    @cached_property
    def finite(self) -> Bool:
        """The code is legal and stands for a number."""
        return self.legal & Bool(self.reading.finite)

    @cached_property
    def magnitude_code(self) -> Num:
        """The code of a floating source without its sign."""
        return self.code.field(self.source.sign_bit - 1, 0)

    @cached_property
    def product(self) -> Position:
        """The exact number, which a class of products takes for one."""
        return Position(self.reading.number)

    def variant(self, name: str) -> tuple[Bool, list[Key]]:
        """Return what a variant asks for, and the numbers by which its least point is the least, in order."""
        keys = order.far_end_keys if name == "far" else order.near_keys
        asked = {
            "least": lambda: Bool.constant(value=True),
            "far": lambda: Bool.constant(value=True),
            "positive": lambda: ~self.sign,
            "negative": lambda: self.sign,
        }[name]()
        return asked, keys("code", self.value, self.source)
