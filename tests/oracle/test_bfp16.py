"""The silicon characterisation of bfp16ebs8 as values, the OCP procedure beside it, and the fold."""

import struct
from fractions import Fraction

import pytest

from oracle.bfp16 import (
    ROUNDINGS,
    Block,
    decode_block,
    dot,
    encode_block,
    fold,
    matmul,
    mxint8_quantize,
    mxint8_split,
    pack_v64,
    round_mantissa,
    unpack_v64,
)


def f32(number: float) -> int:
    bits: int = struct.unpack("<I", struct.pack("<f", number))[0]
    return bits


def block(*numbers: float) -> list[int]:
    return [f32(number) for number in numbers] + [0] * (8 - len(numbers))


def mantissas(numbers: list[int], rounding: str, *, fits_int8: bool = False) -> tuple[tuple[int, ...], int]:
    encoded = encode_block(numbers, rounding, fits_int8=fits_int8)
    assert encoded is not None
    return encoded[0][:2], encoded[1]


# -2.5, -1.5, -0.5, 0.5, 1.5, 2.5
TIES = {
    "floor": (-3, -2, -1, 0, 1, 2),
    "ceil": (-2, -1, 0, 1, 2, 3),
    "sym_floor": (-2, -1, 0, 0, 1, 2),
    "sym_ceil": (-3, -2, -1, 1, 2, 3),
    "neg_inf": (-3, -2, -1, 0, 1, 2),
    "pos_inf": (-2, -1, 0, 1, 2, 3),
    "sym_zero": (-2, -1, 0, 0, 1, 2),
    "sym_inf": (-3, -2, -1, 1, 2, 3),
    "conv_even": (-2, -2, 0, 0, 2, 2),
    "conv_odd": (-3, -1, -1, 1, 1, 3),
}


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_rounding(rounding: str) -> None:
    halves = [Fraction(numerator, 2) for numerator in (-5, -3, -1, 1, 3, 5)]
    assert tuple(round_mantissa(half, rounding) for half in halves) == TIES[rounding]
    nearest = ROUNDINGS[rounding] >= 8
    for numerator in range(-24, 25):
        value = Fraction(numerator, 8)
        error = abs(round_mantissa(value, rounding) - value)
        assert error <= Fraction(1, 2) if nearest else error < 1


def test_identity_and_zero_blocks() -> None:
    for rounding in ROUNDINGS:
        assert encode_block(block(1.0), rounding) == ((0x40, 0, 0, 0, 0, 0, 0, 0), 127)
        assert encode_block([0x007FFFFF, 0x80000001, 0, 0x80000000, 0, 0, 0, 0], rounding) == ((0,) * 8, 0)
    assert decode_block(((0x40, -128), 127)) == (Fraction(1), Fraction(-2))
    assert mantissas([0x00800000, 0x007FFFFF, 0, 0, 0, 0, 0, 0], "conv_even") == ((64, 0), 1)


def test_renormalisation_at_half_a_unit_below_128() -> None:
    near = 127.5 / 64
    renormalises = {"ceil", "sym_ceil", "pos_inf", "sym_inf", "conv_even"}
    for rounding in ROUNDINGS:
        expected = ((64, 0), 128) if rounding in renormalises else ((127, 0), 127)
        assert mantissas(block(near), rounding) == expected


def test_minus_128_under_floor_only_and_the_other_reading() -> None:
    near = block(-127.5 / 64, 1.0 / 64)
    assert mantissas(near, "floor") == ((-128, 1), 127)
    assert mantissas(near, "sym_ceil") == ((-64, 1), 128)
    assert mantissas(near, "conv_even") == ((-64, 0), 128)
    assert mantissas(near, "neg_inf") == ((-64, 0), 128)
    assert mantissas(near, "sym_ceil", fits_int8=True) == ((-128, 1), 127)
    assert mantissas(near, "conv_even", fits_int8=True) == ((-128, 1), 127)
    assert mantissas(near, "ceil") == ((-127, 1), 127)


def test_a_renormalised_block_is_quantised_again_from_the_exact_values() -> None:
    # 2.75 units give 3, halved 2; from the exact 1.375 they give 1.
    assert mantissas(block(127.5 / 64, 2.75 / 64), "conv_even") == ((64, 1), 128)
    assert mantissas(block(127 / 64, 2.75 / 64), "conv_even") == ((127, 3), 127)


