import pytest
from pysmt.shortcuts import TRUE

from formal.lift import samples
from formal.lift.exhaust import Tally, i, lift, s, tally, u
from halfulp_formal.decide import Engine, decide
from halfulp_formal.lift.interpreter import Lifter
from halfulp_formal.lift.values import bounds
from halfulp_formal.obligation import Obligation, Verdict

A, B = "a", "b"
BRANCHES = [
    samples.ladder,
    samples.one_sided,
    samples.truthy,
    samples.nothing_to_return,
    samples.passes,
    samples.unrolled,
    samples.first_bit,
    samples.always_returns,
]


@pytest.mark.parametrize("operand", [s(5), u(4), i(-3, 6)])
@pytest.mark.parametrize("function", BRANCHES, ids=lambda function: function.__name__)
def test_branches_and_loops(function, operand):
    low, high = bounds(operand)
    assert tally(function, operand) == Tally(high - low + 1)


def test_nested_branches_and_early_returns():
    assert tally(samples.nested, s(4, A), s(4, B)) == Tally(256)


def test_a_decided_branch_is_not_entered():
    assert lift(samples.raises, i(0, 3)).side_conditions == ()
    assert lift(samples.clamp, i(0, 3), -5, 9).result.term is i(0, 3).term


def test_recursion_ends_on_concrete_values():
    assert tally(samples.recursive, s(3), 4) == Tally(8)


# Totality.

SIDE_CONDITIONS = [
    (samples.shift_left, (s(4, A), s(3, B)), "a shift by a negative number of places", ValueError),
    (samples.shift_right, (s(4, A), s(3, B)), "a shift by a negative number of places", ValueError),
    (samples.floor_divide, (u(4, A), u(3, B)), "a division by zero", ZeroDivisionError),
    (samples.modulo, (u(4, A), u(3, B)), "a division by zero", ZeroDivisionError),
    (samples.positive_shift, (s(4, A), s(3, B)), "assert b >= 0", AssertionError),
    (samples.asserted, (s(4),), "assert 2 <= a <= 5", AssertionError),
    (samples.asserts_always, (s(4),), "assert False", AssertionError),
    (samples.raises, (s(4),), "an exception is raised", ValueError),
    (samples.raises_deep, (s(4, A), s(4, B)), "an exception is raised", ValueError),
    (samples.square_of, (u(4),), "an index out of range", IndexError),
    (samples.name_of, (u(4),), "a key that is not in the table", KeyError),
    (samples.falls_off, (s(4),), "the end of the function is reached without a return", None),
    (samples.two_to_the, (s(4),), "a power with a negative exponent", None),
]
PROVED = [
    (samples.shift_left, (s(4, A), u(3, B))),
    (samples.shift_when_positive, (s(4, A), s(3, B))),
    (samples.floor_divide, (u(4, A), i(1, 7, B))),
    (samples.short_circuit, (u(4, A), u(3, B))),
    (samples.short_circuit_or, (u(4, A), u(3, B))),
    (samples.guarded_chain, (u(3, A), u(3, B))),
    (samples.positive_shift, (s(4, A), u(3, B))),
    (samples.asserted, (i(2, 5),)),
    (samples.asserts_always, (i(-8, 3),)),
    (samples.raises, (i(-8, 3),)),
    (samples.raises_deep, (i(-8, 2, A), s(4, B))),
    (samples.guarded_square, (s(5),)),
    (samples.guarded_name, (s(4),)),
    (samples.clamp, (s(4), -2, 3)),
    (samples.two_to_the, (u(4),)),
]


def totality(function, *arguments):
    """The claim that a function breaks none of its side conditions."""
    lifter = Lifter("formal")
    lifter.call(function, *arguments)
    inputs = tuple(argument.term for argument in arguments if not isinstance(argument, int))
    return lifter, Obligation("sample.total", "sample", "It has a result.", "a test", TRUE(), lifter.total(), inputs)


def name_of(value):
    return value.__name__ if callable(value) and not isinstance(value, type) else None


@pytest.mark.parametrize(("function", "arguments", "what", "error"), SIDE_CONDITIONS, ids=name_of)
def test_what_can_go_wrong_is_refuted(function, arguments, what, error):
    lifter, claim = totality(function, *arguments)
    [condition] = lifter.side_conditions
    assert condition.what == what
    assert condition.place.startswith("samples.py:")
    proof = decide(claim, Engine(timeout=10), minimise=True)
    assert proof.verdict is Verdict.REFUTED
    assert proof.witness is not None
    # the witness breaks the function itself
    witness = [proof.witness[argument.term.symbol_name()] for argument in arguments]
    numbers = [
        number - (1 << argument.width) if argument.low < 0 and number > argument.high else number
        for number, argument in zip(witness, arguments, strict=True)
    ]
    if error:
        with pytest.raises(error):
            function(*numbers)
    elif function is samples.falls_off:
        assert function(*numbers) is None
    else:
        assert isinstance(function(*numbers), float)


@pytest.mark.parametrize(("function", "arguments", "_what", "error"), SIDE_CONDITIONS, ids=name_of)
def test_side_conditions_fail_exactly_where_python_does(function, arguments, _what, error):
    counted = tally(function, *arguments, raises=error or ())
    assert counted.agreed > 0
    assert (counted.raised > 0, counted.refused > 0) == ((True, False) if error else (False, True))


@pytest.mark.parametrize(("function", "arguments"), PROVED, ids=name_of)
def test_what_cannot_go_wrong_is_proved(function, arguments):
    _, claim = totality(function, *arguments)
    assert decide(claim, Engine(timeout=10)).verdict is Verdict.PROVED
    assert tally(function, *arguments).refused == 0


def test_what_an_assert_says_is_used_and_asked_for_once():
    call = lift(samples.asserted, s(4))
    # the divisor is not zero by the assert, so that division asks for nothing
    assert [(condition.what, condition.place) for condition in call.side_conditions] == [
        ("assert 2 <= a <= 5", call.side_conditions[0].place)
    ]


def test_places_are_file_and_line():
    line = samples.raises.__code__.co_firstlineno
    [condition] = lift(samples.raises, s(4)).side_conditions
    assert condition.place == f"samples.py:{line + 2}"


def test_every_call_from_outside_is_remembered_with_its_own_side_conditions():
    lifter = Lifter("formal")
    lifter.call(samples.raises, s(4))
    lifter.call(samples.add, s(4), 1)
    lifter.call(samples.square_of, u(3))
    assert [(call.function.__name__, len(call.side_conditions)) for call in lifter.calls] == [
        ("raises", 1),
        ("add", 0),
        ("square_of", 1),
    ]
    assert len(lifter.side_conditions) == 2
