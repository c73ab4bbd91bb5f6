from fractions import Fraction
from math import floor, trunc

from hypothesis import assume, given
from hypothesis import strategies as st

from halfulp_model.exact import ZERO, Exact, from_integer, is_integer, magnitude_exponent, multiply, truncate
from oracle.rounding import floor_log2, power_of_two

numbers = st.builds(Exact, st.booleans(), st.integers(0, 1 << 60), st.integers(-90, 90))


def worth(value):
    return (-1 if value.negative else 1) * value.significand * power_of_two(value.exponent)


@given(numbers, numbers)
def test_products_are_exact(left, right):
    product = multiply(left, right)
    assert worth(product) == worth(left) * worth(right)
    assert product.significand >= 0


def test_products_of_zero_keep_the_rule_of_signs():
    assert multiply(Exact(True, 0, 0), Exact(False, 3, 0)) == Exact(True, 0, 0)
    assert multiply(Exact(True, 0, 5), Exact(True, 3, 1)) == Exact(False, 0, 6)
    assert worth(ZERO) == 0
    assert not ZERO.negative


@given(st.integers(-(1 << 70), 1 << 70))
def test_integers(value):
    exact = from_integer(value)
    assert worth(exact) == value
    assert exact.exponent == 0
    assert is_integer(exact)
    assert truncate(exact) == abs(value)


@given(numbers)
def test_fractions(value):
    number = worth(value)
    assert is_integer(value) == (number.denominator == 1)
    assert truncate(value) == trunc(abs(number)) == floor(abs(number))


@given(numbers)
def test_binades(value):
    assume(value.significand)
    assert magnitude_exponent(value) == floor_log2(abs(worth(value)))


def test_small_numbers_exhaustively():
    for significand in range(1, 65):
        for exponent in range(-8, 4):
            value = Exact(False, significand, exponent)
            number = Fraction(significand) * power_of_two(exponent)
            assert is_integer(value) == (number.denominator == 1)
            assert truncate(value) == number.numerator // number.denominator
            assert power_of_two(magnitude_exponent(value)) <= number < power_of_two(magnitude_exponent(value) + 1)
