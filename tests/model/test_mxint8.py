"""A block of 32 as four blocks of eight: nothing changes, and it comes back."""

import pytest
from hypothesis import given

from halfulp_model.blocks import Block
from halfulp_model.mxint8 import join_blocks, split_block
from model.block_cases import blocks
from oracle import bfp16 as oracle


@given(block=blocks(size=32))
def test_split_is_the_oracle_and_comes_back(block):
    parts = split_block(block, 8)
    assert [(part.mantissas, part.exponent) for part in parts] == list(
        oracle.mxint8_split((block.mantissas, block.exponent))
    )
    assert join_blocks(parts) == block


def test_blocks_of_two_exponents_do_not_join():
    with pytest.raises(AssertionError):
        join_blocks((Block(1, (0,) * 8), Block(2, (0,) * 8)))
