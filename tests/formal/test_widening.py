"""Steps that widen sums: true where nothing wraps, and enough to make sums of another shape one term."""

from pysmt.shortcuts import BV, BVSLE, And, BVAdd, BVSExt, BVType, Equals, Not, Symbol

from halfulp_formal.decide import Engine, decide
from halfulp_formal.obligation import Obligation, Verdict
from halfulp_formal.widening import widened_sums

A, B, C, D = (Symbol(f"widening.{name}", BVType(8)) for name in "abcd")


def pair(one, two):
    """A sum of two in nine bits."""
    return BVAdd(BVSExt(one, 1), BVSExt(two, 1))


TREE = BVAdd(BVSExt(pair(A, B), 1), BVSExt(pair(C, D), 1))
CHAIN = BVAdd(BVSExt(BVAdd(pair(A, B), BVSExt(C, 1)), 1), BVSExt(D, 2))


def proof(claim, assumption, steps):
    return decide(Obligation("a.b", "a", "s", "s", assumption, claim, (A, B, C, D), steps=steps), Engine(timeout=30))


def test_a_step_for_every_extended_sum_inner_ones_first():
    steps = list(widened_sums([Equals(TREE, CHAIN)]))
    assert [step.arg(1) for step in steps] == [BVSExt(pair(A, B), 1), BVSExt(pair(C, D), 1), CHAIN.arg(0)]
    assert steps[0].arg(0) == BVAdd(BVSExt(A, 2), BVSExt(B, 2))


def test_a_tree_is_a_chain_where_the_chain_does_not_wrap():
    small = And(*(And(BVSLE(BV(0xC0, 8), each), BVSLE(each, BV(0x3F, 8))) for each in (A, B, C, D)))
    claim = Equals(TREE, CHAIN)
    assert proof(claim, small, tuple(widened_sums([claim]))).verdict is Verdict.PROVED


def test_a_sum_that_wraps_is_no_step():
    claim = Equals(TREE, CHAIN)
    found = proof(claim, Not(Equals(A, BV(0, 8))), tuple(widened_sums([claim])))
    assert found.verdict is Verdict.REFUTED
