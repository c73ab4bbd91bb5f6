import ast

import pytest

from formal.lift import samples
from formal.lift.exhaust import Tally, i, lift, s, tally, u
from halfulp_formal.lift.interpreter import Lifter
from halfulp_formal.lift.operators import compare, number, same
from halfulp_formal.lift.values import Choice, Int, Record, Truth, bounds, truth_symbol, truth_term

A, B, C = "a", "b", "c"


@pytest.mark.parametrize("operand", [s(4), u(3), i(-3, 9)])
@pytest.mark.parametrize("function", [samples.as_number, samples.as_truth, samples.decided, samples.in_places])
def test_numbers_and_truth_values(function, operand):
    low, high = bounds(operand)
    assert tally(function, operand) == Tally(high - low + 1)


def test_truth_values_are_joined_and_compared():
    assert tally(samples.junction, s(4, A), u(3, B)) == Tally(128)
    assert tally(samples.mixed_truth, s(4)) == Tally(16)
    assert tally(samples.junction, truth_symbol("bool.p"), truth_symbol("bool.q")) == Tally(4)


@pytest.mark.parametrize("function", [samples.add, samples.multiply, samples.bits_xor, samples.is_less])
def test_a_truth_value_counts_as_zero_or_one(function):
    assert tally(function, truth_symbol("bool.p"), s(4, B)) == Tally(32)
    assert tally(function, truth_symbol("bool.p"), True) == Tally(2)


def test_so_does_one_that_stands_where_another_branch_has_a_number():
    assert tally(samples.number_or_truth, s(4, A), u(3, B)) == Tally(128)


def test_powers():
    assert tally(samples.two_to_the, u(3)) == Tally(8)
    assert tally(samples.two_to_the, i(2, 5)) == Tally(4)
    assert lift(samples.cube_of_three).result == 27


def test_a_negative_power_of_two_is_refused():
    # Python gives a fraction there
    assert tally(samples.two_to_the, s(3)) == Tally(4, 0, 4)
    [condition] = lift(samples.two_to_the, s(3)).side_conditions
    assert condition.what == "a power with a negative exponent"


def test_tuples():
    assert tally(samples.tuple_sum, s(3, A), s(3, B)) == Tally(64)


def test_equality_of_unlike_values():
    assert same((1, s(3)), (1, s(3), 2)) is False
    assert same(None, s(3)) is False
    assert same(s(3), None) is False
    assert same(samples.Colour.RED, s(3)) is same(truth_symbol("bool.p"), samples.Colour.RED) is False
    assert (
        same(samples.Pair(1), s(3))
        is same(True, samples.Pair(1))
        is same(truth_symbol("bool.p"), samples.Pair(1))
        is False
    )
    assert same(Record(samples.Pair, {"first": s(3), "second": 3}), 3) is False
    assert same("x", "x") is True
    assert same((1, "x"), (1, "x")) is True


def test_equality_of_choices():
    condition = truth_symbol("bool.p").term
    choice = Choice(((condition, "x"), (truth_symbol("bool.true").term, "y")))
    assert isinstance(same(choice, "x"), Truth)
    assert isinstance(same("x", choice), Truth)
    assert same(choice, "z") is False


class Backwards(frozenset[int]):
    """A set in another order, as a set of strings is under another hash seed."""

    def __iter__(self):
        return reversed(list(super().__iter__()))


def test_membership_in_a_set_is_written_in_one_order():
    orders = [compare(ast.In(), s(4), members([3, 7, 1])) for members in (frozenset, Backwards)]
    assert truth_term(orders[0]) is truth_term(orders[1])


@pytest.mark.parametrize(
    ("operator", "answers"),
    [
        (ast.Lt(), [True, False, False]),
        (ast.LtE(), [True, True, False]),
        (ast.Gt(), [False, False, True]),
        (ast.GtE(), [False, True, True]),
    ],
)
def test_texts_are_ordered_as_python_has_it(operator, answers):
    assert [
        compare(operator, left, right) for left, right in (("none", "scalar"), ("a", "a"), ("vector", "scalar"))
    ] == answers


def test_number_refuses_what_is_none():
    assert number(True) == 1
    assert number(7) == 7
    assert isinstance(number(s(3)), Int)


def test_a_shift_asks_for_places_under_the_path():
    lifter = Lifter("formal")
    lifter.call(samples.shift_when_positive, s(4, A), s(3, B))
    assert lifter.total().is_true()
