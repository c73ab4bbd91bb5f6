"""Every code of every format: valid or not, its one class, its exact number and back, its place in the order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import TRUE

from halfulp_formal.lift.values import choose, conjoin, disjoin, negate, truth_term

from .claim import Claim, Kind
from .floating import Value, below, compare
from .layouts import LAYOUTS, TABLE, CodeReading, Layout
from .numbers import Magnitude, between, bit_field, equal, iff, implies, is_zero, less

#: the eleven classes; a class is its place here. Source: NumericValueClass
CLASSES = (
    "invalid_encoding", "positive_zero", "negative_zero", "positive_subnormal", "negative_subnormal",
    "positive_normal", "negative_normal", "positive_infinity", "negative_infinity", "quiet_nan", "signaling_nan",
)  # fmt: skip
FIRST_FINITE, LAST_FINITE = CLASSES.index("positive_zero"), CLASSES.index("negative_normal")


@dataclass(frozen=True)
class FreeNumber:
    """Any number at all within some widths, with its free symbols."""

    number: Magnitude
    inputs: tuple[FNode, ...]


def layout_of(name: str) -> Layout:
    """Return the row of a conversion's format: `format.e4m3`."""
    return LAYOUTS[name.partition(".")[2]]


def is_floating(name: str) -> bool:
    """Tell whether the codes are floating numbers or scales."""
    return not layout_of(name).integer


def is_integer(name: str) -> bool:
    """Tell whether the codes are integers."""
    return layout_of(name).integer


def has_nan(name: str) -> bool:
    """Tell whether the format has a NaN."""
    return layout_of(name).canonical_nan is not None


def is_packed(name: str) -> bool:
    """Tell whether a carrier holds more than one code."""
    return layout_of(name).lanes > 1


def every(_name: str) -> bool:
    """Every format has this obligation."""
    return True


def is_class(index: Any, *names: str) -> FNode:
    """State that a class is one of those named."""
    return disjoin(*(equal(index, CLASSES.index(name)) for name in names))


def conditions(layout: Layout, code: CodeReading) -> dict[str, FNode]:
    """Return the condition of each class, by the code's fields."""
    nan = conjoin(code.valid, code.nan)
    subnormal = conjoin(code.finite, code.subnormal) if layout.classed else negate(TRUE())
    kinds = {
        "zero": conjoin(code.finite, code.zero),
        "subnormal": subnormal,
        "normal": conjoin(code.finite, negate(code.zero), negate(subnormal)),
        "infinity": conjoin(code.valid, code.infinite),
    }
    signs = {"positive": negate(code.negative), "negative": code.negative}
    return {
        "invalid_encoding": negate(code.valid),
        "quiet_nan": conjoin(nan, code.quiet),
        "signaling_nan": conjoin(nan, negate(code.quiet)),
        **{f"{sign}_{kind}": conjoin(holds, signs[sign]) for kind, holds in kinds.items() for sign in signs},
    }


def one_class(case: Any) -> Claim:
    """The class is the one whose condition holds; as it is one of eleven, exactly one of the conditions does."""
    index = case.value_class(case.code)
    every_condition = conditions(case.layout, case.layout.read(case.code))
    claim = conjoin(*(iff(is_class(index, name), condition) for name, condition in every_condition.items()))
    return Claim(conjoin(between(0, index, len(CLASSES) - 1), claim), case.inputs)


def constrained(case: Any) -> Claim:
    """A code is valid if and only if its constrained bits are zero."""
    return Claim(iff(case.valid(case.code), case.layout.read(case.code).valid), case.inputs)


def available(case: Any) -> Claim:
    """A number is available if and only if the code is finite and valid; else all its parts are zero."""
    has_number, number = case.decomposition(case.code)
    nothing = conjoin(negate(truth_term(number.negative)), equal(number.significand, 0), equal(number.exponent, 0))
    claim = conjoin(iff(has_number, case.layout.read(case.code).finite), disjoin(has_number, nothing))
    return Claim(claim, case.inputs)


def value(case: Any) -> Claim:
    """The number is the one that the fields stand for, part by part."""
    code = case.layout.read(case.code)
    _, number = case.decomposition(case.code)
    signs = iff(truth_term(number.negative), truth_term(code.number.negative))
    parts = conjoin(
        equal(number.significand, code.number.significand), equal(number.exponent, code.number.exponent), signs
    )
    return Claim(parts, case.inputs, code.finite)


