"""Block conversions: what the characterisation of bfp16ebs8 on silicon says of every whole block.

Every claim is about all members of a block at once and about their largest exponent field, `in.shared`. Its steps are what
holds of one lane.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, Equals

from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import Int, choose, conjoin, disjoin, fit, negate
from halfulp_formal.obligation import Verdict

from .claim import Claim, Kind
from .numbers import Number, at_most, between, bit_field, equal, iff, implies, less, select
from .quantised import (
    Quantised,
    is_ceil,
    is_symmetric,
    large,
    leaves_minimum_open,
    mode_of,
    opposite,
    renormalises,
    rule,
)


def characterised(case: Any) -> Claim:
    """The evidence leaves open a magnitude of 128 under the exponents 254 (where it renormalises) and 255."""
    block = Quantised(case)
    at_254 = conjoin(equal(block.shared, 254), block.renormalises)
    at_255 = conjoin(equal(block.shared, 255), disjoin(*(block.reaches(member) for member in block.members)))
    return block.claim(iff(block.block.characterised, negate(disjoin(at_254, at_255))), steps=block.agree)


def exponent(case: Any) -> Claim:
    """The largest exponent field, and one more where a mantissa would be 128; under 255 nothing moves."""
    block = Quantised(case)
    grown = conjoin(block.renormalises, less(block.shared, 255))
    moved = equal(block.block.exponent, select(grown, arithmetic.add(block.shared, 1), block.shared))
    return block.claim(conjoin(moved, iff(block.block.renormalised, grown)), steps=block.agree)


def mantissa_range(case: Any) -> Claim:
    """No mantissa exceeds 127, and none of a renormalised block 64; -128 is floor's alone."""
    block = Quantised(case)
    low = -128 if block.mode == "floor" else -127
    *first, again = block.cases
    small = again.each(lambda _member, mantissa, _exponent: between(-64, mantissa, 64))
    fits = [case.all(case.each(lambda _member, mantissa, _exponent: between(low, mantissa, 127))) for case in first]
    claim = implies(block.block.characterised, conjoin(*fits, again.all(small)))
    return block.claim(claim, steps=small)


def minimum(case: Any) -> Claim:
    """Floor emits -128 exactly for a negative leader beyond -127, and never renormalises."""
    block = Quantised(case)
    lanes = (iff(block.reaches(member), equal(mantissa, -128)) for member, mantissa in block.pairs)
    claim = conjoin(*lanes, negate(block.block.renormalised))
    return block.claim(claim, block.block.characterised, (negate(beyond) for beyond in block.passes.beyond))


def leader(case: Any) -> Claim:
    """Every leader has a mantissa of magnitude 64 or more; of a renormalised block those that reached 128 have."""
    block = Quantised(case)
    _, first, again = block.cases
    leads = first.each(lambda member, mantissa, _exponent: implies(block.leads(member), large(mantissa)))
    reaches = again.each(lambda member, mantissa, _exponent: implies(block.moves(member), large(mantissa)))
    claim = conjoin(first.all(leads), again.all((*reaches, block.renormalises)))
    return block.claim(claim, less(0, block.shared), (*block.agree, *leads, *reaches))


def rounding(case: Any) -> Claim:
    """Every mantissa is its member's exact one under the emitted exponent, rounded once by the mode's rule."""
    block = Quantised(case)
    cases = [(each, each.each(partial(rule, block.mode))) for each in block.cases]
    claim = conjoin(*(each.all(lanes) for each, lanes in cases))
    return block.claim(claim, steps=(lane for _, lanes in cases for lane in lanes))


def mirrored(case: Any) -> Claim:
    """A block of opposite members gives the same exponent and opposite mantissas."""
    block = Quantised(case)
    words = tuple(opposite(word) for word in case.members)
    other, passes = case.convert(words), case.passes(words)
    signs = (equal(two, arithmetic.minus(one)) for one, two in zip(block.block.mantissas, other.mantissas, strict=True))
    opposites = conjoin(equal(block.block.exponent, other.exponent), *signs)
    steps = (Equals(block.shared.term, fit(passes.shared, 8)),)
    return block.claim(implies(conjoin(block.block.characterised, other.characterised), opposites), steps=steps)


def flushed(case: Any) -> Claim:
    """A subnormal member counts as zero."""
    block = Quantised(case)
    words = tuple(
        Int(choose(equal(member.exponent, 0), fit(0, 32), word.term), word.low, word.high)
        for member, word in zip(block.members, case.members, strict=True)
    )
    other, passes = case.convert(words), case.passes(words)
    mantissas = zip(block.block.mantissas, other.mantissas, strict=True)
    claim = conjoin(equal(block.block.exponent, other.exponent), *(equal(one, two) for one, two in mantissas))
    lanes = zip((*block.passes.first, *block.passes.second), (*passes.first, *passes.second), strict=True)
    steps = (Equals(block.shared.term, fit(passes.shared, 8)), *(equal(one, two) for one, two in lanes))
    return block.claim(claim, steps=steps)


