"""v64 planes and member values against the oracle."""

from hypothesis import given
from hypothesis import strategies as st

from halfulp_model.bfp16 import V64_BLOCKS, mantissa_value, pack_v64, signed_mantissa, unpack_v64
from halfulp_model.blocks import Block
from halfulp_model.exact import Exact
from halfulp_model.loader import default_rules
from model.block_cases import blocks
from oracle import bfp16 as oracle

ROW = default_rules().blocks["BFP16"]


@given(planes=st.lists(blocks(0, 255), min_size=V64_BLOCKS, max_size=V64_BLOCKS).map(tuple))
def test_planes_are_the_oracle_and_come_back(planes):
    data = pack_v64(ROW, planes)
    assert bytes(data) == oracle.pack_v64([(block.mantissas, block.exponent) for block in planes])
    assert unpack_v64(ROW, data) == planes


@given(data=st.binary(min_size=72, max_size=72))
def test_any_72_bytes_are_eight_blocks(data):
    assert bytes(pack_v64(ROW, unpack_v64(ROW, tuple(data)))) == data


def test_layout():
    rows = tuple(Block(100 + row, tuple(range(row, -8 + row, -1))) for row in range(8))
    data = bytes(pack_v64(ROW, rows))
    assert data[:8] == bytes([0, 0xFF, 0xFE, 0xFD, 0xFC, 0xFB, 0xFA, 0xF9])
    assert data[8 * 7] == 7
    assert data[64:] == bytes(range(100, 108))


def test_signed_mantissa():
    assert [signed_mantissa(ROW, byte) for byte in (0, 0x40, 0x7F, 0x80, 0xFF)] == [0, 64, 127, -128, -1]


def test_identity_is_one():
    assert mantissa_value(ROW, 127, 0x40) == Exact(negative=False, significand=64, exponent=-6)
    assert mantissa_value(ROW, 0, -128) == Exact(negative=True, significand=128, exponent=-133)
