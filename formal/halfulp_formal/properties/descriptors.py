"""What a format's descriptor claims, held against its codes: widths, constrained bits, what there is and what there is not.

A claim that there is something is shown by one code; a claim that there is nothing is proved of every code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, TRUE

from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import conjoin, disjoin, negate, truth_term

from .claim import Claim, Kind
from .floating import Value, below
from .formats import is_class, is_floating, layout_of
from .layouts import BinaryFields, Layout
from .numbers import Magnitude, at_most, between, bit_field, equal, iff, implies, is_zero, same_number

DESCRIPTOR = "PTO-NUMERIC-FORMAT-DESCRIPTOR-001; asl/arch/data-types/formats"

#: formats whose descriptors deny the numbers below the normal range that their codes have
DENIED = ("format.e2m1x2", "format.e1m2x2", "format.hif4x2")


def constant(holds: bool) -> FNode:
    """Return a truth value as a formula."""
    return TRUE() if holds else FALSE()


def is_subnormal(case: Any) -> FNode:
    """State that the code is a nonzero number below the smallest normal one, by its value."""
    has_number, number = case.decomposition(case.code)
    tiny = below(Value(number.significand, number.exponent), Value(1, case.layout.smallest))
    return conjoin(has_number, negate(is_zero(number)), tiny)


def is_negative_zero(case: Any) -> FNode:
    """State that the code is a zero with a sign."""
    has_number, number = case.decomposition(case.code)
    return conjoin(has_number, is_zero(number), truth_term(number.negative))


def is_a_zero(case: Any) -> FNode:
    """State that the code is a zero."""
    has_number, number = case.decomposition(case.code)
    return conjoin(has_number, is_zero(number))


def of_class(*names: str) -> Callable[[Any], FNode]:
    """Return the statement that the code is of one of some classes."""
    return lambda case: is_class(case.value_class(case.code), *names)


@dataclass(frozen=True)
class Feature:
    """Something that a format may have: the statement that a code is it, and the code that is it if any is."""

    states: Callable[[Any], FNode]
    example: Callable[[Layout], int]


FEATURES = {
    "zero": Feature(is_a_zero, lambda _layout: 0),
    "signed_zero": Feature(is_negative_zero, lambda layout: layout.negative_zero or 0),
    "subnormal": Feature(is_subnormal, lambda layout: layout.unit),
    "infinity": Feature(of_class("positive_infinity", "negative_infinity"), lambda layout: layout.largest),
    "quiet_nan": Feature(of_class("quiet_nan"), lambda layout: layout.canonical_nan or layout.largest),
    "signaling_nan": Feature(of_class("signaling_nan"), lambda layout: layout.largest + layout.unit),
}


def has(feature: str) -> Callable[[Any], Claim]:
    """Return how the claim of having something, or of not having it, is built."""

    def build(case: Any) -> Claim:
        row = FEATURES[feature]
        states = row.states(case)
        if getattr(case.descriptor, f"has_{feature}"):
            return Claim(states, case.inputs, equal(case.code, row.example(case.layout)))
        return Claim(negate(states), case.inputs)

    return build


def fields(case: Any) -> Claim:
    """The descriptor's widths, bit numbers and bias read every finite code's number, and they fill the carrier."""
    found, layout = case.descriptor, case.layout
    _, number = case.decomposition(case.code)
    low, high = found.required_low_zero_bits, found.required_high_zero_bits
    widths = (found.exponent_bits_max, found.fraction_bits_max)
    fixed = found.exponent_bias_available and (found.exponent_bits_min, found.fraction_bits_min) == widths
    filled = found.carrier_bits == found.lanes_per_carrier * (found.lane_bits + high)
    told = fixed and filled and found.lanes_per_carrier == layout.lanes
    if found.sign_bits == 0:
        told = told and widths == (found.lane_bits, 0) and found.sign_bit == 0
        exponent = arithmetic.subtract(case.code, found.exponent_bias)
        expected = Magnitude(negative=False, significand=1, exponent=exponent)
    else:
        described = BinaryFields(*widths, found.exponent_bias, low, high)
        told = told and (described.sign_bit, described.sign_bit + 1) == (found.sign_bit, found.lane_bits)
        expected = described.number(case.code)
    claim = conjoin(constant(told), same_number(number, expected))
    return Claim(claim, case.inputs, layout.read(case.code).finite)


def widths(case: Any) -> Claim:
    """No number has a longer exponent or fraction than claimed, and the claimed ends are reached but for the shortest.

    In a tapered format the exponent's field is as long as its magnitude needs, the fraction's as long as the significand.
    """
    found = case.descriptor
    reading = case.layout.read(case.code)
    _, number = case.decomposition(case.code)
    fraction_bits = arithmetic.subtract(arithmetic.bit_length(number.significand), 1)
    exponent_bits = arithmetic.bit_length(arithmetic.add(number.exponent, fraction_bits))
    normal = negate(disjoin(reading.zero, reading.subnormal))
    claim = conjoin(
        at_most(fraction_bits, found.fraction_bits_max),
        implies(normal, between(found.exponent_bits_min, exponent_bits, found.exponent_bits_max)),
        implies(equal(case.code, WIDEST_FRACTION), equal(fraction_bits, found.fraction_bits_max)),
        implies(equal(case.code, WIDEST_FRACTION), equal(exponent_bits, found.exponent_bits_min)),
        implies(equal(case.code, WIDEST_EXPONENT), equal(exponent_bits, found.exponent_bits_max)),
    )
    return Claim(claim, case.inputs, reading.finite)


def required_zeros(case: Any) -> Claim:
    """A code is valid if and only if the bits are zero that the descriptor requires to be."""
    found, bits = case.descriptor, case.layout.code_bits
    low, high = found.required_low_zero_bits, found.required_high_zero_bits
    low_zero = equal(bit_field(case.code, low - 1, 0), 0) if low else TRUE()
    high_zero = equal(bit_field(case.code, bits - 1, bits - high), 0) if high else TRUE()
    return Claim(iff(case.valid(case.code), conjoin(low_zero, high_zero)), case.inputs)


def value_of(case: Any, code: Any) -> Value:
    """Return the magnitude of a code, which may be a plain one."""
    _, number = case.decomposition(code)
    return Value(number.significand, number.exponent)


def at_least(left: Value, right: Value) -> FNode:
    """State left >= right."""
    return negate(below(left, right))


def is_positive_normal(case: Any) -> FNode:
    """State that the code is a positive number that is not below the normal range."""
    reading = case.layout.read(case.code)
    other = disjoin(reading.negative, reading.zero, reading.subnormal)
    return conjoin(reading.finite, negate(other))


def subnormal_boundaries(case: Any) -> Claim:
    """The first two boundaries are subnormal, and no positive subnormal is smaller than one or larger than the other."""
    smallest, largest, _ = case.row.claims.subnormal_boundaries
    states = is_subnormal(case)
    number = value_of(case, case.code)
    positive = conjoin(states, negate(case.layout.read(case.code).negative))
    within = conjoin(at_least(number, value_of(case, smallest)), at_least(value_of(case, largest), number))
    either = disjoin(equal(case.code, smallest), equal(case.code, largest))
    return Claim(conjoin(implies(positive, within), implies(either, positive)), case.inputs)


def normal_boundary(case: Any) -> FNode:
    """State that the code, if it is a positive normal number, is not less than the third boundary."""
    boundary = case.row.claims.subnormal_boundaries[2]
    return implies(is_positive_normal(case), at_least(value_of(case, case.code), value_of(case, boundary)))


def smallest_normal(case: Any) -> Claim:
    """The third boundary is a positive normal number, and none is smaller."""
    boundary = case.row.claims.subnormal_boundaries[2]
    itself = implies(equal(case.code, boundary), is_positive_normal(case))
    return Claim(conjoin(normal_boundary(case), itself), case.inputs)


#: HiF8 codes of the longest fraction beside the shortest exponent, and of the longest exponent
WIDEST_FRACTION, WIDEST_EXPONENT = 0x08, 0x60


def is_tapered(name: str) -> bool:
    """Tell whether the fields of a format have no fixed width."""
    return name == "format.hif8"


def has_boundaries(name: str) -> bool:
    """Tell whether the specification gives the boundaries of a format's subnormals."""
    return is_floating(name) and layout_of(name).classed and name not in ("format.e8m0", "format.fp19", *LANES)


