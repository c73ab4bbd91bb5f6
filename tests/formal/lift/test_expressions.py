import pytest

from formal.lift import samples
from formal.lift.exhaust import Tally, i, lift, s, tally, u
from formal.lift.samples import BOX, Box, Colour, Pair
from halfulp_formal.lift.interpreter import Lifter
from halfulp_formal.lift.values import Choice, Int, Record, Truth, bounds

A, B, C = "a", "b", "c"


@pytest.mark.parametrize("function", [samples.between, samples.conditional, samples.make_pair, samples.use_pair])
def test_two_operands(function):
    assert tally(function, s(4, A), s(3, B)) == Tally(128)


@pytest.mark.parametrize("function", [samples.chained, samples.extremes, samples.clamp])
def test_three_operands(function):
    assert tally(function, s(3, A), s(4, B), u(3, C)) == Tally(1024)


@pytest.mark.parametrize("function", [samples.is_odd, samples.constant_call, samples.default_pair, samples.make_box])
def test_one_operand(function):
    assert tally(function, s(4)) == Tally(16)


def test_quantifiers():
    assert tally(samples.quantifiers, s(4, A), s(4, B)) == Tally(256)


# Short circuits: what Python does not look at needs no side condition.


@pytest.mark.parametrize("function", [samples.short_circuit, samples.short_circuit_or])
def test_and_or_protect_what_comes_after(function):
    assert tally(function, u(4, A), u(3, B)) == Tally(128)
    assert Lifter("formal").total().is_true()


def test_a_chain_of_comparisons_protects_what_comes_after():
    assert tally(samples.guarded_chain, u(3, A), u(3, B)) == Tally(64)
    assert tally(samples.never_looked_at, u(3)) == Tally(8)
    assert lift(samples.never_looked_at, u(3)).result is False


# Records.


def test_named_tuples():
    call = lift(samples.make_pair, s(3, A), 5)
    assert isinstance(call.result, Record)
    assert call.result.cls is Pair
    assert call.result.fields["second"] == 5
    assert lift(samples.default_pair, 4).result == Pair(4, 3)


@pytest.mark.parametrize("colour", list(Colour))
def test_dataclasses(colour):
    box = Record(Box, {"inside": s(4), "colour": colour, "pair": Pair(1, 2)})
    assert tally(samples.use_box, box) == Tally(16)
    assert lift(samples.use_box, Box(3)).result == 112


def test_methods_of_a_known_record_take_symbolic_arguments():
    assert tally(samples.known_box, s(4)) == Tally(16)


def test_merged_records_are_merged_field_by_field():
    assert tally(samples.merged_record, s(3, A), s(3, B)) == Tally(64)
    pair, _, _ = lift(samples.merged_record, s(3, A), s(3, B)).result
    assert isinstance(pair, Record)
    assert bounds(pair.fields["first"]) == (-3, 3)


# Choices between objects.


def test_enums():
    assert tally(samples.colour_of, u(3)) == Tally(8)
    assert tally(samples.use_colour, u(3)) == Tally(8)
    assert isinstance(lift(samples.colour_of, u(3)).result, Choice)


def test_a_choice_of_functions():
    assert tally(samples.chosen_function, u(3, A), s(3, B)) == Tally(64)


def test_a_choice_of_tuples():
    assert tally(samples.guarded_choice, s(4)) == Tally(16)


def test_none_is_an_option():
    assert tally(samples.sometimes_none, s(4)) == Tally(16)
    assert tally(samples.none_again, s(4)) == Tally(16)


# Tables.


def test_an_index_must_be_in_range():
    assert tally(samples.square_of, u(3), raises=IndexError) == Tally(6, 2)
    assert tally(samples.square_of, i(1, 5)) == Tally(5)
    # -1 means the last item to Python; a model that means that says so
    assert tally(samples.square_of, s(3), raises=IndexError) == Tally(4, 0, 4)
    assert tally(samples.guarded_square, s(5)) == Tally(32)


def test_a_key_must_be_in_the_table():
    assert tally(samples.name_of, s(4), raises=KeyError) == Tally(3, 13)
    assert tally(samples.guarded_name, s(4)) == Tally(16)


def test_a_symbolic_row_and_column():
    assert tally(samples.matrix, u(1, A), u(2, B), raises=IndexError) == Tally(6, 2)


def test_only_items_that_an_index_can_reach_are_looked_at():
    assert bounds(lift(samples.square_of, i(2, 3)).result) == (4, 9)


# Loops and comprehensions.


def test_tuples_are_run_through():
    assert tally(samples.pairs, s(3, A), s(3, B)) == Tally(64)
    assert tally(samples.swapped, s(3, A), s(3, B)) == Tally(64)
    assert tally(samples.two_targets, s(3, A), s(3, B)) == Tally(64)


@pytest.mark.parametrize("function", [samples.calls])
def test_calls_take_keywords_and_defaults(function):
    assert tally(function, s(4, A), s(3, B)) == Tally(128)


def test_concrete_calls_are_python():
    assert lift(samples.use_colour, 5).result == samples.use_colour(5)
    assert lift(samples.add, 3, 4).side_conditions == ()


def test_symbolic_values_have_no_truth_value():
    values = {
        "a symbolic integer": s(3),
        "a symbolic truth value": lift(samples.is_less, s(3), 1).result,
        "a symbolic record": Record(Pair, {"first": s(3), "second": 1}),
        "a choice between objects": lift(samples.colour_of, u(3)).result,
    }
    assert [type(value) for value in values.values()] == [Int, Truth, Record, Choice]
    for kind, value in values.items():
        with pytest.raises(TypeError) as error:
            bool(value)
        assert str(error.value) == f"{kind} has no truth value: a formula cannot be branched on"


def test_fields_of_a_known_record_stay_known():
    assert lift(samples.known_box, 1).result == BOX.inside * 2 + 1
