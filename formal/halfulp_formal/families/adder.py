"""The FP32 adder: `fp32_add.rne` and its four companions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import Equals

from halfulp_formal.bits import Bits
from halfulp_formal.case import CallReplay, part
from halfulp_formal.encodings import fp32_add as encoding
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.interpreter import Lifter
from halfulp_formal.lift.values import Int, conjoin, fit, symbol
from halfulp_formal.properties import adder
from halfulp_formal.properties.claim import Claim, Kind
from halfulp_formal.properties.numbers import Number, between, equal
from halfulp_formal.subject import Subject
from halfulp_model.adder import adders

from .family import Family, Group

#: differences of the exponents past those at which the smaller operand is more than a sticky bit
FAR_RANGES = ((encoding.FAR, 63), (64, 127), (128, 191), (192, 254))


class AdderCase:
    """An addition with both FP32 words as symbols, in.left and in.right."""

    def __init__(self, subject: Subject, name: str) -> None:
        self.subject = subject
        self.name = name
        self.model = subject.module("adder")
        self.adder = self.model.adders()[name]
        self.rounding = name.rpartition(".")[2]
        self.lifter = Lifter(subject.package)
        self.left, self.right = (symbol(f"in.{side}", 0, (1 << 32) - 1) for side in ("left", "right"))

    @property
    def inputs(self) -> tuple[FNode, ...]:
        """The free symbols of the operands."""
        return (self.left.term, self.right.term)

    @property
    def replays(self) -> tuple[CallReplay, ...]:
        """A replay of every lifted call."""
        return tuple(CallReplay(call) for call in self.lifter.calls)

    @property
    def shifts(self) -> tuple[Number, Number]:
        """The places by which the model shifts the left and the right significand to align them."""
        follow = Lifter(self.subject.package).follow
        read = self.subject.module("floats").exact_value
        one, two = (part(follow(read, (self.adder.fmt, word), {}), "exponent") for word in (self.left, self.right))
        least = arithmetic.minimum(one, two)
        return arithmetic.subtract(one, least), arithmetic.subtract(two, least)

    def add(self, left: Int | int, right: Int | int) -> tuple[FNode, FNode]:
        """Add two words; return the sum's code and the five flags."""
        result: Any = self.lifter.call(self.model.add, self.adder, left, right)
        return fit(part(result, "word"), 32), fit(part(result, "flags"), 5)


def equivalent_to_encoding(case: AdderCase) -> Claim:
    """Code and flags of model and encoding agree for all 2^64 pairs of words, and the model is total there."""
    expected = encoding.fp32_add(Bits(case.left.term), Bits(case.right.term), case.rounding)
    code, flags = case.add(case.left, case.right)
    claim = conjoin(case.lifter.total(), Equals(code, expected.code.term), Equals(flags, expected.flags.term))
    return Claim(claim, case.inputs, cubes=tuple(cubes(case)), split=True)


def cubes(case: AdderCase) -> Iterator[FNode]:
    """Yield the cases of the proof: which exponent is smaller and by how much, and whether the signs agree.

    Each also says how far the model shifts, so that its shifts are of a fixed number of places or by none.
    """
    left, right = Bits(case.left.term), Bits(case.right.term)
    below, alike = encoding.left_is_below(left, right), encoding.same_sign(left, right)
    for smaller, shifts in ((~below, case.shifts[::-1]), (below, case.shifts)):
        for sign in (~alike, alike):
            for difference in range(encoding.FAR):
                apart = encoding.exponent_difference_is(left, right, difference)
                fixed = (equal(shifts[0], 0), equal(shifts[1], difference))
                yield conjoin((smaller & sign & apart).term, *fixed)
            for low, high in FAR_RANGES:
                yield conjoin((smaller & sign).term, equal(shifts[0], 0), between(low, shifts[1], high))


EQUIVALENT = Kind(
    "equivalent",
    "A sum is correctly rounded: computed exactly, then rounded once by the rounding direction.",
    adder.IEEE,
    lambda _name: True,
    equivalent_to_encoding,
    ("sum_of_magnitudes", "tie_even_is_odd", "zero_sum_positive"),
)


def kinds_of(conversion: str) -> Iterator[Kind]:
    """Yield the kinds of obligation of an adder."""
    yield EQUIVALENT
    yield from (kind for kind in adder.KINDS if kind.applies(conversion))


FAMILY = Family("FP32 addition", Group.NIGHTLY, lambda: list(adders()), kinds_of, AdderCase)