def class_agrees(case: Any) -> Claim:
    """The class tells what the number is: available, zero, its sign, below the normal range."""
    index = case.value_class(case.code)
    has_number, number = case.decomposition(case.code)
    magnitude = Value(number.significand, number.exponent)
    tiny = below(magnitude, Value(1, case.layout.smallest))
    subnormal = conjoin(tiny, negate(is_zero(number))) if case.layout.classed else negate(TRUE())
    claim = conjoin(
        iff(is_class(index, "positive_zero", "negative_zero"), is_zero(number)),
        iff(is_class(index, "negative_zero", "negative_subnormal", "negative_normal"), truth_term(number.negative)),
        iff(is_class(index, "positive_subnormal", "negative_subnormal"), subnormal),
    )
    finite = between(FIRST_FINITE, index, LAST_FINITE)
    return Claim(conjoin(iff(has_number, finite), implies(finite, claim)), case.inputs)


def roundtrip(case: Any) -> Claim:
    """The number of a finite code is encoded by that code again."""
    _, number = case.decomposition(case.code)
    encodable, bits = case.encode(number)
    return Claim(conjoin(encodable, equal(bits, case.code)), case.inputs, case.layout.read(case.code).finite)


def equals(left: Magnitude, right: Magnitude) -> FNode:
    """State that two exact numbers are the same, zeros by their signs too."""
    signs = iff(truth_term(left.negative), truth_term(right.negative))
    same = compare(Value(left.significand, left.exponent), Value(right.significand, right.exponent))[1]
    both_zero = conjoin(is_zero(left), is_zero(right))
    neither = conjoin(negate(is_zero(left)), negate(is_zero(right)), same)
    return conjoin(signs, disjoin(both_zero, neither))


def encoded(case: Any) -> Claim:
    """Where a number has a code, that is a valid finite code of this very number, however the number is written."""
    free = case.free_number()
    encodable, bits = case.encode(free.number)
    code = case.as_code(bits)
    reading = case.layout.read(code)
    claim = conjoin(equal(bits, code), reading.finite, equals(reading.number, free.number))
    return Claim(implies(encodable, claim), free.inputs)


def only_code(case: Any) -> Claim:
    """A number that a code stands for is encodable, and by no other code."""
    free = case.free_number()
    reading = case.layout.read(case.code)
    encodable, bits = case.encode(free.number)
    assumption = conjoin(reading.finite, equals(reading.number, free.number))
    return Claim(conjoin(encodable, equal(bits, case.code)), (*case.inputs, *free.inputs), assumption)


def smaller_magnitude(left: CodeReading, right: CodeReading) -> FNode:
    """State that one magnitude is less than another; infinity is the greatest."""
    one, two = left.number, right.number
    smaller = below(Value(one.significand, one.exponent), Value(two.significand, two.exponent))
    return conjoin(negate(left.infinite), disjoin(right.infinite, smaller))


def precedes(left: CodeReading, right: CodeReading) -> FNode:
    """State that one value comes before another: by number, infinities outside, -0 before +0."""
    upward, downward = smaller_magnitude(left, right), smaller_magnitude(right, left)
    return choose(left.negative, disjoin(negate(right.negative), downward), conjoin(negate(right.negative), upward))


def order(case: Any) -> Claim:
    """The key of one code is less than the key of another if and only if its value comes before the other's."""
    one, two = case.layout.read(case.code), case.layout.read(case.other)
    ordered = conjoin(one.valid, two.valid, negate(one.nan), negate(two.nan))
    claim = iff(less(case.key(case.code), case.key(case.other)), precedes(one, two))
    return Claim(claim, (*case.inputs, case.other.term), ordered)


def canonical_nan(case: Any) -> Claim:
    """The canonical NaN is the one of the table, and a quiet NaN."""
    expected = case.layout.canonical_nan
    claim = conjoin(equal(case.row.canonical_nan, expected), is_class(case.value_class(case.code), "quiet_nan"))
    return Claim(claim, case.inputs, equal(case.code, expected))


def zeros(case: Any) -> Claim:
    """+0 is the code 0 and -0 the sign alone, where the format has them; the published pair is those two."""
    index, layout = case.value_class(case.code), case.layout
    negative = negate(TRUE()) if layout.negative_zero is None else equal(case.code, layout.negative_zero)
    positive = negate(TRUE()) if case.name == "format.e8m0" else equal(case.code, 0)
    published = None if layout.negative_zero is None else (0, layout.negative_zero)
    claim = conjoin(
        TRUE() if case.signed_zeros() == published else negate(TRUE()),
        iff(is_class(index, "positive_zero"), positive),
        iff(is_class(index, "negative_zero"), negative),
    )
    return Claim(claim, case.inputs)


