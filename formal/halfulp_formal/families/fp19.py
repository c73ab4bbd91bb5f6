"""FP32 to FP19, `fp19.fp32`: the conversion that makes a scale of the parameter word."""

from __future__ import annotations

from collections.abc import Iterator

from pysmt.fnode import FNode
from pysmt.shortcuts import Equals

from halfulp_formal.bits import Bits
from halfulp_formal.case import CallReplay
from halfulp_formal.encodings.unpack import fp32_to_fp19
from halfulp_formal.lift.interpreter import Lifter
from halfulp_formal.lift.values import Int, conjoin, fit, symbol
from halfulp_formal.properties import fp19
from halfulp_formal.properties.claim import Claim, Kind
from halfulp_formal.properties.numbers import Number, between
from halfulp_formal.subject import Subject

from .family import Family, Group

NAME = "fp19.fp32"
WIDTH = 19


class Fp19Case:
    """The conversion with symbolic FP32 codes: in.bits, and another one beside it."""

    def __init__(self, subject: Subject, name: str) -> None:
        self.subject = subject
        self.name = name
        self.model = subject.module("floats")
        self.rows = subject.module("loader").default_rules().formats
        self.lifter = Lifter(subject.package)
        self.code = symbol("in.bits.32", 0, (1 << 32) - 1)
        self.other = symbol("in.other.32", 0, (1 << 32) - 1)

    @property
    def inputs(self) -> tuple[FNode, ...]:
        """The free symbol of the code."""
        return (self.code.term,)

    @property
    def replays(self) -> tuple[CallReplay, ...]:
        """A replay of every lifted call."""
        return tuple(CallReplay(call) for call in self.lifter.calls)

    def result(self, code: Int) -> Int:
        """The FP19 code that the model gives."""
        found: Int = self.lifter.call(self.model.fp32_to_fp19, code, self.rows["FP32"], self.rows["FP19"])
        return found

    def as_code(self, bits: Number) -> Int:
        """Return the FP19 code in the low bits of a number."""
        return Int(fit(bits, WIDTH), 0, (1 << WIDTH) - 1)


def equivalent_to_encoding(case: Fp19Case) -> Claim:
    """Model and encoding agree for every FP32 code, and the model stays within nineteen bits."""
    result = case.result(case.code)
    agree = Equals(fit(result, WIDTH), fp32_to_fp19(Bits(case.code.term)).term)
    return Claim(conjoin(case.lifter.total(), agree, between(0, result, (1 << WIDTH) - 1)), case.inputs)


EQUIVALENT = Kind(
    "equivalent",
    "An FP32 scale narrows to FP19 by rounding to nearest even on the discarded bits.",
    fp19.SOURCE,
    lambda _name: True,
    equivalent_to_encoding,
    ("narrowed_half_off", "narrowed_tie_odd", "narrowed_nan_kept"),
)


def kinds_of(_conversion: str) -> Iterator[Kind]:
    """Yield the kinds of obligation."""
    yield from (EQUIVALENT, *fp19.KINDS)


FAMILY = Family("FP32 to FP19", Group.DEFAULT, lambda: [NAME], kinds_of, Fp19Case)
