"""What corner classes may say of a conversion to a power-of-two scale: where its value lies between powers of two."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import isqrt

from pysmt.fnode import FNode

from halfulp_formal.bits import Bool
from halfulp_formal.case import part
from halfulp_formal.families.scales import CODE_BITS, FLAG_BITS, ScaleCase
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import Int, fit
from halfulp_formal.properties.layouts import LAYOUTS
from halfulp_formal.vectors.algebra import Num
from halfulp_formal.vectors.facts.codes import CodeFacts


@dataclass(frozen=True, eq=False)
class Place:
    """A positive value 2^exponent · n/d, 1 <= n/d < 2: at the power of two, below, at or above half-way to the next one.

    live: there is such a value; else nothing here means anything.
    """

    live: Bool
    exponent: Num
    power: Bool
    half: Bool
    above_half: Bool

    @property
    def below_half(self) -> Bool:
        """The value is below half-way, and may be the power of two itself."""
        return ~self.half & ~self.above_half


class ScaleFacts(CodeFacts):
    """One conversion's vocabulary. The value is the source's number, over the divisor where the rule has one."""

    def __init__(self, case: ScaleCase) -> None:
        super().__init__(case, case.conversion, case.code, Bool.constant(value=True))
        self.case = case
        #: code and flags of this conversion and of others, by name
        self._results: dict[str, tuple[FNode, FNode]] = {}

    @property
    def codes(self) -> tuple[FNode, FNode]:
        """The scale's code and the flags."""
        return self._result(self.row.name)

    def _result(self, name: str) -> tuple[FNode, FNode]:
        if name not in self._results:
            result, flags = self.case.sibling(name).result(self.bits)
            self._results[name] = fit(result, CODE_BITS), fit(flags, FLAG_BITS)
        return self._results[name]

    @cached_property
    def live(self) -> Bool:
        """The source is a number above zero."""
        return self.here.live

    @cached_property
    def here(self) -> Place:
        """The value's place."""
        return self._place(self.bits)

    @cached_property
    def before(self) -> Place:
        """The place of the value of the code before."""
        return self._place(arithmetic.subtract(self.bits, 1))

    @cached_property
    def after(self) -> Place:
        """The place of the value of the code after."""
        return self._place(arithmetic.add(self.bits, 1))

    @cached_property
    def second_after(self) -> Place:
        """The place of the value of the code after the next one."""
        return self._place(arithmetic.add(self.bits, 2))

    def _place(self, number: Int | int) -> Place:
        width = self.source.code_bits
        bits = Int(fit(number, width), 0, (1 << width) - 1)
        reading = LAYOUTS[self.source.name.lower()].read(bits)
        positive = Bool(reading.finite) & ~Bool(reading.negative) & ~Bool(reading.zero)
        value = self.case.lifter.call(self.case.model.exact_value, self.source, bits)
        ratio = self.case.lifter.call(self.case.model.divide, value, self.row)
        numerator, denominator = Num(part(ratio, "numerator")), part(ratio, "denominator")
        # squares are compared in the domain of log2, where no tie can happen: 2·d² is no square
        if self.row.logarithmic:
            half, above_half = Bool.constant(value=False), numerator > isqrt(2 * denominator * denominator)
        else:
            half, above_half = (numerator << 1) == 3 * denominator, (numerator << 1) > 3 * denominator
        return Place(positive, Num(part(ratio, "exponent")), numerator == denominator, half, above_half)

    def differs_from(self, name: str) -> Bool:
        """Another conversion of the same source gives another code."""
        one, two = (self._result(each)[0] for each in sorted([self.row.name, name]))
        return Num(Int(one, 0, 255)) != Num(Int(two, 0, 255))

    def differs_under(self, rounding: str) -> Bool:
        """Another rounding mode gives another scale."""
        family, source, _, saturation = self.row.name.split(".")
        return self.differs_from(f"{family}.{source}.{rounding.lower()}.{saturation}")
