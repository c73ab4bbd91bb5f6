"""Plain conversions: against exact rational arithmetic, the slow oracle and public fault reports, and as proofs."""

import json
from fractions import Fraction as Q
from functools import cache
from pathlib import Path
from random import Random

import pytest

from formal.encodings import exact_convert
from formal.encodings.exact import power
from formal.encodings.exact_convert import FORMATS, INTEGERS, body_value, truncate, width
from halfulp_formal.bits import Bits, Bool
from halfulp_formal.encodings.binary import BINARY_FORMATS
from halfulp_formal.encodings.convert import (
    DESTINATIONS,
    SOURCES,
    convert,
    convert_any,
    convert_legal,
    width_of,
)
from halfulp_formal.encodings.rounding import ROUNDING, increment
from halfulp_formal.encodings.rounding_control import (
    ROUNDING_CODES,
    RoundingControl,
    rounding_legal,
    rounding_operand,
)
from halfulp_formal.evaluate import compile_term
from halfulp_formal.solvers import Answer, open_solver, preferred
from oracle import ieee_ocp

MODE, SAT = Bits.symbol("convert.mode", 3), Bool.symbol("convert.sat")
COMBINATIONS = [(mode, sat) for mode in range(7) for sat in (False, True)]
PUBLIC = Path(__file__).parents[2] / "cases" / "public.jsonl"
CASES = [json.loads(line) for line in PUBLIC.read_text(encoding="utf-8").splitlines()]
PLAIN = [case for case in CASES if case["destination"] != "E8M0"]
FLAGS = {"NV": 0x01, "DZ": 0x02, "OF": 0x04, "UF": 0x08, "NX": 0x10, "none": 0}


def source_symbol(source):
    return Bits.symbol(f"convert.{source}", width(source))


@cache
def converter(source, destination):
    bits = source_symbol(source)
    code, flags = convert_any(source, destination, MODE, SAT, bits)
    return compile_term([code.term, flags.term], [MODE.term, SAT.term, bits.term])


def check(source, destination, mode, sat, bits):
    got = converter(source, destination)(mode, sat, bits)
    name = ROUNDING_CODES[mode]
    wanted = exact_convert.convert(source, destination, name, sat, bits)
    assert got == wanted, (source, destination, name, sat, hex(bits))
    judged = ieee_ocp.convert(bits, source.upper(), destination.upper(), name.upper(), sat)
    assert got == judged, (source, destination, name, sat, hex(bits))


def landmarks(destination, random):
    """Magnitudes at which a destination does something: its values, the midpoints between them, the ends of its range."""
    if destination in INTEGERS:
        _, least, greatest = INTEGERS[destination]
        numbers = [0, 1, 2, 3, -least, greatest - 1, greatest, greatest + 1, 2 * greatest + 2, 3 * greatest]
        numbers += [random.randrange(greatest) for _ in range(4)]
        return [number + half for number in numbers for half in (Q(0), Q(1, 2))]
    row = FORMATS[destination]
    normal = 1 << row.fraction_bits
    bodies = [0, 1, 2, normal - 2, normal - 1, normal, normal + 1, row.largest - 1, row.largest]
    bodies += [random.randrange(row.largest) for _ in range(6)]
    return [(body_value(row, body) + body_value(row, body + step)) / 2 for body in bodies for step in (0, 1)] + [
        body_value(row, row.largest) * 2,
        body_value(row, row.largest) * Q(65, 64),
        (body_value(row, normal - 1) + 3 * body_value(row, normal)) / 4,
    ]


