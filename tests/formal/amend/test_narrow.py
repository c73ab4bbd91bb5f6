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
@settings(max_examples=1, deadline=None, phases=(Phase.explicit, Phase.generate), suppress_health_check=SLOW)
@given(st.lists(st.sampled_from(WIDTHS).flatmap(claims), min_size=40, max_size=40))
def test_what_is_counted_in_c_is_right(those):
    # one program for many claims: a compiler takes its time to start
    parts = [part for claim in those for part in all_parts(claim, X, halves(8)) if part.differ is None]
    settled = sum(1 << part.bits for claim in those for part in all_parts(claim, X, halves(8)) if part.differ is True)
    assert settled + in_c(parts, 2) == sum(sum(by_python(claim)) for claim in those)
