import pytest
from pysmt.shortcuts import FALSE, TRUE, Symbol
from pysmt.typing import BOOL

from formal.lift.exhaust import s, u
from formal.lift.samples import BOX, Box, Colour, Pair
from halfulp_formal.evaluate import evaluate
from halfulp_formal.lift.merge import as_record, concretize, leaves, merge, over_choice, record_fields
from halfulp_formal.lift.values import Choice, Record, Truth, bounds

P, Q = Symbol("bool.p", BOOL), Symbol("bool.q", BOOL)


def under(**values):
    """An assignment of terms, by the values of the symbols."""
    names = {"p": "bool.p", "q": "bool.q", "s": "in.a.s3", "u": "in.a.u3"}
    point = {"bool.p": 0, "bool.q": 0, **{names[name]: value for name, value in values.items()}}
    return lambda term: evaluate([term], point)[0]


def both(value):
    """A merged value where the condition holds, and where it does not."""
    return concretize(value, under(p=1)), concretize(value, under(p=0))


@pytest.mark.parametrize(
    ("then", "other"),
    [
        (3, -5),
        (True, False),
        ((1, 2), (3, 2)),
        (Pair(1, 2), Pair(4, 2)),
        (Box(1), BOX),
        (Colour.RED, Colour.BLUE),
        (None, 4),
        ((1, 2), (1, 2, 3)),
        ("x", "y"),
        (Pair(1, 2), (1, 3)),
        (((1, Colour.RED), None), ((2, Colour.RED), 5)),
    ],
    ids=repr,
)
def test_merged_values_are_one_or_the_other(then, other):
    assert both(merge(P, then, other)) == (then, other)


def test_a_decided_or_equal_merge_keeps_the_value():
    assert merge(TRUE(), 1, 2) == 1
    assert merge(FALSE(), 1, 2) == 2
    one, two = Box(1), Box(1)
    assert merge(P, one, two) is one
    assert merge(P, BOX, BOX) is BOX


def test_integers_are_merged_into_the_hull_of_their_intervals():
    assert bounds(merge(P, s(3), 9)) == (-4, 9)
    assert bounds(merge(P, 2, u(3))) == (0, 7)


def test_three_objects_are_one_choice():
    colour = merge(P, Colour.RED, merge(Q, Colour.GREEN, Colour.BLUE))
    assert isinstance(colour, Choice)
    assert len(colour.options) == 3
    found = {(p, q): concretize(colour, under(p=p, q=q)) for p in (0, 1) for q in (0, 1)}
    assert found == {
        (1, 0): Colour.RED,
        (1, 1): Colour.RED,
        (0, 1): Colour.GREEN,
        (0, 0): Colour.BLUE,
    }
    assert both(merge(P, merge(Q, Colour.RED, Colour.GREEN), Colour.BLUE)) == (Colour.GREEN, Colour.BLUE)
    doubled = over_choice(colour, lambda option: 2 * option.value)
    assert concretize(doubled, under(p=0, q=1)) == 4


def test_records():
    assert record_fields(Pair) == ("first", "second")
    assert record_fields(Box) == ("inside", "colour", "pair")
    assert record_fields(int) is None
    assert record_fields(Colour) is None
    assert as_record(3) is None
    viewed = as_record(Pair(1, 2))
    assert viewed is not None
    assert (viewed.cls, viewed.fields) == (Pair, {"first": 1, "second": 2})
    assert as_record(viewed) is viewed


def test_leaves_are_every_symbolic_part_in_a_fixed_order():
    choice = Choice(((P, Colour.RED), (TRUE(), u(3))))
    found = list(leaves((s(3), Record(Pair, {"first": u(2), "second": 5}), Truth(Q), choice, "x")))
    assert [leaf.term for leaf in found] == [s(3).term, u(2).term, Q, P, TRUE(), u(3).term]


def test_concrete_objects_of_signed_and_unsigned_numbers():
    assert concretize(s(3), under(s=5)) == -3
    assert concretize(u(3), under(u=5)) == 5
    record = Record(Pair, {"first": s(3), "second": Truth(P)})
    assert concretize(record, under(s=4, p=1)) == Pair(-4, True)
