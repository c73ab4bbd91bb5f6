import pytest
from pysmt.shortcuts import BV, Symbol
from pysmt.typing import BVType

from formal.lift import samples
from formal.lift.exhaust import Tally, i, lift, s, tally, u
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.arithmetic import narrow
from halfulp_formal.lift.values import Int, LiftError, bounds, fit

A, B = "a", "b"
OPERANDS = [
    (s(4, A), s(4, B)),
    (u(4, A), u(3, B)),
    (s(3, A), u(4, B)),
    (u(4, A), s(3, B)),
    (s(4, A), 5),
    (-6, s(4, B)),
    (u(4, A), 9),
    (0, s(3, B)),
    (1, u(3, B)),
    (i(-3, 9, A), i(2, 5, B)),
    (i(20, 27, A), s(4, B)),
    (u(1, A), u(1, B)),
]
TOTAL = [
    samples.add,
    samples.subtract,
    samples.multiply,
    samples.bits_and,
    samples.bits_or,
    samples.bits_xor,
    samples.smaller,
    samples.greater,
    samples.is_less,
    samples.is_at_most,
    samples.is_greater,
    samples.is_at_least,
    samples.is_equal,
    samples.differs,
]


def names(value):
    return value.__name__ if callable(value) else None


def describe(operands):
    return "-".join("..".join(map(str, bounds(operand))) for operand in operands)


def inputs(operands):
    """The number of inputs in the operands' intervals."""
    total = 1
    for operand in operands:
        low, high = bounds(operand)
        total *= high - low + 1
    return total


@pytest.mark.parametrize("operands", OPERANDS, ids=describe)
@pytest.mark.parametrize("function", TOTAL, ids=names)
def test_operators_are_pythons(function, operands):
    assert tally(function, *operands) == Tally(inputs(operands))


ONE = [samples.minus, samples.plus, samples.invert, samples.absolute, samples.length, samples.divide_by_eight]


@pytest.mark.parametrize("operand", [s(1), s(2), s(5), u(1), u(6), i(-9, -2), i(3, 12)])
@pytest.mark.parametrize("function", [*ONE, samples.divide_by_one], ids=names)
def test_operators_of_one_number_are_pythons(function, operand):
    assert tally(function, operand) == Tally(inputs([operand]))


@pytest.mark.parametrize(
    ("operands", "expected"),
    [
        ((s(4, A), u(3, B)), Tally(128)),
        ((s(4, A), s(3, B)), Tally(64, 64)),
        ((s(4, A), 3), Tally(16)),
        ((s(4, A), 0), Tally(16)),
        ((s(4, A), 20), Tally(16)),
        ((u(4, A), 20), Tally(16)),
        ((5, u(4, B)), Tally(16)),
        ((1, s(3, B)), Tally(4, 4)),
        ((-5, u(3, B)), Tally(8)),
        ((s(4, A), -1), Tally(0, 16)),
        ((s(4, A), i(3, 6, B)), Tally(64)),
        ((u(2, A), u(4, B)), Tally(64)),
    ],
    ids=lambda value: describe(value) if len(value) == 2 else None,
)
@pytest.mark.parametrize("function", [samples.shift_left, samples.shift_right], ids=names)
def test_shifts_are_pythons(function, operands, expected):
    assert tally(function, *operands, raises=ValueError) == expected


@pytest.mark.parametrize(
    ("operands", "expected"),
    [
        ((u(5, A), u(3, B)), Tally(224, 32)),
        ((u(5, A), i(1, 7, B)), Tally(224)),
        ((u(2, A), u(4, B)), Tally(60, 4)),
        ((i(5, 30, A), i(3, 9, B)), Tally(182)),
        ((u(5, A), 7), Tally(32)),
        ((100, u(4, B)), Tally(15, 1)),
        ((s(5, A), 4), Tally(32)),
        ((s(5, A), 64), Tally(32)),
        ((u(3, A), 64), Tally(8)),
        ((u(1, A), u(1, B)), Tally(2, 2)),
    ],
    ids=lambda value: describe(value) if len(value) == 2 else None,
)
@pytest.mark.parametrize("function", [samples.floor_divide, samples.modulo, samples.both_of_division], ids=names)
def test_division_is_pythons(function, operands, expected):
    assert tally(function, *operands, raises=ZeroDivisionError) == expected


