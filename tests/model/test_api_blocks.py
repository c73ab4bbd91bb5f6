"""Public calls of block floating point: values that the evidence gives, and every refusal word for word."""

import pytest

import halfulp_model
from halfulp_model import (
    Block,
    Rejected,
    Uncharacterised,
    bfp16_decode,
    bfp16_encode,
    bfp16_matmul,
    fold,
    fp32_add,
    mxint8_join,
    mxint8_quantize,
    mxint8_split,
    v64_pack,
    v64_unpack,
)
from halfulp_model.blocks import block_conversions
from halfulp_model.exact import Exact
from model.block_cases import block_of, f32

TIE = f32(255 / 128)
IDENTITY = tuple(Block(127, tuple(0x40 if k == i else 0 for k in range(8))) for i in range(8))
ROW = Block(130, (1, -2, 3, -4, 5, -6, 7, -128))
SPECIAL = Block(255, (64,) * 8)
CRRND = (
    "floor (0), ceil (1), sym_floor (2), sym_ceil (3), neg_inf (8), pos_inf (9), sym_zero (10), sym_inf (11), "
    "conv_even (12), conv_odd (13)"
)


def refusal(call, *arguments, **controls):
    with pytest.raises(Rejected) as refused:
        call(*arguments, **controls)
    return str(refused.value)


def codes_of(lanes):
    """The lanes, every one of which must be characterised."""
    assert all(isinstance(lane, int) for lane in lanes)
    return lanes


def test_encode_by_name_by_code_and_by_default():
    block = block_of(255 / 128, 1.0)
    assert (
        bfp16_encode(block) == bfp16_encode(block, 0) == bfp16_encode(block, "floor") == Block(127, (127, 64, *[0] * 6))
    )
    assert bfp16_encode(block, 12) == bfp16_encode(block, "conv_even") == Block(128, (64, 32, *[0] * 6))
    assert bfp16_encode(list(block), "conv_odd") == Block(127, (127, 64, *[0] * 6))


def test_every_conversion_is_one_call():
    block = block_of(1.0, -255 / 128, 0.7109375, -0.1)
    for name, conversion in block_conversions().items():
        if name.startswith("bfp16."):
            assert bfp16_encode(block, name.removeprefix("bfp16.")) == bfp16_encode(block, conversion.rounding.code)


def test_what_the_evidence_does_not_settle_is_its_own_result():
    assert bfp16_encode((0x7F7FFFFF, *[0] * 7), "conv_even") == Uncharacterised(
        "renormalised_to_255",
        "renormalisation moves the shared exponent from 254 to 255, where the block would read as an infinity",
    )
    assert bfp16_encode((0x7FFFFFFF, *[0] * 7), "ceil") == Uncharacterised(
        "nan_reaches_128", "a NaN whose payload rounds to a mantissa of magnitude 128 under e = 255"
    )
    low = (Block(0, (1,) * 8),) * 8
    assert set(bfp16_matmul(low, low)) == {
        Uncharacterised("inexact_block_sum", "a block sum that FP32 does not hold exactly")
    }
    assert isinstance(fold(low, low), Uncharacterised)


def test_decode():
    assert bfp16_decode(Block(127, (64, -128, *[0] * 6)))[:2] == (
        Exact(negative=False, significand=64, exponent=-6),
        Exact(negative=True, significand=128, exponent=-6),
    )


def test_v64():
    data = v64_pack(IDENTITY)
    assert data.hex() == "400000000000000000" * 7 + "40" + "7f" * 8
    assert v64_unpack(data) == IDENTITY


def test_mxint8():
    block = mxint8_quantize((TIE, 0x80000000 | TIE, f32(1.0), 0x80000001, *[0] * 28))
    assert block == Block(127, (127, -127, 64, *[0] * 29))
    parts = mxint8_split(block)
    assert parts == (Block(127, block.mantissas[:8]), *[Block(127, (0,) * 8)] * 3)
    assert mxint8_join(parts) == block


def test_multiplying_by_the_identity_reads_a_block_back():
    values = [f32(mantissa / 8) for mantissa in ROW.mantissas]
    product = bfp16_matmul((ROW,) * 8, IDENTITY)
    assert [product[8 * i : 8 * i + 8] for i in range(8)] == [tuple(values)] * 8
    assert bfp16_matmul(IDENTITY, (ROW,) * 8)[8:16] == (values[1],) * 8


def test_mac_adds_to_the_accumulator_and_fold_is_a_chain_of_macs():
    rows, columns = (ROW,) * 8, tuple(reversed(IDENTITY))
    start = tuple(f32(float(lane)) for lane in range(64))
    product = codes_of(bfp16_matmul(rows, columns))
    total = codes_of(bfp16_matmul(rows, columns, start))
    assert total == tuple(fp32_add(one, two).word for one, two in zip(start, product, strict=True))
    again = bfp16_matmul(rows, columns, total)
    assert fold((ROW, ROW), (columns[3],) * 2, start[3]) == again[3]
    assert fold((), ()) == 0


