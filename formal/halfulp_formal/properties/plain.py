"""Plain conversions: the rounded code or integer against the exact number, IEEE 754 overflow, tininess after rounding."""

from __future__ import annotations

from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, Equals

from halfulp_formal.lift.values import Int, choose, conjoin, fit, negate, truth_term

from .claim import Claim, Kind
from .floating import UNDERFLOW, Rounding, Target, Value, below, code_rule, must_overflow, neighbourhood, same
from .integer import INEXACT, OVERFLOW, saturates
from .numbers import bit_field, equal, is_zero, select

#: destinations; IEEE 754-2019 table 3.5, OCP 8-bit floating point 1.0 table 2, OCP Microscaling 1.0 tables 1 and 2
TARGETS = {
    "fp16": Target(5, 10, 15, 0x7BFF, 0x7C00),
    "bf16": Target(8, 7, 127, 0x7F7F, 0x7F80),
    "fp32": Target(8, 23, 127, 0x7F7FFFFF, 0x7F800000),
    "tf32": Target(8, 10, 127, 0x3FBFF, 0x3FC00),
    "e5m2": Target(5, 2, 15, 0x7B, 0x7C),
    "e4m3": Target(4, 3, 7, 0x7E, 0x7F),
    "e3m2": Target(3, 2, 3, 0x1F, 0x1F),
    "e2m3": Target(2, 3, 1, 0x1F, 0x1F),
    "e2m1": Target(2, 1, 1, 0x7, 0x7),
}

#: bits below the fraction that a destination's code has besides
LOW_BITS = {"tf32": 13}

#: modes that stop at the largest finite number, by the sign of the value
INWARD = {"rtz": (True, True), "rto": (True, True), "rtm": (True, False), "rtp": (False, True)}


def destination_of(name: str) -> str:
    """Return a plain conversion's destination."""
    return name.split(".")[2]


def is_floating(name: str) -> bool:
    """Tell whether a plain conversion has a floating destination."""
    return destination_of(name) in TARGETS


class Converted:
    """A free number, the code that the model gives it, and what surrounds that code."""

    def __init__(self, case: Any) -> None:
        self.target = TARGETS[destination_of(case.name)]
        self.mode = case.name.split(".")[3]
        self.free = case.free_number()
        self.negative = truth_term(self.free.number.negative)
        self.exact = Value(self.free.number.significand, self.free.number.exponent)
        result = case.convert_number(self.free.record)
        low = LOW_BITS.get(destination_of(case.name), 0)
        self.code, self.flags = case.code(result), case.flags(result)
        bits = self.target.bits
        whole = Int(self.code, 0, (1 << (bits + low + 1)) - 1)
        self.magnitude = bit_field(whole, low + bits - 1, low)
        self.padding: FNode = equal(bit_field(whole, low - 1, 0), 0) if low else negate(FALSE())
        self.sign = equal(bit_field(whole, low + bits, low + bits), 1)
        self.around = neighbourhood(self.target, self.magnitude)
        self.overflow = must_overflow(self.target, self.mode, self.negative, self.exact)
        self.signed = choose(self.negative, self.sign, negate(self.sign))
        self.possible = conjoin(self.free.possible, negate(is_zero(self.free.number)))

    def claim(self, claim: FNode, assumption: FNode) -> Claim:
        """Claim something of every number under an assumption."""
        return Claim(conjoin(claim, self.padding), self.free.inputs, conjoin(self.possible, assumption))


def code(case: Any) -> Claim:
    """A number that does not overflow gets the code that its mode's rule names, with its sign."""
    converted = Converted(case)
    rule = code_rule(
        Rounding(converted.mode, converted.negative, converted.exact, converted.magnitude, converted.around)
    )
    return converted.claim(conjoin(rule, converted.signed), negate(converted.overflow))


