import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from formal.obligations import HARD, M, X, Y, hard
from formal.terms import SYMBOLS, terms
from halfulp_formal.evaluate import compile_term
from halfulp_formal.minimise import LimitReached, least_point
from halfulp_formal.solvers import Answer, available, open_solver

SOLVERS = list(available())
A, B, WIDE, FLAG = SYMBOLS
SMALL = M.BVExtract(WIDE, 0, 2)


@pytest.mark.parametrize("name", SOLVERS)
def test_least_point_in_order_of_the_inputs(name):
    with open_solver(name, 10) as solver:
        solver.add(M.Equals(M.BVAdd(X, Y), M.BV(1000, 16)), M.BVULT(M.BV(400, 16), X))
        assert least_point(solver, [X, Y], {}) == {"in.x": 401, "in.y": 599}
        assert least_point(solver, [Y, X], {}) == {"in.y": 0, "in.x": 1000}
        assert least_point(solver, [X, Y], {"in.x": 990}) == {"in.x": 990, "in.y": 10}
        assert solver.check(M.Equals(X, M.BV(500, 16))) is Answer.SAT


@settings(max_examples=25, deadline=None)
@given(terms(steps=8), st.integers(0, 15), st.integers(0, 1))
def test_least_point_is_the_one_found_by_enumeration(asked, preferred, flag):
    truths = [term for term in asked if term.get_type().is_bool_type()]
    assume(truths)
    inputs = [FLAG, A, B]
    # Narrow enough to enumerate: A and B below 16, the wide one 0.
    narrow = M.And(M.BVULT(A, M.BV(16, 8)), M.BVULT(B, M.BV(16, 8)), M.Equals(WIDE, M.BV(0, 67)), *truths)
    holds = compile_term([narrow], SYMBOLS)
    points = [
        (bool(f), a, b) for f in (0, 1) for a in range(16) for b in range(16) if holds(a, b, 0, bool(f)) == (True,)
    ]
    wanted = {"in.a": preferred, "in.flag": flag}
    with open_solver(SOLVERS[0], 10) as solver:
        solver.add(narrow)
        if not points:
            assert least_point(solver, inputs, wanted) is None
            return
        f, a, b = min(points, key=lambda point: (point[0] ^ flag, point[1] ^ preferred, point[2]))
        assert least_point(solver, inputs, wanted) == {"in.flag": f, "in.a": a, "in.b": b}


def test_query_that_does_not_end():
    with open_solver(SOLVERS[0], 0.1) as solver:
        solver.add(M.Not(hard()))
        with pytest.raises(LimitReached, match="a solver reached its limit while a witness was being minimised"):
            least_point(solver, HARD, {})
