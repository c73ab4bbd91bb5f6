"""The MXINT8 encoding against the exact oracle, and where the bfp16ebs8 converter departs from it."""

from fractions import Fraction as Q
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formal.encodings.blocks import block, proof, symbols
from formal.encodings.exact import fields_value, floor_log2, power
from halfulp_formal.bits import Bool, and_reduce, or_reduce
from halfulp_formal.encodings.bfp16 import encode_block
from halfulp_formal.encodings.block import any_of, exponent_field
from halfulp_formal.encodings.mxint8 import quantize_block
from halfulp_formal.evaluate import compile_term
from halfulp_formal.obligation import Verdict
from oracle import bfp16


@cache
def quantizer(size):
    members = symbols(size, "mxint8")
    terms = quantize_block(members)
    return compile_term(
        [terms.characterised.term, terms.exponent.term, *(m.term for m in terms.mantissas)],
        [x.term for x in members],
    )


def procedure(members):
    """The procedure of the paper on exact values."""
    values = [fields_value(x, 8, 23) for x in members]
    peak = max(abs(v) for v in values)
    shared = max(floor_log2(peak), -127) if peak else -127
    return tuple(max(-127, min(127, round(v * 64 / power(shared)))) for v in values), shared + 127


def check(members):
    characterised, exponent, *mantissas = quantizer(len(members))(*members)
    wanted = bfp16.mxint8_quantize(members)
    assert characterised == (wanted is not None)
    if wanted is not None:
        assert (tuple((m ^ 0x80) - 0x80 for m in mantissas), exponent) == wanted == procedure(members)


@pytest.mark.parametrize("size", [1, 8, 32])
def test_corner_blocks(size):
    random = Random(size)
    for _ in range(6400 // (size + 8)):
        check(block(random, size))


@given(st.lists(st.integers(0, 2**32 - 1), min_size=32, max_size=32))
def test_any_block(members):
    check(members)
    check([x & 0x807FFFFF for x in members])
    check([x & 0xBFFFFFFF for x in members])


def test_subnormal_members_count_down_to_half_a_step():
    check([0x00000001, *[0] * 31])
    check([0x007FFFFF, 0x80400000, *[0] * 30])
    check([0x00800000, 0x807FFFFF, 0x00008000, 0x00018000, *[0] * 28])
    assert procedure([0x00008000] + [0] * 31)[0][0] == round(Q(1, 2))


def test_solver_elements_stay_within_127():
    members = symbols(32, "mxint8")
    terms = quantize_block(members)
    claim = ~any_of([m == -128 for m in terms.mantissas])
    assert proof(claim, members).verdict is Verdict.PROVED


@pytest.mark.parametrize("everywhere", [True, False])
def test_solver_the_converter_differs_where_rounding_reaches_128_or_a_subnormal_is_flushed(everywhere):
    members = symbols(8, "mxint8")
    ours, theirs = quantize_block(members), encode_block(members, "conv_even")
    same = ours.exponent == theirs.exponent
    for a, b in zip(ours.mantissas, theirs.mantissas, strict=True):
        same = same & (a == b)
    subnormal = any_of([~or_reduce(exponent_field(x)) & or_reduce(x.extract(22, 0)) for x in members])
    # 127.5 and above at the shared exponent: an all-ones head of seven fraction bits.
    reaches = any_of([(exponent_field(x) == ours.exponent) & and_reduce(x.extract(22, 16)) for x in members])
    excluded = Bool.constant(False) if everywhere else reaches | subnormal
    verdict = Verdict.REFUTED if everywhere else Verdict.PROVED
    assumption = ours.characterised & theirs.characterised & ~excluded
    assert proof(same, members, assuming=assumption).verdict is verdict
