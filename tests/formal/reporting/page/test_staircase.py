from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfulp_formal.reporting.page.staircase import Curve, Step, staircase, steps


@given(st.lists(st.integers(4, 40), min_size=1, max_size=12), st.integers(1, 4), st.integers(-50, 50))
def test_the_steps_are_those_of_every_index_asked_one_by_one(lengths, stride, low):
    codes = [code for code, length in enumerate(lengths) for _ in range(length)]
    found = list(steps(lambda index: codes[index - low], low, low + len(codes) - 1, stride))
    starts = [low + sum(lengths[:place]) for place in range(len(lengths))]
    assert found == [
        Step(s, s + length - 1, code) for code, (s, length) in enumerate(zip(starts, lengths, strict=True))
    ]


def half_up(index):
    """An index is a sixteenth; halves go up."""
    return (index + 8) // 16


@pytest.mark.parametrize("given_index", [-7, 0, 8])
def test_lengths_are_units_from_the_given_number(given_index):
    curve = Curve(lambda index: Fraction(index, 16), half_up, Fraction, str)
    found = staircase(curve, given_index, -20, 20, 4, Fraction(1))
    origin = given_index / 16
    assert found["hit"] == half_up(given_index) + 1
    assert [[round(number + origin, 4) for number in step[:3]] for step in found["steps"]] == [
        [-1.25, -0.5625, -1.0],
        [-0.5, 0.4375, 0.0],
        [0.5, 1.25, 1.0],
    ]
    assert [step[3:] for step in found["steps"]] == [["-1", None, False], ["0", True, False], ["1", True, None]]


def test_what_is_no_number_has_no_height():
    curve = Curve(Fraction, lambda index: int(index > 3), lambda code: None if code else Fraction(0), "abc".__getitem__)
    found = staircase(curve, 0, 0, 7, 4, Fraction(1))
    assert found["steps"] == [[0.0, 3.0, 0.0, "a", None, False], [4.0, 7.0, None, "b", True, None]]
