"""Members to mantissas against exact fractions, and the characterisation on silicon as values."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halfulp_model.block_rows import Minimum, Overflow, Selection
from halfulp_model.blocks import (
    Block,
    BlockConversion,
    Encoding,
    block_conversions,
    clamp_mantissa,
    emits_minimum,
    encode_block,
    exact_mantissa,
    open_question,
    overflows,
    round_member,
    shared_exponent,
)
from halfulp_model.exact import Exact
from model.block_cases import block_of, codes, f32, members
from oracle import bfp16 as oracle

CONVERSIONS = block_conversions()
BFP16 = [conversion for conversion in CONVERSIONS.values() if conversion.block.name == "BFP16"]
MXINT8 = CONVERSIONS["mxint8"]
EVEN = CONVERSIONS["bfp16.conv_even"]

INFINITY, NAN, FULL_NAN = 0x7F800000, 0x7FC00000, 0x7FFFFFFF
#: mantissas of ±127.5 under the exponent 127
TIE = f32(255 / 128)


def with_row(conversion: BlockConversion, **changes):
    """The conversion with some fields of its block row changed."""
    return replace(conversion, block=replace(conversion.block, **changes))


def encoded(conversion, block):
    """The oracle's form of what the model gives: None where it is not characterised."""
    encoding = encode_block(conversion, block)
    return (encoding.block.mantissas, encoding.block.exponent) if encoding.characterised else None


def test_names():
    modes = [
        "floor",
        "ceil",
        "sym_floor",
        "sym_ceil",
        "neg_inf",
        "pos_inf",
        "sym_zero",
        "sym_inf",
        "conv_even",
        "conv_odd",
    ]
    assert list(CONVERSIONS) == [f"bfp16.{mode}" for mode in modes] + ["mxint8"]
    assert all(name == conversion.name for name, conversion in CONVERSIONS.items())


@settings(max_examples=250)
@given(block=members())
def test_every_mode_is_the_oracle(block):
    for conversion in BFP16:
        assert encoded(conversion, block) == oracle.encode_block(block, conversion.rounding.name), conversion.name


@settings(max_examples=100)
@given(block=members())
def test_the_other_reading_is_the_oracle(block):
    for conversion in BFP16:
        if max(bits >> 23 & 0xFF for bits in block) < 255:
            other = with_row(conversion, minimum=Minimum.FITS_INT8)
            expected = oracle.encode_block(block, conversion.rounding.name, fits_int8=True)
            assert encoded(other, block) == expected, conversion.name


@settings(max_examples=150)
@given(block=members(size=8, top=254) | members(size=32, top=254))
def test_mxint8_is_the_oracle(block):
    assert encoded(MXINT8, block) == oracle.mxint8_quantize(block)


@settings(max_examples=300)
@given(block=members(top=254))
def test_hardware_and_ocp_differ_where_rounding_reaches_128_or_a_subnormal_is_flushed(block):
    hardware, ocp = encode_block(EVEN, block), encode_block(MXINT8, block)
    flushed = any(0 < bits & 0x7FFFFFFF < 0x800000 for bits in block)
    assert hardware.block == ocp.block or hardware.renormalised or flushed
    assert not (hardware.renormalised and hardware.block == ocp.block)


def test_identity_and_zero():
    assert encode_block(EVEN, block_of(1.0)) == Encoding(Block(127, (64, *[0] * 7)), False, True)
    for conversion in CONVERSIONS.values():
        assert encode_block(conversion, block_of(0.0, -0.0)).block == Block(0, (0,) * 8)