def zero(case: Any) -> Claim:
    """A block of zeros and subnormals is the zero block."""
    block = Quantised(case)
    claim = conjoin(equal(block.block.exponent, 0), *(equal(mantissa, 0) for mantissa in block.block.mantissas))
    steps = (equal(mantissa, 0) for mantissa in block.passes.first)
    return block.claim(claim, equal(block.shared, 0), steps)


def special(case: Any) -> Claim:
    """Under the exponent 255 an infinity has the mantissa ±64 and a quiet NaN without payload ±96."""
    block = Quantised(case)
    lanes = []
    for member, mantissa in block.pairs:
        for fraction, magnitude in ((0, 64), (1 << 22, 96)):
            expected = select(member.negative, -magnitude, magnitude)
            code = conjoin(equal(member.exponent, 255), equal(member.fraction, fraction))
            lanes.append(implies(code, equal(mantissa, expected)))
    claim = conjoin(equal(block.block.exponent, 255), *lanes)
    return block.claim(claim, conjoin(block.block.characterised, equal(block.shared, 255)))


def infinity_encoding(case: Any) -> Claim:
    """A finite block gets an infinity's exponent exactly where 254 renormalises, and that is not characterised."""
    block = Quantised(case)
    at_254 = conjoin(equal(block.shared, 254), block.renormalises)
    infinite = conjoin(negate(block.block.characterised), disjoin(*(large(each) for each in block.block.mantissas)))
    claim = conjoin(iff(equal(block.block.exponent, 255), at_254), implies(at_254, infinite))
    return block.claim(claim, at_most(block.shared, 254), block.agree)


def largest(case: Any) -> Claim:
    """The member of the largest magnitude has a mantissa of magnitude 64 or more, renormalised or not."""
    block = Quantised(case)
    _, first, again = block.cases
    magnitudes = [bit_field(word, 30, 0) for word in case.members]
    greatest = [conjoin(*(at_most(other, each) for other in magnitudes)) for each in magnitudes]
    plain = first.each(lambda member, mantissa, _exponent: implies(block.leads(member), large(mantissa)))
    again_large = again.each(lambda _member, mantissa, _exponent: large(mantissa))
    leads = [implies(one, block.leads(member)) for one, member in zip(greatest, block.members, strict=True)]
    moved = [implies(conjoin(block.renormalises, one), each) for one, each in zip(greatest, again_large, strict=True)]
    claim = conjoin(first.all((*leads, *plain)), again.all(moved))
    given = conjoin(less(0, block.shared), less(block.shared, 255))
    return block.claim(claim, given, (*block.agree, *leads, *plain, *moved))


def readings(case: Any) -> Claim:
    """The bits of a block do not depend on whether every mode emits -128 or floor alone."""
    return under_both_readings(case, lambda one, two: (equal(one, two), FALSE()))


def readings_values(case: Any) -> Claim:
    """The values of a block do not depend on whether every mode emits -128 or floor alone."""
    return under_both_readings(case, lambda one, two: (equal(one, two), equal(arithmetic.shift_left(one, 1), two)))


def under_both_readings(case: Any, same: Callable[[Number, Number], tuple[FNode, FNode]]) -> Claim:
    """Claim that mantissas are the same in some sense: under one exponent, and where renormalising raised it by one."""
    block = Quantised(case)
    other, passes = case.convert(case.members, case.fits_int8), case.passes(case.members, case.fits_int8)
    raised = negate(equal(block.block.exponent, other.exponent))
    pairs = [same(one, two) for one, two in zip(block.block.mantissas, other.mantissas, strict=True)]
    claim = choose(raised, conjoin(*(moved for _, moved in pairs)), conjoin(*(kept for kept, _ in pairs)))
    settled = conjoin(block.block.characterised, other.characterised)
    steps = (iff(one, two) for one, two in zip(block.passes.beyond, passes.beyond, strict=True))
    return block.claim(implies(settled, claim), steps=steps)


def nan_reaches_128(case: Any) -> Claim:
    """Every block under the exponent 255 is characterised."""
    block = Quantised(case)
    return block.claim(block.block.characterised, equal(block.shared, 255))


def renormalised_to_255(case: Any) -> Claim:
    """Every finite block is characterised."""
    block = Quantised(case)
    return block.claim(block.block.characterised, less(block.shared, 255))


def nan_payload(case: Any) -> Claim:
    """A NaN has another mantissa than an infinity."""
    block = Quantised(case)
    lanes = []
    for member, mantissa in block.pairs:
        nan = conjoin(equal(member.exponent, 255), less(0, member.fraction))
        lanes.append(implies(nan, negate(disjoin(equal(mantissa, 64), equal(mantissa, -64)))))
    return block.claim(conjoin(*lanes), block.block.characterised)


def every(_name: str) -> bool:
    """Every mode has this obligation."""
    return True


SILICON = "virtio-accel pull request 161, probes P0 to P3"


NOT_CHARACTERISED = "virtio-accel pull request 161: outside the evidence"


