"""Abstracted products: unsat carries over, sat says nothing, and what is assumed of a product is true of every one."""

from functools import partial
from itertools import product

import pytest
from pysmt.shortcuts import (
    BV,
    BVUGE,
    BVULE,
    BVULT,
    TRUE,
    And,
    BVAdd,
    BVConcat,
    BVExtract,
    BVMul,
    BVSub,
    BVXor,
    BVZExt,
    Equals,
    Implies,
    Ite,
    Not,
    Symbol,
)
from pysmt.typing import BVType

from formal.obligations import obligation
from halfulp_formal.abstraction import (
    Product,
    abstract_products,
    bound,
    equal_operands,
    facts,
    products,
    resized,
    substitute,
    without_leading_zeros,
)
from halfulp_formal.dag import postorder, symbols
from halfulp_formal.decide import Engine, decide
from halfulp_formal.evaluate import compile_term, evaluate
from halfulp_formal.obligation import Verdict
from halfulp_formal.solvers import Answer, open_solver

A, B, C = (Symbol(f"factor.{name}", BVType(4)) for name in "abc")
WIDE = Symbol("factor.wide", BVType(8))


def times(left, right, width=8):
    return BVMul(BVZExt(left, width - left.bv_width()), BVZExt(right, width - right.bv_width()))


def proved(formula):
    with open_solver("bitwuzla", 10) as session:
        session.add(Not(formula))
        return session.check() is Answer.UNSAT


def never(_formula):
    return False


def answer(formula):
    with open_solver("bitwuzla", 10) as session:
        session.add(formula)
        return session.check()


def multiplications(term):
    return [product.node for product in products([term])]


# Finding products.


def test_products_are_multiplications_of_two_unknowns():
    both = times(A, B)
    claim = Equals(BVAdd(both, BVMul(BVZExt(A, 4), BV(3, 8))), BVMul(both, both))
    found = products([claim])
    assert [(each.left, each.right) for each in found] == [(A, B), (both, both)]


@pytest.mark.parametrize(
    ("term", "bare"),
    [
        (A, A),
        (BVZExt(A, 4), A),
        (BVConcat(BV(0, 2), A), A),
        (BVZExt(BVConcat(BV(0, 1), BVZExt(A, 3)), 2), A),
        (BVConcat(BV(1, 2), A), BVConcat(BV(1, 2), A)),
        (BVConcat(A, BV(0, 2)), BVConcat(A, BV(0, 2))),
    ],
)
def test_leading_zeros_are_no_part_of_an_operand(term, bare):
    assert without_leading_zeros(term) is bare


def test_resized():
    assert resized(A, 4) is A
    for value in range(16):
        point = {"factor.a": value}
        assert evaluate([resized(A, 7), resized(A, 2)], point) == (value, value % 4)


# Equal operands.


def test_operands_are_equal_in_order_or_crossed():
    one, two = products([Equals(times(A, B), times(B, C))])
    ways = equal_operands(one, two)
    for a, b, c in product(range(0, 16, 3), repeat=3):
        point = {"factor.a": a, "factor.b": b, "factor.c": c}
        assert sorted(evaluate(ways, point)) == sorted([a == b and b == c, a == c])


def test_operands_of_other_widths_are_compared_by_value():
    one = Product(times(A, B), A, B)
    two = Product(BVMul(WIDE, BVZExt(B, 4)), WIDE, B)
    in_order = equal_operands(one, two)
    for a, wide in ((3, 3), (3, 19), (15, 15)):
        point = {"factor.a": a, "factor.wide": wide, "factor.b": 5}
        assert (True in evaluate(in_order, point)) == (a == wide)


# What is assumed of a product.


