"""The element as a whole: which factor, which product, which offset, and what zero, NaN and infinity become."""

from __future__ import annotations

from pysmt.fnode import FNode
from pysmt.shortcuts import BV, TRUE, Equals

from halfulp_formal.case import Case, magnitude
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import Int, conjoin, disjoin, fit, make_truth, negate, truth_term

from .claim import Claim, Kind
from .integer import OVERFLOW, WIDTHS, around, has_intermediate, is_shift, saturates, scalar_mode, signed_range
from .numbers import (
    Magnitude,
    Number,
    between,
    bit_field,
    clamped,
    equal,
    same_number,
    select,
    select_magnitude,
    signed_field,
)

INVALID = 0x01


def is_fp32(name: str) -> bool:
    """Tell whether a conversion's accumulator is FP32."""
    return "f322" in name.split(".", maxsplit=1)[0] or name == "noquant.fp32"


def has_scale(name: str) -> bool:
    """Tell whether a conversion's parameter word has a scale."""
    return not is_shift(name) and not name.startswith(("noquant", "f322"))


def has_product(name: str) -> bool:
    """Tell whether a conversion multiplies."""
    return not is_shift(name) and name != "noquant.u32"


class Fp32:
    """The judge's reading of an FP32 accumulator."""

    def __init__(self, bits: Int) -> None:
        exponent, fraction = bit_field(bits, 30, 23), bit_field(bits, 22, 0)
        top, no_fraction = equal(exponent, 255), equal(fraction, 0)
        self.sign = equal(bit_field(bits, 31, 31), 1)
        self.nan = conjoin(top, negate(no_fraction))
        self.quiet = equal(bit_field(bits, 22, 22), 1)
        self.infinite = conjoin(top, no_fraction)
        self.subnormal = equal(exponent, 0)
        self.negative_zero = equal(bits, 1 << 31)
        self.magnitude: Number = select(self.subnormal, fraction, arithmetic.add(1 << 23, fraction))
        self.exponent: Number = select(self.subnormal, -149, arithmetic.subtract(exponent, 150))


def negative_path(case: Case) -> FNode:
    """State that the accumulator is negative: -0 and -infinity are, a NaN is not, U32 never is."""
    if is_fp32(case.name):
        source = Fp32(case.value)
        return conjoin(source.sign, negate(source.nan))
    return truth_term(arithmetic.less(case.value, 0))


def fp19(word: Int, low: int) -> Magnitude:
    """Return the FP19 factor of a legal word, its lowest bit at `low`: zero or normal."""
    exponent, fraction = bit_field(word, low + 17, low + 10), bit_field(word, low + 9, low)
    zero = equal(exponent, 0)
    significand = select(zero, 0, arithmetic.add(1 << 10, fraction))
    return Magnitude(negative=False, significand=significand, exponent=arithmetic.subtract(exponent, 137))


def scale_factor(case: Case) -> Magnitude:
    """Return the ordinary quantization scale by the specification; 1 for a mode without a parameter."""
    unit = Magnitude(negative=False, significand=1 << 10, exponent=-10)
    return fp19(case.quant_word, 13) if has_scale(case.name) else unit


def negative_factor(case: Case) -> Magnitude:
    """Return the factor of a negative accumulator by the specification: the scale, or what ReluMode puts in its place."""
    nothing = Magnitude(negative=False, significand=0, exponent=-10)
    activated = select_magnitude(equal(case.relu, 1), nothing, fp19(case.relu_word, 0))
    return select_magnitude(equal(case.relu, 0), scale_factor(case), activated)


def expected_factor(case: Case) -> Magnitude:
    """Return the factor by the specification."""
    return select_magnitude(negative_path(case), negative_factor(case), scale_factor(case))


def factor(case: Case) -> Claim:
    """The selected factor is the scale, zero, or the activation parameter itself."""
    return Claim(same_number(magnitude(case.multiplier), expected_factor(case)), case.inputs, case.legal)


