import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pysmt.environment import get_env

from formal.terms import POINTS, SYMBOLS, constant, terms
from halfulp_formal.dag import postorder
from halfulp_formal.evaluate import evaluate
from halfulp_formal.specialise import specialise

M = get_env().formula_manager
A, B, WIDE, FLAG = SYMBOLS


@settings(max_examples=60, deadline=None)
@given(terms(), POINTS, st.data())
def test_the_value_is_the_same_wherever_the_cube_holds(asked, point, data):
    """The cube says what some of the terms inside are at the point."""
    inner = [term for term in postorder(asked) if not term.is_constant()]
    assume(inner)
    chosen = data.draw(st.lists(st.sampled_from(inner), min_size=1, max_size=3))
    facts = []
    for term, value in zip(chosen, evaluate(chosen, point), strict=True):
        if term.get_type().is_bool_type():
            facts.append(term if value else M.Not(term))
        else:
            pair = (term, M.BV(value, term.bv_width()))
            facts.append(M.Equals(*(pair if data.draw(st.booleans()) else reversed(pair))))
    cube = M.And(facts)
    assert evaluate([cube], point) == (True,)
    for term in asked:
        assert evaluate([specialise(term, cube)], point) == evaluate([term], point)


def test_terms_that_are_not_symbols_are_fixed():
    distance = M.BVSub(A, B)
    formula = M.Equals(M.BVLShl(WIDE, M.BVZExt(distance, 59)), M.Ite(FLAG, WIDE, M.BV(0, 67)))
    cube = M.And(M.Equals(distance, M.BV(3, 8)), M.Not(FLAG))
    assert specialise(formula, cube) == M.Equals(M.BVLShl(WIDE, M.BV(3, 67)), M.BV(0, 67))


@pytest.mark.parametrize("cube", [M.TRUE(), M.FALSE(), M.BVULT(A, B)])
def test_a_cube_may_fix_nothing(cube):
    formula = M.Equals(M.BVAdd(A, B), M.BV(1, 8))
    assert specialise(formula, cube) == formula


def test_an_inequality_fixes_its_own_truth():
    assert specialise(M.Or(FLAG, M.BVULT(A, B)), M.BVULT(A, B)) == M.TRUE()
    assert specialise(constant(A, 5), constant(A, 5)) == M.TRUE()
