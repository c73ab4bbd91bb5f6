"""Terms under SMT-LIB names: widths, refusals, and folding against Python's own integers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysmt.shortcuts import is_valid

from halfulp_formal.bits import (
    Bits,
    Bool,
    and_reduce,
    ite,
    normalise,
    or_reduce,
    select,
    shift_right_jam,
)

WIDTH = 11
WORDS = st.integers(0, 2**WIDTH - 1)


def signed(value: int, width: int = WIDTH) -> int:
    return value - (value >> (width - 1) << width)


def constant(value: int, width: int = WIDTH) -> Bits:
    return Bits.constant(value, width)


def number(bits: Bits) -> int:
    assert bits.term.is_constant()
    value: int = bits.term.constant_value()
    return value


def truth(formula: Bool) -> bool:
    assert formula.term.is_constant()
    value: bool = formula.term.constant_value()
    return value


@given(WORDS, WORDS)
def test_constants_fold_to_what_python_computes(a, b):
    x, y, full = constant(a), constant(b), 2**WIDTH
    assert number(x + y) == (a + b) % full
    assert number(x - y) == (a - b) % full
    assert number(x * y) == a * b % full
    assert number(-x) == -a % full
    assert number(x & y) == a & b
    assert number(x | y) == a | b
    assert number(x ^ y) == a ^ b
    assert number(~x) == full - 1 - a
    assert truth(x == y) == (a == b)
    assert truth(x != y) == (a != b)
    assert truth(x.bvult(y)) == (a < b)
    assert truth(x.bvule(y)) == (a <= b)
    assert truth(x.bvugt(y)) == (a > b)
    assert truth(x.bvuge(y)) == (a >= b)
    assert truth(x.bvslt(y)) == (signed(a) < signed(b))
    assert truth(x.bvsle(y)) == (signed(a) <= signed(b))
    assert truth(x.bvsgt(y)) == (signed(a) > signed(b))
    assert truth(x.bvsge(y)) == (signed(a) >= signed(b))
    assert number(x.zero_extend(16)) == a
    assert number(x.sign_extend(16)) == signed(a) % 2**16
    assert number(x.concat(y)) == a << WIDTH | b
    assert number(ite(x == y, x, y)) == b


@given(WORDS, st.integers(0, 2 * WIDTH))
def test_shifts_reach_past_the_width(a, n):
    x = constant(a)
    assert number(x << n) == (a << n) % 2**WIDTH
    assert number(x >> n) == a >> n
    assert number(x.bvashr(n)) == (signed(a) >> n) % 2**WIDTH
    kept, lost = a >> n, a & ((1 << n) - 1)
    assert number(shift_right_jam(x, constant(n, 5))) == kept | (lost != 0)


@given(st.integers(1, 45).flatmap(lambda width: st.tuples(st.just(width), st.integers(0, 2**width - 1))))
def test_normalise_counts_leading_zeros(case):
    width, value = case
    shifted, zeros = normalise(constant(value, width))
    if value:
        assert number(zeros) == width - value.bit_length()
        assert number(shifted) == value << number(zeros)
    else:
        assert number(shifted) == 0


@given(WORDS)
def test_reductions_and_bits(a):
    x = constant(a)
    assert truth(or_reduce(x)) == (a != 0)
    assert truth(and_reduce(x)) == (a == 2**WIDTH - 1)
    assert [truth(x.bit(i)) for i in range(WIDTH)] == [bool(a >> i & 1) for i in range(WIDTH)]
    assert number(x.extract(7, 3)) == a >> 3 & 31


def test_truth_values_fold():
    yes, no, free = Bool.constant(True), Bool.constant(False), Bool.symbol("free")
    assert (yes & free).term is free.term
    assert truth(free & no) is False
    assert (free | no).term is free.term
    assert truth(yes | free) is True
    assert truth(yes ^ no) is True
    assert truth(yes != no) is True
    assert truth(no.implies(free)) is True
    assert number(yes.bits()) == 1
    assert number(no.bits()) == 0


def test_ite_keeps_what_needs_no_choice():
    a, b, free = Bits.symbol("a", 8), Bits.symbol("b", 8), Bool.symbol("free")
    assert ite(Bool.constant(True), a, b).term is a.term
    assert ite(Bool.constant(False), a, b).term is b.term
    assert ite(free, a, a).term is a.term
    assert ite(free, a, 3).width == 8


def test_select_takes_the_first_condition_that_holds():
    yes, no = Bool.constant(True), Bool.constant(False)
    one, two, three, four = (constant(value) for value in (1, 2, 3, 4))
    assert number(select((no, one), (yes, two), (yes, three), otherwise=four)) == 2
    assert number(select((no, one), otherwise=four)) == 4


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Bits.symbol("x8", 8) + Bits.symbol("x11", 11), "widths differ: 8 and 11"),
        (lambda: ite(Bool.symbol("c"), Bits.symbol("x8", 8), constant(0)), "widths differ: 8 and 11"),
        (lambda: Bits.symbol("x8", 8) == 256, "constant does not fit: 256 in 8 bits"),
        (lambda: Bits.constant(-129, 8), "constant does not fit: -129 in 8 bits"),
        (lambda: Bits.constant(0, 0), "constant does not fit: 0 in 0 bits"),
        (lambda: Bits.symbol("x8", 8).extract(8, 0), "no bits 8:0 in 8 bits"),
        (lambda: Bits.symbol("x8", 8).extract(2, 3), "no bits 2:3 in 8 bits"),
        (lambda: Bits.symbol("x8", 8).zero_extend(7), "cannot extend 8 bits to 7"),
        (lambda: Bits.symbol("x8", 8).sign_extend(7), "cannot extend 8 bits to 7"),
    ],
)
def test_a_width_that_does_not_fit_is_refused(build, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        build()


@pytest.mark.parametrize(
    ("branch", "message"),
    [
        (lambda x: bool(x == 1), "a formula has no truth value in Python; choose between values with ite"),
        (
            bool,
            "a bit-vector term has no truth value in Python; compare it, and choose with ite",
        ),
        (lambda x: ite(x == 1, x, x == 1), "ite chooses between two bit-vectors or between two truth values"),
    ],
)
def test_a_term_is_never_branched_on(branch, message):
    with pytest.raises(TypeError, match=f"^{message}$"):
        branch(Bits.symbol("x8", 8))


def test_solver_agrees_that_jamming_is_a_sticky_bit():
    x, n = Bits.symbol("x16", 16), Bits.symbol("n5", 5)
    doubled = x.concat(Bits.constant(0, 16)) >> n.zero_extend(32)
    direct = doubled.extract(31, 16) | or_reduce(doubled.extract(15, 0)).bits().zero_extend(16)
    assert is_valid((n.bvule(16)).implies(shift_right_jam(x, n) == direct).term, solver_name="z3")
