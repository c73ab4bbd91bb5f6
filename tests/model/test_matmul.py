"""Block sums and their accumulation against exact rationals."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from halfulp_model.blocks import Block
from halfulp_model.matmul import (
    Lane,
    accumulate,
    block_sum,
    fold_blocks,
    mantissa_sum,
    matrix_unit,
    multiply_blocks,
)
from model.block_cases import blocks, codes, f32
from oracle import bfp16 as oracle

UNIT = matrix_unit()
START = Lane(0, characterised=True)
MOST = Block(127, (-128,) * 8)


def plain(block):
    """The oracle's form of a block."""
    return block.mantissas, block.exponent


def value(exact):
    """An exact number as a rational."""
    magnitude = exact.significand * Fraction(2) ** exact.exponent
    return -magnitude if exact.negative else magnitude


@given(left=blocks(), right=blocks())
def test_block_sum_is_exact(left, right):
    assert value(block_sum(UNIT, left, right)) == oracle.dot(plain(left), plain(right))
    assert abs(mantissa_sum(left, right)) <= 1 << 17


@given(left=blocks(), right=blocks())
def test_a_lane_is_characterised_where_the_block_sum_is_exact(left, right):
    lane = multiply_blocks(UNIT, left, right)
    exact = oracle.dot(plain(left), plain(right))
    assert lane.characterised or not 117 <= left.exponent + right.exponent <= 376
    if lane.characterised:
        assert lane.code == oracle.fold([(plain(left), plain(right))])
        assert value_of_code(lane.code) == exact


def value_of_code(code):
    """The value of a finite FP32 code."""
    field, fraction = code >> 23 & 0xFF, code & 0x7FFFFF
    magnitude = (fraction + (0x800000 if field else 0)) * Fraction(2) ** (max(field, 1) - 150)
    return -magnitude if code >> 31 else magnitude


@settings(max_examples=200)
@given(pairs=st.lists(st.tuples(blocks(100, 140), blocks(100, 140)), max_size=6), start=codes(60, 200))
def test_fold_is_the_oracle(pairs, start):
    lane = fold_blocks(UNIT, Lane(start, characterised=True), *split(pairs))
    assert lane == (oracle.fold([(plain(one), plain(two)) for one, two in pairs], start), True)


def split(pairs):
    """Pairs of blocks as two rows."""
    return tuple(one for one, _ in pairs), tuple(two for _, two in pairs)


@given(left=blocks(0, 253), right=blocks())
def test_even_mantissas_may_move_into_the_exponent(left, right):
    even = Block(left.exponent, tuple(mantissa & -2 for mantissa in left.mantissas))
    halved = Block(left.exponent + 1, tuple(mantissa // 2 for mantissa in even.mantissas))
    assert multiply_blocks(UNIT, even, right) == multiply_blocks(UNIT, halved, right)


def test_minus_128_is_minus_2():
    assert multiply_blocks(UNIT, MOST, Block(127, (64, *[0] * 7))) == (f32(-2.0), True)
    assert multiply_blocks(UNIT, MOST, MOST) == (f32(32.0), True)
    assert mantissa_sum(MOST, MOST) == 1 << 17


def test_a_block_sum_out_of_range_is_open_and_stays_so():
    low = Block(0, (1,) * 8)
    assert not multiply_blocks(UNIT, low, low).characterised
    assert not multiply_blocks(UNIT, Block(254, (127,) * 8), Block(254, (127,) * 8)).characterised
    after = fold_blocks(UNIT, START, (low, MOST), (low, MOST))
    assert not after.characterised
    assert multiply_blocks(UNIT, low, Block(0, (0,) * 8)) == (0, True)


def test_ends_of_the_range_where_every_block_sum_is_exact():
    one = Block(0, (1, *[0] * 7))
    assert multiply_blocks(UNIT, one, Block(117, one.mantissas)) == (1, True)
    assert not multiply_blocks(UNIT, one, Block(116, one.mantissas)).characterised
    assert multiply_blocks(UNIT, Block(122, MOST.mantissas), Block(254, MOST.mantissas)) == (0x7F000000, True)
    assert not multiply_blocks(UNIT, Block(123, MOST.mantissas), Block(254, MOST.mantissas)).characterised


def test_fold_rounds_at_every_block():
    # 2^24 + 1 is a tie to even at each of two steps; rounded once, the sum is 2^24 + 2
    large, small = Block(151, (64, *[0] * 7)), Block(127, (64, *[0] * 7))
    unit = Block(127, (64, *[0] * 7))
    ascending = fold_blocks(UNIT, START, (large, small, small), (unit,) * 3)
    descending = fold_blocks(UNIT, START, (small, small, large), (unit,) * 3)
    assert ascending == (f32(2.0**24), True)
    assert descending == (f32(2.0**24 + 2), True)


def test_accumulate_follows_ieee_with_special_accumulators():
    for code, expected in ((0x7F800000, 0x7F800000), (0xFF800000, 0xFF800000), (0x7F800001, 0x7FC00000)):
        assert accumulate(UNIT, Lane(code, characterised=True), MOST, MOST) == (expected, True)
