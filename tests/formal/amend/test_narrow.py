"""Terms as C on 64-bit integers agree with the terms themselves, over all values of an input in any range."""

import shutil

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pysmt.shortcuts import (
    BV,
    BVSLE,
    BVSLT,
    BVULE,
    BVULT,
    And,
    BVAdd,
    BVAnd,
    BVAShr,
    BVConcat,
    BVExtract,
    BVLShl,
    BVLShr,
    BVMul,
    BVNeg,
    BVNot,
    BVOr,
    BVSExt,
    BVSub,
    BVType,
    BVUDiv,
    BVURem,
    BVXor,
    BVZExt,
    Equals,
    Iff,
    Implies,
    Ite,
    Not,
    Or,
    Symbol,
)

from halfulp_formal.amend.counting import all_parts, in_c
from halfulp_formal.evaluate import compile_term

X = Symbol("narrow.x", BVType(8))
WIDTHS = (8, 64, 90)
#: many terms an example take their time on a busy machine
SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)


def fitted(term, width):
    """The term at a width: extended without or with its sign, or cut."""
    extra = width - term.bv_width()
    return BVZExt(term, extra) if extra > 0 else BVExtract(term, 0, width - 1) if extra < 0 else term


@st.composite
def numbers(draw, width, depth=3):
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        if draw(st.booleans()):
            return draw(st.sampled_from([BVZExt(X, width - 8), BVSExt(X, width - 8)])) if width > 8 else X
        # near the ends as often as anywhere
        value = draw(
            st.one_of(st.integers(0, 9), st.integers(1, 9).map(lambda n: (1 << width) - n), st.integers(0, 255))
        )
        return BV(value, width)
    a, b = draw(numbers(width, depth - 1)), draw(numbers(width, depth - 1))
    small = BVZExt(BVExtract(b, 0, 2), width - 3)
    high = draw(st.integers(3, width - 1))
    low = draw(st.integers(0, high))
    return draw(
        st.sampled_from(
            [
                BVAdd(a, b),
                BVSub(a, b),
                BVMul(a, b),
                BVAnd(a, b),
                BVOr(a, b),
                BVXor(a, b),
                BVNeg(a),
                BVNot(a),
                BVLShl(a, small),
                BVLShl(a, b),
                BVLShr(a, small),
                BVLShr(a, b),
                BVAShr(a, small),
                BVAShr(a, b),
                BVUDiv(a, BVOr(small, BV(1, width))),
                BVURem(a, BVOr(small, BV(1, width))),
                Ite(draw(claims(width, depth - 1)), a, b),
                fitted(BVExtract(a, low, high), width),
                fitted(BVConcat(BVExtract(a, 0, 2), b), width),
                fitted(BVConcat(b, BVExtract(a, 0, 2)), width),
                fitted(BVSExt(a, 5), width),
            ]
        )
    )


@st.composite
def claims(draw, width, depth=3):
    a, b = draw(numbers(width, max(depth - 1, 0))), draw(numbers(width, max(depth - 1, 0)))
    simple = st.sampled_from([BVULT(a, b), BVULE(a, b), BVSLT(a, b), BVSLE(a, b), Equals(a, b)])
    if depth <= 0:
        return draw(simple)
    one, two = draw(claims(width, depth - 2)), draw(simple)
    return draw(st.sampled_from([two, And(one, two), Or(one, two), Not(one), Implies(one, two), Iff(one, two)]))


def by_python(claim):
    run = compile_term([claim], [X])
    return [bool(run(value)[0]) for value in range(256)]


def halves(bits):
    return [(low, bits) for low in range(0, 256, 1 << bits)]


# to make a failing term smaller takes minutes
@settings(max_examples=25, deadline=None, phases=(Phase.explicit, Phase.generate), suppress_health_check=SLOW)
@given(st.sampled_from(WIDTHS).flatmap(claims), st.integers(0, 8))
def test_what_is_decided_beforehand_is_right(claim, bits):
    expected = by_python(claim)
    for part in all_parts(claim, X, halves(bits)):
        if part.differ is not None:
            assert set(expected[part.low : part.low + (1 << part.bits)]) == {part.differ}


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
# the first example is always the simplest one, which says nothing
@settings(max_examples=3, deadline=None, phases=(Phase.explicit, Phase.generate), suppress_health_check=SLOW)
@given(st.lists(st.tuples(st.sampled_from(WIDTHS).flatmap(claims), st.integers(5, 8)), min_size=40, max_size=40))
def test_what_is_counted_in_c_is_right(those):
    # one program for many claims: a compiler takes its time to start
    parts = [part for claim, bits in those for part in all_parts(claim, X, halves(bits))]
    settled = sum(1 << part.bits for part in parts if part.differ)
    counted = in_c([part for part in parts if part.differ is None], 2)
    assert settled + counted == sum(sum(by_python(claim)) for claim, _ in those)


def open_lines(claim, bits):
    return {part.lines for part in all_parts(claim, X, halves(bits)) if part.differ is None}


def test_numbers_of_more_than_64_bits_that_agree_in_the_last_64_are_not_equal():
    minus = BVZExt(BVNeg(BVZExt(X, 56)), 26)
    assert by_python(Equals(BVNeg(BVZExt(X, 82)), minus)).count(True) == 1
    parts = list(all_parts(Equals(BVNeg(BVZExt(X, 82)), minus), X, halves(8)))
    assert [part.low for part in parts if part.differ] == [0]
    assert all(part.differ is not None for part in parts)


def test_bits_that_are_asked_for_are_those_of_a_number_that_does_not_fit():
    # 2^66 + 8 x, of which the bits from the third on
    wide = BVAdd(BV(1 << 66, 90), BVZExt(BVConcat(X, BV(0, 3)), 79))
    odd = BVAdd(wide, BV(1, 90))
    for number in (wide, odd):
        claim = Equals(BVExtract(number, 3, 10), BV(77, 8))
        assert by_python(claim).count(True) == 1
        parts = list(all_parts(claim, X, halves(8)))
        assert sum(part.differ is True for part in parts) + in_c([p for p in parts if p.differ is None], 1) == 1


def test_ranges_that_say_the_same_have_the_same_lines():
    exponent, fraction = BVZExt(BVExtract(X, 4, 7), 12), BVZExt(BVExtract(X, 0, 3), 12)
    up, up_too = BVULT(BV(7, 16), fraction), BVULT(BV(15, 16), BVMul(fraction, BV(2, 16)))
    one = BVAdd(exponent, Ite(up, BV(9, 16), BV(8, 16)))
    two = BVAdd(exponent, Ite(BVULT(BV(9, 16), fraction), BV(9, 16), BV(8, 16)))
    assert len(open_lines(Equals(one, two), 4)) == 1
    # told in other words, it is no longer one text
    assert len(open_lines(Equals(one, BVAdd(exponent, Ite(up_too, BV(9, 16), BV(8, 16)))), 4)) == 1
    # and what is one text is decided
    assert open_lines(Equals(one, BVAdd(BV(8, 16), BVAdd(Ite(up, BV(1, 16), BV(0, 16)), exponent))), 4) == set()
