import time

import pytest
from pysmt.environment import Environment, get_env
from pysmt.exceptions import NoSolverAvailableError, PysmtTypeError, PysmtValueError
from pysmt.logics import QF_BV
from pysmt.shortcuts import Solver, is_sat, is_valid
from pysmt.typing import INT

from formal.obligations import HARD, M, X, Y, commutes, hard

pytest.importorskip("bitwuzla")

from halfulp_formal.solvers.bitwuzla import BitwuzlaSolver, register


def test_registered_in_pysmt():
    register()
    register()
    assert get_env().factory.solver_preference_list.count("bitwuzla") == 1
    with Solver(name="bitwuzla") as solver:
        assert isinstance(solver, BitwuzlaSolver)
    assert is_valid(commutes(), solver_name="bitwuzla")
    assert is_sat(M.Equals(X, Y), solver_name="bitwuzla", logic=QF_BV)


def test_registered_in_one_environment_only():
    other = Environment()
    with pytest.raises(NoSolverAvailableError):
        other.factory.get_solver(name="bitwuzla")
    register(other)
    assert isinstance(other.factory.get_solver(name="bitwuzla"), BitwuzlaSolver)


def test_model_satisfies_the_assertions():
    with BitwuzlaSolver(get_env(), QF_BV) as solver:
        solver.add_assertion(M.Equals(M.BVMul(X, Y), M.BV(391, 16)))
        solver.add_assertion(M.BVULT(M.BV(1, 16), X))
        solver.add_assertion(M.BVULT(X, M.BV(20, 16)))
        solver.declare_variable(HARD[0])
        assert solver.solve()
        model = solver.get_model()
        assert HARD[0] in model
        assert model.satisfies(M.And(*solver.assertions))
        assert solver.get_py_value(X) == model.get_py_value(X)


def test_query_of_is_sat_is_dropped_by_the_next_call():
    with BitwuzlaSolver(get_env(), QF_BV) as solver:
        assert not solver.is_sat(M.FALSE())
        assert solver.is_sat(M.Equals(X, M.BV(5, 16)))
        assert solver.get_py_value(X) == 5
        assert solver.is_sat(M.Equals(X, M.BV(6, 16)))


def test_levels_and_reset():
    with BitwuzlaSolver(get_env(), QF_BV) as solver:
        solver.add_assertion(M.Equals(X, Y))
        solver.push()
        solver.add_assertion(M.Not(M.Equals(Y, X)))
        assert not solver.solve()
        solver.pop()
        assert solver.solve()
        solver.add_assertion(M.FALSE())
        assert not solver.solve()
        solver.reset_assertions()
        assert solver.solve()


def test_options_by_their_own_names():
    options = {"rewrite-level": 0, "time-limit-per": 1000}
    with BitwuzlaSolver(get_env(), QF_BV, random_seed=7, solver_options=options) as solver:
        assert solver.is_valid(commutes())
    with pytest.raises(PysmtValueError, match=r"bitwuzla option no-such=1: invalid option 'no-such'"):
        BitwuzlaSolver(get_env(), QF_BV, solver_options={"no-such": 1})
    with pytest.raises(PysmtValueError, match="unsat_cores_mode is not supported"):
        BitwuzlaSolver(get_env(), QF_BV, unsat_cores_mode="all")


def test_other_theories_are_refused():
    count = M.Symbol("in.count", INT)
    with BitwuzlaSolver(get_env(), QF_BV) as solver:
        with pytest.raises(TypeError, match=r"symbol in\.count is of type Int"):
            solver.add_assertion(M.LT(count, count))
        with pytest.raises(PysmtTypeError):
            solver.add_assertion(X)


def test_interrupt_during_a_limited_check_is_raised(monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    with BitwuzlaSolver(get_env(), QF_BV) as solver:
        solver.add_assertion(M.Not(hard()))
        solver.stop_after(5)
        monkeypatch.setattr(time, "monotonic", interrupted)
        with pytest.raises(KeyboardInterrupt):
            solver.solve()
