"""Floating destinations, the element as a whole: specials, -0, and how the product reaches the encoder."""

from __future__ import annotations

from pysmt.fnode import FNode
from pysmt.shortcuts import TRUE, Equals

from halfulp_formal.case import Case
from halfulp_formal.lift.values import conjoin, disjoin, fit, negate

from .claim import Claim, Kind
from .floating import TARGETS, Target, destination_of, is_floating
from .integer import OVERFLOW, saturates
from .numbers import Number, bit_field, equal, select
from .pipeline import INVALID, Fp32, in_pipeline, is_fp32

#: canonical NaN by destination: pto-numeric, section 3
CANONICAL_NAN = {"fp16": 0x7E00, "bf16": 0x7FC0, "fp32": 0x7FC00000, "e4m3": 0x7F, "hif8": 0x80}


def target_of(case: Case) -> Target:
    """Return the floating destination of a case."""
    return TARGETS[destination_of(case.name) or ""]


def reads_fp32(name: str) -> bool:
    """Tell whether a conversion takes FP32 into a floating destination."""
    return is_floating(name) and is_fp32(name)


def zero_factor(case: Case) -> FNode:
    """State that a negative accumulator's factor is zero: ReLU, or an activation parameter of zero."""
    no_activation = equal(bit_field(case.relu_word, 18, 0), 0)
    return disjoin(equal(case.relu, 1), conjoin(negate(equal(case.relu, 0)), no_activation))


def active(case: Case) -> FNode:
    """State that the element is legal and is converted at all: NoQuant needs an activation for that."""
    return conjoin(case.legal, negate(equal(case.relu, 0)) if case.name.startswith("noquant") else TRUE())


def special(case: Case) -> Claim:
    """NaN: +0 (Sat = 1) or the canonical NaN, NV if signalling. Infinity: the largest finite number or the infinity."""
    target, source = target_of(case), Fp32(case.value)
    kept = disjoin(source.nan, conjoin(source.infinite, negate(conjoin(source.sign, zero_factor(case)))))
    sign = 1 << target.bits
    if saturates(case.name):
        nan, infinite, raised = 0, select(source.sign, target.largest + sign, target.largest), OVERFLOW
    else:
        nan = CANONICAL_NAN[destination_of(case.name) or ""]
        signed = target.infinity + sign if target.infinity_signed else target.infinity
        infinite, raised = select(source.sign, signed, target.infinity), 0 if target.infinity_signed else OVERFLOW
    expected: Number = select(source.nan, nan, infinite)
    invalid: Number = select(source.quiet, 0, INVALID)
    flags = select(source.nan, invalid, raised)
    claim = conjoin(Equals(case.word(case.element), fit(expected, 64)), Equals(case.flags(case.element), fit(flags, 5)))
    return Claim(claim, case.inputs, conjoin(active(case), kept))


def negative_zero(case: Case) -> Claim:
    """-0 under a factor that is not zero stays -0, which HiF8 does not have, without flags."""
    target, source = target_of(case), Fp32(case.value)
    code = 0 if destination_of(case.name) == "hif8" else 1 << target.bits
    assumption = conjoin(active(case), source.negative_zero, negate(zero_factor(case)))
    claim = conjoin(Equals(case.word(case.element), fit(code, 64)), Equals(case.flags(case.element), fit(0, 5)))
    return Claim(claim, case.inputs, assumption)


def reaches_encoder(case: Case) -> Claim:
    """Every other element is its exact product, rounded once."""
    result = case.encode(case.product)
    claim = conjoin(
        Equals(case.word(case.element), case.word(result)), Equals(case.flags(case.element), case.flags(result))
    )
    other = negate(Fp32(case.value).negative_zero) if is_fp32(case.name) else TRUE()
    return Claim(claim, case.inputs, conjoin(in_pipeline(case), other))


KINDS = (
    Kind(
        "special",
        "With Sat=1, floating NaN produces zero; with Sat=0, it produces the destination canonical quiet NaN. A signaling "
        "NaN additionally records invalid status in either case.",
        "ADR 0085, Decision 180; asl/arch/profile/matrix-postprocess.asl, MatrixPostQuantSpecialValue",
        reads_fp32,
        special,
        ("quiet_bit_inverted", "nan_payload_leaks"),
    ),
    Kind(
        "negative_zero",
        "-0 with a nonzero multiplier and a floating destination gives the destination's -0.",
        "asl/arch/profile/matrix-postprocess.asl, MatrixPostQuantBaseWithFlags and MatrixFloatingSignedZero",
        reads_fp32,
        negative_zero,
        ("negative_zero_lost",),
    ),
    Kind(
        "once",
        "The selected multiplier is applied before the destination conversion; activation never decodes and re-encodes an "
        "already rounded destination value.",
        "ADR 0085, Decision 176",
        is_floating,
        reaches_encoder,
        ("rounded_twice",),
    ),
)
