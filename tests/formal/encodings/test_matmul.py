"""Block products and folds against exact rational sums and the oracle, and the range in which products are exact."""

from fractions import Fraction as Q
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from formal.encodings.blocks import proof
from formal.encodings.exact import fields_value, power, wrap
from halfulp_formal.bits import Bits
from halfulp_formal.encodings.matmul import accumulate, block_product, exact_fp32, fold, integer_dot
from halfulp_formal.evaluate import compile_term
from halfulp_formal.obligation import Verdict
from oracle import bfp16

LEFT = tuple(Bits.symbol(f"matmul.left{lane}", 8) for lane in range(8))
RIGHT = tuple(Bits.symbol(f"matmul.right{lane}", 8) for lane in range(8))
EXPONENTS = tuple(Bits.symbol(f"matmul.e_{side}", 8) for side in ("left", "right"))
ACCUMULATOR = Bits.symbol("matmul.accumulator", 32)
PRODUCT = block_product(LEFT, EXPONENTS[0], RIGHT, EXPONENTS[1])
INPUTS = [part.term for part in (*LEFT, *RIGHT, *EXPONENTS, ACCUMULATOR)]
RUN = compile_term(
    [PRODUCT.total.term, PRODUCT.code.term, PRODUCT.in_range.term, accumulate(ACCUMULATOR, PRODUCT).code.term], INPUTS
)
TOTAL, EXPONENT_SUM = Bits.symbol("matmul.total", 19), Bits.symbol("matmul.exponent_sum", 9)
MANTISSA = st.one_of(st.integers(-128, 127), st.sampled_from([-128, -127, -1, 0, 1, 64, 127]))
ROW = st.lists(MANTISSA, min_size=8, max_size=8)


def representable(v):
    """Whether FP32 has the value, from its odd part."""
    if v == 0:
        return True
    numerator, unit = abs(v.numerator), -(v.denominator.bit_length() - 1)
    while numerator % 2 == 0:
        numerator, unit = numerator // 2, unit + 1
    return numerator < 1 << 24 and unit >= -149 and abs(v) < power(128)


def check(left, right, left_exponent, right_exponent, accumulator=0):
    masked = [m & 0xFF for m in (*left, *right)]
    total, code, in_range, after = RUN(*masked, left_exponent, right_exponent, accumulator)
    dot = sum(a * b for a, b in zip(left, right, strict=True))
    exact = dot * power(left_exponent + right_exponent - 266)
    blocks = (tuple(left), left_exponent), (tuple(right), right_exponent)
    assert wrap(total, 19) == dot
    assert exact == bfp16.dot(*blocks)
    assert in_range == representable(exact)
    if in_range:
        assert fields_value(code, 8, 23) == exact
        assert (code >> 31) == (exact < 0)
        assert after == bfp16.fold([blocks], accumulator)
    return in_range


@given(ROW, ROW, st.integers(0, 255), st.integers(0, 255), st.integers(0, 2**32 - 1))
@example([0] * 8, [0] * 8, 0, 0, 0x7F800001)
@example([0] * 8, [0] * 8, 0, 0, 0xFF800000)
def test_any_two_blocks(left, right, left_exponent, right_exponent, accumulator):
    check(left, right, left_exponent, right_exponent, accumulator)


def test_the_ends_of_the_range():
    random = Random(0)
    full, one = [-128] * 8, [1, *[0] * 7]
    for total in (*range(95, 120), *range(370, 400)):
        low = max(total - 255, 0)
        for row in (full, one, [random.randrange(-128, 128) for _ in range(8)]):
            for other in (full, one, [random.randrange(-128, 128) for _ in range(8)]):
                exponent = random.randrange(low, min(total, 255) + 1)
                check(row, other, exponent, total - exponent, random.getrandbits(31) % 0x7F800000)
    assert [check(one, one, exponent, 0) for exponent in (116, 117)] == [False, True]
    assert [check(full, full, 255, exponent) for exponent in (121, 122)] == [True, False]


def test_a_fold_rounds_every_step_in_order():
    """Half a last place is lost when it comes second, and counts when two of them come first."""
    big, half = ((64, *[0] * 7), 127), ((1, *[0] * 7), 127 - 18)
    one = ((64, *[0] * 7), 127)
    products = {
        name: block_product(
            [Bits.constant(m, 8) for m in block[0]], Bits.constant(block[1], 8),
            [Bits.constant(m, 8) for m in one[0]], Bits.constant(one[1], 8),
        )
        for name, block in (("big", big), ("half", half))
    }  # fmt: skip
    for order, wanted in ((("big", "half", "half"), 0x3F800000), (("half", "half", "big"), 0x3F800001)):
        result = fold(Bits.constant(0, 32), [products[name] for name in order])
        pairs = [(big if name == "big" else half, one) for name in order]
        assert result.term.constant_value() == wanted == bfp16.fold(pairs)


@pytest.mark.parametrize("size", [1, 2, 3, 32])
def test_rows_of_any_length(size):
    random = Random(size)
    left, right = ([random.randrange(-128, 128) for _ in range(size)] for _ in range(2))
    total = integer_dot([Bits.constant(m, 8) for m in left], [Bits.constant(m, 8) for m in right])
    assert wrap(total.term.constant_value(), total.width) == sum(a * b for a, b in zip(left, right, strict=True))


def test_rows_that_do_not_match():
    with pytest.raises(ValueError, match=r"^a block product needs two rows of one length; given 8 and 7 mantissas$"):
        integer_dot(LEFT, RIGHT[:7])
    with pytest.raises(ValueError, match=r"^a block product needs two rows of one length; given 0 and 0 mantissas$"):
        integer_dot([], [])


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(117, 376, Verdict.PROVED), (116, 376, Verdict.REFUTED), (117, 377, Verdict.REFUTED)],
)
def test_solver_the_sums_of_exponents_at_which_every_total_is_exact(low, high, verdict):
    _, in_range = exact_fp32(TOTAL, EXPONENT_SUM)
    inside = EXPONENT_SUM.bvuge(low) & EXPONENT_SUM.bvule(high)
    bounded = TOTAL.bvsge(-(1 << 17)) & TOTAL.bvsle(1 << 17)
    assert proof(in_range, (TOTAL, EXPONENT_SUM), assuming=inside & bounded).verdict is verdict


def test_solver_an_even_total_may_be_halved_under_the_next_exponent():
    code, in_range = exact_fp32(TOTAL, EXPONENT_SUM)
    halved, also = exact_fp32(TOTAL.bvashr(1), EXPONENT_SUM + 1)
    assumption = ~TOTAL.bit(0) & (TOTAL != -(1 << 18)) & EXPONENT_SUM.bvult(511)
    claim = (in_range == also) & in_range.implies(code == halved)
    assert proof(claim, (TOTAL, EXPONENT_SUM), assuming=assumption).verdict is Verdict.PROVED


def test_solver_no_total_of_eight_products_exceeds_two_to_the_17():
    total = PRODUCT.total
    assert proof(total.bvsle(1 << 17) & total.bvsgt(-(1 << 17)), (*LEFT, *RIGHT)).verdict is Verdict.PROVED


def test_the_largest_total_is_reached():
    assert check([-128] * 8, [-128] * 8, 127, 127)
    assert fields_value(RUN(*[0x80] * 16, 127, 127, 0)[1], 8, 23) == Q(32)
