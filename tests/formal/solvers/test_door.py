import subprocess
import sys

import pytest

from formal.obligations import M, X, Y, hard
from halfulp_formal.solvers import (
    Answer,
    MissingSolver,
    Series,
    SolverFailure,
    available,
    door,
    open_solver,
    preferred,
    second_opinion,
    version_of,
)

SOLVERS = list(available())
FLAG = M.Symbol("in.solver_flag")


@pytest.mark.parametrize("name", SOLVERS)
def test_levels_assumptions_and_values(name):
    with open_solver(name, 10) as solver:
        solver.add(M.BVULT(X, M.BV(5, 16)), FLAG)
        assert solver.check() is Answer.SAT
        assert solver.value(X) < 5
        assert solver.value(FLAG) == 1
        assert solver.value(M.BVAdd(X, M.BV(65535, 16))) == (solver.value(X) - 1) % 65536
        assert solver.check(M.Equals(X, M.BV(7, 16))) is Answer.UNSAT
        assert solver.check(M.Equals(X, M.BV(4, 16)), M.Equals(Y, X)) is Answer.SAT
        assert (solver.value(X), solver.value(Y)) == (4, 4)
        solver.push()
        solver.add(M.BVULT(M.BV(8, 16), X))
        assert solver.check() is Answer.UNSAT
        solver.pop()
        assert solver.check() is Answer.SAT


@pytest.mark.parametrize("name", SOLVERS)
def test_sessions_of_a_series_share_no_assertions(name):
    series, total = Series(), M.BVAdd(X, Y)
    with open_solver(name, 10, series) as first:
        first.add(M.Equals(total, M.BV(9, 16)), M.BVULT(X, Y))
        assert first.check() is Answer.SAT
        with open_solver(name, 10, series) as second:
            second.add(M.Equals(total, M.BV(9, 16)), M.BVULT(Y, X))
            assert second.check() is Answer.SAT
            assert second.value(X) > second.value(Y)
        assert first.value(X) < first.value(Y)
        assert first.check(M.Equals(X, Y)) is Answer.UNSAT
    with open_solver(name, 10, series) as third:
        third.add(M.Equals(X, Y))
        assert third.check(M.Equals(total, M.BV(8, 16))) is Answer.SAT
        assert third.value(X) & 0x7FFF == 4


@pytest.mark.parametrize("name", SOLVERS)
def test_limit_ends_in_unknown_and_the_session_goes_on(name):
    with open_solver(name, 0.2) as solver:
        solver.add(M.Not(hard()))
        assert solver.check() is Answer.UNKNOWN
    with open_solver(name, 30) as solver:
        solver.add(M.Not(hard()))
        assert solver.check(seconds=0.1) is Answer.UNKNOWN
        assert solver.check(M.FALSE()) is Answer.UNSAT


@pytest.mark.parametrize("name", SOLVERS)
def test_no_value_without_a_model(name):
    with open_solver(name, 10) as solver:
        solver.add(M.BVULT(X, M.BV(0, 16)))
        assert solver.check() is Answer.UNSAT
        with pytest.raises(SolverFailure, match=rf"^{name} has no model: its last answer is unsat$"):
            solver.value(X)


@pytest.mark.parametrize("name", SOLVERS)
def test_what_a_solver_cannot_take_is_a_failure_in_one_line(name):
    with open_solver(name, 10) as solver, pytest.raises(SolverFailure, match=rf"^{name} failed: \w+: [^\n]+$"):
        solver.add(X)


def test_unknown_solver():
    with pytest.raises(MissingSolver, match=r"^unknown solver yices; known are bitwuzla, z3, cvc5$"):
        open_solver("yices", 10)


@pytest.mark.parametrize("limit", [0, -1, float("nan")])
def test_limit_must_be_positive(limit):
    with pytest.raises(ValueError, match=r"^time limit is .+ s; expected more than 0$"):
        open_solver("z3", limit)


def test_missing_solver_says_what_to_install(monkeypatch):
    monkeypatch.setattr(door, "_backend", lambda _: None)
    with pytest.raises(MissingSolver, match=r"^solver z3 is not installed; pip install z3-solver, or choose another$"):
        version_of("z3")
    with pytest.raises(MissingSolver, match=r"^a cross-check of z3 needs a second solver, and none is installed$"):
        second_opinion("z3")
    with pytest.raises(MissingSolver, match=r"^no solver is installed; expected one of bitwuzla, z3, cvc5$"):
        preferred()


def test_without_bitwuzla_the_rest_works():
    program = """
import sys
sys.modules["bitwuzla"] = None
from halfulp_formal.solvers import available, preferred, second_opinion, MissingSolver, open_solver
assert "bitwuzla" not in available() and preferred() == "z3"
try:
    open_solver("bitwuzla", 1)
except MissingSolver as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "solver bitwuzla is not installed; pip install bitwuzla, or choose another\n"


def test_second_opinion_is_of_another_family():
    assert second_opinion("bitwuzla") == "z3"
    assert second_opinion("z3") == "bitwuzla"
