"""The bfp16ebs8 encoding against the exact oracle, and what a solver says about whole blocks."""

from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formal.encodings.blocks import block, proof, symbols
from halfulp_formal.bits import Bits, ite
from halfulp_formal.encodings.bfp16 import READINGS, encode_block
from halfulp_formal.encodings.block import any_of
from halfulp_formal.encodings.crrnd import CRRND
from halfulp_formal.evaluate import compile_term
from halfulp_formal.obligation import Verdict
from oracle import bfp16

EIGHT = symbols(8, "bfp16")


@cache
def encoder(mode, reading, size=8):
    members = symbols(size, "bfp16")
    terms = encode_block(members, mode, reading=reading)
    return compile_term(
        [terms.characterised.term, terms.exponent.term, *(m.term for m in terms.mantissas)],
        [x.term for x in members],
    )


def check(members, mode, reading="default"):
    """Returns the settled result, for tests that want to know more about it."""
    characterised, exponent, *mantissas = encoder(mode, reading, len(members))(*members)
    wanted = bfp16.encode_block(members, mode, fits_int8=reading == "fits_int8")
    assert characterised == (wanted is not None)
    if wanted is None:
        return None
    got = tuple((m ^ 0x80) - 0x80 for m in mantissas), exponent
    assert got == wanted, (mode, reading, [f"{x:08x}" for x in members])
    return got


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("mode", CRRND)
def test_corner_blocks(mode, reading):
    random = Random(f"{mode} {reading}")
    seen = [check(block(random, 8), mode, reading) for _ in range(800)]
    assert (None in seen) == (mode != "sym_floor")
    assert any(result and -128 in result[0] for result in seen) == (
        mode == "floor" or (reading == "fits_int8" and mode not in ("ceil", "sym_floor"))
    )


@given(st.lists(st.integers(0, 2**32 - 1), min_size=8, max_size=8), st.sampled_from(list(CRRND)))
def test_any_block(members, mode):
    check(members, mode)


@pytest.mark.parametrize("size", [1, 3, 32])
def test_a_block_may_have_any_number_of_members(size):
    random = Random(size)
    for _ in range(100):
        check(block(random, size), "conv_even")


def test_both_readings_of_a_member_at_minus_127_and_a_half():
    members = [0xBFFF0000, 0x3F800000, *[0] * 6]
    assert check(members, "conv_even") == ((-64, 32, 0, 0, 0, 0, 0, 0), 128)
    assert check(members, "conv_even", "fits_int8") == ((-128, 64, 0, 0, 0, 0, 0, 0), 127)
    assert check(members, "floor") == ((-128, 64, 0, 0, 0, 0, 0, 0), 127)


def test_renormalising_rounds_once():
    # 64.75 becomes 32.375 and so 32; rounded before it is halved it would be 65, then 32.5, and 33 to odd.
    members = [0x3FFFFFFF, 0x3F818000, *[0] * 6]
    assert check(members, "conv_odd") == ((64, 32, 0, 0, 0, 0, 0, 0), 128)
    assert check(members, "sym_ceil") == ((64, 33, 0, 0, 0, 0, 0, 0), 128)


def test_names_that_are_not_known():
    with pytest.raises(ValueError, match=r"^unknown reading wraps; expected one of default, fits_int8$"):
        encode_block(EIGHT, "floor", reading="wraps")
    with pytest.raises(ValueError, match=r"^unknown crrnd mode rtz; expected one of floor, .*$"):
        encode_block(EIGHT, "rtz")
    with pytest.raises(ValueError, match=r"^a block has at least one member; none given$"):
        encode_block([], "floor")


@pytest.mark.parametrize("mode", CRRND)
def test_solver_no_mantissa_saturates_or_wraps(mode):
    terms = encode_block(EIGHT, mode)
    least = -128 if mode == "floor" else -127
    leader = any_of([m.bvsge(64) | m.bvsle(-64) for m in terms.mantissas])
    range_ = ~any_of([m.bvslt(least) for m in terms.mantissas])
    same_sign = ~any_of([m.bvsgt(0) & x.bit(31) for m, x in zip(terms.mantissas, EIGHT, strict=True)])
    claim = range_ & same_sign & ((terms.exponent != 0).implies(leader))
    assert proof(claim, EIGHT, assuming=terms.characterised).verdict is Verdict.PROVED


def test_solver_minus_128_is_emitted_by_floor_alone():
    emitted = any_of([m == -128 for m in encode_block(EIGHT, "floor").mantissas])
    assert proof(~emitted, EIGHT).verdict is Verdict.REFUTED


@pytest.mark.parametrize(("mode", "mirror"), [("floor", "ceil"), ("neg_inf", "pos_inf"), ("conv_even", "conv_even")])
def test_solver_negating_a_block(mode, mirror):
    """Only the pair of floor and ceil is told apart by -128, on a block whose negation renormalises."""
    terms = encode_block(EIGHT, mode)
    negated = encode_block([x ^ 0x80000000 for x in EIGHT], mirror)
    same = terms.exponent == negated.exponent
    for a, b in zip(terms.mantissas, negated.mantissas, strict=True):
        same = same & (a == -b)
    emitted = any_of([m == -128 for m in terms.mantissas])
    verdict = Verdict.REFUTED if mode == "floor" else Verdict.PROVED
    assert proof(same, EIGHT, assuming=terms.characterised).verdict is verdict
    assert proof(same, EIGHT, assuming=terms.characterised & ~emitted).verdict is Verdict.PROVED


def test_solver_a_seeded_double_rounding_is_refuted():
    """Halving the rounded mantissas in place of rounding again differs."""
    terms = encode_block(EIGHT, "conv_even")
    whole = encode_block(EIGHT, "conv_even", reading="fits_int8")
    grew = terms.exponent != whole.exponent
    halved = [(m.bvashr(1)) for m in whole.mantissas]
    same = ~any_of([a != b for a, b in zip(terms.mantissas, halved, strict=True)])
    assumption = terms.characterised & whole.characterised & grew
    assert proof(same, EIGHT, assuming=assumption).verdict is Verdict.REFUTED


def test_solver_floor_is_never_renormalised():
    terms = encode_block(EIGHT, "floor")
    shared = Bits.constant(0, 8)
    for x in EIGHT:
        field = x.extract(30, 23)
        shared = ite(shared.bvult(field), field, shared)
    assert proof(terms.exponent == shared, EIGHT).verdict is Verdict.PROVED
