"""FP32 to FP19, how a scale is made: nearest even on the thirteen discarded bits, and what stays as it is."""

from __future__ import annotations

from typing import Any

from pysmt.fnode import FNode

from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import choose, conjoin, negate

from .claim import Claim, Kind
from .floating import Rounding, Target, Value, code_rule, neighbourhood
from .formats import precedes
from .layouts import LAYOUTS, CodeReading
from .numbers import bit_field, equal, iff

FP32, FP19 = LAYOUTS["fp32"], LAYOUTS["fp19"]
#: FP19's magnitude codes, infinity read as 2^128: a value that rounds there overflows
TARGET = Target(8, 10, 127, 0x3FBFF, 0x3FC00)


def sign_kept(case: Any) -> FNode:
    """State that the result has the sign of the source."""
    return iff(equal(bit_field(case.result(case.code), 18, 18), 1), FP32.read(case.code).negative)


def nearest(case: Any) -> Claim:
    """A finite value becomes the nearest FP19 code, ties to even, infinity standing for 2^128; the sign is kept."""
    source = FP32.read(case.code)
    magnitude = bit_field(case.result(case.code), 17, 0)
    exact = Value(source.number.significand, source.number.exponent)
    rule = code_rule(Rounding("rne", source.negative, exact, magnitude, neighbourhood(TARGET, magnitude)))
    return Claim(conjoin(rule, sign_kept(case)), case.inputs, source.finite)


def exact(case: Any) -> Claim:
    """A code whose low thirteen bits are zero keeps all others, unless it is a NaN."""
    assumption = conjoin(equal(bit_field(case.code, 12, 0), 0), negate(FP32.read(case.code).nan))
    claim = equal(case.result(case.code), bit_field(case.code, 31, 13))
    return Claim(claim, case.inputs, assumption)


def carry(case: Any) -> Claim:
    """All ones in the kept fraction, rounded up: the fraction becomes 0 and the exponent one more, at the top infinity."""
    source, code = FP32.read(case.code), case.code
    assumption = conjoin(source.finite, equal(bit_field(code, 22, 12), (1 << 11) - 1))
    up = equal(
        bit_field(case.result(code), 17, 0), arithmetic.shift_left(arithmetic.add(bit_field(code, 30, 23), 1), 10)
    )
    return Claim(up, case.inputs, assumption)


def specials(case: Any) -> Claim:
    """A NaN of either sign becomes the canonical one, an infinity stays."""
    source = FP32.read(case.code)
    result = case.result(case.code)
    infinity = choose(source.negative, equal(result, 0x7FC00), equal(result, 0x3FC00))
    claim = choose(source.nan, equal(result, 0x3FF00), infinity)
    return Claim(claim, case.inputs, negate(source.finite))


def not_after(left: CodeReading, right: CodeReading) -> FNode:
    """State that one value does not come after another."""
    return negate(precedes(right, left))


def monotone(case: Any) -> Claim:
    """A value that does not come after another is not rounded to one that does."""
    one, two = FP32.read(case.code), FP32.read(case.other)
    assumption = conjoin(negate(one.nan), negate(two.nan), not_after(one, two))
    results = [FP19.read(case.as_code(case.result(code))) for code in (case.code, case.other)]
    return Claim(not_after(*results), (*case.inputs, case.other.term), assumption)


SOURCE = "asl/arch/data-types/fp19.asl, FP32ToFP19"

KINDS = (
    Kind(
        "nearest",
        "The kept fraction is rounded to nearest, ties to even, on the thirteen discarded bits; the sign is kept.",
        SOURCE,
        lambda _name: True,
        nearest,
        ("narrowed_half_off", "narrowed_tie_odd", "narrowed_sign_lost"),
    ),
    Kind(
        "exact",
        "A value that FP19 holds stays what it is.",
        SOURCE,
        lambda _name: True,
        exact,
        ("narrowed_always_up",),
    ),
    Kind(
        "carry",
        "A carry out of the fraction moves into the exponent field, and may reach infinity.",
        SOURCE,
        lambda _name: True,
        carry,
        ("narrowed_carry_lost",),
    ),
    Kind(
        "specials",
        "A NaN becomes 3ff00, an infinity stays.",
        SOURCE,
        lambda _name: True,
        specials,
        ("narrowed_nan_kept", "narrowed_infinity_nan"),
    ),
    Kind(
        "monotone",
        "Rounding never puts two values in the other order.",
        SOURCE,
        lambda _name: True,
        monotone,
        ("narrowed_half_reversed",),
    ),
)
