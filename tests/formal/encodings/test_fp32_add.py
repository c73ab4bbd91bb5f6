"""The FP32 adder against exact rational sums and the oracle, and what a solver says about it."""

from functools import cache
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formal.encodings.blocks import proof
from formal.encodings.exact import encode_float, fields_value
from halfulp_formal.bits import Bits, ite, or_reduce
from halfulp_formal.encodings.block import any_of
from halfulp_formal.encodings.fp32_add import (
    FAR,
    IEEE_ROUNDINGS,
    cubes,
    exponent_difference_is,
    fp32_add,
    left_is_below,
    same_sign,
)
from halfulp_formal.encodings.unpack import unpack_fp32
from halfulp_formal.evaluate import compile_term
from halfulp_formal.obligation import Verdict
from oracle import ieee_ocp

LEFT, RIGHT = Bits.symbol("fp32_add.left", 32), Bits.symbol("fp32_add.right", 32)
BOTH = (LEFT, RIGHT)
CORNERS = (
    0, 1, 2, 0x7FFFFF, 0x800000, 0x800001, 0x33800000, 0x33800001, 0x3F800000, 0x3F800001, 0x3FFFFFFF,
    0x72FFFFFF, 0x73000000, 0x73000001, 0x7F000000, 0x7F7FFFFE, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000, 0x7FFFFFFF,
)  # fmt: skip
WORDS = st.one_of(st.integers(0, 2**32 - 1), st.sampled_from(CORNERS), st.sampled_from([c | 1 << 31 for c in CORNERS]))


@cache
def adder(rounding):
    terms = fp32_add(LEFT, RIGHT, rounding)
    return compile_term([terms.code.term, terms.flags.term], [LEFT.term, RIGHT.term])


def check(left, right, rounding):
    got = adder(rounding)(left, right)
    assert got == ieee_ocp.add32(left, right, rounding.upper()), (rounding, f"{left:08x}", f"{right:08x}")
    assert got == adder(rounding)(right, left)
    exponents = {left >> 23 & 255, right >> 23 & 255}
    exact = fields_value(left, 8, 23) + fields_value(right, 8, 23)
    if 255 not in exponents and exact and got[1] != 0x14:
        assert got == encode_float(exact, "fp32", rounding, sat=False)


@pytest.mark.parametrize("rounding", IEEE_ROUNDINGS)
def test_corners(rounding):
    for one, other, left_sign, right_sign in product(CORNERS, CORNERS, (0, 1 << 31), (0, 1 << 31)):
        check(one | left_sign, other | right_sign, rounding)


@pytest.mark.parametrize("rounding", IEEE_ROUNDINGS)
def test_every_difference_of_exponents_near_a_tie(rounding):
    random = Random(rounding)
    fractions = (0, 1, 2, 3, 0x3FFFFF, 0x400000, 0x400001, 0x7FFFFE, 0x7FFFFF)
    for difference in (*range(30), 60, 253):
        for _ in range(40):
            top = random.randrange(difference, 255)
            one = top << 23 | random.choice([*fractions, random.getrandbits(23)])
            other = (top - difference) << 23 | random.choice([*fractions, random.getrandbits(23)])
            check(one | random.getrandbits(1) << 31, other | random.getrandbits(1) << 31, rounding)


@given(WORDS, WORDS, st.sampled_from(IEEE_ROUNDINGS))
def test_any_two_words(left, right, rounding):
    check(left, right, rounding)


@pytest.mark.parametrize("rounding", IEEE_ROUNDINGS)
def test_solver_no_sum_underflows(rounding):
    """Below the smallest normal number a sum is exact."""
    terms = fp32_add(LEFT, RIGHT, rounding)
    claim = or_reduce(terms.code.extract(30, 23)) | (terms.flags == 0)
    assert proof(claim, BOTH).verdict is Verdict.PROVED


@pytest.mark.parametrize("rounding", IEEE_ROUNDINGS)
def test_solver_zero_is_neutral_and_opposites_cancel(rounding):
    word = unpack_fp32(LEFT)
    neutral = fp32_add(LEFT, Bits.constant(1 << 31, 32), rounding)
    zero = Bits.constant((1 << 31) * (rounding == "rtm"), 32)
    same = neutral.code == ite(word.zero, ite(LEFT.bit(31), LEFT, zero), LEFT)
    opposite = fp32_add(LEFT, LEFT ^ (1 << 31), rounding)
    claim = same & (neutral.flags == 0) & (opposite.flags == 0) & (opposite.code == zero)
    assert proof(claim, [LEFT], assuming=~word.nan & ~word.infinity).verdict is Verdict.PROVED


@pytest.mark.parametrize("rounding", IEEE_ROUNDINGS)
def test_solver_invalid_and_its_result(rounding):
    terms = fp32_add(LEFT, RIGHT, rounding)
    left, right = unpack_fp32(LEFT), unpack_fp32(RIGHT)
    difference = left.infinity & right.infinity & ~same_sign(LEFT, RIGHT)
    nan = left.nan | right.nan | difference
    claim = (terms.flags == 1) == (left.signalling | right.signalling | difference)
    claim = claim & (nan == (terms.code == 0x7FC00000)) & (nan == unpack_fp32(terms.code).nan)
    assert proof(claim, BOTH).verdict is Verdict.PROVED


def test_solver_far_apart_the_smaller_operand_is_a_sticky_bit():
    near = Bits.constant(0, 1).concat(LEFT.extract(30, 23) - FAR, Bits.constant(1, 23))
    far = ~any_of([exponent_difference_is(LEFT, RIGHT, k) for k in range(FAR)]) & left_is_below(RIGHT, LEFT)
    assumption = far & ~RIGHT.bit(31) & ~unpack_fp32(RIGHT).zero & LEFT.extract(30, 23).bvugt(FAR)
    for rounding in ("rne", "rtp"):
        one, other = fp32_add(LEFT, RIGHT, rounding), fp32_add(LEFT, near, rounding)
        claim = (one.code == other.code) & (one.flags == other.flags)
        assert proof(claim, BOTH, assuming=assumption).verdict is Verdict.PROVED


@pytest.mark.parametrize("far", [0, FAR, 255])
def test_solver_cubes_cover_every_pair(far):
    cases = cubes(LEFT, RIGHT, far)
    assert len(cases) == 2 * (far + 1)
    assert proof(any_of(cases), BOTH).verdict is Verdict.PROVED
    rest = proof(~cases[-1], BOTH).verdict
    assert rest is (Verdict.PROVED if far == 255 else Verdict.REFUTED)


def test_solver_a_lost_sticky_bit_is_refuted():
    """A seeded mistake: the last bit of an operand so small that this bit is only ever sticky is left out."""
    terms, cut = fp32_add(LEFT, RIGHT, "rne"), fp32_add(LEFT, RIGHT & 0xFFFFFFFE, "rne")
    assumption = exponent_difference_is(LEFT, RIGHT, 12) & left_is_below(RIGHT, LEFT)
    assert proof(terms.code == cut.code, BOTH, assuming=assumption).verdict is Verdict.REFUTED


def test_a_rounding_that_ieee_754_does_not_have():
    with pytest.raises(
        ValueError, match=r"^unknown rounding rto of an FP32 sum; expected one of rne, rna, rtz, rtp, rtm$"
    ):
        fp32_add(LEFT, RIGHT, "rto")
