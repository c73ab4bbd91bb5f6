"""Plain conversions between formats: `cvt.fp32.e4m3.rne.sat` and its like."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import Equals

from halfulp_formal.bits import Bits
from halfulp_formal.case import CallReplay, FreeProduct, free_exact, part
from halfulp_formal.encodings import convert as encoding
from halfulp_formal.lift.interpreter import Lifter
from halfulp_formal.lift.values import conjoin, equivalent, fit, symbol, truth_term
from halfulp_formal.properties import plain, plain_relations
from halfulp_formal.properties.claim import Claim, Kind
from halfulp_formal.sampling import code_points
from halfulp_formal.subject import Subject
from halfulp_model.convert import plain_conversions

from .family import Family, Group

#: significand bits, least and greatest exponent of every source's numbers
NUMBERS = (53, -1074, 971)


class PlainCase:
    """A plain conversion with its source code as a symbol, in.bits."""

    def __init__(self, subject: Subject, name: str) -> None:
        self.subject = subject
        self.name = name
        self.model = subject.module("convert")
        self.conversion = self.model.plain_conversions()[name]
        self.lifter = Lifter(subject.package)
        width = self.conversion.source.lane_bits
        # one name has one sort
        self.bits = symbol(f"in.bits.{width}", 0, (1 << width) - 1)

    @property
    def inputs(self) -> tuple[FNode, ...]:
        """The free symbols of the conversion's input."""
        return (self.bits.term,)

    @property
    def replays(self) -> tuple[CallReplay, ...]:
        """A replay of every lifted call."""
        points = partial(code_points, self.conversion, self.bits.term.symbol_name())
        return tuple(CallReplay(call, points) for call in self.lifter.calls)

    @cached_property
    def legal(self) -> FNode:
        """Whether the code is one of the source's."""
        return truth_term(self.lifter.call(self.model.legal_code, self.conversion, self.bits))

    @cached_property
    def result(self) -> Any:
        """The whole conversion."""
        return self.lifter.call(self.model.convert_code, self.conversion, self.bits)

    def free_number(self) -> FreeProduct:
        """Return a free number, more general than any source's."""
        return free_exact(self.subject, *NUMBERS)

    def convert_number(self, number: Any) -> Any:
        """Convert an exact number."""
        return self.lifter.call(self.model.convert_number, self.conversion, number)

    def code(self, result: Any) -> FNode:
        """The destination's code in a result."""
        return fit(part(result, "word"), self.conversion.destination.lane_bits)

    def flags(self, result: Any) -> FNode:
        """The five flags of a result."""
        return fit(part(result, "flags"), 5)


def equivalent_to_encoding(case: PlainCase) -> Claim:
    """Code and flags of model and encoding agree for every code of the source, and the model is total there."""
    _, source, destination, rounding, saturation = case.name.split(".")
    bits = Bits(case.bits.term)
    code, flags = encoding.convert(source, destination, rounding, saturation == "sat", bits)
    claim = conjoin(
        case.lifter.total(),
        equivalent(case.legal, encoding.convert_legal(source, bits).term),
        Equals(case.code(case.result), code.term),
        Equals(case.flags(case.result), flags.term),
    )
    return Claim(claim, case.inputs, case.legal)


EQUIVALENT = Kind(
    "equivalent",
    "A conversion rounds its source once, as IEEE 754 and OCP have it, and raises the flags they name.",
    "IEEE 754-2019, 5.4.2, 5.8 and 7; OCP 8-bit floating point 1.0; OCP Microscaling 1.0",
    lambda _name: True,
    equivalent_to_encoding,
    ("nearest_reversed", "tie_even_is_odd", "sign_lost", "flag_bits_swapped"),
)


def kinds_of(conversion: str) -> Iterator[Kind]:
    """Yield the kinds of obligation of a conversion.

    The properties are claimed of any number at all, so the conversion from FP64 stands for those from other sources.
    """
    yield EQUIVALENT
    properties = plain.KINDS if conversion.startswith("cvt.fp64.") else ()
    yield from (kind for kind in (*properties, *plain_relations.KINDS) if kind.applies(conversion))


FAMILY = Family("plain conversions", Group.ALL, lambda: list(plain_conversions()), kinds_of, PlainCase)
