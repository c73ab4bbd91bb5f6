import pytest

from formal.lift import samples
from formal.lift.exhaust import Tally, lift, s, tally
from halfulp_formal.lift.values import bounds

TO_FOUR = [
    samples.narrow_and,
    samples.narrow_chain,
    samples.narrow_mirrored,
    samples.narrow_or,
    samples.narrow_not,
    samples.narrow_equal,
    samples.narrow_field,
    samples.narrow_nested_field,
    samples.narrow_early,
    samples.narrow_assert,
    samples.narrow_conditional,
    samples.narrow_negated_differs,
]


@pytest.mark.parametrize("function", TO_FOUR, ids=lambda function: function.__name__)
def test_a_branch_knows_what_its_test_says(function):
    result = lift(function, s(4)).result
    assert bounds(result) == (0, 3)
    refused = 12 if function is samples.narrow_assert else 0
    assert tally(function, s(4), raises=AssertionError) == Tally(16 - refused, refused)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (samples.narrow_ends, (-7, 6)),
        (samples.narrow_negated_equal, (-7, 7)),
        (samples.not_narrowed_either, (-8, 7)),
        (samples.not_narrowed_chain, (-8, 7)),
    ],
    ids=lambda value: value.__name__ if callable(value) else None,
)
def test_a_branch_knows_no_more_than_its_test_says(function, expected):
    assert bounds(lift(function, s(4)).result) == expected
    assert tally(function, s(4)) == Tally(16)


def test_each_test_uses_the_ones_before_it():
    assert bounds(lift(samples.narrow_by_variable, s(4, "a"), s(4, "b")).result) == (0, 3)
    assert tally(samples.narrow_by_variable, s(4, "a"), s(4, "b")) == Tally(256)


def test_an_operand_knows_that_the_ones_before_it_did_not_decide():
    call = lift(samples.narrow_operand, s(4))
    assert len(call.side_conditions) == 1
    assert tally(samples.narrow_operand, s(4), raises=IndexError) == Tally(14, 2)


def test_looking_again_at_a_test_adds_no_side_condition():
    # `b < 8 // b + a` is evaluated for its value and again for what it says of b
    assert len(lift(samples.guarded_chain, s(4, "a"), s(4, "b")).side_conditions) == 0
