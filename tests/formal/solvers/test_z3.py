import pytest

from formal.obligations import M, X, Y
from halfulp_formal.solvers import Answer, available, open_solver

pytestmark = pytest.mark.skipif("z3" not in available(), reason="z3 is not installed")
EQUAL = M.Equals(X, Y)
BELOW = M.BVULT(X, Y)


def number(term, value):
    return M.Equals(term, M.BV(value, 16))


def test_a_query_that_is_asked_once_and_its_model():
    with open_solver("z3", 10) as session:
        session.add(BELOW, number(Y, 1))
        assert session.check() is Answer.SAT
        assert (session.value(X), session.value(Y), session.value(BELOW)) == (0, 1, 1)
        assert not session._solver.learns
        session.add(EQUAL)
        assert session.check() is Answer.UNSAT
        assert not session._solver.learns


def test_what_was_asserted_is_kept_when_assumptions_and_levels_come():
    with open_solver("z3", 10) as session:
        session.add(BELOW)
        assert session.check(number(Y, 0)) is Answer.UNSAT
        assert session._solver.learns
        assert session.check(number(Y, 3), number(X, 2)) is Answer.SAT
        session.push()
        session.add(EQUAL)
        assert session.check() is Answer.UNSAT
        session.pop()
        assert session.check() is Answer.SAT


def test_a_level_is_opened_after_a_first_answer():
    with open_solver("z3", 10) as session:
        session.add(BELOW)
        assert session.check() is Answer.SAT
        session.push()
        session.add(number(X, 0xFFFF))
        assert session.check() is Answer.UNSAT
        session.pop()
        session.add(number(X, 0xFFFE))
        assert session.check() is Answer.SAT
        assert session.value(Y) == 0xFFFF
