"""Findings on formats: descriptors that deny what the codes have, a boundary that is none, a key for what has no order."""

from __future__ import annotations

from typing import Any

from pysmt.shortcuts import TRUE

from halfulp_formal.findings import Finding, Reading
from halfulp_formal.lift.values import Int, conjoin, disjoin, negate
from halfulp_formal.properties.claim import Kind
from halfulp_formal.properties.descriptors import DENIED, constant, is_subnormal, is_tapered, normal_boundary
from halfulp_formal.properties.numbers import at_most, between, bit_field, equal, implies

#: formats with NaNs that have an order key. Source: HardwareNumericFloatingOrderKey
KEYED = tuple(f"format.{name}" for name in ("fp64", "fp32", "tf32", "hf32", "fp16", "bf16", "e4m3", "e5m2"))


def denied_subnormals(case: Any) -> Reading:
    """No code is a nonzero number below the smallest normal one, where has_subnormal is FALSE."""
    reading = case.layout.read(case.code)
    sentence = disjoin(constant(case.descriptor.has_subnormal), negate(is_subnormal(case)))
    return Reading(TRUE(), sentence, reading.subnormal, case.inputs)


def starts_with(code: Int, prefix: int, bits: int) -> Any:
    """State that the bits below the sign of a HiF8 code start with a prefix."""
    return equal(bit_field(code, 6, 7 - bits), prefix)


def below_one(case: Any) -> Reading:
    """No positive normal number is smaller than the boundary."""
    code = case.code
    long_field = disjoin(*(starts_with(code, prefix, 2) for prefix in (0b01, 0b10, 0b11)))
    signed = disjoin(
        conjoin(starts_with(code, 0b001, 3), equal(bit_field(code, 3, 3), 1)),
        conjoin(long_field, equal(bit_field(code, 4, 4), 1)),
    )
    fails = conjoin(equal(bit_field(code, 7, 7), 0), signed)
    return Reading(TRUE(), normal_boundary(case), fails, case.inputs)


def fraction_bits(case: Any) -> Reading:
    """The significand of a nonzero number has as many fraction bits as the descriptor's least width, or more."""
    reading = case.layout.read(case.code)
    _, number = case.decomposition(case.code)
    sentence = at_most(1 << case.descriptor.fraction_bits_min, number.significand)
    fails = between(1, bit_field(case.code, 6, 0), 7)
    return Reading(conjoin(reading.finite, negate(reading.zero)), sentence, fails, case.inputs)


def key_of_nan(case: Any) -> Reading:
    """A key that is available is not outside the keys of the least and the greatest value."""
    reading, layout = case.layout.read(case.code), case.layout
    greatest, least = case.key(layout.largest), case.key(layout.largest + layout.negative_zero)
    within = between(least, case.key(case.code), greatest)
    return Reading(TRUE(), implies(case.valid(case.code), within), conjoin(reading.valid, reading.nan), case.inputs)


FINDINGS = (
    Finding(
        "denied_subnormals",
        "The four-bit formats have numbers that their descriptors deny",
        "has_subnormal = FALSE: no code is a nonzero number below the smallest normal one.",
        "PTO-NUMERIC-FORMAT-DESCRIPTOR-001; E2M1X2NumericFormatDescriptor, E1M2X2 and HiF4X2",
        "E2M1X2FiniteDecomposition, E1M2X2 and HiF4X2 give a code with exponent field 0 its fraction without a hidden bit; "
        "their classification calls it normal",
        "the exponent field is 0 and the fraction is not",
        lambda name: name in DENIED,
        denied_subnormals,
        "subnormals_admitted",
    ),
    Finding(
        "normal_below_boundary",
        "The smallest normal HiF8 number is given as 1",
        "The minimum positive normal of HiF8 is 08.",
        "asl/arch/features/mx-formats.asl, HardwareNumericSubnormalBoundaries",
        "HiF8FiniteDecomposition gives 08 the value 1 and every normal code with a negative exponent a smaller one, down to "
        "2^-15 for 7e",
        "the code is positive and normal and its exponent is negative",
        is_tapered,
        below_one,
        "smallest_normal_corrected",
    ),
    Finding(
        "fraction_bits",
        "HiF8 numbers without a fraction are claimed to have one",
        "fraction_bits_min = 1: the significand of every number has a fraction of at least one bit.",
        "PTO-NUMERIC-FORMAT-DESCRIPTOR-001; HiF8NumericFormatDescriptor",
        "HiF8FiniteDecomposition gives the codes of the denormal field significand 1: their three low bits are the exponent",
        "the low seven bits are 01 to 07",
        is_tapered,
        fraction_bits,
        "shortest_fraction_corrected",
    ),
    Finding(
        "key_of_nan",
        "NaNs have an order key",
        "Carriers convert into a monotonically increasing unsigned key, or the key is unavailable.",
        "asl/arch/features/minmax-profile.asl, HardwareNumericFloatingOrderKey",
        "HardwareNumericFloatingOrderKey makes a key of every valid encoding; a NaN's is beyond those of the infinities, or "
        "of the largest numbers where there are none. Its only caller asks for NaNs first",
        "the code is a NaN",
        lambda name: name in KEYED,
        key_of_nan,
        "key_of_nan_inside",
    ),
)

KINDS: tuple[Kind, ...] = tuple(kind for finding in FINDINGS for kind in finding.kinds())