def product(case: Case) -> Claim:
    """The product of a finite accumulator is exact: its magnitude times the factor's, with its sign."""
    factor_parts = magnitude(case.multiplier)
    if is_fp32(case.name):
        source = Fp32(case.value)
        number, exponent, negative = source.magnitude, source.exponent, make_truth(source.sign)
        finite = negate(disjoin(source.nan, source.infinite))
    else:
        number, exponent = arithmetic.absolute(case.value), 0
        negative, finite = arithmetic.less(case.value, 0), TRUE()
    expected = Magnitude(
        negative,
        arithmetic.multiply(number, factor_parts.significand),
        arithmetic.add(exponent, factor_parts.exponent),
    )
    return Claim(same_number(magnitude(case.product), expected), case.inputs, conjoin(case.legal, finite))


def in_pipeline(case: Case) -> FNode:
    """State that the element goes through rounding: legal, not passed through, not a NaN or an infinity on its own."""
    active = negate(equal(case.relu, 0)) if scalar_mode(case.name) == "noquant" else TRUE()
    return conjoin(case.legal, active, negate(case.special))


def pipeline(case: Case) -> Claim:
    """The element is the stages of its product and of the offset in its parameter word."""
    bits = WIDTHS[scalar_mode(case.name)][0]
    offset = signed_field(case.quant_word, 36 + bits, 37)
    stages = case.stages(case.product, offset)
    claim = conjoin(
        Equals(case.word(case.element), case.word(stages)), Equals(case.flags(case.element), case.flags(stages))
    )
    return Claim(claim, case.inputs, in_pipeline(case))


def relu_zero(case: Case) -> Claim:
    """ReluMode 1 makes a negative accumulator count as zero: the offset alone is left, and -infinity is no exception."""
    assumption = conjoin(case.legal, equal(case.relu, 1), negative_path(case))
    word, raised = case.word(case.element), case.flags(case.element)
    if not has_intermediate(case.name):
        return Claim(conjoin(Equals(word, BV(0, 64)), Equals(raised, BV(0, 5))), case.inputs, assumption)
    offset_bits, bits = WIDTHS[scalar_mode(case.name)]
    offset = signed_field(case.quant_word, 36 + offset_bits, 37)
    low, high = signed_range(bits)
    final = clamped(offset, low, high) if saturates(case.name) else Int(fit(offset, bits), low, high)
    expected = select(between(*around(offset, bits)), 0, OVERFLOW)
    claim = conjoin(Equals(word, fit(final, 64)), Equals(raised, fit(expected, 5)))
    return Claim(claim, case.inputs, assumption)


def special(case: Case) -> Claim:
    """NaN: 0 (Sat = 1) or the minimum, NV. Infinity: the endpoint with OF and NX (Sat = 1) or the minimum with NV."""
    source = Fp32(case.value)
    no_activation = equal(bit_field(case.relu_word, 18, 0), 0)
    zero_factor = disjoin(equal(case.relu, 1), conjoin(negate(equal(case.relu, 0)), no_activation))
    kept = disjoin(source.nan, conjoin(source.infinite, negate(conjoin(source.sign, zero_factor))))
    low, high = signed_range(WIDTHS[scalar_mode(case.name)][1])
    if saturates(case.name):
        expected: Number = select(source.nan, 0, select(source.sign, low, high))
        raised: Number = select(source.nan, INVALID, OVERFLOW)
    else:
        expected, raised = low, INVALID
    claim = conjoin(
        Equals(case.word(case.element), fit(expected, 64)), Equals(case.flags(case.element), fit(raised, 5))
    )
    return Claim(claim, case.inputs, conjoin(case.legal, kept))


def identity(case: Case) -> Claim:
    """NoQuant without an activation passes the accumulator unchanged and raises nothing."""
    claim = conjoin(Equals(case.word(case.element), fit(case.value, 64)), Equals(case.flags(case.element), BV(0, 5)))
    unsigned = TRUE() if case.name == "noquant.u32" else equal(case.relu, 0)
    return Claim(claim, case.inputs, conjoin(case.legal, unsigned))