#: rows of a single lane, which are no data types
LANES = ("format.e2m1", "format.e1m2")

BOUNDARIES = "asl/arch/features/mx-formats.asl, HardwareNumericSubnormalBoundaries"

KINDS = (
    *(
        Kind(
            f"has_{feature}",
            f"has_{feature} is TRUE if and only if the format has such a code.",
            DESCRIPTOR,
            (lambda name: is_floating(name) and name not in DENIED) if feature == "subnormal" else is_floating,
            has(feature),
            ("claims_nothing",) if feature == "quiet_nan" else ("claims_nothing", "claims_everything"),
        )
        for feature in FEATURES
    ),
    Kind(
        "fields",
        "Each assigned floating or scale Tile DataType exposes one exact carrier, lane, field-width, bias and "
        "constrained-bit descriptor.",
        DESCRIPTOR,
        lambda name: is_floating(name) and not is_tapered(name),
        fields,
        ("described_bias_off", "described_sign_off"),
    ),
    Kind(
        "widths",
        "The exponent field of a tapered format has 0 to 4 bits, its fraction at most 3.",
        DESCRIPTOR,
        is_tapered,
        widths,
        ("described_fraction_short",),
    ),
    Kind(
        "required_zeros",
        "The required low and high zero bits are the constraints on a code.",
        DESCRIPTOR,
        is_floating,
        required_zeros,
        ("constraint_dropped", "high_constraint_dropped"),
    ),
    Kind(
        "subnormal_boundaries",
        "The boundaries name the minimum and the maximum positive subnormal.",
        BOUNDARIES,
        has_boundaries,
        subnormal_boundaries,
        ("subnormal_boundary_off",),
    ),
    Kind(
        "smallest_normal",
        "The boundaries name the minimum positive normal.",
        BOUNDARIES,
        lambda name: has_boundaries(name) and not is_tapered(name),
        smallest_normal,
        ("normal_boundary_off",),
    ),
)