def test_infinities_and_nans_pass_structurally() -> None:
    for rounding in ("floor", "conv_even"):
        assert mantissas([0x7F800000, f32(1.0), 0, 0, 0, 0, 0, 0], rounding) == ((64, 0), 255)
        assert mantissas([0xFF800000, 0x7FC00000, 0, 0, 0, 0, 0, 0], rounding) == ((-64, 96), 255)
    assert mantissas([0x7F800000, 0x7F000000, 0, 0, 0, 0, 0, 0], "conv_even") == ((64, 32), 255)


def test_what_the_evidence_does_not_settle() -> None:
    rest = [0] * 7
    assert encode_block([0x7FFFFFFF, *rest], "conv_even") is None
    assert encode_block([0xFFFFFFFF, *rest], "floor") is None
    assert encode_block([0x7F7FFFFF, *rest], "conv_even") is None
    assert encode_block([0x7F7FFFFF, *rest], "floor") == ((127, *rest), 254)
    assert encode_block([0x7F7F0000, *rest], "sym_zero") == ((127, *rest), 254)


def test_v64_planes() -> None:
    blocks: list[Block] = [(tuple(range(-128 + row, -120 + row)), 120 + row) for row in range(8)]
    data = pack_v64(blocks)
    assert len(data) == 72
    assert data[:8] == bytes(range(128, 136))
    assert data[64:] == bytes(range(120, 128))
    assert list(unpack_v64(data)) == blocks


def test_mxint8_clamps_where_the_converter_renormalises() -> None:
    numbers = [f32(127.5 / 64)] + [0] * 31
    assert mxint8_quantize(numbers) == ((127, *[0] * 31), 127)
    assert mxint8_quantize([f32(-127.75 / 64)] + [0] * 31) == ((-127, *[0] * 31), 127)
    assert mxint8_quantize([0] * 32) == ((0,) * 32, 0)
    assert mxint8_quantize([0x00400000, 0x00200000] + [0] * 30) == ((64, 32, *[0] * 30), 0)
    assert mxint8_quantize([0x00010000] + [0] * 31) == ((1, *[0] * 31), 0)
    assert mxint8_quantize([0x7F800000] + [0] * 31) is None


def test_block_of_32_splits_into_four_of_8() -> None:
    numbers = [f32(index - 15.5) for index in range(32)]
    whole = mxint8_quantize(numbers)
    assert whole is not None
    parts = mxint8_split(whole)
    assert [exponent for _, exponent in parts] == [whole[1]] * 4
    assert sum(parts, (()))[::2] == tuple(whole[0][first : first + 8] for first in (0, 8, 16, 24))
    other: Block = (tuple(range(32)), 130)
    assert dot(whole, other) == sum(dot(*pair) for pair in zip(parts, mxint8_split(other), strict=True))


def test_dot_counts_minus_128_and_even_mantissas() -> None:
    extreme: Block = ((-128,) * 8, 133)
    assert dot(extreme, extreme) == 1 << 17
    assert dot(((2,) * 8, 100), extreme) == dot(((1,) * 8, 101), extreme)


def test_fold_rounds_once_a_block_in_ascending_order() -> None:
    one: Block = ((1, *[0] * 7), 133)
    large: Block = ((1, *[0] * 7), 133 + 24)
    steps: list[tuple[Block, Block]] = [(large, one), (one, one), (one, one)]
    # 2^24 + 1 ties back to 2^24 twice; in the other order the two ones are added first and count.
    assert fold(steps) == 0x4B800000
    assert fold(steps[::-1]) == 0x4B800001
    assert fold([(one, one)], 0xBF800000) == 0
    huge: Block = ((127, *[0] * 7), 254)
    assert fold([(huge, huge), (one, one)]) == 0x7F800000


def test_matmul_lanes() -> None:
    left = [[((row, *[0] * 7), 133)] for row in range(8)]
    right = [[((column, *[0] * 7), 133)] for column in range(8)]
    assert matmul(left, right) == tuple(f32(float(lane // 8 * (lane % 8))) for lane in range(64))