@pytest.mark.parametrize(
    ("mode", "positive", "negative"),
    [
        ("floor", (127, 127), (127, -128)),
        ("ceil", (128, 64), (127, -127)),
        ("sym_floor", (127, 127), (127, -127)),
        ("sym_ceil", (128, 64), (128, -64)),
        ("neg_inf", (127, 127), (128, -64)),
        ("pos_inf", (128, 64), (127, -127)),
        ("sym_zero", (127, 127), (127, -127)),
        ("sym_inf", (128, 64), (128, -64)),
        ("conv_even", (128, 64), (128, -64)),
        ("conv_odd", (127, 127), (127, -127)),
    ],
)
def test_exact_tie_at_127_and_a_half(mode, positive, negative):
    conversion = CONVERSIONS[f"bfp16.{mode}"]
    for sign, (exponent, mantissa) in ((0, positive), (1, negative)):
        encoding = encode_block(conversion, (sign << 31 | TIE, f32(0.5)) + (0,) * 6)
        assert (encoding.block.exponent, encoding.block.mantissas[0]) == (exponent, mantissa)
        assert encoding.renormalised == (exponent == 128)
        assert encoding.block.mantissas[1] == (16 if encoding.renormalised else 32)
        assert encoding.characterised


def test_ocp_clamps_where_hardware_renormalises():
    block = (TIE, 0x80000000 | TIE, f32(1.0)) + (0,) * 5
    assert encode_block(MXINT8, block) == Encoding(Block(127, (127, -127, 64, *[0] * 5)), False, True)
    assert encode_block(EVEN, block) == Encoding(Block(128, (64, -64, 32, *[0] * 5)), True, True)


def test_the_two_readings_of_minus_128_differ_in_the_neighbours():
    other = with_row(EVEN, minimum=Minimum.FITS_INT8)
    block = (0x80000000 | TIE, f32(1 / 64)) + (0,) * 6
    assert encode_block(EVEN, block).block == Block(128, (-64, 0, *[0] * 6))
    assert encode_block(other, block).block == Block(127, (-128, 1, *[0] * 6))


def test_the_whole_block_is_quantised_again_from_the_exact_values():
    # 2.5 under the first exponent: rounding twice would give 2, then 1 (or 3, then 2 upward); once gives 1
    block = (TIE, f32(2.5 / 64), f32(3.0 / 64), f32(-2.5 / 64)) + (0,) * 4
    assert encode_block(EVEN, block).block == Block(128, (64, 1, 2, -1, 0, 0, 0, 0))


def test_exponent_254_is_reached_but_not_passed():
    largest = 0x7F7FFFFF
    truncated = encode_block(CONVERSIONS["bfp16.floor"], (largest, 0xFF7FFFFF) + (0,) * 6)
    assert truncated == Encoding(Block(254, (127, -128, *[0] * 6)), renormalised=False, characterised=True)
    beyond = encode_block(EVEN, (largest,) + (0,) * 7)
    assert beyond == Encoding(Block(255, (64, *[0] * 7)), renormalised=True, characterised=False)
    assert open_question(beyond) == "renormalised_to_255"
    assert encode_block(MXINT8, (largest,) * 8) == Encoding(Block(254, (127,) * 8), False, True)


def test_infinities_and_nans_pass_structurally():
    block = (INFINITY, 0xFF800000, NAN, 0xFFC00000, 0x7F000000, f32(1.0), 0x7F7FFFFF, 0)
    for conversion in BFP16:
        encoding = encode_block(conversion, block)
        assert encoding.characterised
        assert encoding.block.exponent == 255
        assert encoding.block.mantissas[:5] == (64, -64, 96, -96, 32)
    assert encode_block(EVEN, block).block.mantissas[5:] == (0, 64, 0)
    assert encode_block(CONVERSIONS["bfp16.ceil"], block).block.mantissas[5:] == (1, 64, 0)
    assert encode_block(CONVERSIONS["bfp16.floor"], block).block.mantissas[5:] == (0, 63, 0)


@pytest.mark.parametrize(("mode", "code"), [("conv_even", FULL_NAN), ("ceil", FULL_NAN), ("floor", 0xFFFFFFFF)])
def test_a_nan_that_reaches_128_is_open(mode, code):
    encoding = encode_block(CONVERSIONS[f"bfp16.{mode}"], (code,) + (0,) * 7)
    assert not encoding.characterised
    assert open_question(encoding) == "nan_reaches_128"
    assert encode_block(CONVERSIONS["bfp16.sym_floor"], (code,) + (0,) * 7).characterised
    assert open_question(encode_block(EVEN, block_of(1.0))) is None