def lanes(case: Any) -> Claim:
    """Lane i of a carrier is its i-th code from the right."""
    carrier, bits = case.carrier, case.layout.code_bits
    codes = case.lanes(carrier)
    fields = [bit_field(carrier, bits * (lane + 1) - 1, bits * lane) for lane in range(case.layout.lanes)]
    if len(codes) != len(fields):
        return Claim(negate(TRUE()), (carrier.term,))
    return Claim(conjoin(*map(equal, codes, fields)), (carrier.term,))


def no_number(case: Any) -> Claim:
    """An integer format has no floating descriptor and no decomposition."""
    has_number, _ = case.decomposition(case.code)
    described = TRUE() if case.descriptor.available else negate(TRUE())
    return Claim(conjoin(negate(has_number), negate(described)), case.inputs)


DECOMPOSITION = "PTO-NUMERIC-FINITE-DECOMPOSITION-001; " + TABLE

KINDS = (
    Kind(
        "class",
        "Every code is of exactly one of eleven classes, the one that its fields say.",
        "asl/arch/data-types/numeric-classification.asl, TileNumericValueClass; " + TABLE,
        every,
        one_class,
        ("quiet_bit_inverted", "swapped_fields", "all_ones_finite"),
    ),
    Kind(
        "valid",
        "A code is valid if and only if its constrained bits are zero.",
        "asl/arch/data-types/numeric-classification.asl, TileNumericEncodingValid; " + TABLE,
        is_floating,
        constrained,
        ("constraint_dropped", "high_constraint_dropped"),
    ),
    Kind(
        "available",
        "Invalid internal encodings, infinities and NaNs report unavailable, every valid finite encoding decomposes.",
        DECOMPOSITION,
        is_floating,
        available,
        ("constraint_dropped", "infinity_finite"),
    ),
    Kind(
        "value",
        "Every valid finite floating or scale encoding decomposes into sign, integer significand and integer exponent such "
        "that its exact value is (-1)^sign · significand · 2^exponent.",
        DECOMPOSITION,
        is_floating,
        value,
        ("wrong_bias", "swapped_fields", "subnormal_exponent_wrong", "hidden_bit_lost", "dot_sign_ignored"),
    ),
    Kind(
        "class_agrees",
        "Class and decomposition agree: a number is available if and only if the class is a finite one, and has the sign "
        "and the range that the class names.",
        DECOMPOSITION,
        is_floating,
        class_agrees,
        ("infinity_finite", "subnormals_normal"),
    ),
    Kind(
        "roundtrip",
        "Encoding is the inverse of decomposition: a finite code's number is encoded by that code.",
        DECOMPOSITION,
        is_floating,
        roundtrip,
        ("binade_start_off", "zero_sign_lost"),
    ),
    Kind(
        "encoded",
        "A number has a code only where a finite code stands for exactly that number.",
        DECOMPOSITION,
        is_floating,
        encoded,
        ("inexact_encoded", "too_large_encoded"),
    ),
    Kind(
        "only_code",
        "A number that a finite code stands for has that code and no other.",
        DECOMPOSITION,
        is_floating,
        only_code,
        ("unnormalised_refused",),
    ),
    Kind(
        "order",
        "The key orders codes as their values are ordered, infinities included; -0 stands just below +0.",
        "asl/arch/features/minmax-profile.asl, HardwareNumericFloatingOrderKey",
        every,
        order,
        ("negative_order_reversed", "rank_overlaps", "signed_order_unsigned"),
    ),
    Kind(
        "canonical_nan",
        "The canonical NaN is a quiet NaN.",
        "asl/arch/data-types/numeric-classification.asl, TileNumericCanonicalNaN; " + TABLE,
        has_nan,
        canonical_nan,
        ("canonical_nan_signalling",),
    ),
    Kind(
        "zeros",
        "+0 is the code 0, -0 the sign alone.",
        "asl/arch/data-types/numeric-classification.asl, HardwareNumericSignedZeroEncodings; " + TABLE,
        is_floating,
        zeros,
        ("no_negative_zero",),
    ),
    Kind(
        "lanes",
        "A packed carrier holds its codes side by side, the first in the lowest bits.",
        "asl/arch/data-types/packed.asl; " + TABLE,
        is_packed,
        lanes,
        ("lanes_reversed",),
    ),
    Kind(
        "no_number",
        "Integer Tile DataTypes report that no floating-format descriptor exists, and that no decomposition is available.",
        "PTO-NUMERIC-FORMAT-DESCRIPTOR-001; PTO-NUMERIC-FINITE-DECOMPOSITION-001",
        is_integer,
        no_number,
        ("integers_decompose",),
    ),
)
