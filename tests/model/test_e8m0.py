"""Conversions to a power-of-two scale: every 16-bit source code, and FP32 around every threshold."""

from itertools import cycle
from math import isqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halfulp_model.api_e8m0 import e8m0_conversions, scale_conversions
from halfulp_model.e8m0 import takes_upper, to_scale
from halfulp_model.loader import default_rules
from halfulp_model.rows import Choice
from oracle import e8m0 as oracle
from oracle import formats

MODES = tuple(default_rules().roundings)
#: the first FP32 fraction beyond 2^0.5, hidden bit included
SQUARE_ROOT = isqrt(1 << 47) + 1


def expected_scale(code, source, rule, element):
    """What an MX rule gives: the oracle's exponent within E8M0, and the choices of the rule data for the rest."""
    kind = formats.classify(source, code)
    if kind.endswith("nan") or (kind.startswith("negative") and kind != "negative_zero"):
        return (0xFF, 0x01)
    if kind.endswith("zero"):
        return (0x00, 0x00)
    if kind == "positive_infinity":
        return (0xFF, 0x14)
    # HiF8's largest number is a power of two, so dividing by it moves the exponent of the plain rule
    exponent = oracle.mx_scale(code, source, *(("ceil",) if element == "HiF8" else (rule, element or "E4M3")))
    exponent -= 15 if element == "HiF8" else 0
    if exponent > 127:
        return (0xFE, 0x14)
    if exponent < -127:
        return (0x00, 0x18)
    quotient = formats.value(source, code)
    assert quotient is not None
    if element is not None and element != "HiF8":
        quotient /= oracle.ELEMENT_MAXIMUM[element]
    power = quotient.numerator & (quotient.numerator - 1) == 0 == quotient.denominator & (quotient.denominator - 1)
    return (exponent + 127, 0x00 if power else 0x10)


def fp32_codes():
    """FP32 codes on and next to every class boundary and every threshold of a choice, in binades of each kind."""
    fractions = {0, 1, SQUARE_ROOT - 2**23 - 1, SQUARE_ROOT - 2**23, 2**22 - 1, 2**22, 2**22 + 1, 2**23 - 1}
    fractions |= {n * 2**20 + d for n in (6, 7) for d in (-1, 0, 1)}
    exponents = (0, 1, 2, 126, 127, 128, 129, 200, 253, 254, 255)
    codes = {(exponent << 23) + fraction for exponent in exponents for fraction in fractions}
    codes |= {0x003FFFFF, 0x00400000, 0x00400001, *(1 << bit for bit in range(23)), *(3 << bit for bit in range(22))}
    return sorted(codes | {code + 2**31 for code in codes})


def test_names():
    assert len(e8m0_conversions()) == 3 * 7 * 2
    assert "e8m0.fp32.rto.sat" in e8m0_conversions()
    assert [name for name in scale_conversions() if ".fp32." in name] == [
        "scale.fp32.floor",
        "scale.fp32.ceil",
        "scale.fp32.even",
        "scale.fp32.rceil.hif8",
        "scale.fp32.rceil.e4m3",
        "scale.fp32.rceil.e5m2",
        "scale.fp32.rceil.e3m2",
        "scale.fp32.rceil.e2m3",
        "scale.fp32.rceil.e2m1",
    ]
    assert all(name == conversion.name for name, conversion in (e8m0_conversions() | scale_conversions()).items())


@pytest.mark.parametrize("source", ["FP16", "BF16"])
def test_every_code_of_a_16_bit_source(source):
    controls = cycle((rounding, sat) for rounding in MODES for sat in (False, True))
    # negative codes have one result, so a sample of them will do here
    for code, (rounding, sat) in zip((*range(0x8000), *range(0x8000, 0x10000, 97)), controls, strict=False):
        name = f"e8m0.{source.lower()}.{rounding.lower()}.{'sat' if sat else 'nosat'}"
        assert to_scale(e8m0_conversions()[name], code) == oracle.tcvt_e8m0(code, source, rounding, sat), hex(code)


@pytest.mark.slow
@pytest.mark.parametrize("source", ["FP16", "BF16"])
@pytest.mark.parametrize("rounding", MODES)
def test_every_code_of_a_16_bit_source_under_every_control(source, rounding):
    for sat in (False, True):
        conversion = e8m0_conversions()[f"e8m0.{source.lower()}.{rounding.lower()}.{'sat' if sat else 'nosat'}"]
        for code in range(1 << 16):
            assert to_scale(conversion, code) == oracle.tcvt_e8m0(code, source, rounding, sat), hex(code)


@pytest.mark.parametrize("rounding", MODES)
@pytest.mark.parametrize("sat", [False, True])
def test_fp32_around_every_threshold(rounding, sat):
    conversion = e8m0_conversions()[f"e8m0.fp32.{rounding.lower()}.{'sat' if sat else 'nosat'}"]
    for code in fp32_codes():
        assert to_scale(conversion, code) == oracle.tcvt_e8m0(code, "FP32", rounding, sat), hex(code)


@settings(deadline=None, max_examples=300)
@given(code=st.integers(0, 2**32 - 1), rounding=st.sampled_from(MODES), sat=st.booleans())
def test_any_fp32(code, rounding, sat):
    conversion = e8m0_conversions()[f"e8m0.fp32.{rounding.lower()}.{'sat' if sat else 'nosat'}"]
    assert to_scale(conversion, code) == oracle.tcvt_e8m0(code, "FP32", rounding, sat)


def test_nearest_turns_at_the_square_root_of_two():
    conversion = e8m0_conversions()["e8m0.fp32.rne.nosat"]
    code = (127 << 23) + SQUARE_ROOT - 2**23
    assert code == 0x3FB504F4
    assert (to_scale(conversion, code - 1), to_scale(conversion, code)) == ((127, 0x10), (128, 0x10))


@pytest.mark.parametrize("name", [name for name in scale_conversions() if ".fp32." in name])
def test_scale_of_fp32_around_every_threshold(name):
    _, source, rule, *element = name.split(".")
    judged = {"hif8": "HiF8"}.get(element[0], element[0].upper()) if element else None
    for code in fp32_codes():
        expected = expected_scale(code, source.upper(), rule, judged)
        assert to_scale(scale_conversions()[name], code) == expected, hex(code)


@pytest.mark.parametrize("name", [name for name in scale_conversions() if ".fp32." not in name])
def test_scale_of_16_bit_codes(name):
    _, source, rule, *element = name.split(".")
    judged = {"hif8": "HiF8"}.get(element[0], element[0].upper()) if element else None
    for code in (*range(0, 1 << 16, 61), *range(0x7BF8, 0x7C08), *range(0x7F78, 0x7F88)):
        expected = expected_scale(code, source.upper(), rule, judged)
        assert to_scale(scale_conversions()[name], code) == expected, hex(code)


@pytest.mark.parametrize(
    ("choice", "upper"),
    [
        (Choice.FLOOR, []),
        (Choice.CEILING, [-2, -1, 0, 1]),
        (Choice.ZERO, [-2, -1]),
        (Choice.AWAY, [0, 1]),
        (Choice.EVEN, [-1, 1]),
        (Choice.ODD, [-2, 0]),
    ],
)
def test_choice_between_two_exponents(choice, upper):
    assert [lower for lower in range(-2, 2) if takes_upper(choice, lower)] == upper
