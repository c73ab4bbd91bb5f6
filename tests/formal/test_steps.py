import pytest

from formal.obligations import M, X, Y, obligation
from halfulp_formal.decide import Engine, decide
from halfulp_formal.obligation import Verdict
from halfulp_formal.steps import after_steps

ENGINE = Engine(timeout=10)
ZERO, ONE = M.BV(0, 16), M.BV(1, 16)
SUM, SWAPPED = M.BVAdd(X, Y), M.BVAdd(Y, M.BVAdd(X, ZERO))
SMALL = M.BVULT(X, M.BV(10, 16))


def everything(_formula):
    return True


def nothing(_formula):
    return False


def test_an_equation_replaces_its_right_side_by_its_left_one():
    claim = M.BVULT(SWAPPED, M.BV(7, 16))
    assert after_steps(claim, [M.Equals(SUM, SWAPPED)], everything) is M.BVULT(SUM, M.BV(7, 16))


def test_a_step_that_is_not_proved_is_left_out():
    assert after_steps(SMALL, [SMALL, M.Equals(X, Y)], nothing) is SMALL


@pytest.mark.parametrize("equation", [M.Equals(X, ONE), M.Equals(ONE, X)])
def test_a_constant_stays(equation):
    claim = M.Equals(M.BVAdd(X, ONE), Y)
    assert after_steps(claim, [equation], everything) is M.Equals(M.BVAdd(ONE, ONE), Y)


def test_a_truth_is_replaced_by_what_it_is():
    claim = M.And(SMALL, M.Or(M.BVULT(Y, X), SMALL))
    assert after_steps(claim, [SMALL], everything) is M.And(M.TRUE(), M.Or(M.BVULT(Y, X), M.TRUE()))
    assert after_steps(claim, [M.Not(SMALL)], everything) is M.And(M.FALSE(), M.Or(M.BVULT(Y, X), M.FALSE()))


def test_each_step_is_put_as_the_ones_before_it_left_it():
    asked = []
    steps = [M.Equals(SUM, SWAPPED), M.Equals(ONE, M.BVMul(SWAPPED, ONE)), M.Equals(Y, SWAPPED)]

    def agree(step):
        asked.append(step)
        return True

    claim = after_steps(M.Equals(M.BVMul(SWAPPED, ONE), X), steps, agree)
    assert asked == [steps[0], M.Equals(ONE, M.BVMul(SUM, ONE)), M.Equals(Y, SUM)]
    assert claim is M.Equals(ONE, X)


def test_a_proof_by_steps():
    claim = M.BVULE(M.BVURem(SWAPPED, M.BV(10, 16)), M.BV(9, 16))
    proof = decide(obligation("steps.true", claim, steps=(M.Equals(SUM, SWAPPED), claim)), ENGINE)
    assert proof.verdict is Verdict.PROVED


def test_a_false_step_proves_nothing():
    proof = decide(obligation("steps.false", M.Equals(X, Y), steps=(M.Equals(X, Y),)), ENGINE)
    assert proof.verdict is Verdict.REFUTED
    assert proof.witness is not None
    assert proof.witness["in.x"] != proof.witness["in.y"]


def test_a_step_that_fails_where_the_claim_does_refutes_it():
    hard_part = M.Equals(M.BVMul(X, Y), M.BVMul(Y, X))
    claim = M.And(hard_part, M.BVULT(X, M.BV(7, 16)))
    proof = decide(obligation("steps.part", claim, steps=(M.BVULT(X, M.BV(7, 16)),)), ENGINE)
    assert proof.verdict is Verdict.REFUTED
    assert proof.witness is not None
    assert proof.witness["in.x"] >= 7


def test_a_step_that_fails_elsewhere_refutes_nothing():
    claim = M.Equals(M.BVAdd(X, Y), M.BVAdd(Y, X))
    assert decide(obligation("steps.other", claim, steps=(M.Equals(X, Y),)), ENGINE).verdict is Verdict.PROVED


def test_a_step_may_rest_on_the_assumption_and_a_witness_keeps_to_it():
    steps = (M.Equals(X, Y),)
    given = M.Equals(X, Y)
    assert decide(obligation("s.x", M.Equals(X, Y), assumption=given, steps=steps), ENGINE).verdict is Verdict.PROVED
    refuted = decide(obligation("s.y", M.BVULT(Y, ONE), assumption=given, steps=steps), ENGINE)
    assert refuted.verdict is Verdict.REFUTED
    assert refuted.witness is not None
    assert refuted.witness["in.x"] == refuted.witness["in.y"] > 0
