"""FP32 addition in five rounding modes against exact rationals, and the corners of IEEE 754 as values."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halfulp_model.adder import add, add_exact, adders, zero_is_negative
from halfulp_model.exact import Exact
from model.block_cases import codes, f32, pack
from oracle import ieee_ocp as oracle

NV, OF, NX = 0x01, 0x04, 0x10
ZERO, MINUS_ZERO, INFINITY, NAN, LARGEST = 0, 0x80000000, 0x7F800000, 0x7FC00000, 0x7F7FFFFF
SPECIAL = (ZERO, MINUS_ZERO, 1, 0x80000001, INFINITY, 0xFF800000, NAN, 0xFFC00001, 0x7F800001, LARGEST, 0xFF7FFFFF)

#: any two codes, exponents a few places apart, and sums that cancel
pairs = st.one_of(
    st.tuples(codes(), codes() | st.sampled_from(SPECIAL)),
    st.tuples(codes(), st.integers(0, 27), st.integers(0, 1)).map(
        lambda drawn: (
            drawn[0],
            pack(drawn[2], max((drawn[0] >> 23 & 0xFF) - drawn[1], 0), drawn[0] * 40503 & 0x7FFFFF),
        )
    ),
    st.tuples(codes(), st.integers(-3, 3)).map(lambda drawn: (drawn[0], (drawn[0] + drawn[1]) % (1 << 32) ^ 1 << 31)),
)


def test_names():
    assert list(adders()) == [f"fp32_add.{mode}" for mode in ("rne", "rtz", "rtm", "rtp", "rna")]
    assert all(name == adder.name for name, adder in adders().items())


@settings(max_examples=500)
@given(pair=pairs)
def test_every_mode_is_the_oracle(pair):
    for adder in adders().values():
        for left, right in (pair, pair[::-1]):
            assert add(adder, left, right) == oracle.add32(left, right, adder.rounding.name), adder.name


@pytest.mark.parametrize("left", SPECIAL)
def test_specials_are_the_oracle(left):
    for adder in adders().values():
        for right in SPECIAL:
            assert add(adder, left, right) == oracle.add32(left, right, adder.rounding.name)


@pytest.mark.parametrize(
    ("left", "right", "mode", "code", "flags"),
    [
        (f32(1.0), 0xBF800000, "rne", ZERO, 0),
        (f32(1.0), 0xBF800000, "rtm", MINUS_ZERO, 0),
        (MINUS_ZERO, MINUS_ZERO, "rtp", MINUS_ZERO, 0),
        (ZERO, ZERO, "rtm", ZERO, 0),
        (INFINITY, 0xFF800000, "rne", NAN, NV),
        (INFINITY, LARGEST, "rtz", INFINITY, 0),
        (0x7F800001, ZERO, "rne", NAN, NV),
        (0xFFC12345, 0x7FC00000, "rna", NAN, 0),
        (LARGEST, LARGEST, "rne", INFINITY, OF | NX),
        (LARGEST, LARGEST, "rtz", LARGEST, OF | NX),
        (0xFF7FFFFF, 0xFF7FFFFF, "rtp", 0xFF7FFFFF, OF | NX),
        (LARGEST, f32(1.0), "rne", LARGEST, NX),
        (f32(1.0), 0x33800000, "rne", f32(1.0), NX),  # 1 + 2^-24: a tie to even
        (f32(1.0), 0x33800000, "rna", 0x3F800001, NX),
        (0x3F800001, 0x33800000, "rne", 0x3F800002, NX),
        (f32(1.0), 0xB3000000, "rne", f32(1.0), NX),  # 1 - 2^-25: a tie below the binade
        (f32(1.0), 0xB3000001, "rne", 0x3F7FFFFF, NX),
        (0x00000001, 0x007FFFFF, "rne", 0x00800000, 0),
        (0x00800000, 0x80000001, "rtm", 0x007FFFFF, 0),
    ],
)
def test_corner(left, right, mode, code, flags):
    assert add(adders()[f"fp32_add.{mode}"], left, right) == (code, flags)


def test_exact_sum_keeps_the_smaller_exponent():
    one, two = Exact(negative=False, significand=3, exponent=2), Exact(negative=True, significand=5, exponent=0)
    assert add_exact(one, two) == Exact(negative=False, significand=7, exponent=0)
    assert add_exact(two, two) == Exact(negative=True, significand=10, exponent=0)
    assert add_exact(Exact(negative=True, significand=1, exponent=0), one).significand == 11


def test_sign_of_zero():
    for name, adder in adders().items():
        assert zero_is_negative(adder.rounding, ZERO, MINUS_ZERO, adder.fmt) is (name == "fp32_add.rtm")
        assert zero_is_negative(adder.rounding, MINUS_ZERO, MINUS_ZERO, adder.fmt)
        assert not zero_is_negative(adder.rounding, ZERO, ZERO, adder.fmt)
