"""Random Boolean and bit-vector terms over a few fixed symbols."""

from hypothesis import strategies as st
from pysmt.environment import get_env
from pysmt.typing import BOOL, BVType

M = get_env().formula_manager
SYMBOLS = (
    M.Symbol("in.a", BVType(8)),
    M.Symbol("in.b", BVType(8)),
    M.Symbol("in.wide", BVType(67)),
    M.Symbol("in.flag", BOOL),
)
SAME_WIDTH = (
    M.BVAnd, M.BVOr, M.BVXor, M.BVAdd, M.BVSub, M.BVMul, M.BVUDiv, M.BVURem, M.BVSDiv, M.BVSRem,
    M.BVLShl, M.BVLShr, M.BVAShr,
)  # fmt: skip
COMPARISONS = (M.BVULT, M.BVULE, M.BVSLT, M.BVSLE, M.Equals)
CONNECTIVES = (M.And, M.Or, M.Iff, M.Implies)
VALUES = {
    "in.a": st.integers(0, 255),
    "in.b": st.integers(0, 255),
    "in.wide": st.one_of(st.integers(0, 70), st.integers(0, 2**67 - 1)),
    "in.flag": st.integers(0, 1),
}
POINTS = st.fixed_dictionaries(VALUES)


def _width(term):
    return 0 if term.get_type().is_bool_type() else term.bv_width()


def _like(draw, pool, term):
    """A term of the pool of the same type, which may be the term itself."""
    return draw(st.sampled_from([other for other in pool if _width(other) == _width(term)]))


def _step(draw, pool):
    term = draw(st.sampled_from(pool))
    width = _width(term)
    other = _like(draw, pool, term)
    if width == 0:
        how = draw(st.sampled_from(["not", "connective", "ite"]))
        if how == "not":
            return M.Not(term)
        if how == "connective":
            return draw(st.sampled_from(CONNECTIVES))(term, other)
        chosen = draw(st.sampled_from(pool))
        return M.Ite(term, chosen, _like(draw, pool, chosen))
    how = draw(st.sampled_from(["same", "same", "compare", "unary", "extract", "extend", "rotate", "concat", "comp"]))
    match how:
        case "same":
            return draw(st.sampled_from(SAME_WIDTH))(term, other)
        case "compare":
            return draw(st.sampled_from(COMPARISONS))(term, other)
        case "unary":
            return draw(st.sampled_from([M.BVNot, M.BVNeg]))(term)
        case "extract":
            low = draw(st.integers(0, width - 1))
            return M.BVExtract(term, low, draw(st.integers(low, width - 1)))
        case "extend":
            return draw(st.sampled_from([M.BVZExt, M.BVSExt]))(term, draw(st.integers(0, 70)))
        case "rotate":
            return draw(st.sampled_from([M.BVRol, M.BVRor]))(term, draw(st.integers(0, width)))
        case "concat":
            return M.BVConcat(term, draw(st.sampled_from([t for t in pool if _width(t)])))
        case _:
            return M.BVComp(term, other)


@st.composite
def terms(draw, steps=14):
    """The last few terms of a random DAG."""
    pool = [*SYMBOLS, M.BV(draw(st.integers(0, 255)), 8), M.BV(draw(st.integers(0, 70)), 67), M.TRUE()]
    for _ in range(draw(st.integers(1, steps))):
        new = _step(draw, pool)
        if _width(new) <= 300:
            pool.append(new)
    return pool[-3:]


def constant(symbol, value):
    """The equation symbol = value."""
    if symbol.symbol_type().is_bool_type():
        return M.Iff(symbol, M.Bool(bool(value)))
    return M.Equals(symbol, M.BV(value, symbol.bv_width()))