def test_subnormals_are_flushed_or_kept_by_the_row():
    subnormals = (0x007FFFFF, 0x80400000, 0x00000001) + (0,) * 5
    assert encode_block(CONVERSIONS["bfp16.ceil"], subnormals) == Encoding(Block(0, (0,) * 8), False, True)
    assert encode_block(MXINT8, subnormals) == Encoding(Block(0, (127, -64, *[0] * 6)), False, True)
    neighbours = (0x00800000, 0x00400000) + (0,) * 6
    assert encode_block(EVEN, neighbours).block == Block(1, (64, *[0] * 7))
    assert encode_block(MXINT8, neighbours).block == Block(1, (64, 32, *[0] * 6))


@given(block=members(top=254))
def test_both_selections_agree_on_finite_blocks(block):
    by_field = with_row(MXINT8, selection=Selection.EXPONENT_FIELD)
    assert shared_exponent(MXINT8, block) == shared_exponent(by_field, block) == max(b >> 23 & 0xFF for b in block)


@given(block=members())
def test_modes_that_treat_both_signs_alike_are_symmetric(block):
    mirrored = tuple(bits ^ 0x80000000 for bits in block)
    for mode in ("sym_floor", "sym_ceil", "sym_zero", "sym_inf", "conv_even", "conv_odd"):
        one, two = (encode_block(CONVERSIONS[f"bfp16.{mode}"], each) for each in (block, mirrored))
        assert one.block.exponent == two.block.exponent
        assert one.block.mantissas == tuple(-mantissa for mantissa in two.block.mantissas)


def test_clamping_instead_of_renormalising_is_one_field():
    saturating = with_row(EVEN, overflow=Overflow.CLAMP)
    assert encode_block(saturating, (TIE, 0x80000000 | TIE) + (0,) * 6).block == Block(127, (127, -127, *[0] * 6))


@given(bits=codes(1, 255), distance=st.integers(0, 60))
def test_exact_mantissa_is_the_oracle(bits, distance):
    shared = (bits >> 23 & 0xFF) + distance
    exact = exact_mantissa(EVEN, bits, shared)
    signed = -exact.significand if exact.negative else exact.significand
    assert oracle.exact_mantissa(bits, shared) * 2 ** (-exact.exponent) == signed


def test_exact_mantissa_of_a_subnormal():
    assert exact_mantissa(EVEN, 0x80000001, 5) == Exact(negative=True, significand=0, exponent=0)
    assert exact_mantissa(MXINT8, 0x80000001, 5) == Exact(negative=True, significand=1, exponent=-21)


def test_a_member_above_the_shared_exponent_is_a_mistake_of_the_caller():
    with pytest.raises(AssertionError):
        round_member(EVEN, f32(4.0), 127)


@pytest.mark.parametrize(
    ("mode", "minimum", "emitted"),
    [
        ("floor", Minimum.FLOOR_ONLY, True),
        ("neg_inf", Minimum.FLOOR_ONLY, False),
        ("ceil", Minimum.FLOOR_ONLY, False),
        ("ceil", Minimum.FITS_INT8, True),
        ("floor", Minimum.NEVER, False),
    ],
)
def test_who_emits_minus_128(mode, minimum, emitted):
    conversion = with_row(CONVERSIONS[f"bfp16.{mode}"], minimum=minimum)
    assert emits_minimum(minimum, conversion.rounding) is emitted
    assert overflows(conversion, -128) is not emitted
    assert [overflows(conversion, mantissa) for mantissa in (-127, 127, 128)] == [False, False, True]


def test_clamp_keeps_both_signs_alike():
    assert [clamp_mantissa(EVEN.block, mantissa) for mantissa in (-128, -127, 127, 128)] == [-127, -127, 127, 127]
