"""Integer destinations: what happens between the rounded product and the result word, stage by stage."""

from __future__ import annotations

from pysmt.fnode import FNode
from pysmt.shortcuts import Equals

from halfulp_formal.case import Case, FreeProduct, free_product, part
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import Int, conjoin, disjoin, fit, negate, symbol

from .claim import Claim, Kind
from .numbers import Number, between, bit_field, clamped, equal, iff, is_whole, less, select

#: width of the intermediate and of its offset, and of the destination, by mode: ADR 0085, Decision 179
WIDTHS = {"req4": (5, 4), "req8": (9, 8), "deqs16": (17, 16), "qf322b8": (9, 8)}

OVERFLOW, INEXACT = 0x14, 0x10


def scalar_mode(name: str) -> str:
    """Return the mode in a conversion's name; a vector mode's is its scalar twin's."""
    mode = name.split(".", maxsplit=1)[0]
    return mode.removeprefix("v")


def has_intermediate(name: str) -> bool:
    """Tell whether a conversion saturates to an intermediate width."""
    return scalar_mode(name) in WIDTHS


def saturates(name: str) -> bool:
    """Tell whether a conversion's Sat is 1."""
    return name.endswith(".sat")


def signed_range(bits: int) -> tuple[int, int]:
    """Return the range of a two's-complement number."""
    return -(1 << (bits - 1)), (1 << (bits - 1)) - 1


class Stages:
    """The stages of a free product and a free offset."""

    def __init__(self, case: Case) -> None:
        self.intermediate_bits, self.destination_bits = WIDTHS[scalar_mode(case.name)]
        self.free: FreeProduct = free_product(case)
        self.offset: Int = symbol(f"offset.{self.intermediate_bits}", *signed_range(self.intermediate_bits))
        stages = case.stages(self.free.record, self.offset)
        self.rounded: Number = part(stages, "rounded")
        self.intermediate: Number = part(stages, "intermediate")
        self.total: Number = part(stages, "total")
        self.word, self.flags = case.word(stages), case.flags(stages)

    def claim(self, claim: FNode) -> Claim:
        """Claim something for every product and offset."""
        return Claim(claim, (*self.free.inputs, self.offset.term), self.free.possible, self.free.cubes)


def intermediate(case: Case) -> Claim:
    """The intermediate is the rounded product clamped to S5, S9 or S17, whatever Sat is, and the offset comes after."""
    stages = Stages(case)
    expected = clamped(stages.rounded, *signed_range(stages.intermediate_bits))
    return stages.claim(
        conjoin(
            equal(stages.intermediate, expected),
            equal(stages.total, arithmetic.add(expected, stages.offset)),
        )
    )


def destination(case: Case) -> Claim:
    """Sat = 1 clamps the total to the destination's range, Sat = 0 keeps its low bits; the word is sign-extended."""
    stages = Stages(case)
    bits = stages.destination_bits
    low, high = signed_range(bits)
    if saturates(case.name):
        return stages.claim(Equals(stages.word, fit(clamped(stages.total, low, high), 64)))
    wrapped = Int(fit(stages.total, bits), low, high)
    return stages.claim(Equals(stages.word, fit(wrapped, 64)))


def as_nosat(case: Case) -> Claim:
    """Sat changes nothing before the destination: rounded product, intermediate and total are those of Sat = 0."""
    stages = Stages(case)
    other = Stages(Case(case.subject, case.name.removesuffix(".sat") + ".nosat"))
    same = (
        equal(stages.rounded, other.rounded),
        equal(stages.intermediate, other.intermediate),
        equal(stages.total, other.total),
    )
    return stages.claim(conjoin(*same))


def flags(case: Case) -> Claim:
    """OF and NX if and only if a stage overflows; NX alone if and only if none does and the first rounding is inexact."""
    stages = Stages(case)
    overflow = disjoin(
        negate(between(*around(stages.rounded, stages.intermediate_bits))),
        negate(between(*around(stages.total, stages.destination_bits))),
    )
    inexact = negate(is_whole(stages.free.number))
    expected = select(overflow, OVERFLOW, select(inexact, INEXACT, 0))
    return stages.claim(Equals(stages.flags, fit(expected, 5)))


def around(value: Number, bits: int) -> tuple[Number, Number, Number]:
    """Return a value between the ends of a signed range, ready for `between`."""
    low, high = signed_range(bits)
    return low, value, high


def order(case: Case) -> Claim:
    """Adding the offset before the intermediate saturation differs exactly where one of the two orders saturates.

    With r the rounded product and o the offset, saturate(r) + o and saturate(r + o) differ if and only if r is out of range
    and o is not 0, or r is in range and r + o is not.
    """
    stages = Stages(case)
    bits = stages.intermediate_bits
    moved = arithmetic.add(stages.rounded, stages.offset)
    early = clamped(moved, *signed_range(bits))
    in_range = between(*around(stages.rounded, bits))
    sum_in_range = between(*around(moved, bits))
    region = disjoin(
        conjoin(negate(in_range), negate(equal(stages.offset, 0))),
        conjoin(in_range, negate(sum_in_range)),
    )
    return stages.claim(iff(negate(equal(stages.total, early)), region))


