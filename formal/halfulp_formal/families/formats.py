"""Number formats: `format.e4m3` and its like, each code classified, decomposed, encoded again and put in order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from pysmt.fnode import FNode
from pysmt.shortcuts import Equals

from halfulp_formal import format_findings
from halfulp_formal.bits import Bits
from halfulp_formal.case import CallReplay, part
from halfulp_formal.encodings import formats as encoding
from halfulp_formal.lift.interpreter import Lifter
from halfulp_formal.lift.merge import over_choice
from halfulp_formal.lift.values import (
    Choice,
    Int,
    Record,
    conjoin,
    equivalent,
    fit,
    negate,
    symbol,
    truth_symbol,
    truth_term,
)
from halfulp_formal.properties import descriptors, formats
from halfulp_formal.properties.claim import Claim, Kind
from halfulp_formal.properties.formats import CLASSES, FreeNumber
from halfulp_formal.properties.numbers import Magnitude, Number, equal, less, select
from halfulp_formal.subject import Subject
from halfulp_model.loader import default_rules

from .family import Family, Group


class Reading(NamedTuple):
    """A code with its class, as the place among the classes, whether it has a number, which one, and its order key."""

    code: Number
    value_class: Number
    available: FNode
    number: Magnitude
    key: Number


class FormatCase:
    """A format with symbolic codes: in.bits, another one beside it, and the carrier of packed ones.

    `layout` is the judge's row, `row` the model's.
    """

    def __init__(self, subject: Subject, name: str) -> None:
        self.subject = subject
        self.name = name
        self.layout = formats.layout_of(name)
        self.model = subject.module("formats")
        rows = subject.module("loader").default_rules().formats
        self.conversion = {key.lower(): row for key, row in rows.items()}[name.partition(".")[2]]
        self.lifter = Lifter(subject.package)
        # one name has one sort
        self.code = self.free_code("in.bits")
        self.other = self.free_code("in.other")

    @property
    def row(self) -> Any:
        """The model's row."""
        return self.conversion

    @property
    def inputs(self) -> tuple[FNode, ...]:
        """The free symbol of the code."""
        return (self.code.term,)

    @property
    def given(self) -> tuple[FNode, ...]:
        """The inputs of a vector file: a code, or a carrier and the number of one of its lanes."""
        return (self.code.term,) if self.layout.lanes == 1 else (self.carrier.term, self.lane.term)

    @property
    def replays(self) -> tuple[CallReplay, ...]:
        """A replay of every lifted call."""
        return tuple(CallReplay(call) for call in self.lifter.calls)

    @property
    def carrier(self) -> Int:
        """A free carrier, which holds as many codes as the format packs."""
        return self.free_code("in.carrier", self.layout.lanes)

    @property
    def other_carrier(self) -> Int:
        """Another free carrier."""
        return self.free_code("in.other_carrier", self.layout.lanes)

    @property
    def lane(self) -> Int:
        """The free number of a lane of a packed format."""
        bits = (self.layout.lanes - 1).bit_length()
        return symbol(f"in.lane.{bits}", 0, (1 << bits) - 1)

    @cached_property
    def asked(self) -> Number:
        """The code that the inputs of a vector file name."""
        if self.layout.lanes == 1:
            return self.code
        code, *others = self.lanes(self.carrier)
        assert len(others) == self.layout.lanes - 1
        for number, other in enumerate(others, start=1):
            code = select(equal(self.lane, number), other, code)
        return code

    @cached_property
    def reading(self) -> Reading:
        """What the model makes of that code."""
        code = self.asked
        return Reading(code, self.value_class(code), *self.decomposition(code), self.key(code))

    @cached_property
    def descriptor(self) -> Any:
        """The format's descriptor."""
        return self.model.descriptor(self.row)

    def free_code(self, name: str, lanes: int = 1) -> Int:
        """Return a free code of the format, or several side by side."""
        bits = lanes * self.layout.code_bits
        return symbol(f"{name}.{bits}", 0, (1 << bits) - 1)

    def free_number(self) -> FreeNumber:
        """Return any number around the format's range, with a significand of up to three more bits than it has."""
        bits, reach = self.layout.precision + 3, self.layout.reach
        negative = truth_symbol("number.negative")
        significand = symbol(f"number.significand.{bits}", 0, (1 << bits) - 1)
        exponent = symbol(f"number.exponent.{reach}", -(1 << reach), (1 << reach) - 1)
        number = Magnitude(negative, significand, exponent)
        return FreeNumber(number, (negative.term, significand.term, exponent.term))

    def valid(self, code: Number) -> FNode:
        """Whether the model takes a code for a valid one."""
        return truth_term(self.lifter.call(self.model.is_valid, self.row, code))

    def value_class(self, code: Number) -> Number:
        """The class that the model gives a code, as its place among the classes."""
        found = self.lifter.call(self.model.classify, self.row, code)
        if isinstance(found, Choice):
            place: Number = over_choice(found, lambda one: CLASSES.index(one.value))
            return place
        return CLASSES.index(found.value)

    def decomposition(self, code: Number) -> tuple[FNode, Magnitude]:
        """Whether the model has a number for a code, and that number."""
        found = self.lifter.call(self.model.decompose, self.row, code)
        number = Magnitude(*(part(found, name) for name in Magnitude._fields))
        return truth_term(part(found, "available")), number

    def encode(self, number: Magnitude) -> tuple[FNode, Number]:
        """Whether the model has a code for a number, and that code."""
        exact = self.subject.module("exact").Exact
        record = Record(exact, dict(zip(exact._fields, number, strict=True)))
        found = self.lifter.call(self.model.encode_exact, self.row, record)
        return truth_term(part(found, "available")), part(found, "bits")

    def as_code(self, bits: Number) -> Int:
        """Return the code in the low bits of a number."""
        width = self.layout.code_bits
        return Int(fit(bits, width), 0, (1 << width) - 1)

    def key(self, code: Number) -> Number:
        """The model's order key of a code."""
        number: Number = self.lifter.call(self.model.order_key, self.row, code)
        return number

    def lanes(self, carrier: Number) -> tuple[Number, ...]:
        """The codes that the model finds in a carrier."""
        codes: tuple[Number, ...] = self.lifter.call(self.model.lanes, self.row, carrier)
        return codes

    def signed_zeros(self) -> tuple[int, int] | None:
        """The pair of zeros that the model publishes, None where it refuses."""
        try:
            pair: tuple[int, int] = self.subject.module("api_formats").signed_zeros(self.row.name)
        except self.subject.module("result").Rejected:
            return None
        return pair


