"""Conversions to E8M0: against exact rational arithmetic, the slow oracle and public fault reports, and as proofs."""

import json
from fractions import Fraction as Q
from functools import cache
from pathlib import Path
from random import Random

import pytest

from formal.encodings.exact import floor_log2, power
from formal.encodings.exact_convert import value, width
from halfulp_formal.bits import Bits, Bool, ite
from halfulp_formal.encodings.e8m0 import (
    E8M0_SOURCES,
    mx_scale,
    tcvt_e8m0,
    tcvt_e8m0_any,
    threshold,
    threshold_lemma,
)
from halfulp_formal.encodings.rounding_control import ROUNDING_CODES, rounding_operand
from halfulp_formal.evaluate import compile_term
from halfulp_formal.solvers import Answer, open_solver, preferred
from oracle import e8m0 as oracle

MODE, SAT = Bits.symbol("e8m0.mode", 3), Bool.symbol("e8m0.sat")
PUBLIC = Path(__file__).parents[2] / "cases" / "public.jsonl"
CASES = [json.loads(line) for line in PUBLIC.read_text(encoding="utf-8").splitlines()]
SCALES = [case for case in CASES if case["destination"] == "E8M0"]
LARGEST = {"e4m3": 448, "e5m2": 57344, "e3m2": 28, "e2m3": Q(15, 2), "e2m1": 6, "hif8": 32768}
CHOICES = [("floor", None), ("ceil", None), ("even", None), *(("rceil", element) for element in LARGEST)]


def source_symbol(source):
    return Bits.symbol(f"e8m0.{source}", width(source))


def codes(source):
    """Powers of two, numbers beside them, beside 3/2 and 7/4 and beside the root of two of every exponent; specials."""
    bits, fraction_bits, random = width(source), {"fp16": 10, "bf16": 7, "fp32": 23}[source], Random(source)
    root = threshold(fraction_bits + 1) - (1 << fraction_bits)
    marks = [0, root, 1 << (fraction_bits - 1), 3 << (fraction_bits - 2), 7 << (fraction_bits - 3)]
    chosen = {
        (field << fraction_bits) + mark + step
        for field in range(1 << (bits - 1 - fraction_bits))
        for mark in marks
        for step in (-1, 0, 1)
    }
    chosen |= {1 << bit for bit in range(bits)} | {random.getrandbits(bits) for _ in range(300)}
    return sorted(code % (1 << bits) for code in chosen)


def exact_tcvt(source, mode, sat, code):
    """Code and flags."""
    negative, number = value(source, code)
    if number in ("nan", 0) or negative:
        return 0xFF, 0x01
    if number == "infinity" or number > power(127):
        return 0xFE if sat else 0xFF, 0x14
    if number < power(-127):
        return 0x00 if sat else 0xFF, 0x18
    low = floor_log2(number)
    if number == power(low):
        return low + 127, 0
    up = {"rtm": 0, "rtp": 1, "rtz": low < 0, "rto": low % 2 == 0}.get(mode, number * number > power(2 * low + 1))
    return low + up + 127, 0x10


def exact_scale(source, rule, element, code):
    """Code and flags."""
    negative, number = value(source, code)
    if number == "nan" or (negative and number != 0):
        return 0xFF, 0x01
    if number == "infinity":
        return 0xFF, 0x14
    if number == 0:
        return 0x00, 0
    number /= LARGEST.get(element, 1)
    low = floor_log2(number)
    between = number / power(low)
    up = {"floor": False, "even": between > Q(3, 2) or (between == Q(3, 2) and low % 2 == 1)}.get(rule, between > 1)
    if not -127 <= low + up <= 127:
        return (0x00, 0x18) if low < 0 else (0xFE, 0x14)
    return low + up + 127, 0x10 * (between > 1)


@cache
def scale(source, rule, element):
    bits = source_symbol(source)
    return compile_term([part.term for part in mx_scale(source, rule, element, bits)], [bits.term])


@pytest.mark.parametrize("source", E8M0_SOURCES)
def test_tcvt_of_every_corner(source):
    bits, random = source_symbol(source), Random(source)
    code, flags = tcvt_e8m0_any(source, MODE, SAT, bits)
    convert = compile_term([code.term, flags.term], [MODE.term, SAT.term, bits.term])
    for word in codes(source):
        for mode in random.sample(range(7), 2):
            name, sat = ROUNDING_CODES[mode], random.random() < 0.5
            got = convert(mode, sat, word)
            assert got == exact_tcvt(source, name, sat, word), (name, sat, hex(word))
            assert got == oracle.tcvt_e8m0(word, source.upper(), name.upper(), sat), (name, sat, hex(word))


@pytest.mark.parametrize("source", E8M0_SOURCES)
@pytest.mark.parametrize(("rule", "element"), CHOICES)
def test_scale_of_every_corner(source, rule, element):
    named = {"element": element.upper()} if element else {}
    corners = codes(source)
    for word in Random(rule).sample(corners, min(len(corners), 1000)):
        got = scale(source, rule, element)(word)
        assert got == exact_scale(source, rule, element, word), hex(word)
        negative, number = value(source, word)
        if element != "hif8" and got[1] in (0, 0x10) and not negative and number != 0:
            assert got[0] - 127 == oracle.mx_scale(word, source.upper(), rule, **named), hex(word)


