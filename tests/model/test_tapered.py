"""Tapered codes: values of every band's first and last code, order, and the way back."""

from fractions import Fraction

import pytest

from halfulp_model import tapered
from halfulp_model.exact import Exact
from halfulp_model.loader import default_rules
from oracle import formats as oracle

HIF8 = default_rules().formats["HiF8"]
FINITE = [code for code in range(256) if code not in (0x80, 0x6F, 0xEF)]


def fraction(value):
    magnitude = value.significand * Fraction(2) ** value.exponent
    return -magnitude if value.negative else magnitude


@pytest.mark.parametrize(
    ("code", "value"),
    [
        (0b0_0000_000, 0),
        (0b0_0000_001, Fraction(1, 2**22)),
        (0b1_0000_111, Fraction(-1, 2**16)),
        (0b0_0001_000, 1),
        (0b0_0001_111, Fraction(15, 8)),
        (0b0_001_0_000, 2),
        (0b1_001_1_111, Fraction(-15, 16)),
        (0b0_01_0_0_000, 4),
        (0b0_01_1_1_001, Fraction(9, 64)),
        (0b0_10_0_00_11, 28),
        (0b0_10_1_11_00, Fraction(1, 128)),
        (0b0_11_0_000_1, 384),
        (0b1_11_0_111_0, -32768),
        (0b0_11_1_111_0, Fraction(1, 2**15)),
    ],
)
def test_value_of_a_code(code, value):
    assert fraction(tapered.exact_value(HIF8, code)) == value


def test_the_significand_is_the_fraction_below_a_hidden_bit():
    assert tapered.exact_value(HIF8, 0b0_001_1_101) == Exact(negative=False, significand=0b1101, exponent=-4)
    assert tapered.exact_value(HIF8, 0b1_11_1_111_1) == Exact(negative=True, significand=0b11, exponent=-16)


def test_subnormals_are_the_seven_codes_of_each_sign():
    assert [code for code in range(256) if tapered.is_subnormal(HIF8, code)] == [*range(1, 8), *range(0x81, 0x88)]


def test_rank_grows_with_the_magnitude():
    codes = sorted(range(128), key=lambda code: abs(oracle.value("HiF8", code) or Fraction(3, 2) * 2**15 * (code > 0)))
    ranks = [tapered.magnitude_rank(HIF8, code) for code in codes]
    assert ranks == sorted(set(ranks))
    assert (codes[0], codes[-2:]) == (0, [0x6E, 0x6F])


def test_row_names_the_largest_finite_code():
    values = {oracle.value("HiF8", code) or 0: code for code in FINITE}
    assert values[max(values)] == HIF8.largest_finite


def test_magnitude_code_is_the_way_back():
    for code in FINITE:
        value = tapered.exact_value(HIF8, code)
        if value.significand:
            assert tapered.magnitude_code(HIF8, value) == code % 128


def test_a_number_between_codes_has_no_code():
    values = {oracle.value("HiF8", code) for code in FINITE}
    for exponent in range(-26, 20):
        for significand in range(1, 64):
            held = significand * Fraction(2) ** exponent in values
            code = tapered.magnitude_code(HIF8, Exact(negative=False, significand=significand, exponent=exponent))
            assert (code != 0) == held


def test_infinity_is_not_a_number():
    assert tapered.magnitude_code(HIF8, Exact(negative=False, significand=3, exponent=14)) == 0