def points(source, destination, random):
    """Codes of the source at and beside the landmarks of the destination, random ones and special ones."""
    bits, padding = width(source), FORMATS[source].padding if source in FORMATS else 0
    codes = {0, 1 << (bits - 1), (1 << bits) - 1, 1, (1 << (bits - 1)) - 1, (1 << (bits - 1)) + 1}
    if source in FORMATS:
        largest = FORMATS[source].largest << padding
        codes |= {largest + (step << padding) for step in (-1, 0, 1, 2, 3)}
    for landmark in landmarks(destination, random):
        code = truncate(source, landmark)
        codes |= {code + (step << padding) for step in (-1, 0, 1)}
    codes |= {random.getrandbits(bits) for _ in range(10)}
    signs = [code ^ random.getrandbits(1) << (bits - 1) for code in sorted(codes)]
    return [code % (1 << bits) >> padding << padding for code in signs]


@pytest.mark.parametrize("source", SOURCES)
def test_corners_of_every_destination(source):
    random = Random(source)
    for destination in DESTINATIONS:
        for bits in points(source, destination, random):
            for mode, sat in random.sample(COMBINATIONS, 2):
                check(source, destination, mode, sat, bits)


@pytest.mark.slow
@pytest.mark.parametrize("source", [source for source in SOURCES if width(source) <= 8])
def test_every_code_of_a_source_of_at_most_eight_bits(source):
    for destination in DESTINATIONS:
        for bits in range(1 << width(source)):
            for mode, sat in COMBINATIONS:
                check(source, destination, mode, sat, bits)


@pytest.mark.parametrize("case", PLAIN, ids=[f"{case['from']}-{case['in']}" for case in PLAIN])
def test_public_case(case):
    source, destination = case["source"].lower(), case["destination"].lower()
    rounding, sat = case["rounding"].split()[0].lower(), case["saturation"] == "sat"
    code, flags = convert(source, destination, rounding, sat, Bits.constant(int(case["in"], 16), width(source)))
    assert code.term.constant_value() == int(case["right"], 16)
    if case["flags"]:
        assert flags.term.constant_value() == sum(FLAGS[name] for name in case["flags"].split("|"))


# What a name says.


def test_widths_are_those_of_the_exact_formats():
    assert {name: width_of(name) for name in (*SOURCES, "s4")} == {name: width(name) for name in (*FORMATS, *INTEGERS)}
    for name, row in FORMATS.items():
        assert (BINARY_FORMATS[name].bias, BINARY_FORMATS[name].largest) == (row.bias, row.largest)


def test_a_mode_is_its_operand():
    bits = source_symbol("fp32")
    for rounding in ROUNDING_CODES:
        for sat in (False, True):
            by_name = convert("fp32", "e4m3", rounding, sat, bits)
            by_operand = convert_any("fp32", "e4m3", rounding_operand(rounding), Bool.constant(sat), bits)
            assert [part.term for part in by_name] == [part.term for part in by_operand]


def test_control_lines_say_what_the_table_of_modes_says():
    negative, lsb, guard, sticky = (Bool.symbol(f"convert.{name}") for name in ("negative", "lsb", "guard", "sticky"))
    places = {"negative": negative, "lsb": lsb, "guard": guard, "sticky": sticky}
    assert set(ROUNDING_CODES) == set(ROUNDING)
    for rounding in ROUNDING_CODES:
        decoded = RoundingControl.decode(rounding_operand(rounding)).increment(**places)
        prove(decoded == increment(rounding, **places))


def test_only_tf32_has_illegal_sources():
    for source in SOURCES:
        bits = source_symbol(source)
        if source == "tf32":
            prove(convert_legal(source, bits) == (bits.extract(12, 0) == 0))
        else:
            assert convert_legal(source, bits).term.is_true()


def test_messages():
    with pytest.raises(ValueError, match=r"^no conversion from 's4' to 'fp32'$"):
        convert("s4", "fp32", "rne", saturating=False, bits=Bits.constant(0, 4))
    with pytest.raises(ValueError, match=r"^fp16 code has 32 bits; expected 16$"):
        convert("fp16", "fp32", "rne", saturating=False, bits=Bits.constant(0, 32))
    with pytest.raises(ValueError, match=r"^no rounding mode is named 'RNE'; expected one of rne, rtz, rtm, rtp, rna"):
        convert("fp16", "fp32", "RNE", saturating=False, bits=Bits.constant(0, 16))
    with pytest.raises(ValueError, match=r"^no format is named 'fp8'; expected one of fp64, fp32, tf32, fp16, bf16"):
        width_of("fp8")