def test_add():
    assert fp32_add(f32(1.0), 0x33800000) == (f32(1.0), 0x10)
    assert fp32_add(f32(1.0), 0x33800000, "RTP") == (0x3F800001, 0x10)
    assert fp32_add(f32(1.0), 0xBF800000, "RTM") == (0x80000000, 0)


@pytest.mark.parametrize(
    ("call", "arguments", "message"),
    [
        (bfp16_encode, ([0] * 7,), "block: got 7 members; expected 8"),
        (bfp16_encode, ([0] * 7 + [1 << 32],), "member: 4294967296 is not a 32-bit FP32 code"),
        (bfp16_encode, ([0] * 7 + [1.0],), "member: 1.0 is not a 32-bit FP32 code"),
        (bfp16_encode, ([0] * 8, "RNE"), f"crrnd: 'RNE' is not a rounding mode; expected {CRRND}"),
        (bfp16_encode, ([0] * 8, 4), f"crrnd: 4 is not a rounding mode; expected {CRRND}"),
        (bfp16_decode, (SPECIAL,), "block: exponent 255 holds infinities and NaNs; expected 0 to 254"),
        (bfp16_decode, (Block(256, (0,) * 8),), "block: exponent 256 is not in 0 to 255"),
        (bfp16_decode, (Block(0, (0,) * 9),), "block: got 9 mantissas; expected 8"),
        (bfp16_decode, (Block(0, (128,) * 8),), "block: mantissa 128 is not in -128 to 127"),
        (v64_pack, (IDENTITY[1:],), "blocks: got 7 blocks; expected 8"),
        (v64_pack, ((*IDENTITY[:7], Block(-1, (0,) * 8)),), "block 7: exponent -1 is not in 0 to 255"),
        (v64_unpack, (bytes(71),), "v64: got a length of 71; expected 72 bytes"),
        (mxint8_quantize, ([0] * 8,), "block: got 8 members; expected 32"),
        (mxint8_quantize, ([0] * 31 + [0xFF800000],), "member: member 31 is 0xff800000; MXINT8 takes finite numbers"),
        (mxint8_split, (ROW,), "block: got 8 mantissas; expected 32"),
        (
            mxint8_split,
            (Block(255, (64,) * 32),),
            "block: exponent 255 holds infinities and NaNs; expected 0 to 254",
        ),
        (mxint8_join, ((ROW,) * 3,), "blocks: got 3 blocks; expected 4"),
        (
            mxint8_join,
            ((ROW, ROW, ROW, SPECIAL),),
            "block 3: exponent 255 holds infinities and NaNs; expected 0 to 254",
        ),
        (
            mxint8_join,
            ((ROW, ROW, ROW, Block(129, ROW.mantissas)),),
            "exponent: the blocks have the exponents [130, 130, 130, 129]; expected one for all",
        ),
        (bfp16_matmul, ((ROW,) * 7, IDENTITY), "a: got 7 blocks; expected 8"),
        (bfp16_matmul, (IDENTITY, ()), "b: got 0 blocks; expected 8"),
        (
            bfp16_matmul,
            (IDENTITY, (ROW,) * 7 + (SPECIAL,)),
            "b[7]: exponent 255 holds infinities and NaNs; expected 0 to 254",
        ),
        (bfp16_matmul, (IDENTITY, IDENTITY, [0] * 63), "accumulator: got 63 lanes; expected 64"),
        (bfp16_matmul, (IDENTITY, IDENTITY, [-1] * 64), "accumulator: -1 is not a 32-bit FP32 code"),
        (fold, ((ROW,), ()), "blocks: 1 in a and 0 in b; expected as many in both"),
        (fold, ((SPECIAL,), (ROW,)), "a[0]: exponent 255 holds infinities and NaNs; expected 0 to 254"),
        (fold, ((ROW,), (ROW,), 1.0), "accumulator: 1.0 is not a 32-bit FP32 code"),
        (fp32_add, (0, -1), "right: -1 is not a 32-bit FP32 code"),
        (fp32_add, ("0", 0), "left: '0' is not a 32-bit FP32 code"),
        (
            fp32_add,
            (0, 0, "RTO"),
            "rounding: 'RTO' is not a rounding mode of the adder; expected RNE, RTZ, RTM, RTP or RNA",
        ),
    ],
)
def test_refusal(call, arguments, message):
    assert refusal(call, *arguments) == message


def test_the_names_are_exported():
    assert {"Block", "Uncharacterised", "bfp16_encode", "fold", "fp32_add"} <= set(halfulp_model.__all__)
