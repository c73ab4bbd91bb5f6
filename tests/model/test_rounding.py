from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfulp_model.exact import Exact
from halfulp_model.loader import default_rules
from halfulp_model.rounding import goes_away, round_magnitude, round_to_integer
from halfulp_model.rows import Choice
from oracle.rounding import MODES, magnitude_to_integer, power_of_two, to_integer

ROUNDINGS = default_rules().roundings
exact_numbers = st.builds(Exact, st.booleans(), st.integers(0, 1 << 50), st.integers(-60, 20))


def worth(value):
    return (-1 if value.negative else 1) * value.significand * power_of_two(value.exponent)


def test_the_seven_modes():
    assert set(ROUNDINGS) == set(MODES)
    assert {name: row.code for name, row in ROUNDINGS.items()} == {
        "RNE": 1, "RTZ": 2, "RTM": 3, "RTP": 4, "RNA": 5, "RTO": 6, "RHB": 7,
    }  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
def test_small_numbers_round_as_the_oracle_says(mode):
    for negative, significand, exponent in product((False, True), range(70), range(-6, 4)):
        value = Exact(negative, significand, exponent)
        assert round_to_integer(value, ROUNDINGS[mode]) == to_integer(worth(value), mode), value


@pytest.mark.parametrize("mode", MODES)
@given(value=exact_numbers)
def test_numbers_round_as_the_oracle_says(mode, value):
    assert round_to_integer(value, ROUNDINGS[mode]) == to_integer(worth(value), mode)


@pytest.mark.parametrize("mode", MODES)
@given(value=exact_numbers)
def test_the_magnitude_is_rounded_for_the_signed_value(mode, value):
    magnitude = abs(worth(value))
    assert round_magnitude(value, ROUNDINGS[mode]) == magnitude_to_integer(magnitude, mode, value.negative)


#: mode: -2.5, -1.5, -0.5, 0.5, 1.5, 2.5
TIES = {
    "RNE": (-2, -2, 0, 0, 2, 2),
    "RTM": (-3, -2, -1, 0, 1, 2),
    "RTP": (-2, -1, 0, 1, 2, 3),
    "RTZ": (-2, -1, 0, 0, 1, 2),
    "RNA": (-3, -2, -1, 1, 2, 3),
    "RTO": (-3, -1, -1, 1, 1, 3),
    "RHB": (-2, -1, 0, 1, 2, 3),
}


@pytest.mark.parametrize("mode", MODES)
def test_ties_by_hand(mode):
    numbers = (Exact(True, 5, -1), Exact(True, 3, -1), Exact(True, 1, -1), *(Exact(False, n, -1) for n in (1, 3, 5)))
    assert tuple(round_to_integer(number, ROUNDINGS[mode]) for number in numbers) == TIES[mode]


@pytest.mark.parametrize("mode", MODES)
def test_a_start_moves_the_count_and_its_parity(mode):
    for negative, significand, start in product((False, True), range(40), (0, 1, 8, 13)):
        value = Exact(negative, significand, -3)
        counted = Fraction(significand, 8) + start
        assert round_magnitude(value, ROUNDINGS[mode], start) == magnitude_to_integer(counted, mode, negative)
    assert round_magnitude(Exact(False, 3, 2), ROUNDINGS[mode], 5) == 17


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        (Choice.FLOOR, (False, True, False, True)),
        (Choice.CEILING, (True, False, True, False)),
        (Choice.ZERO, (False, False, False, False)),
        (Choice.AWAY, (True, True, True, True)),
        (Choice.EVEN, (False, False, True, True)),
        (Choice.ODD, (True, True, False, False)),
    ],
)
def test_choices(choice, expected):
    """At 4 and 5, positive and negative each: whether the step is away from zero."""
    assert tuple(goes_away(choice, at, negative) for at in (4, 5) for negative in (False, True)) == expected
