"""The judge's reading of accumulators and words against the oracle's, and the element's claims proved."""

import random
from fractions import Fraction

import pytest
from pysmt.shortcuts import Equals

from halfulp_formal import catalogue
from halfulp_formal.case import Case
from halfulp_formal.decide import Engine, decide
from halfulp_formal.evaluate import compile_term
from halfulp_formal.lift.merge import concretize, leaves
from halfulp_formal.lift.values import Truth, fit, symbol
from halfulp_formal.obligation import Verdict
from halfulp_formal.properties import pipeline
from halfulp_formal.sampling import legal_points
from halfulp_formal.subject import base_subject
from halfulp_model.conversions import conversions
from oracle import formats, pto
from oracle.rounding import power_of_two

ENGINE = Engine(timeout=30)
CODE = symbol("in.code.32", 0, (1 << 32) - 1)
WORD = symbol("in.word.64", 0, (1 << 64) - 1)
FP32_CORNERS = [
    sign << 31 | exponent << 23 | fraction
    for sign in (0, 1)
    for exponent in (0, 1, 127, 254, 255)
    for fraction in (0, 1, 0x3FFFFF, 0x400000, 0x7FFFFF)
]


def read(value, word):
    """A function of a word that gives the concrete value."""
    terms = list(dict.fromkeys(leaf.term for leaf in leaves(value)))
    function = compile_term(terms, [word.term])
    return lambda code: concretize(value, dict(zip(terms, function(code), strict=True)).__getitem__)


def test_fp32_is_read_as_the_oracle_reads_it():
    own = pipeline.Fp32(CODE)
    truths = (own.sign, own.nan, own.quiet, own.infinite, own.subnormal, own.negative_zero)
    reading = read((*(Truth(term) for term in truths), own.magnitude, own.exponent), CODE)
    draw = random.Random(5)
    for code in [*FP32_CORNERS, *(draw.getrandbits(32) for _ in range(500))]:
        sign, nan, quiet, infinite, subnormal, negative_zero, magnitude, exponent = reading(code)
        kind = formats.classify("FP32", code)
        assert sign == bool(code >> 31)
        assert nan == kind.endswith("_nan")
        assert (nan and quiet) == (kind == "quiet_nan")
        assert infinite == kind.endswith("infinity")
        assert negative_zero == (kind == "negative_zero")
        assert subnormal == (kind.endswith(("subnormal", "zero")))
        if not nan and not infinite:
            assert (-1 if sign else 1) * magnitude * power_of_two(exponent) == formats.value("FP32", code)


@pytest.mark.parametrize("low", [0, 13])
def test_fp19_factors_are_read_as_the_oracle_reads_them(low):
    factor = pipeline.fp19(WORD, low)
    reading = read((factor.significand, factor.exponent), WORD)
    draw = random.Random(6)
    codes = [0, 1 << 10, 127 << 10, (254 << 10) + 1023, *(draw.randrange(1 << 10, 255 << 10) for _ in range(300))]
    for code in codes:
        significand, exponent = reading(draw.getrandbits(64) & ~((1 << 19) - 1 << low) | code << low)
        assert significand * power_of_two(exponent) == formats.value("FP19", code)


@pytest.mark.parametrize("name", ["req8.rne.nosat", "qf322b8.rne.nosat", "noquant.u32", "noquant.fp32"])
def test_the_negative_path_is_the_oracles(name):
    own = Case(base_subject(), name)
    negative = compile_term([pipeline.negative_path(own)], [own.value.term])
    for code in FP32_CORNERS:
        kind = formats.classify(own.accumulator, code)
        if own.accumulator == "U32":
            assert name == "noquant.u32"
        else:
            assert negative(code) == (kind.startswith("negative"),)


@pytest.mark.parametrize("name", ["req8.rne.nosat", "qf322b8.rne.sat", "noquant.fp32"])
def test_the_expected_factor_is_what_the_oracle_multiplies_by(name):
    conversion = conversions()[name]
    own = Case(base_subject(), name)
    expected = pipeline.expected_factor(own)
    parts = (expected.significand, expected.exponent)
    terms = list(dict.fromkeys(leaf.term for leaf in leaves(parts)))
    function = compile_term(terms, own.inputs)
    for point in legal_points(conversion, 200):
        assigned = dict(zip(terms, function(*point.values()), strict=True)).__getitem__
        significand, exponent = concretize(parts, assigned)
        has_scale = conversion.mode.parameter.value == "scale"
        scale = formats.value("FP19", point["in.quant_word"] >> 13 & 0x7FFFF) if has_scale else Fraction(1)
        assert scale is not None
        negative = formats.classify(own.accumulator, point["in.value"]).startswith("negative")
        wanted = pto._multiplier(negative, point["in.relu"], scale, point["in.relu_word"])
        assert significand * power_of_two(exponent) == wanted


ELEMENT = ["factor", "product", "pipeline", "relu_zero", "special", "identity", "positive", "relu_ignored"]


@pytest.mark.parametrize("name", ["req8.rne.nosat", "qf322b8.rto.sat", "noquant.s32", "noquant.u32", "shifts322s16"])
def test_the_claims_of_the_element_are_proved(name):
    kinds = [each for each in catalogue.obligations(name) if each.rpartition(".")[2] in ELEMENT]
    assert kinds or name == "noquant.u32"
    for each in kinds:
        assert decide(catalogue.build(each), ENGINE).verdict is Verdict.PROVED, each


def test_every_element_that_is_no_exception_goes_through_the_pipeline():
    own = Case(base_subject(), "qf322b8.rne.sat")
    assumed = compile_term([pipeline.in_pipeline(own)], own.inputs)
    for point in legal_points(conversions()["qf322b8.rne.sat"], 300):
        kind = formats.classify("FP32", point["in.value"])
        vanishes = kind == "negative_infinity" and (
            point["in.relu"] == 1 or (point["in.relu"] >= 2 and point["in.relu_word"] == 0)
        )
        special = kind.endswith(("nan", "infinity")) and not vanishes
        assert assumed(*point.values()) == (not special,)


def test_the_offset_is_signed():
    own = Case(base_subject(), "req4.rne.nosat")
    claim = compile_term(
        [Equals(fit(own.offset, 8), fit(symbol("in.expected.8", -128, 127), 8))],
        [
            own.quant_word.term,
            symbol("in.expected.8", -128, 127).term,
        ],
    )
    for offset in range(-16, 16):
        assert claim((offset % 32) << 37, offset % 256) == (True,)