@pytest.mark.parametrize("case", SCALES, ids=[f"{case['from']}-{case['in']}" for case in SCALES])
def test_public_case(case):
    source, bits = case["source"].lower(), int(case["in"], 16)
    rounding, rule = case["rounding"].split()
    code, _ = tcvt_e8m0(source, rounding.lower(), case["saturation"] == "sat", Bits.constant(bits, width(source)))
    assert code.term.constant_value() == int(case["right"], 16)
    assert scale(source, rule.strip("()"), None)(bits)[0] == int(case["right"], 16)


def test_the_threshold_is_an_integer_root():
    for bits in (8, 11, 24):
        root = threshold(bits)
        assert root**2 < 2 ** (2 * bits - 1) < (root + 1) ** 2
    assert (threshold(8), threshold(11), threshold(24)) == (0xB5, 0x5A8, 0xB504F3)


def test_messages():
    word = Bits.constant(0, 32)
    with pytest.raises(ValueError, match=r"^no conversion from 'fp64' to E8M0; expected one of fp16, bf16, fp32$"):
        tcvt_e8m0("fp64", "rne", saturating=False, bits=word)
    with pytest.raises(ValueError, match=r"^no scale rule is named 'round'; expected one of floor, ceil, even, rceil$"):
        mx_scale("fp32", "round", None, word)
    with pytest.raises(ValueError, match=r"^scale rule 'floor' takes no element format; given 'e4m3'$"):
        mx_scale("fp32", "floor", "e4m3", word)
    with pytest.raises(ValueError, match=r"^no element format is named None; expected one of e4m3, e5m2, e3m2, e2m3, "):
        mx_scale("fp32", "rceil", None, word)


# Proofs over every input.


def solve(claim, *assumptions):
    with open_solver(preferred(), 20) as solver:
        solver.add(*(assumption.term for assumption in assumptions), (~claim).term)
        return solver.check()


def prove(claim, *assumptions):
    assert solve(claim, *assumptions) is Answer.UNSAT


@pytest.mark.parametrize("bits", [8, 11, 24])
def test_the_threshold_separates_squares(bits):
    significand = Bits.symbol(f"e8m0.significand{bits}", bits)
    prove(threshold_lemma(significand))
    # One off, and the lemma is false.
    shifted = significand.bit(bits - 1) & (significand == threshold(bits) + 1)
    assert solve(~(significand.bvugt(threshold(bits)) & threshold_lemma(significand)), shifted) is Answer.SAT


@pytest.mark.parametrize("source", E8M0_SOURCES)
def test_nearest_modes_agree_and_lie_between_the_directed_ones(source):
    bits = source_symbol(source)
    codes_of = {name: tcvt_e8m0_any(source, rounding_operand(name), SAT, bits)[0] for name in ROUNDING_CODES}
    for name in ("rna", "rhb"):
        prove(codes_of["rne"] == codes_of[name])
    for name in ROUNDING_CODES:
        prove(codes_of["rtm"].bvule(codes_of[name]) & codes_of[name].bvule(codes_of["rtp"]))


@pytest.mark.parametrize("source", E8M0_SOURCES)
def test_monotone_where_nothing_is_rejected(source):
    lower, upper = source_symbol(source), Bits.symbol(f"e8m0.{source}.upper", width(source))
    (less, less_flags), (more, more_flags) = (tcvt_e8m0_any(source, MODE, SAT, bits) for bits in (lower, upper))
    prove(less.bvule(more), ~less_flags.bit(0), ~more_flags.bit(0), SAT, lower.bvule(upper))


@pytest.mark.parametrize("source", E8M0_SOURCES)
def test_floor_and_ceil_are_the_saturating_conversions_of_positive_numbers(source):
    bits = source_symbol(source)
    finite = {"fp16": 0x7C00, "bf16": 0x7F80, "fp32": 0x7F800000}[source]
    for rule, rounding in (("floor", "rtm"), ("ceil", "rtp")):
        scaled, _ = mx_scale(source, rule, None, bits)
        converted, _ = tcvt_e8m0(source, rounding, saturating=True, bits=bits)
        prove(scaled == converted, bits != 0, bits.bvult(finite))


def test_scale_rules_lie_between_floor_and_ceil():
    bits = source_symbol("fp32")
    floor, even, ceil = (mx_scale("fp32", rule, None, bits)[0] for rule in ("floor", "even", "ceil"))
    prove(floor.bvule(even) & even.bvule(ceil))
    tie = bits.extract(22, 0) == 1 << 22
    exponent_is_odd = ~bits.bit(23)
    normal = ~bits.bit(31) & bits.bvuge(1 << 23) & bits.bvult(254 << 23)
    prove(even == ite(exponent_is_odd, ceil, floor), tie, normal)