@pytest.mark.parametrize(("left", "right"), [(1, 1), (2, 3), (4, 4), (5, 2)])
@pytest.mark.parametrize("prove", [never, proved])
def test_facts_are_true_of_every_product(left, right, prove):
    operands = [Symbol(f"factor.{name}.{width}", BVType(width)) for name, width in (("x", left), ("y", right))]
    number = Symbol(f"number.{left + right}", BVType(left + right))
    own = Product(times(operands[0], operands[1], left + right), operands[0], operands[1])
    claim = facts(number, own, TRUE(), prove)
    for x, y in product(range(1 << left), range(1 << right)):
        point = {operands[0].symbol_name(): x, operands[1].symbol_name(): y, number.symbol_name(): x * y}
        assert evaluate([claim], point) == (True,)


@pytest.mark.parametrize("width", [2, 3, 4])
def test_facts_about_magnitudes_are_true_of_every_product(width):
    # the magnitude of two's complement is at most half the range
    x, y = (Symbol(f"factor.{name}.{width}", BVType(width)) for name in "xy")
    half = BV(1 << (width - 1), width)
    number = Symbol(f"number.{2 * width}", BVType(2 * width))
    own = Product(times(x, y, 2 * width), x, y)
    claim = facts(number, own, BVULE(x, half), proved)
    holds = compile_term([claim], [x, y, number])
    # of every product, and not of everything
    for one, two in product(range((1 << (width - 1)) + 1), repeat=2):
        assert holds(one, two, one * two) == (True,)
        assert holds(one, two, (1 << (2 * width)) - 1) == (False,)
        assert holds(one, two, 0) == (one * two == 0,)


def test_bounds():
    half = BVULE(A, BV(8, 4))
    assert bound(A, half, proved) == 8
    assert bound(A, TRUE(), proved) == 15
    assert bound(A, half, never) == 15
    assert bound(A, BVULE(A, BV(9, 4)), proved) == 15


# The abstract query.


def abstracted(assumption, claim, prove=proved):
    query = abstract_products(assumption, claim, prove)
    assert query is not None
    return query


def test_nothing_to_abstract():
    assert abstract_products(TRUE(), Equals(A, B), proved) is None
    assert abstract_products(TRUE(), Equals(times(A, B), WIDE), proved) is None


def test_unsat_carries_over():
    assumption, claim = Equals(A, C), Equals(times(A, B), times(B, C))
    query = abstracted(assumption, claim)
    assert multiplications(query) == []
    assert answer(query) is Answer.UNSAT


def test_equal_products_of_other_widths_become_one_number():
    claim = Equals(BVExtract(times(A, B), 0, 5), times(B, A, 6))
    # 6 bits do not hold the product: the narrow one is the low part of the number
    query = abstracted(TRUE(), claim)
    assert multiplications(query) == []
    assert answer(query) is Answer.UNSAT


def test_sat_of_the_abstract_query_says_nothing():
    # true, as x · 2 is not odd, but not of any number that is only known to be bounded
    claim = Implies(
        Equals(B, BV(2, 4)),
        Equals(BVExtract(times(A, B), 0, 0), BV(0, 1)),
    )
    query = abstracted(TRUE(), And(claim, Equals(times(A, B), times(B, A))))
    assert answer(query) is Answer.SAT
    whole = And(claim, Equals(times(A, B), times(B, A)))
    proof = decide(obligation("a.b", whole, inputs=(A, B)), Engine(timeout=10))
    assert proof.verdict is Verdict.PROVED


@pytest.mark.parametrize(
    "claim",
    [
        Equals(times(A, B), times(A, C)),
        Equals(times(A, B), times(A, BVXor(B, BV(1, 4)))),
        Equals(times(A, B), BVMul(BVZExt(A, 4), BVZExt(BVSub(BV(0, 4), B), 4))),
    ],
)
def test_products_that_differ_are_not_taken_for_one(claim):
    assert abstract_products(TRUE(), claim, proved) is None
    proof = decide(obligation("a.b", claim, inputs=(A, B, C)), Engine(timeout=10))
    assert proof.verdict is Verdict.REFUTED


def test_products_that_are_equal_only_under_the_assumption():
    claim = Equals(times(A, B), times(A, C))
    assert abstract_products(TRUE(), claim, proved) is None
    assert answer(abstracted(Equals(B, C), claim)) is Answer.UNSAT
    # an assumption that leaves one input out
    almost = Implies(Not(Equals(B, BV(9, 4))), Equals(B, C))
    assert abstract_products(almost, claim, proved) is None


