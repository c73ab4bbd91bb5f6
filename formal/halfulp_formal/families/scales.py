"""Conversions to a power-of-two scale: TCVT to E8M0, `e8m0.fp32.rto.sat`, and MX scale choices, `scale.fp32.rceil.e4m3`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import Equals

from halfulp_formal import scale_findings
from halfulp_formal.bits import Bits
from halfulp_formal.case import CallReplay, part
from halfulp_formal.encodings import e8m0 as encoding
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.interpreter import Lifter
from halfulp_formal.lift.values import Int, Record, conjoin, fit, symbol
from halfulp_formal.properties import mx_scales, scales
from halfulp_formal.properties.claim import Claim, Kind
from halfulp_formal.properties.numbers import Number, between, equal, less, select
from halfulp_formal.subject import Subject
from halfulp_model.api_e8m0 import e8m0_conversions, scale_conversions

from .family import Family, Group

CODE_BITS, FLAG_BITS = 8, 5


class ScaleCase:
    """A conversion with symbolic codes of its source: in.bits, and another one beside it."""

    def __init__(self, subject: Subject, name: str, lifter: Lifter | None = None) -> None:
        self.subject = subject
        self.name = name
        self.model = subject.module("e8m0")
        names = subject.module("api_e8m0")
        every = names.e8m0_conversions() if name.startswith("e8m0.") else names.scale_conversions()
        self.conversion = every[name]
        self.lifter = lifter or Lifter(subject.package)
        width = self.conversion.source.code_bits
        # one name has one sort
        self.code = symbol(f"in.bits.{width}", 0, (1 << width) - 1)
        self.other = symbol(f"in.other.{width}", 0, (1 << width) - 1)

    @property
    def inputs(self) -> tuple[FNode, ...]:
        """The free symbol of the code."""
        return (self.code.term,)

    @property
    def replays(self) -> tuple[CallReplay, ...]:
        """A replay of every lifted call, siblings' included."""
        return tuple(CallReplay(call) for call in self.lifter.calls)

    def sibling(self, name: str) -> ScaleCase:
        """Return another conversion on the same inputs."""
        return ScaleCase(self.subject, name, self.lifter)

    @cached_property
    def whole(self) -> Any:
        """The whole conversion of the code."""
        return self.lifter.call(self.model.to_scale, self.conversion, self.code)

    def result(self, code: Int) -> tuple[Number, Number]:
        """The scale's code and the flags."""
        found = self.lifter.call(self.model.to_scale, self.conversion, code)
        return part(found, "word"), part(found, "flags")

    def choose_exponent(self, exponent: Number, significand: Number, half: int) -> Number:
        """The exponent that the model chooses for 2^exponent · significand/half."""
        ratio = Record(self.model.Ratio, {"exponent": exponent, "numerator": significand, "denominator": half})
        number: Number = self.lifter.call(self.model.choose_exponent, self.conversion, ratio)
        return number


def encoded(case: ScaleCase) -> tuple[Bits, Bits]:
    """Return code and flags by the encoding."""
    family, source, *rest = case.name.split(".")
    bits = Bits(case.code.term)
    if family == "e8m0":
        return encoding.tcvt_e8m0(source, rest[0], rest[1] == "sat", bits)
    return encoding.mx_scale(source, rest[0], rest[1] if len(rest) > 1 else None, bits)


def equivalent_to_encoding(case: ScaleCase) -> Claim:
    """Code and flags of model and encoding agree for every code of the source, and the model is total."""
    result, flags = case.result(case.code)
    code, raised = encoded(case)
    claim = conjoin(
        case.lifter.total(),
        between(0, result, (1 << CODE_BITS) - 1),
        Equals(fit(result, CODE_BITS), code.term),
        Equals(fit(flags, FLAG_BITS), raised.term),
    )
    return Claim(claim, case.inputs)


def threshold(case: ScaleCase) -> Claim:
    """The square of a significand is above 2^(2h+1) if and only if the significand is above one constant, never equal.

    The model compares squares, so its choice is the exponent's next one exactly above that constant.
    """
    width = case.conversion.source.fraction_bits + 1
    half = 1 << (width - 1)
    free = symbol(f"significand.{width}", 0, 2 * half - 1)
    exponent = symbol("exponent.9", -256, 255)
    # a power of two is not asked about
    significand = arithmetic.narrow(free, half + 1, 2 * half - 1)
    steps_up = less(encoding.threshold(width), significand)
    expected = arithmetic.add(exponent, select(steps_up, 1, 0))
    claim = conjoin(
        encoding.threshold_lemma(Bits(free.term)).term,
        equal(case.choose_exponent(exponent, significand, half), expected),
    )
    return Claim(claim, (free.term, exponent.term), less(half, free))


def is_nearest(name: str) -> bool:
    """Tell whether a conversion of TCVT rounds to nearest; Sat does not matter to the choice."""
    return scales.mode_of(name) in scales.NEAREST and name.endswith(".nosat")


EQUIVALENT = Kind(
    "equivalent",
    "Positive finite values round their base-two exponent under the selected RMode; every other value has the listed result.",
    scales.SOURCE,
    scales.every,
    equivalent_to_encoding,
    ("log_threshold_off", "exponent_floor_up", "scale_zero_least", "scale_bias_off"),
)
E8M0_KINDS = (
    EQUIVALENT,
    Kind(
        "threshold",
        "Comparing a significand's square with 2^(2h+1) is comparing the significand with the floor of 2^(h+1/2).",
        scales.ROUND,
        is_nearest,
        threshold,
        ("log_threshold_off",),
    ),
    *scales.KINDS,
    *scale_findings.KINDS,
)
SCALE_KINDS = (
    Kind(
        "equivalent",
        "The scale of a block is a power of two chosen from the greatest magnitude by one rule.",
        mx_scales.SOURCE,
        scales.every,
        equivalent_to_encoding,
        ("linear_threshold_off", "exponent_floor_up", "scale_bias_off"),
    ),
    *mx_scales.KINDS,
    *scale_findings.DIFFERENCE_KINDS,
)


def kinds_of(conversion: str) -> Iterator[Kind]:
    """Yield the kinds of obligation of a conversion."""
    kinds = E8M0_KINDS if conversion.startswith("e8m0.") else SCALE_KINDS
    yield from (kind for kind in kinds if kind.applies(conversion))


FAMILY = Family(
    "power-of-two scales",
    Group.DEFAULT,
    lambda: [*e8m0_conversions(), *scale_conversions()],
    kinds_of,
    ScaleCase,
)