KINDS = (
    Kind(
        "characterised",
        "The selection of the exponent is verified through e = 254; infinities and quiet NaNs pass. Left open are a "
        "renormalisation of 254 and a magnitude of 128 under 255.",
        SILICON,
        every,
        characterised,
        ("open_block_settled", "open_nan_settled"),
    ),
    Kind(
        "exponent",
        "The shared exponent is the largest exponent field; one more where a mantissa rounds to 128.",
        SILICON,
        every,
        exponent,
        ("block_saturates", "exponent_after_rounding"),
    ),
    Kind(
        "range",
        "A mantissa never exceeds 127 and is never -128, but for floor; renormalised ones are at most 64.",
        SILICON,
        every,
        mantissa_range,
        ("overflow_off_by_one", "minimum_always_emitted"),
    ),
    Kind(
        "minimum",
        "Floor rounding of a near-maximal negative member emits -128, and floor never renormalises.",
        SILICON,
        lambda name: mode_of(name) == "floor",
        minimum,
        ("minimum_never_emitted",),
    ),
    Kind(
        "leader",
        "The members of the largest exponent are normalised into |m| in [64, 127]; after a renormalisation those that "
        "reached 128 are.",
        SILICON,
        every,
        leader,
        ("renormalised_by_two",),
    ),
    Kind(
        "largest",
        "The largest member is normalised into |m| in [64, 127].",
        SILICON,
        lambda name: not is_ceil(name),
        largest,
        ("renormalised_by_two",),
    ),
    Kind(
        "largest_negative",
        "The largest member is normalised into |m| in [64, 127], under ceil too.",
        SILICON,
        is_ceil,
        largest,
        (),
        Verdict.REFUTED,
    ),
    Kind(
        "rounding",
        "Every mantissa is the exact one under the emitted exponent, rounded once by its crrnd mode: it neither saturates "
        "nor wraps.",
        f"{SILICON}; AIE-ML intrinsics guide, rounding modes",
        every,
        rounding,
        ("conv_even_is_floor", "rounded_mantissas_halved", "shifted_twice", "block_tie_reversed"),
    ),
    Kind(
        "mirrored",
        "Normalisation and rounding are sign-symmetric.",
        SILICON,
        is_symmetric,
        mirrored,
        ("sym_ceil_is_ceil", "sign_decides_exponent"),
    ),
    Kind(
        "mirrored_directed",
        "Normalisation and rounding are sign-symmetric in the modes that round to one side too.",
        SILICON,
        lambda name: not is_symmetric(name),
        mirrored,
        (),
        Verdict.REFUTED,
    ),
    Kind("flushed", "A subnormal member counts as zero.", SILICON, every, flushed, ("subnormals_kept",)),
    Kind(
        "zero",
        "A block of zeros and subnormals is the zero block, e = 0 and m = 0.",
        SILICON,
        every,
        zero,
        ("subnormals_kept", "zero_block_biased"),
    ),
    Kind(
        "special",
        "Infinities and quiet NaNs pass structurally: e = 255, m = ±64 and ±96.",
        SILICON,
        every,
        special,
        ("specials_flushed",),
    ),
    Kind(
        "infinity_encoding",
        "A finite block becomes an infinity's encoding exactly where a renormalisation moves e from 254 to 255.",
        NOT_CHARACTERISED,
        every,
        infinity_encoding,
        ("stops_at_254",),
    ),
    Kind(
        "readings",
        "Whether a negative mantissa that rounds to -128 is emitted or renormalised makes no difference.",
        SILICON,
        lambda name: not leaves_minimum_open(name),
        readings,
        ("ceil_is_sym_ceil",),
    ),
    Kind(
        "minimum_mantissa",
        "Whether a negative mantissa that rounds to -128 is emitted or renormalised makes no difference.",
        NOT_CHARACTERISED,
        leaves_minimum_open,
        readings,
        (),
        Verdict.REFUTED,
    ),
    Kind(
        "minimum_mantissa_values",
        "Whether a negative mantissa that rounds to -128 is emitted or renormalised makes no difference to any value.",
        NOT_CHARACTERISED,
        leaves_minimum_open,
        readings_values,
        (),
        Verdict.REFUTED,
    ),
    Kind(
        "nan_reaches_128",
        "Every block with infinities or NaNs is characterised.",
        NOT_CHARACTERISED,
        lambda name: mode_of(name) != "sym_floor",
        nan_reaches_128,
        (),
        Verdict.REFUTED,
    ),
    Kind(
        "renormalised_to_255",
        "Every block of finite numbers is characterised.",
        NOT_CHARACTERISED,
        renormalises,
        renormalised_to_255,
        (),
        Verdict.REFUTED,
    ),
    Kind(
        "nan_payload",
        "A NaN has another mantissa than an infinity.",
        NOT_CHARACTERISED,
        lambda name: mode_of(name) != "sym_ceil",
        nan_payload,
        (),
        Verdict.REFUTED,
    ),
    Kind(
        "nan_payload_counts",
        "A NaN has another mantissa than an infinity, where every payload counts.",
        NOT_CHARACTERISED,
        lambda name: mode_of(name) == "sym_ceil",
        nan_payload,
        ("sym_ceil_is_ceil",),
    ),
)