class FileCase(FormatCase):
    """A format over the inputs of a vector file."""

    @property
    def inputs(self) -> tuple[FNode, ...]:
        """The free symbols of the code, or of carrier and lane."""
        return self.given


def has_encoding(name: str) -> bool:
    """Tell whether the format is a data type; a single lane of a packed one has no encoding of its own."""
    return name.partition(".")[2] in encoding.FORMATS


def equivalent_to_encoding(case: FormatCase) -> Claim:
    """Validity, class and decomposition of model and encoding agree for every code, in every lane."""
    name, carrier = case.name.partition(".")[2], case.carrier
    bits = Bits(carrier.term)
    agree = []
    for lane, code in enumerate(case.lanes(carrier)):
        has_number, number = case.decomposition(code)
        expected = encoding.decompose(name, bits, lane)
        agree += [
            equivalent(case.valid(code), encoding.valid(name, bits).term),
            Equals(fit(case.value_class(code), encoding.CLASS_BITS), encoding.classify(name, bits, lane).term),
            equivalent(has_number, expected.available.term),
            equivalent(truth_term(number.negative), expected.negative.term),
            Equals(fit(number.significand, encoding.SIGNIFICAND_BITS), expected.significand.term),
            Equals(fit(number.exponent, encoding.EXPONENT_BITS), expected.exponent.term),
        ]
    return Claim(conjoin(case.lifter.total(), *agree), (carrier.term,))


def ordered_alike(case: FormatCase) -> Claim:
    """The keys of model and encoding order any two ordered codes alike; the keys themselves may differ."""
    name = case.name.partition(".")[2]
    codes = (case.carrier, case.other_carrier)
    first = [case.lanes(code)[0] for code in codes]
    readings = [case.layout.read(case.as_code(code)) for code in first]
    ordered = conjoin(*(conjoin(reading.valid, negate(reading.nan)) for reading in readings))
    one, two = (case.key(code) for code in first)
    expected_one, expected_two = (encoding.order_key(name, Bits(code.term)) for code in codes)
    claim = equivalent(less(one, two), expected_one.bvult(expected_two).term)
    return Claim(conjoin(case.lifter.total(), claim), tuple(code.term for code in codes), ordered)


def total(case: FormatCase) -> Claim:
    """No call breaks a side condition, whatever the code or the number."""
    free = case.free_number()
    for lifted in (case.value_class, case.decomposition, case.key):
        lifted(case.code)
    case.encode(free.number)
    return Claim(case.lifter.total(), (*case.inputs, *free.inputs))


KINDS = (
    Kind(
        "equivalent",
        "Every valid finite floating or scale encoding decomposes exactly, and every encoding has one class.",
        "PTO-NUMERIC-FINITE-DECOMPOSITION-001; asl/arch/data-types/numeric-classification.asl, TileNumericValueClass",
        has_encoding,
        equivalent_to_encoding,
        ("wrong_bias", "swapped_fields", "constraint_dropped", "quiet_bit_inverted", "dot_sign_ignored"),
    ),
    Kind(
        "ordered_alike",
        "Codes convert into a monotonically increasing unsigned key.",
        "asl/arch/features/minmax-profile.asl, HardwareNumericFloatingOrderKey",
        has_encoding,
        ordered_alike,
        ("negative_order_reversed", "rank_overlaps"),
    ),
    Kind(
        "total",
        "Every code has a class, a decomposition or none, and a key; every number has a code or none.",
        "asl/arch/data-types/numeric-formats.asl",
        formats.every,
        total,
        ("truncation_shifts_back",),
    ),
    *formats.KINDS,
    *descriptors.KINDS,
    *format_findings.KINDS,
)


def kinds_of(conversion: str) -> Iterator[Kind]:
    """Yield the kinds of obligation of a format."""
    yield from (kind for kind in KINDS if kind.applies(conversion))


FAMILY = Family(
    "formats",
    Group.DEFAULT,
    lambda: [f"format.{name.lower()}" for name in default_rules().formats],
    kinds_of,
    FormatCase,
)
