"""The pieces of claims against plain integers and fractions, at every small input."""

from fractions import Fraction
from itertools import product

import pytest
from pysmt.shortcuts import TRUE, Symbol
from pysmt.typing import BOOL

from formal.lift.exhaust import i, s, u
from halfulp_formal.evaluate import compile_term
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.merge import concretize, leaves
from halfulp_formal.lift.values import Int, Truth, truth_symbol
from halfulp_formal.properties import numbers
from halfulp_formal.properties.numbers import Magnitude

A, B, P, Q = s(4), u(3, "b"), truth_symbol("bool.p"), truth_symbol("bool.q")
NUMBER = Magnitude(P, u(4, "significand"), i(-4, 3, "exponent"))
OTHER = Magnitude(Q, u(3, "other"), i(-3, 3, "power"))


def table(value, **inputs):
    """Yield every input with what a claim or a value is there."""
    symbolic = list(inputs.values())
    terms = list(dict.fromkeys(leaf.term for leaf in leaves(value)))
    function = compile_term(terms, [each.term for each in symbolic])
    for point in product(*(choices(each) for each in symbolic)):
        values = [
            number % (1 << each.width) if isinstance(each, Int) else number
            for number, each in zip(point, symbolic, strict=True)
        ]
        assigned = dict(zip(terms, function(*values), strict=True)).__getitem__
        yield dict(zip(inputs, point, strict=True)), concretize(value, assigned)


def choices(symbolic):
    return (False, True) if isinstance(symbolic, Truth) else range(symbolic.low, symbolic.high + 1)


def check(value, expected, **inputs):
    """Compare a claim (a term) or a value with a function of the inputs."""
    if not isinstance(value, (Int, int, Truth, bool, tuple)):
        value = Truth(value)
    count = 0
    for point, got in table(value, **inputs):
        assert got == expected(**point), point
        count += 1
    assert count >= 8


def worth(negative, significand, exponent):
    number = Fraction(significand) * Fraction(2) ** exponent
    return -number if negative else number


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        (numbers.equal, lambda a, b: a == b),
        (numbers.less, lambda a, b: a < b),
        (numbers.at_most, lambda a, b: a <= b),
        (lambda a, b: numbers.between(-3, a, b), lambda a, b: -3 <= a <= b),
        (lambda a, b: numbers.implies(numbers.less(a, 0), numbers.less(b, 4)), lambda a, b: a >= 0 or b < 4),
        (lambda a, b: numbers.iff(numbers.less(a, 0), numbers.less(b, 4)), lambda a, b: (a < 0) == (b < 4)),
        (lambda a, b: numbers.odd(arithmetic.add(a, b)), lambda a, b: (a + b) % 2 == 1),
    ],
)
def test_claims(claim, expected):
    check(claim(A, B), expected, a=A, b=B)


def test_numbers():
    check(numbers.clamped(A, -3, 5), lambda a: min(max(a, -3), 5), a=A)
    check(numbers.select(numbers.less(A, 0), 7, A), lambda a: 7 if a < 0 else a, a=A)
    check(numbers.signed(P, B), lambda p, b: -b if p else b, p=P, b=B)


def test_fields():
    word = u(8, "word")
    check(numbers.bit_field(word, 5, 2), lambda word: word >> 2 & 15, word=word)
    check(numbers.bit_field(word, 7, 7), lambda word: word >> 7, word=word)
    check(numbers.signed_field(word, 5, 2), lambda word: (word >> 2 & 15) - (word >> 5 & 1) * 16, word=word)
    check(numbers.signed_field(word, 3, 3), lambda word: -(word >> 3 & 1), word=word)


def test_exact_numbers():
    parts = {"negative": NUMBER.negative, "significand": NUMBER.significand, "exponent": NUMBER.exponent}
    whole = numbers.is_whole(NUMBER)
    check(whole, lambda negative, significand, exponent: worth(negative, significand, exponent) % 1 == 0, **parts)
    check(numbers.is_zero(NUMBER), lambda significand, **_: significand == 0, **parts)
    check(numbers.has_fraction_bits(NUMBER), lambda exponent, **_: exponent < 0, **parts)
    for point, got in table(numbers.shifted(NUMBER), **parts):
        if point["exponent"] >= 0:
            assert got == worth(**point)


def test_a_candidate_beside_a_number_in_last_places():
    candidate = i(-15, 15, "candidate")
    scaled = numbers.in_last_places(NUMBER, candidate)
    inputs = {"negative": P, "significand": NUMBER.significand, "exponent": NUMBER.exponent, "candidate": candidate}
    for point, (value, near, unit) in table(tuple(scaled), **inputs):
        if point["exponent"] < 0:
            assert unit == 1 << -point["exponent"]
            assert near == point.pop("candidate") * unit
            assert Fraction(value, unit) == worth(**point)


def test_same_number_is_equal_parts_or_both_zero():
    claim = numbers.same_number(NUMBER, OTHER)
    parts = (*NUMBER, *OTHER)
    named = dict(zip(("n1", "s1", "e1", "n2", "s2", "e2"), parts, strict=True))
    for point, got in table(Truth(claim), **named):
        left, right = tuple(point.values())[:3], tuple(point.values())[3:]
        assert got == (left == right or left[1] == right[1] == 0)
        # sound: what is claimed equal is equal
        assert not got or worth(*left) == worth(*right)


def test_selected_exact_numbers():
    chosen = numbers.select_magnitude(Symbol("bool.r", BOOL), NUMBER, OTHER)
    named = {"r": truth_symbol("bool.r"), "s1": NUMBER.significand, "s2": OTHER.significand}
    for point, got in table((chosen.significand,), **named):
        assert got == (point["s1"] if point["r"] else point["s2"],)
    assert numbers.select_magnitude(TRUE(), NUMBER, OTHER) == NUMBER
