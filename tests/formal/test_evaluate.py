import pytest
from hypothesis import given, settings
from pysmt.typing import INT, BVType

from formal.terms import POINTS, SYMBOLS, M, constant, terms
from halfulp_formal.evaluate import compile_term, evaluate
from halfulp_formal.solvers import Answer, available, open_solver

A, B, WIDE, FLAG = SYMBOLS


def _arguments(point):
    return [bool(point[s.symbol_name()]) if s is FLAG else point[s.symbol_name()] for s in SYMBOLS]


def _solver_values(name, asked, point):
    with open_solver(name, 20) as session:
        session.add(*(constant(symbol, point[symbol.symbol_name()]) for symbol in SYMBOLS))
        assert session.check() is Answer.SAT
        return [session.value(term) for term in asked]


@settings(max_examples=150, deadline=None)
@given(terms(), POINTS)
def test_compiled_and_interpreted_values_are_the_solvers(asked, point):
    compiled = compile_term(asked, SYMBOLS)(*_arguments(point))
    assert compiled == evaluate(asked, point)
    name = next(iter(available()))
    assert [int(value) for value in compiled] == _solver_values(name, asked, point)


@settings(max_examples=25, deadline=None)
@given(terms(), POINTS)
def test_z3_and_cvc5_give_the_same_values(asked, point):
    values = [int(value) for value in evaluate(asked, point)]
    for name in available():
        assert _solver_values(name, asked, point) == values


BY_ZERO = [
    (M.BVUDiv, 5, 0, 0xFF),
    (M.BVURem, 5, 0, 5),
    (M.BVSDiv, 5, 0, 0xFF),
    (M.BVSDiv, 0xFB, 0, 1),
    (M.BVSRem, 0xFB, 0, 0xFB),
    (M.BVSDiv, 0x80, 0xFF, 0x80),
    (M.BVSRem, 0x80, 0xFF, 0),
    (M.BVSRem, 0xF9, 2, 0xFF),
    (M.BVLShl, 1, 8, 0),
    (M.BVLShl, 1, 7, 0x80),
    (M.BVLShr, 0x80, 255, 0),
    (M.BVAShr, 0x80, 8, 0xFF),
    (M.BVAShr, 0x7F, 200, 0),
]


@pytest.mark.parametrize(("operator", "a", "b", "expected"), BY_ZERO)
def test_corners_follow_smt_lib(operator, a, b, expected):
    term = operator(A, B)
    assert compile_term([term], [A, B])(a, b) == (expected,)
    assert evaluate([term], {"in.a": a, "in.b": b}) == (expected,)


def test_shift_by_an_amount_of_hundreds_of_bits():
    x = M.Symbol("in.huge", BVType(400))
    function = compile_term([M.BVLShr(x, x), M.BVAShr(x, x), M.BVLShl(x, x)], [x])
    top = 1 << 399
    assert function(top) == (0, (1 << 400) - 1, 0)


def test_deep_term_needs_no_recursion():
    term = A
    for index in range(20_000):
        term = M.BVAdd(term, M.BV(index & 1, 8))
    assert evaluate([term], {"in.a": 3}) == ((3 + 10_000) & 0xFF,)
    assert compile_term([term], [A])(3) == ((3 + 10_000) & 0xFF,)


def test_shared_node_is_computed_once():
    term = A
    for _ in range(300):
        term = M.BVAdd(term, term)
    assert compile_term([term], [A])(1) == (0,)


def test_inputs_that_do_not_occur_are_taken():
    assert compile_term([B, FLAG], SYMBOLS)(1, 2, 3, True) == (2, True)


def test_boolean_results_are_bool():
    values = compile_term([M.Equals(A, B), M.And(FLAG, FLAG)], [A, B, FLAG])(1, 1, False)
    assert values == (True, False)
    assert all(type(value) is bool for value in values)


def test_unlisted_symbol_is_refused():
    with pytest.raises(ValueError, match=r"^free symbol in\.b is not among the inputs$"):
        compile_term([M.BVAdd(A, B)], [A])


def test_missing_and_unfitting_values_are_refused():
    with pytest.raises(ValueError, match=r"^no value given for the free symbol in\.a$"):
        evaluate([A], {})
    with pytest.raises(ValueError, match=r"^value 256 of in\.a does not fit 8 bits$"):
        evaluate([A], {"in.a": 256})
    with pytest.raises(ValueError, match=r"^value 2 of in\.flag does not fit 1 bits$"):
        evaluate([FLAG], {"in.flag": 2})


def test_integers_are_refused():
    count = M.Symbol("in.count", INT)
    with pytest.raises(TypeError, match=r"^symbol in\.count is of type Int; expected Bool or a bit-vector$"):
        evaluate([M.Equals(count, M.Int(3))], {"in.count": 3})
    with pytest.raises(TypeError, match="operator PLUS is neither of the Booleans nor of the bit-vectors"):
        compile_term([M.Plus(M.Int(1), M.Int(2))], [])
