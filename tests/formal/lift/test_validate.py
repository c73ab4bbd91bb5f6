from dataclasses import replace

import pytest
from pysmt.shortcuts import BV, TRUE, BVAdd, BVNot, Symbol
from pysmt.typing import BVType

from formal.lift import samples
from formal.lift.exhaust import i, lift, s, u
from halfulp_formal.dag import symbols
from halfulp_formal.lift.merge import leaves
from halfulp_formal.lift.validate import LiftMismatch, call_terms, disagreement, validate
from halfulp_formal.lift.values import Choice, Int, Record, truth_symbol
from halfulp_formal.obligation import Mismatch


def inputs_of(call):
    conditions, terms = call_terms(call)
    return symbols([*conditions, *terms])


def count(function, *arguments, **options):
    call = lift(function, *arguments)
    return validate(call, inputs_of(call), **options)


def complaint(call, **options):
    with pytest.raises(LiftMismatch) as error:
        validate(call, inputs_of(call), **options)
    assert isinstance(error.value, Mismatch)
    return str(error.value)


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        (samples.add, (s(4), u(3, "b")), 128),
        (samples.use_colour, (u(3),), 8),
        (samples.clamp, (s(8), s(4, "b"), u(4, "c")), 65536),
        (samples.is_less, (truth_symbol("bool.p"), u(3)), 16),
    ],
)
def test_up_to_sixteen_bits_every_input_is_tried(function, arguments, expected):
    assert count(function, *arguments, samples=0) == expected


def test_how_many_inputs_are_few_can_be_told():
    assert count(samples.clamp, s(8), s(4, "b"), u(4, "c"), exhaustive=15, samples=30) == 30


def test_points_that_mean_nothing_are_not_compared():
    # a failing side condition, an argument outside its interval
    assert count(samples.square_of, u(4)) == 6
    assert count(samples.raises, s(4)) == 12
    assert count(samples.raises, i(-2, 9)) == 6


def test_more_bits_are_sampled():
    assert count(samples.add, s(32), u(32, "b")) == 200
    assert count(samples.add, s(32), u(32, "b"), samples=7) == 7
    points = [{"in.a.s32": 5, "in.b.u32": 6, "in.other": 7}, {"in.a.s32": 1}]
    assert count(samples.add, s(32), u(32, "b"), samples=7, points=points) == 9


def test_sampling_is_repeatable_and_depends_on_the_seed():
    seen: list[list[tuple[int, int]]] = []

    def spy(a, b):
        seen[-1].append((a, b))
        return a + b

    call = replace(lift(samples.add, s(32), u(32, "b")), function=spy)
    for seed in (0, 0, 1):
        seen.append([])
        validate(call, inputs_of(call), seed=seed)
    assert seen[0] == seen[1] != seen[2]
    # all zeros, all ones, and the ends of both kinds of number
    assert seen[0][:2] == [(0, 0), (-1, 2**32 - 1)]
    assert {-(2**31), 2**31 - 1, 1, 0, -1} <= {a for a, _ in seen[0]}
    assert {2**31, 2**31 - 1, 1, 0, 2**32 - 1} <= {b for _, b in seen[0]}
    assert len(set(seen[0])) > 190


def test_inputs_of_one_width_are_often_alike():
    seen = []

    def spy(a, b):
        seen.append((a, b))
        return a + b

    call = replace(lift(samples.add, s(32), s(32, "b")), function=spy)
    validate(call, inputs_of(call))
    close = [
        (a, b) for a, b in seen if (a ^ b) >> 20 in (0, -1, -1 << 11, (1 << 11) - 1) and a != b and abs(a) > 1 << 24
    ]
    assert len(close) > 10


def test_ends_of_an_interval_are_tried():
    seen = set()

    def spy(a, _):
        seen.add(a)
        return -a

    call = lift(samples.minus, i(-1000, 40_000))
    wide = Int(Symbol("number.more", BVType(40)), 0, 2**40 - 1)
    call = replace(call, arguments=(*call.arguments, wide), function=spy)
    validate(call, inputs_of(call))
    assert {-1000, 40_000} <= seen