def positive_identity(case: Case) -> Claim:
    """NoQuant under an activation leaves an accumulator that is not negative as it is, but for a NaN."""
    not_negative = negate(negative_path(case))
    finite = negate(Fp32(case.value).nan) if is_fp32(case.name) else TRUE()
    claim = conjoin(Equals(case.word(case.element), fit(case.value, 64)), Equals(case.flags(case.element), BV(0, 5)))
    return Claim(claim, case.inputs, conjoin(case.legal, not_negative, finite))


def relu_ignored(case: Case) -> Claim:
    """The shift modes do not apply the activation: ReluMode changes nothing."""
    plain = case.lifter.call(case.model.shift_element, case.conversion, case.value, case.quant_word)
    claim = conjoin(
        Equals(case.word(case.element), case.word(plain)), Equals(case.flags(case.element), case.flags(plain))
    )
    return Claim(claim, case.inputs, case.legal)


def is_noquant(name: str) -> bool:
    """Tell whether a conversion is NoQuant."""
    return scalar_mode(name) == "noquant"


KINDS = (
    Kind(
        "factor",
        "An activation parameter replaces, rather than multiplies, the negative-path quantization scale.",
        "ADR 0085, Decision 176; asl/arch/profile/matrix-postprocess.asl, MatrixSelectedMultiplier",
        has_product,
        factor,
        ("activation_multiplies", "relu_on_positive", "scale_field_shifted"),
    ),
    Kind(
        "product",
        "The selected multiplier is applied before the mode's intermediate and destination conversion; no assigned scale "
        "mode interprets the parameter as a divisor.",
        "ADR 0085, Decisions 176 and 177",
        has_product,
        product,
        ("exponents_subtracted", "subnormal_exponent_wrong"),
    ),
    Kind(
        "pipeline",
        "Round and saturate at an assigned intermediate, add the signed offset, and only then apply final destination "
        "encoding.",
        "asl/arch/profile/matrix-postprocess.asl, MatrixPostQuantBaseWithFlags",
        has_intermediate,
        pipeline,
        ("offset_unsigned", "offset_field_shifted"),
    ),
    Kind(
        "relu_zero",
        "For a negative raw accumulator ReluMode=1 selects zero.",
        "ADR 0085, Decision 176",
        has_product,
        relu_zero,
        ("relu_zero_keeps_scale", "infinity_beats_relu"),
    ),
    Kind(
        "special",
        "Sat=0 uses the common destination indefinite encoding and records invalid status. Sat=1 converts NaN to zero and "
        "clamps positive or negative infinity to the corresponding destination endpoint.",
        "ADR 0085, Decision 180; asl/arch/profile/matrix-postprocess.asl, MatrixPostQuantSpecialValue",
        lambda name: scalar_mode(name) == "qf322b8",
        special,
        ("nan_saturates_to_maximum", "infinity_sign_lost", "infinity_without_overflow"),
    ),
    Kind(
        "identity",
        "NoQuant: destination unchanged.",
        "ADR 0085, Decision 179; asl/arch/profile/matrix-postprocess.asl, MatrixPostQuantBaseWithFlags",
        is_noquant,
        identity,
        ("identity_dropped",),
    ),
    Kind(
        "positive",
        "For a nonnegative raw accumulator, the ordinary quantization scale is the selected multiplier; NoQuant's is 1.",
        "ADR 0085, Decision 176",
        is_noquant,
        positive_identity,
        ("relu_on_positive",),
    ),
    Kind(
        "relu_ignored",
        "The two shift modes do not consume a multiplicative scale, and apply no activation.",
        "asl/arch/profile/matrix-postprocess.asl, MatrixPostQuantBaseWithFlags",
        is_shift,
        relu_ignored,
        ("shift_applies_relu",),
    ),
)