def test_a_wrong_claim_about_equal_products_stays_refuted():
    # 15 · 15 is the only product of 225
    claim = BVULT(times(A, B), BV(225, 8))
    both = And(claim, Equals(times(A, B), times(B, A)))
    assert answer(abstracted(TRUE(), both)) is Answer.SAT
    proof = decide(obligation("a.b", both, inputs=(A, B)), Engine(timeout=10))
    assert proof.verdict is Verdict.REFUTED
    assert proof.witness == {"factor.a": 15, "factor.b": 15}


def test_a_bound_of_the_product_is_enough_for_a_range():
    claim = And(BVULE(times(A, B), BV(225, 8)), Equals(times(A, B), times(B, A)))
    assert answer(abstracted(TRUE(), claim)) is Answer.UNSAT
    assert answer(abstracted(TRUE(), And(claim, BVUGE(BV(224, 8), times(A, B))))) is Answer.SAT


def test_three_equal_products_become_one_number():
    claim = And(Equals(times(A, B), times(B, A)), Equals(times(A, B, 9), times(B, A, 9)))
    query = abstracted(TRUE(), claim)
    numbers = [symbol for symbol in symbols([query]) if symbol.symbol_name().startswith("product")]
    assert len(numbers) == 1
    assert numbers[0].bv_width() == 8
    assert answer(query) is Answer.UNSAT


def test_lemmas_are_asked_under_the_assumption():
    asked = []

    def record(formula):
        asked.append(formula)
        return proved(formula)

    assumption = Equals(B, C)
    abstracted(assumption, Equals(times(A, B), times(A, C)), record)
    assert asked
    assert all(assumption in postorder([formula]) for formula in asked)


def test_the_engine_uses_the_abstraction_and_falls_back(monkeypatch):
    calls = []

    def spy(assumption, claim, prove):
        query = abstract_products(assumption, claim, prove)
        calls.append(query is not None)
        return query

    monkeypatch.setattr("halfulp_formal.decide.abstract_products", spy)
    check = partial(decide, engine=Engine(timeout=10))
    assert check(obligation("a.b", Equals(times(A, B), times(B, A)), inputs=(A, B))).verdict is Verdict.PROVED
    assert check(obligation("a.b", Equals(times(A, B), times(A, C)), inputs=(A, B, C))).verdict is Verdict.REFUTED
    assert calls == [True, False]


def test_a_lemma_that_lies_is_the_engines_to_avoid():
    # with a prover that agrees to everything the query loses its meaning: decide never hands one over
    query = abstract_products(TRUE(), Equals(times(A, B), times(A, C)), lambda _: True)
    assert query is not None
    assert answer(query) is Answer.UNSAT


# Substitution.


def test_substitution_replaces_and_keeps_the_rest():
    term = BVAdd(times(A, B), BVZExt(Ite(BVULT(A, B), A, B), 4))
    number = Symbol("number.8", BVType(8))
    new = substitute(term, {times(A, B): number})
    assert multiplications(new) == []
    for a, b in ((3, 5), (9, 2)):
        point = {"factor.a": a, "factor.b": b, "number.8": 200}
        assert evaluate([new], point) == ((200 + min(a, b)) % 256,)
    assert substitute(term, {}) is term


def test_substitution_copies_every_kind_of_node():
    number = Symbol("number.8", BVType(8))
    inner = times(A, B)
    term = BVConcat(BVExtract(BVZExt(inner, 3), 2, 9), BV(5, 3))
    new = substitute(term, {inner: number})
    for value in (0, 77, 255):
        expected = ((value >> 2) % 256 << 3) + 5
        assert evaluate([new], {"number.8": value}) == (expected,)


def test_substitution_does_not_recurse():
    term = A
    for _ in range(10_000):
        term = BVAdd(term, B)
    new = substitute(term, {A: C})
    assert A not in symbols([new])