def overflow(case: Any) -> Claim:
    """An overflow gives the largest finite number with Sat or where the mode points inward, else infinity or NaN."""
    converted = Converted(case)
    positive, negative = INWARD.get(converted.mode, (False, False))
    largest, infinity = converted.target.largest, converted.target.infinity
    stops = (True, True) if saturates(case.name) else (positive, negative)
    expected = select(converted.negative, largest if stops[1] else infinity, largest if stops[0] else infinity)
    claim = conjoin(equal(converted.magnitude, expected), converted.signed, Equals(converted.flags, fit(OVERFLOW, 5)))
    return converted.claim(claim, converted.overflow)


def inexact(case: Any) -> Claim:
    """NX if and only if inexact; UF with it if and only if tiny after rounding to unbounded exponent."""
    converted = Converted(case)
    target = converted.target
    exponent = 1 - target.bias
    normal = Value(1, exponent)
    # with an unbounded exponent the number before the smallest normal is (2^(f+1) - 1) · 2^(emin - 1 - f)
    previous = Value((2 << target.fraction_bits) - 1, exponent - 1 - target.fraction_bits)
    middle = Value((4 << target.fraction_bits) - 1, exponent - 2 - target.fraction_bits)
    at_middle, after_middle = negate(below(converted.exact, middle)), below(middle, converted.exact)
    after_previous = below(previous, converted.exact)
    up = {
        "rne": at_middle,
        "rna": at_middle,
        "rhb": choose(converted.negative, after_middle, at_middle),
        "rtz": FALSE(),
        "rto": FALSE(),
        "rtm": choose(converted.negative, after_previous, FALSE()),
        "rtp": choose(converted.negative, FALSE(), after_previous),
    }[converted.mode]
    tiny = conjoin(below(converted.exact, normal), negate(up))
    differs = negate(same(converted.exact, converted.around.value))
    expected = select(differs, select(tiny, UNDERFLOW, INEXACT), 0)
    return converted.claim(Equals(converted.flags, fit(expected, 5)), negate(converted.overflow))


def as_nosat(case: Any) -> Claim:
    """Sat = 1 gives what Sat = 0 gives wherever that does not overflow."""
    free = case.free_number()
    other = type(case)(case.subject, case.name.removesuffix(".sat") + ".nosat")
    result, plain = case.convert_number(free.record), other.convert_number(free.record)
    flags = other.flags(plain)
    same_result = conjoin(Equals(case.code(result), other.code(plain)), Equals(case.flags(result), flags))
    return Claim(same_result, free.inputs, conjoin(free.possible, negate(Equals(flags, fit(OVERFLOW, 5)))))


def floating_nosat(name: str) -> bool:
    """Tell whether a plain conversion has a floating destination and Sat 0."""
    return is_floating(name) and not saturates(name)


IEEE = "IEEE 754-2019, 4.3, 7.4 and 7.5; OCP 8-bit floating point 1.0, 5.2"

KINDS = (
    Kind(
        "code",
        "The nearest code and its tie rule, the neighbour in the mode's direction, or the odd one; the sign is kept.",
        IEEE,
        floating_nosat,
        code,
        ("nearest_reversed", "sticky_dropped", "sign_lost"),
    ),
    Kind(
        "overflow",
        "Overflow is decided after rounding with an unbounded exponent; modes that point inward stop at the largest finite "
        "number.",
        IEEE,
        is_floating,
        overflow,
        ("overflow_sign_lost", "carry_lost"),
    ),
    Kind(
        "inexact",
        "UF and NX for an inexact result that is tiny after rounding with an unbounded exponent, else NX.",
        IEEE,
        floating_nosat,
        inexact,
        ("tiny_never",),
    ),
    Kind(
        "as_nosat",
        "A saturating conversion differs from a plain one only where that overflows.",
        "OCP 8-bit floating point 1.0, 5.2.2",
        lambda name: is_floating(name) and saturates(name),
        as_nosat,
        ("saturation_is_exact",),
    ),
)