def test_given_points_come_first():
    call = replace(lift(samples.add, s(32), u(32, "b")), function=samples.subtract)
    expected = "the lift disagrees with the model at in.a.s32=0x1, in.b.u32=0x2: subtract gives -1, its terms give 3"
    assert complaint(call, points=[{"in.a.s32": 1, "in.b.u32": 2}]) == expected


@pytest.mark.parametrize(
    ("lifted", "function", "expected"),
    [
        (samples.absolute, samples.plus, "in.a.s4=0x8: plus gives -8, its terms give 8"),
        (samples.plus, samples.absolute, "in.a.s4=0x8: absolute gives 8, its terms give -8"),
        (samples.invert, samples.asserted, "in.a.s4=0x0: asserted raises AssertionError: a message is not "),
        (samples.default_pair, samples.plus, "in.a.s4=0x0: plus gives 0, its terms give Pair(first=0, second=3)"),
        (samples.colour_of, samples.sometimes_none, "in.a.s4=0x0: sometimes_none gives 0, its terms give Colour.BLUE"),
    ],
)
def test_a_difference_names_function_point_and_both_results(lifted, function, expected):
    call = replace(lift(lifted, s(4)), function=function)
    assert complaint(call).startswith(f"the lift disagrees with the model at {expected}")


def test_a_call_without_symbols():
    assert count(samples.add, 3, 4) == 1
    wrong = replace(lift(samples.add, 3, 4), result=8)
    assert complaint(wrong) == "the lift disagrees with the model at every input: add gives 7, its terms give 8"


def test_a_result_outside_its_interval_is_a_difference():
    call = lift(samples.plus, u(4))
    narrow = Int(call.result.term, 0, 9)
    assert complaint(replace(call, result=narrow)) == (
        "the lift disagrees with the model at in.a.u4=0xa: plus gives 10, outside the interval of its terms"
    )
    # what is not chosen may be anything
    unused = Choice(((TRUE(), u(4)), (TRUE(), narrow)))
    assert validate(replace(call, result=unused), inputs_of(call)) == 16
    used = Record(samples.Pair, {"first": narrow, "second": u(4)})
    pair = replace(call, result=used, function=lambda a: samples.Pair(a, a))
    assert "outside the interval" in complaint(pair)


def test_a_subtly_wrong_term_is_found_among_many_inputs():
    # right but for one input in sixteen thousand: a forgotten end of an interval
    call = lift(samples.absolute, s(64))
    assert validate(call, inputs_of(call)) == 200
    wrong = replace(call, result=Int(call.result.term, 0, 2**63 - 1))
    assert "0x8000000000000000" in complaint(wrong)


def test_a_symbol_that_is_not_among_the_inputs():
    call = lift(samples.add, s(4), u(3, "b"))
    with pytest.raises(ValueError, match=r"^free symbol in.b.u3 is not among the inputs$"):
        validate(call, [s(4).term])


def test_disagreement_looks_at_one_point():
    call = lift(samples.add, s(4), 1)
    terms = [leaf.term for leaf in leaves((call.arguments, call.result))]
    assert disagreement(call, dict(zip(terms, (15, 0), strict=True)).__getitem__) is None
    assert disagreement(call, dict(zip(terms, (15, 1), strict=True)).__getitem__) == "add gives 0, its terms give 1"


@pytest.mark.parametrize("wrong", [BVNot, lambda term: BVAdd(term, BV(1, term.bv_width()))])
def test_every_broken_result_term_is_seen(wrong):
    for function in (samples.ladder, samples.length, samples.unrolled, samples.is_odd):
        call = lift(function, s(5))
        if isinstance(call.result, Int):
            broken = replace(call, result=Int(wrong(call.result.term), call.result.low, call.result.high))
            assert complaint(broken)
