"""What corner classes may say of a plain conversion: its source, where its number lies, its result."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

from pysmt.fnode import FNode

from halfulp_formal.bits import Bool
from halfulp_formal.families.plain import PlainCase
from halfulp_formal.lift.values import Int, fit
from halfulp_formal.properties.numbers import clamped
from halfulp_formal.vectors.algebra import Num, choose
from halfulp_formal.vectors.facts.codes import CodeFacts
from halfulp_formal.vectors.facts.floating import FloatPosition, binary_position


class PlainFacts(CodeFacts):
    """One conversion's vocabulary. What a conversion does not have, such as floating quanta, must not be asked for."""

    def __init__(self, case: PlainCase) -> None:
        super().__init__(case, case.conversion, case.bits, Bool(case.legal))
        self.case = case
        #: what the number is rounded to under rounding modes, by name
        self._under: dict[str, Num] = {}

    @cached_property
    def codes(self) -> tuple[FNode, FNode]:
        """The destination's code and the flags."""
        return self.case.code(self.case.result), self.case.flags(self.case.result)

    @property
    def live(self) -> Bool:
        """The source is a number."""
        return self.finite

    @cached_property
    def float(self) -> FloatPosition:
        """The number between the codes of a floating destination."""
        return binary_position(self.reading.number, self.row.destination)

    @cached_property
    def three_quarters(self) -> Num:
        """How far the number is past three quarters of a quantum, in quarters of the source's last place."""
        quanta = self.float.quanta
        return (quanta.rest << 2) - (quanta.unit + (quanta.unit << 1))

    @cached_property
    def small(self) -> Bool:
        """The number and its neighbours fit an integer destination."""
        return self.live & (self.product.whole_part < self.highest)

    @property
    def highest(self) -> int:
        """The largest integer of the destination."""
        return int(self.row.destination.maximum)

    @property
    def lowest(self) -> int:
        """The least integer of the destination."""
        return int(self.row.destination.minimum)

    @cached_property
    def whole_number(self) -> Num:
        """The number cut toward zero."""
        return choose(self.product.negative, -self.product.whole_part, self.product.whole_part)

    @cached_property
    def rounded(self) -> Num:
        """The number rounded to an integer, as the model does it."""
        return self._rounded_under(self.row.rounding.name)

    @cached_property
    def wrapped(self) -> Num:
        """The low bits of the number cut toward zero, as an integer of the destination."""
        return Num(Int(fit(self.whole_number.number, self.row.destination.code_bits), self.lowest, self.highest))

    @cached_property
    def clamped(self) -> Num:
        """The integer of the destination that is nearest to the number cut toward zero."""
        return Num(clamped(self.whole_number.number, self.lowest, self.highest))

    def differs_under(self, rounding: str) -> Bool:
        """Another rounding mode gives another result, in range."""
        one, two = (self._rounded_under(name) for name in sorted([self.row.rounding.name, rounding]))
        if self.row.destination.is_integer:
            return (self.product.whole_part + 1 < self.highest) & (one != two)
        return self.float.normal & (one != two)

    def _rounded_under(self, name: str) -> Num:
        if name not in self._under:
            rounding = self.case.subject.module("loader").default_rules().roundings[name]
            to_number = self._integer_under if self.row.destination.is_integer else self._code_under
            self._under[name] = to_number(rounding)
        return self._under[name]

    def _integer_under(self, rounding: Any) -> Num:
        modules = self.case.subject.module
        value = self.case.lifter.call(modules("formats").finite_value, self.source, self.bits)
        return Num(self.case.lifter.call(modules("rounding").round_to_integer, value, rounding))

    def _code_under(self, rounding: Any) -> Num:
        # in range Sat says nothing, so that one term serves both
        row = replace(self.row, name=f"{self.row.name} under {rounding.name}", rounding=rounding, saturate=False)
        code = self.case.code(self.case.lifter.call(self.case.model.convert_code, row, self.bits))
        return Num(Int(code, 0, (1 << self.row.destination.lane_bits) - 1))