def is_shift(name: str) -> bool:
    """Tell whether a conversion is a shift mode."""
    return scalar_mode(name) == "shifts322s16"


def shift(case: Case) -> Claim:
    """The result is floor(value / 2^(code + 1)) saturated to S16; saturation alone raises OF and NX.

    With q the result where it is not saturated: q · 2^n <= value < (q + 1) · 2^n, for n = code + 1 in bits 35:32.
    """
    unit = arithmetic.shift_left(2, bit_field(case.quant_word, 35, 32))
    low, high = signed_range(16)
    too_low = less(case.value, arithmetic.multiply(low, unit))
    too_high = negate(less(case.value, arithmetic.multiply(high + 1, unit)))
    word, raised = case.word(case.element), case.flags(case.element)
    quotient = Int(fit(Int(word, 0, (1 << 64) - 1), 16), low, high)
    floor = conjoin(
        negate(less(case.value, arithmetic.multiply(quotient, unit))),
        less(case.value, arithmetic.multiply(arithmetic.add(quotient, 1), unit)),
    )
    saturated = disjoin(too_low, too_high)
    endpoint = select(too_low, low, high)
    value_claim = disjoin(
        conjoin(saturated, equal(quotient, endpoint)),
        conjoin(negate(saturated), floor),
    )
    flag_claim = Equals(raised, fit(select(saturated, OVERFLOW, 0), 5))
    return Claim(conjoin(value_claim, flag_claim, Equals(word, fit(quotient, 64))), case.inputs, case.legal)


def wraps(case: Case) -> Claim:
    """Without an intermediate width the product is rounded once and wraps modulo 2^32; out of range raises OF and NX."""
    free = free_product(case)
    stages = case.stages(free.record, 0)
    rounded: Number = part(stages, "rounded")
    fits = between(*around(rounded, 32))
    expected = select(fits, select(is_whole(free.number), 0, INEXACT), OVERFLOW)
    word = case.word(stages)
    low_bits = Int(fit(rounded, 32), *signed_range(32))
    claim = conjoin(Equals(word, fit(low_bits, 64)), Equals(case.flags(stages), fit(expected, 5)))
    return Claim(claim, free.inputs, free.possible, free.cubes)


STAGES_SOURCE = "ADR 0085, Decision 177; asl/arch/profile/matrix-quantization.asl, MatrixQuantizedAffine"

KINDS = (
    Kind(
        "intermediate",
        "The scaled value is rounded and saturated to the assigned S5, S9, or S17 intermediate before adding that signed "
        "offset.",
        STAGES_SOURCE,
        has_intermediate,
        intermediate,
        ("offset_before_saturation", "intermediate_too_wide", "intermediate_off_by_one"),
    ),
    Kind(
        "destination",
        "Sat=1 clamps the result to the minimum or maximum representable destination value; Sat=0 truncates it to the "
        "destination width.",
        "ADR 0085, Decision 178",
        has_intermediate,
        destination,
        ("clamp_and_wrap_swapped", "wrap_too_wide", "word_not_sign_extended"),
    ),
    Kind(
        "as_nosat",
        "After every required intermediate saturation Sat selects clamp or wrap; it has no part in what comes before.",
        "ADR 0085, Decision 178",
        lambda name: has_intermediate(name) and saturates(name),
        as_nosat,
        ("sat_skips_intermediate",),
    ),
    Kind(
        "flags",
        "Flags: OF and NX for an overflow of either stage, else NX when the first rounding is inexact, else none.",
        "asl/arch/profile/matrix-quantization.asl, MatrixRoundAndSaturateSigned and ReferenceMatrixIntegerEncoding",
        has_intermediate,
        flags,
        ("overflow_needs_both_stages", "inexact_flag_lost", "flag_bits_swapped"),
    ),
    Kind(
        "order",
        "Saturating before the offset is not the same as after it: the two differ exactly where the intermediate saturates "
        "with a nonzero offset, or the sum alone leaves its range.",
        "ADR 0085, Decision 177",
        has_intermediate,
        order,
        ("offset_before_saturation",),
    ),
    Kind(
        "shift",
        "The shift modes perform the assigned signed arithmetic right shift and saturate the S16 result.",
        "ADR 0085, Decision 177; asl/arch/profile/matrix-quantization.asl, MatrixShiftS32ToS16",
        is_shift,
        shift,
        ("shift_code_without_one", "shift_wraps"),
    ),
    Kind(
        "wraps",
        "NoQuant with an activation rounds once to the accumulator type and, Sat being 0, wraps.",
        "asl/arch/profile/matrix-quantization.asl, ReferenceMatrixIntegerEncoding",
        lambda name: name == "noquant.s32",
        wraps,
        ("wrap_too_wide", "inexact_flag_lost"),
    ),
)
