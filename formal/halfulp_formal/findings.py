"""Findings: sentences of the specification that its own normative code makes false, with the exact condition of each.

Every finding gives two obligations a conversion: the sentence itself, expected to be REFUTED, and `<finding>_exactly`, the
proof that the sentence fails where the condition says and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pysmt.fnode import FNode
from pysmt.shortcuts import BV, FALSE, BVExtract, Equals

from halfulp_formal.case import Case, magnitude
from halfulp_formal.lift.values import choose, conjoin, disjoin, fit, negate
from halfulp_formal.obligation import Verdict
from halfulp_formal.properties.claim import Claim, Kind
from halfulp_formal.properties.floating import Rounded, Value, below, destination_of, neighbourhood, same
from halfulp_formal.properties.floating_element import reads_fp32, zero_factor
from halfulp_formal.properties.integer import OVERFLOW, WIDTHS, is_shift, saturates, scalar_mode, signed_range
from halfulp_formal.properties.numbers import between, equal, iff, same_number, signed_field
from halfulp_formal.properties.pipeline import INVALID, Fp32, negative_factor, negative_path, scale_factor

UNDERFLOW_BIT = 3


@dataclass(frozen=True)
class Reading:
    """A sentence as a claim under an assumption, and the condition under which it is said to fail."""

    assumption: FNode
    sentence: FNode
    fails: FNode
    inputs: tuple[FNode, ...]


@dataclass(frozen=True)
class Finding:
    """A sentence that the normative code contradicts.

    key: the last part of its obligations' names. sentence, source: what is said and where. code: what the normative code
    does instead, and where. condition: when the two differ, in words.
    """

    key: str
    title: str
    sentence: str
    source: str
    code: str
    condition: str
    applies: Callable[[str], bool]
    read: Callable[[Case], Reading]
    #: a model without the contradiction, as a seeded mistake: with it the sentence is no longer refuted
    mistake: str

    def kinds(self) -> Iterator[Kind]:
        """Yield the two kinds of obligation."""

        def refuted(case: Case) -> Claim:
            reading = self.read(case)
            return Claim(reading.sentence, reading.inputs, reading.assumption)

        def exactly(case: Case) -> Claim:
            reading = self.read(case)
            return Claim(iff(negate(reading.sentence), reading.fails), reading.inputs, reading.assumption)

        yield Kind(self.key, self.sentence, self.source, self.applies, refuted, (), Verdict.REFUTED)
        outside = f"The sentence fails exactly where {self.condition}"
        yield Kind(f"{self.key}_exactly", outside, self.code, self.applies, exactly, (self.mistake,))


def underflow_raised(rounded: Rounded) -> FNode:
    """State that the underflow flag is raised."""
    return Equals(BVExtract(rounded.flags, UNDERFLOW_BIT, UNDERFLOW_BIT), BV(1, 1))


def rounds_up_to_normal(rounded: Rounded) -> FNode:
    """State that a value below the smallest normal rounds to it with an unbounded exponent and full precision."""
    target = rounded.target
    fraction_bits = target.fraction_bits if target.exponent_bits else 1
    exponent = (1 - target.bias if target.exponent_bits else -15) - 1 - fraction_bits
    # in units of that precision's last place the smallest normal is 2^(f+1): the number before it, and the midpoint
    previous = Value((2 << fraction_bits) - 1, exponent)
    middle = Value((4 << fraction_bits) - 1, exponent - 1)
    at_middle = negate(below(rounded.exact, middle))
    after_middle, after_previous = below(middle, rounded.exact), below(previous, rounded.exact)
    up = {
        "rne": at_middle,
        "rna": at_middle,
        "rhb": choose(rounded.negative, after_middle, at_middle),
        "rtz": FALSE(),
        "rto": FALSE(),
        "rtm": choose(rounded.negative, after_previous, FALSE()),
        "rtp": choose(rounded.negative, FALSE(), after_previous),
    }[rounded.mode]
    normal = Value(2 << fraction_bits, exponent)
    return conjoin(below(rounded.exact, normal), up)


def tininess(case: Case) -> Reading:
    """UF if and only if inexact and tiny after rounding."""
    rounded = Rounded(case)
    target = rounded.target
    normal = Value(1, 1 - target.bias if target.exponent_bits else -15)
    inexact = negate(same(rounded.exact, rounded.around.value))
    tiny_after = conjoin(below(rounded.exact, normal), negate(rounds_up_to_normal(rounded)))
    sentence = iff(underflow_raised(rounded), conjoin(inexact, tiny_after))
    fails = conjoin(inexact, rounds_up_to_normal(rounded))
    return Reading(conjoin(rounded.possible, negate(rounded.overflow)), sentence, fails, rounded.free.inputs)


def can_round_up_to_normal(name: str) -> bool:
    """Tell whether a conversion has values that round up to the smallest normal: not truncation, not round to odd.

    BF16 from S32 is left out: no product of an integer and a normal scale is that small. Sat has no say in it.
    """
    parts = name.split(".")
    inward = len(parts) == 3 and parts[1] in ("rtz", "rto")
    return (
        destination_of(name) is not None
        and not inward
        and not saturates(name)
        and not name.startswith(("v", "qs322bf16"))
    )


def underflow_sign(case: Case) -> Reading:
    """The sign of a nonzero value that does not overflow is kept."""
    rounded = Rounded(case)
    kept = choose(rounded.negative, rounded.sign, negate(rounded.sign))
    fails = conjoin(rounded.negative, equal(rounded.magnitude, 0))
    return Reading(conjoin(rounded.possible, negate(rounded.overflow)), kept, fails, rounded.free.inputs)


def nearest_at_top(case: Case) -> Reading:
    """A value nearer to the largest finite number than to the next one with an unbounded exponent does not overflow."""
    rounded = Rounded(case)
    edge = neighbourhood(rounded.target, rounded.target.largest)
    near = below(rounded.exact, edge.middle_above)
    finite = negate(Equals(rounded.flags, fit(0x14, 5)))
    return Reading(conjoin(rounded.possible, near), finite, below(edge.value, rounded.exact), rounded.free.inputs)


def shift_activation(case: Case) -> Reading:
    """ReluMode 1 makes the result of a negative accumulator zero."""
    zero = Equals(case.word(case.element), fit(0, 64))
    negative = negative_path(case)
    assumption = conjoin(case.legal, equal(case.relu, 1))
    return Reading(assumption, disjoin(negate(negative), zero), negative, case.inputs)


def negative_zero_factor(case: Case) -> Reading:
    """-0, which does not compare less than zero, takes the ordinary scale."""
    assumption = conjoin(case.legal, Fp32(case.value).negative_zero)
    sentence = same_number(magnitude(case.multiplier), scale_factor(case))
    fails = negate(same_number(negative_factor(case), scale_factor(case)))
    return Reading(assumption, sentence, fails, case.inputs)


def infinity_status(case: Case) -> Reading:
    """An infinity into an integer records invalid (Sat = 0), or overflow and inexact (Sat = 1)."""
    source = Fp32(case.value)
    recorded = Equals(case.flags(case.element), fit(OVERFLOW if saturates(case.name) else INVALID, 5))
    fails = conjoin(source.sign, zero_factor(case), negate(recorded_by_offset(case)))
    return Reading(conjoin(case.legal, source.infinite), recorded, fails, case.inputs)


def recorded_by_offset(case: Case) -> FNode:
    """State that the offset alone leaves the destination and raises the very flags that the sentence asks for."""
    if not saturates(case.name):
        return FALSE()
    offset_bits, bits = WIDTHS[scalar_mode(case.name)]
    offset = signed_field(case.quant_word, 36 + offset_bits, 37)
    low, high = signed_range(bits)
    return negate(between(low, offset, high))


def noquant_nan(case: Case) -> Reading:
    """NoQuant leaves a NaN as it is."""
    source = Fp32(case.value)
    sentence = Equals(case.word(case.element), fit(case.value, 64))
    fails = conjoin(negate(equal(case.relu, 0)), negate(equal(case.value, 0x7FC00000)))
    return Reading(conjoin(case.legal, source.nan), sentence, fails, case.inputs)


FP8 = ("qf322fp8.rne.nosat", "qf322fp8.rne.sat")
HIF8 = ("qf322hif8.rhb.nosat", "qf322hif8.rhb.sat")

FINDINGS = (
    Finding(
        "tininess",
        "Underflow is signalled before rounding",
        "Floating finite results preserve subnormals with tininess detected after rounding.",
        "ADR 0085, Decision 180",
        "ReferenceBinary16Encoding, ReferenceFP32FiniteEncoding and ReferenceFP8Encoding raise UF for every inexact value "
        "below the smallest normal",
        "the value is below the smallest normal and rounds to it with an unbounded exponent",
        can_round_up_to_normal,
        tininess,
        "tiny_after_rounding_everywhere",
    ),
    Finding(
        "underflow_sign",
        "A negative underflow to zero loses its sign",
        "A result has the sign of the value; E4M3 has a signed zero.",
        "IEEE 754-2019, 6.3; asl/arch/data-types/formats/e4m3.asl, has_signed_zero",
        "ReferenceFP8Encoding scans the codes upward and keeps the first of two equal ones, so that 00 wins over 80",
        "the value is negative and rounds to zero",
        lambda name: name in FP8,
        underflow_sign,
        "underflow_keeps_sign",
    ),
    Finding(
        "nearest_at_top",
        "Values just above the largest finite number overflow although it is nearer",
        "RNE and RHB round to nearest: a value nearer to the largest finite number than to the next one rounds to it.",
        "pto-numeric, section 2; ADR 0085, Decision 180: overflow is of the rounded result",
        "ReferenceFP8Encoding compares the value with 448 or 2^15 before any rounding",
        "the value exceeds the largest finite number",
        lambda name: name in FP8 + HIF8,
        nearest_at_top,
        "early_overflow_lost",
    ),
    Finding(
        "shift_activation",
        "The shift modes ignore the activation",
        "For a negative raw accumulator ReluMode=1 selects zero for each D element.",
        "ADR 0085, Decisions 175 and 176",
        "MatrixPostQuantBaseWithFlags returns from the shift modes before it looks at ReluMode",
        "the accumulator is negative",
        is_shift,
        shift_activation,
        "shift_applies_relu",
    ),
    Finding(
        "negative_zero_factor",
        "-0 takes the negative path",
        "For a nonnegative raw accumulator, the ordinary quantization scale is the selected multiplier.",
        "ADR 0085, Decision 176",
        "MatrixValueClassNegative counts -0 as negative",
        "the factor of a negative accumulator is another one than the scale",
        lambda name: reads_fp32(name) and not name.startswith("v"),
        negative_zero_factor,
        "negative_zero_positive",
    ),
    Finding(
        "infinity_status",
        "-infinity under a factor of zero raises nothing",
        "Sat=0 uses the common destination indefinite encoding and records invalid status; Sat=1 clamps an infinity and "
        "records overflow plus inexact.",
        "ADR 0085, Decision 180",
        "MatrixPostQuantBaseWithFlags goes on with 0 where the selected multiplier is 0",
        "the infinity is negative, its factor is zero, and the offset alone does not leave the destination under Sat = 1",
        lambda name: name.startswith("qf322b8"),
        infinity_status,
        "infinity_beats_relu",
    ),
    Finding(
        "noquant_nan",
        "NoQuant under an activation changes NaNs",
        "NoQuant: destination unchanged.",
        "ADR 0085, Decision 179",
        "MatrixPostQuantBaseWithFlags passes the word unchanged for ReluMode 0 only",
        "an activation is selected and the NaN is not the canonical one",
        lambda name: name == "noquant.fp32",
        noquant_nan,
        "identity_always",
    ),
)

KINDS: tuple[Kind, ...] = tuple(kind for finding in FINDINGS for kind in finding.kinds())
