"""Operands of K = 512: every lane tells the fold from a single rounding, from other orders and other roundings."""

import json
from fractions import Fraction
from importlib import import_module

import pytest

from formal.vectors import readers
from halfulp_formal.mistakes import MISTAKES
from halfulp_formal.subject import discarded
from halfulp_formal.vectors.fold_planes import STEPS, text
from oracle import bfp16 as oracle
from oracle.ieee_ocp import encode

FILE = readers.FOLDER / "fold" / "k512.jsonl"
HEAD, *PLANES, LANES = [json.loads(line) for line in FILE.read_text().splitlines()]


def rows(name):
    """The rows of an operand: blocks as the oracle has them, in the order of k."""
    steps = [oracle.unpack_v64(bytes.fromhex(planes[name])) for planes in PLANES]
    return [tuple(step[row] for step in steps) for row in range(8)]


PAIRS = [list(zip(row, column, strict=True)) for row in rows("a") for column in rows("b")]


def test_the_file_is_what_the_command_writes(halfulp, tmp_path):
    assert FILE.read_text() == text()
    assert halfulp("vectors", "fold", "--out", tmp_path / "k512.jsonl") == (0, "", "")
    assert (tmp_path / "k512.jsonl").read_bytes() == FILE.read_bytes()
    assert (HEAD["k"], HEAD["steps"], len(PLANES)) == (512, STEPS, 64)


def test_all_lanes_are_the_oracle_s_and_tell_the_two_apart():
    once = [encode(sum((oracle.dot(*pair) for pair in pairs), Fraction(0)), "FP32", "RNE", False)[0] for pairs in PAIRS]
    folded = [oracle.fold(pairs) for pairs in PAIRS]
    assert [int(code, 16) for code in LANES["fold"]] == folded
    assert [int(code, 16) for code in LANES["rounded_once"]] == once
    assert sum(one != two for one, two in zip(folded, once, strict=True)) == 64
    assert len(set(folded)) == 64


def test_all_lanes_tell_the_order_and_a_cut_sum():
    folded = [int(code, 16) for code in LANES["fold"]]
    assert all(oracle.fold(pairs[::-1]) != code for pairs, code in zip(PAIRS, folded, strict=True))
    # cutting toward zero drops every later block, and with it all but the first
    assert all(oracle.fold(pairs[:1]) != code for pairs, code in zip(PAIRS, folded, strict=True))


@pytest.mark.parametrize(
    "mistake", ["fold_descending", "last_product_twice", "product_bias_once", "larger_exponent_counts_twice"]
)
def test_a_wrong_fold_fails(mistake):
    expected = [int(code, 16) for code in LANES["fold"]]
    with discarded(MISTAKES[mistake].subject()) as subject:
        block, fold = import_module(f"{subject.package}.blocks").Block, subject.module("api_blocks").fold
        for pairs, code in zip(PAIRS[::9], expected[::9], strict=True):
            left, right = (
                tuple(block(exponent, mantissas) for mantissas, exponent in side) for side in zip(*pairs, strict=True)
            )
            assert fold(left, right) != code
