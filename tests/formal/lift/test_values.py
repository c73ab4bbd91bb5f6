import pytest
from pysmt.shortcuts import FALSE, TRUE, BVSExt, BVZExt, Not, Symbol
from pysmt.typing import BOOL

from formal.lift.exhaust import s, u
from halfulp_formal.evaluate import evaluate
from halfulp_formal.lift.values import (
    Int,
    Truth,
    bounds,
    choose,
    conjoin,
    disjoin,
    equivalent,
    fit,
    is_symbolic,
    make_int,
    make_truth,
    negate,
    symbol,
    truth_symbol,
    truth_term,
    width_of,
)

P, Q = Symbol("bool.p", BOOL), Symbol("bool.q", BOOL)


@pytest.mark.parametrize(
    ("low", "high", "width"),
    [
        (0, 0, 1),
        (0, 1, 1),
        (0, 2, 2),
        (3, 8, 4),
        (-1, 0, 1),
        (-1, 1, 2),
        (-2, 1, 2),
        (-3, 1, 3),
        (-9, -2, 5),
        (-1, 8, 5),
    ],
)
def test_width_of_an_interval(low, high, width):
    assert width_of(low, high) == width
    least, most = (0, (1 << width) - 1) if low >= 0 else (-(1 << (width - 1)), (1 << (width - 1)) - 1)
    assert least <= low <= high <= most
    # one bit less would not do
    if width > 1 + (low < 0):
        assert low < least // 2 or high > most // 2


def test_symbols_take_whole_ranges_only():
    assert (symbol("number.u", 0, 7).width, symbol("number.s", -4, 3).width) == (3, 3)
    with pytest.raises(ValueError, match=r"^\[0, 5\] is not the range of a bit-vector; expected \[0, 7\]$"):
        symbol("number.odd", 0, 5)
    with pytest.raises(ValueError, match=r"^\[-5, 3\] is not the range of a bit-vector; expected \[-8, 7\]$"):
        symbol("number.odd", -5, 3)


def test_fit_extends_by_the_kind_of_number_and_cuts():
    assert fit(u(3), 5) is BVZExt(u(3).term, 2)
    assert fit(s(3), 5) is BVSExt(s(3).term, 2)
    assert fit(s(3), 3) is s(3).term
    for value in range(8):
        assert evaluate([fit(u(3), 2)], {"in.a.u3": value}) == (value % 4,)
    assert fit(-3, 4).constant_value() == 13


def test_points_are_numbers():
    assert make_int(s(3).term, 2, 2) == 2
    assert isinstance(make_int(s(3).term, 2, 3), Int)
    assert bounds(7) == (7, 7)
    assert make_truth(TRUE()) is True
    assert make_truth(FALSE()) is False
    assert isinstance(make_truth(P), Truth)
    assert truth_term(True) is TRUE()
    assert truth_term(truth_symbol("bool.p")) is P


def test_constants_disappear_from_connectives():
    assert conjoin() is TRUE()
    assert conjoin(TRUE(), P) is P
    assert conjoin(P, FALSE()) is FALSE()
    assert disjoin() is FALSE()
    assert disjoin(FALSE(), P) is P
    assert disjoin(P, TRUE()) is TRUE()
    assert negate(TRUE()) is FALSE()
    assert negate(FALSE()) is TRUE()
    assert negate(Not(P)) is P
    assert equivalent(P, TRUE()) is P
    assert equivalent(FALSE(), P) is Not(P)
    assert choose(TRUE(), P, Q) is P
    assert choose(FALSE(), P, Q) is Q
    assert choose(P, Q, Q) is Q
    assert choose(P, TRUE(), FALSE()) is P
    assert choose(P, FALSE(), TRUE()) is Not(P)


@pytest.mark.parametrize("values", [(p, q) for p in (False, True) for q in (False, True)])
def test_connectives_mean_what_they_say(values):
    point = dict(zip(("bool.p", "bool.q"), values, strict=True))
    p, q = values
    terms = [conjoin(P, Q), disjoin(P, Q), negate(P), equivalent(P, Q), choose(P, Q, negate(Q))]
    assert evaluate(terms, point) == (p and q, p or q, not p, p == q, q if p else not q)


def test_symbolic_parts_are_seen_inside_tuples():
    assert is_symbolic((1, (2, u(3))))
    assert not is_symbolic((1, (2, "x")))