# Proofs over every input.


def prove(claim, *assumptions):
    with open_solver(preferred(), 20) as solver:
        solver.add(*(assumption.term for assumption in assumptions), (~claim).term)
        assert solver.check() is Answer.UNSAT


def refute(claim, *assumptions):
    with open_solver(preferred(), 20) as solver:
        solver.add(*(assumption.term for assumption in assumptions), (~claim).term)
        assert solver.check() is Answer.SAT


def is_nan(name, bits):
    row = BINARY_FORMATS[name]
    return bits.extract(row.width - 2, 0).bvugt(row.infinity)


@pytest.mark.parametrize(("narrow", "wide"), [("fp16", "fp32"), ("bf16", "tf32"), ("e5m2", "fp16")])
def test_there_and_back_is_the_identity(narrow, wide):
    bits = source_symbol(narrow)
    no_sat = Bool.constant(False)
    code, flags = convert_any(narrow, wide, MODE, no_sat, bits)
    back, back_flags = convert_any(wide, narrow, MODE, no_sat, code)
    prove((back == bits) & (flags == 0) & (back_flags == 0), ~is_nan(narrow, bits), rounding_legal(MODE))


@pytest.mark.parametrize("destination", ["fp16", "e4m3", "s8"])
def test_opposite_values_under_mirrored_modes(destination):
    bits = source_symbol("fp32")
    mirrored = MODE ^ Bits.constant(1, 3)
    code, flags = convert_any("fp32", destination, MODE, SAT, bits)
    opposite, opposite_flags = convert_any("fp32", destination, mirrored, SAT, bits ^ (1 << 31))
    # 2 and 3 are RTM and RTP.
    directed = MODE.extract(2, 1) == 1
    if destination in INTEGERS:
        # The flags differ at 128, whose opposite is in range.
        prove(opposite == -code, directed, ~SAT)
    else:
        prove((opposite == code ^ (1 << (code.width - 1))) & (opposite_flags == flags), directed)


def test_round_to_odd_makes_a_second_rounding_harmless():
    bits = source_symbol("fp32")
    direct, _ = convert_any("fp32", "e4m3", MODE, SAT, bits)
    middle, _ = convert("fp32", "fp16", "rto", saturating=False, bits=bits)
    twice, _ = convert_any("fp16", "e4m3", MODE, SAT, middle)
    prove(twice == direct, ~is_nan("fp32", bits), rounding_legal(MODE))
    middle, _ = convert("fp32", "fp16", "rne", saturating=False, bits=bits)
    twice, _ = convert_any("fp16", "e4m3", MODE, SAT, middle)
    refute(twice == direct, ~is_nan("fp32", bits), rounding_operand("rne") == MODE)


@pytest.mark.parametrize("destination", ["fp16", "e4m3", "e2m1"])
def test_overflow_and_underflow_are_inexact_and_lie_where_they_should(destination):
    bits = source_symbol("fp32")
    row = BINARY_FORMATS[destination]
    code, flags = convert_any("fp32", destination, MODE, SAT, bits)
    magnitude, body = bits.extract(30, 0), code.extract(code.width - 2, 0)
    finite = magnitude.bvult(0x7F800000)
    largest = truncate("fp32", body_value(FORMATS[destination], row.largest))
    normal = truncate("fp32", power(row.least_exponent))
    prove(flags.bit(4), finite, flags.bit(2) | flags.bit(3))
    prove(magnitude.bvugt(largest) & body.bvuge(row.largest), finite, flags.bit(2))
    prove(magnitude.bvult(normal) & body.bvule(1 << row.fraction_bits), finite, flags.bit(3))
    prove(body.bvule(row.largest), finite, SAT)
