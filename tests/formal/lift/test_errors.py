"""What is outside the liftable subset is an error that names file and line; every message whole."""

import pytest

from formal.lift import outside, samples
from formal.lift.exhaust import lift, s, u
from halfulp_formal.lift.values import LiftError

OUTSIDE = "is outside the liftable subset"
NARROW_IT = "narrow it with an assert or an if"
DIVISION = "needs a power of two, or a positive divisor of a value that is not negative"
ONE = {
    outside.no_lambda: (1, f"Lambda {OUTSIDE}"),
    outside.no_while: (1, f"While {OUTSIDE}"),
    outside.no_division: (1, f"Div {OUTSIDE}"),
    outside.no_float: (1, "float is not an integer"),
    outside.no_set: (1, f"Set {OUTSIDE}"),
    outside.no_list: (1, f"List {OUTSIDE}"),
    outside.no_slice: (1, f"Slice {OUTSIDE}"),
    outside.no_star: (1, f"Starred {OUTSIDE}"),
    outside.no_double_star: (1, f"Call {OUTSIDE}"),
    outside.no_try: (1, f"Try {OUTSIDE}"),
    outside.no_while_augmented: (2, f"AugAssign {OUTSIDE}"),
    outside.no_item_assignment: (1, f"assigning to Subscript {OUTSIDE}"),
    outside.no_call_statement: (1, f"Expr {OUTSIDE}"),
    outside.no_symbolic_range: (1, "range cannot take a symbolic argument"),
    outside.no_filter: (1, f"a condition in a comprehension {OUTSIDE}"),
    outside.no_two_loops: (1, f"GeneratorExp {OUTSIDE}"),
    outside.no_loop_over: (1, "only a tuple or a concrete range can be run through"),
    outside.no_unknown_name: (1, "unknown is not known here"),
    outside.no_half_set: (3, "limit is not set on every path"),
    outside.no_wrong_call: (None, "the call does not fit the parameters: missing a required argument: 'b'"),
    outside.no_unpacking: (1, "3 values for 2 names"),
    outside.no_foreign_function: (1, "wraps cannot be called with a symbolic argument"),
    outside.no_method: (1, f"int.to_bytes {OUTSIDE}"),
    outside.no_class_method: (1, f"Pair._make {OUTSIDE}"),
    outside.no_symbolic_power: (1, "** needs concrete operands, or 2 with a symbolic exponent"),
    outside.no_huge_shift: (1, f"a shift by up to 7000 places is wider than 4096; {NARROW_IT}"),
    outside.no_huge_shift_in_place: (2, f"a shift by up to 7000 places is wider than 4096; {NARROW_IT}"),
    outside.no_mixed_values: (1, "NoneType is not an integer"),
    outside.no_order_of_names: (1, "str is not an integer"),
    outside.no_mixed_comparison: (1, "Int and str cannot be compared"),
    outside.no_symbolic_truth_of_record: (1, "a Pair is not a truth value"),
    outside.no_value_of_and: (1, "and, or join truth values only"),
    outside.no_wrong_index: (1, "IndexError: tuple index out of range"),
    outside.no_empty_index: (1, "the index is never in the table"),
    outside.no_index_into_number: (1, "a symbolic index needs a tuple or a table"),
    outside.no_missing_attribute: (1, "AttributeError: type object 'Pair' has no attribute 'third'"),
    outside.no_failing_call: (
        1,
        "AssertionError: a message is not evaluated: {a / 0}",
    ),
    outside.no_return_at_all: (0, "the function never returns"),
    outside.no_match: (1, f"Match {OUTSIDE}"),
    outside.no_with: (1, f"With {OUTSIDE}"),
    outside.no_nested_def: (1, f"FunctionDef {OUTSIDE}"),
    outside.no_walrus: (1, f"NamedExpr {OUTSIDE}"),
    outside.no_f_string: (1, f"JoinedStr {OUTSIDE}"),
    outside.no_dict: (1, f"Dict {OUTSIDE}"),
    outside.no_dict_comprehension: (1, f"DictComp {OUTSIDE}"),
    outside.no_global: (1, f"Global {OUTSIDE}"),
    outside.no_delete: (2, f"Delete {OUTSIDE}"),
    outside.no_for_else: (1, f"For {OUTSIDE}"),
    outside.no_break: (3, f"Break {OUTSIDE}"),
    outside.no_bare_annotation: (1, f"AnnAssign {OUTSIDE}"),
    outside.no_yield: (1, f"Yield {OUTSIDE}"),
    outside.no_list_target: (1, f"assigning to List {OUTSIDE}"),
    outside.no_starred_target: (1, "3 values for 2 names"),
    outside.no_key: (1, "max cannot be called with a symbolic argument"),
    outside.no_isinstance: (1, "isinstance is outside the liftable subset"),
    outside.no_unequal_zip: (1, "ValueError: zip() argument 2 is shorter than argument 1"),
    outside.no_matrix_product: (1, f"MatMult {OUTSIDE}"),
    outside.no_field: (1, "AttributeError: type object 'Pair' has no attribute 'third'"),
    outside.no_sort: (1, "TypeError: object of type 'builtin_function_or_method' has no len()"),
}


def message_of(function, *arguments):
    with pytest.raises(LiftError) as error:
        lift(function, *arguments)
    return str(error.value)


@pytest.mark.parametrize("function", ONE, ids=lambda function: function.__name__)
def test_outside_the_subset(function):
    line, message = ONE[function]
    # a call that does not fit is told at the definition that it does not fit
    file = "samples.py" if line is None else "outside.py"
    place = samples.add.__code__.co_firstlineno if line is None else function.__code__.co_firstlineno + line
    assert message_of(function, u(3)) == f"{file}:{place}: {message}"


def test_division_by_what_may_be_negative():
    line = outside.no_negative_divisor.__code__.co_firstlineno + 1
    assert message_of(outside.no_negative_divisor, s(3), s(3, "b")) == f"outside.py:{line}: // {DIVISION}"


def test_star_arguments():
    line = outside.no_star_arguments.__code__.co_firstlineno
    expected = f"outside.py:{line}: *args and **kwargs are outside the liftable subset"
    assert message_of(outside.calls_star_arguments, s(3)) == expected
    assert message_of(outside.no_star_arguments, s(3)) == expected


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (outside.calls_decorated, "no_decorator"),
        (outside.calls_closure, "make_closure.<locals>.closure"),
        (outside.calls_named_lambda, "<lambda>"),
        (outside.calls_lambda_in_a_table, "<lambda>"),
    ],
)
def test_only_a_plain_def(function, name):
    line = function.__code__.co_firstlineno + 1
    expected = f"outside.py:{line}: formal.lift.outside.{name}: only a plain def can be lifted"
    assert message_of(function, s(3)) == expected


@pytest.mark.parametrize("function", [outside.no_end, outside.no_recursion_by_turns])
def test_endless_recursion(function):
    expected = f"{function.__name__}: the calls nest too deep; a recursion must end on concrete values"
    assert message_of(function, s(3)) == expected


def test_functions_of_other_packages_need_concrete_arguments():
    assert message_of(pytest.approx, s(3)) == "approx cannot be called with a symbolic argument"
    assert message_of(len, (s(3),)) == "len cannot be called with a symbolic argument"