def test_division_by_a_power_of_two_is_a_shift_whatever_the_signs():
    assert tally(samples.divide_by_power, s(5, A), u(3, B)) == Tally(256)
    assert tally(samples.divide_by_power, u(3, A), u(3, B)) == Tally(64)
    assert tally(samples.divide_by_power, s(5, A), s(3, B), raises=ValueError) == Tally(128, 128)
    quotient, remainder = lift(samples.divide_by_power, s(5, A), u(2, B)).result
    assert (bounds(quotient), bounds(remainder)) == ((-16, 15), (0, 7))


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (samples.add, (-8, 14)),
        (samples.subtract, (-15, 7)),
        (samples.multiply, (-56, 49)),
        (samples.bits_and, (0, 7)),
        (samples.bits_or, (-8, 7)),
        (samples.smaller, (-8, 7)),
        (samples.greater, (0, 7)),
        (samples.shift_left, (-1024, 896)),
        (samples.shift_right, (-8, 7)),
    ],
    ids=names,
)
def test_intervals_are_tight(function, expected):
    result = lift(function, s(4, A), u(3, B)).result
    assert bounds(result) == expected
    assert result.term.bv_width() == result.width


@pytest.mark.parametrize(
    ("function", "operands", "expected"),
    [
        (samples.add, (3, 4), 7),
        (samples.multiply, (u(3), 0), 0),
        (samples.modulo, (u(3), 1), 0),
        (samples.is_less, (u(3), 8), True),
        (samples.is_less, (u(3), 0), False),
        (samples.is_at_most, (u(3), 7), True),
        (samples.is_at_most, (u(3), -1), False),
        (samples.is_equal, (u(3), 8), False),
        (samples.smaller, (u(3), 0), 0),
        (samples.greater, (u(3), 7), 7),
        (samples.shift_right, (u(3), 3), 0),
        (samples.absolute, (-4,), 4),
        (samples.length, (-4,), 3),
    ],
)
def test_one_point_intervals_are_numbers(function, operands, expected):
    assert lift(function, *operands).result is expected or lift(function, *operands).result == expected
    assert isinstance(lift(function, *operands).result, (int, bool))


def test_what_is_decided_by_the_intervals_needs_no_term():
    low, high = i(-9, 2, A), i(2, 9, B)
    assert arithmetic.minimum(low, high) is low
    assert arithmetic.maximum(low, high) is high
    assert arithmetic.less_equal(low, high) is True
    assert arithmetic.less(high, low) is False
    assert fit(arithmetic.modulo(u(3), 8), 3) is u(3).term


@pytest.mark.parametrize("value", [s(4), u(4), i(2, 6), 5])
def test_narrowing_keeps_the_number(value):
    kept = narrow(value, 2, 4)
    if isinstance(value, Int):
        assert bounds(kept) == (2, 4)
        assert isinstance(kept, Int)
        assert kept.term.bv_width() == 3
        assert tally(samples.plus, kept).agreed >= 3
    else:
        assert kept == 5
    # nothing is learnt from a test that cannot hold, or that says nothing new
    assert narrow(value, 9, 8) is value
    assert narrow(value, -100, 100) is value


def test_a_power_stays_a_power_under_narrowing():
    unit = narrow(arithmetic.shift_left(1, u(3)), 1, 16)
    assert isinstance(unit, Int)
    assert isinstance(unit.power, Int)


def test_too_wide_an_integer_is_refused():
    wide = Int(Symbol("number.wide", BVType(3000)), 0, (1 << 3000) - 1)
    with pytest.raises(LiftError) as error:
        arithmetic.multiply(wide, wide)
    assert str(error.value) == "an integer of up to 6000 bits is wider than 4096; narrow it with an assert or an if"
    with pytest.raises(LiftError) as error:
        arithmetic.shift_left(1, u(13))
    assert str(error.value) == "a shift by up to 8191 places is wider than 4096; narrow it with an assert or an if"


@pytest.mark.parametrize(
    ("function", "operator"), [(arithmetic.floor_divide, "//"), (arithmetic.modulo, "%")], ids=["quotient", "rest"]
)
@pytest.mark.parametrize("operands", [(s(4, A), 3), (u(4, A), s(4, B)), (u(4, A), -3), (-5, u(3, B)), (4, 0)])
def test_division_outside_the_subset_is_refused(function, operator, operands):
    with pytest.raises(LiftError) as error:
        function(*operands)
    expected = f"{operator} needs a power of two, or a positive divisor of a value that is not negative"
    assert str(error.value) == expected


def test_truth_values_are_numbers():
    assert arithmetic.from_truth(True) == 1
    assert arithmetic.from_truth(False) == 0
    assert bounds(arithmetic.from_truth(arithmetic.less(u(3), 4))) == (0, 1)


def test_constants_are_cut_to_the_width():
    assert lift(samples.add, u(3), 9).result.term.arg(1) is BV(9, 5)
