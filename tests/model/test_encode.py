"""Encoding into every floating destination of the post-processing, against the oracle's encoders."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from halfulp_model import encode
from halfulp_model.exact import Exact
from halfulp_model.loader import default_rules
from halfulp_model.rows import Choice, Specials
from oracle import encoders, formats
from oracle.rounding import MODES, OVERFLOW, UNDERFLOW, magnitude_to_integer, power_of_two

RULES = default_rules()
DESTINATIONS = ["FP32", "FP16", "BF16", "E4M3", "HiF8"]
EIGHT_BIT = ["E4M3", "HiF8"]


def encoded(value, name, mode, saturate):
    result = encode.encode(
        value, RULES.formats[name], RULES.roundings[mode], saturate, RULES.encoders["pto"][name], RULES.flags
    )
    return tuple(result)


def expected(value, name, mode, saturate):
    number = (-1 if value.negative else 1) * value.significand * power_of_two(value.exponent)
    if name == "FP32":
        return encoders.single(number, mode, saturate)
    if name in EIGHT_BIT:
        return encoders.fp8(number, name, mode, saturate)
    return encoders.binary16(number, name, mode, saturate)


def exact(number):
    """An exact binary number of a fraction whose denominator is a power of two."""
    assert number.denominator & (number.denominator - 1) == 0
    return Exact(number < 0, abs(number.numerator), 1 - number.denominator.bit_length())


def neighbourhoods(name):
    """Each finite magnitude, the midpoint to the next, and just beside both."""
    values = sorted({abs(value) for _, value in encoders.finite_codes(name)})
    for low, high in pairwise(values):
        middle, step = (low + high) / 2, (high - low) / 1024
        yield from (low, low + step, middle - step, middle, middle + step, high - step)
    largest, spacing = values[-1], values[-1] - values[-2]
    for part in (0, Fraction(1, 1024), Fraction(1, 2), Fraction(513, 1024), 1, 1000):
        yield largest + spacing * part


def check_eight_bit(name, mode, numbers):
    for number, negative, saturate in product(numbers, (False, True), (False, True)):
        value = exact(-number if negative else number)
        assert encoded(value, name, mode, saturate) == expected(value, name, mode, saturate), value


@pytest.mark.parametrize("name", EIGHT_BIT)
@pytest.mark.parametrize("mode", MODES)
def test_eight_bit_codes_midpoints_and_what_is_beside_them(name, mode):
    some = list(neighbourhoods(name))
    # each mode looks at other ones, all at the ends
    check_eight_bit(name, mode, [*some[:8], *some[8 + MODES.index(mode) : -8 : 17], *some[-8:]])


@pytest.mark.slow
@pytest.mark.parametrize("name", EIGHT_BIT)
@pytest.mark.parametrize("mode", MODES)
def test_every_eight_bit_code_its_midpoints_and_what_is_beside_them(name, mode):
    check_eight_bit(name, mode, neighbourhoods(name))


@pytest.mark.parametrize("name", ["FP16", "BF16", "FP32"])
@pytest.mark.parametrize("mode", MODES)
def test_edges_of_the_larger_formats(name, mode):
    fmt = RULES.formats[name]
    codes = {0, 1, 2, fmt.largest_finite - 1, fmt.largest_finite}
    for field in (1, 2, fmt.bias):
        codes |= {(field << fmt.fraction_bits) + step for step in (-1, 0, 1)}
    quarters = [Fraction(part, 8) for part in range(-5, 9)]
    for code, part, negative, saturate in product(sorted(codes), quarters, (False, True), (False, True)):
        at = formats.value(name, code)
        assert at is not None
        ulp = power_of_two(max((code >> fmt.fraction_bits) - fmt.bias, fmt.minimum_exponent) - fmt.fraction_bits)
        number = abs(at + ulp * part)
        value = exact(-number if negative else number)
        assert encoded(value, name, mode, saturate) == expected(value, name, mode, saturate), value


numbers = st.builds(
    Exact,
    st.booleans(),
    st.one_of(st.integers(1, 1 << 35), st.integers(0, 31).map(lambda place: (1 << place) + 1)),
    st.integers(-200, 140),
)


@pytest.mark.parametrize("name", DESTINATIONS)
@given(value=numbers, mode=st.sampled_from(MODES), saturate=st.booleans())
@example(value=Exact(True, 0, 0), mode="RTM", saturate=False)
@example(value=Exact(False, 1, -285), mode="RTP", saturate=True)
@example(value=Exact(True, 1, 221), mode="RTZ", saturate=False)
def test_numbers_of_any_size(name, value, mode, saturate):
    assert encoded(value, name, mode, saturate) == expected(value, name, mode, saturate)


@pytest.mark.parametrize("name", DESTINATIONS)
@given(significand=st.integers(1, 1 << 20), exponent=st.integers(-40, 10), shift=st.integers(1, 40))
def test_the_same_number_written_otherwise_is_encoded_alike(name, significand, exponent, shift):
    for mode in MODES:
        one = encoded(Exact(False, significand, exponent), name, mode, False)
        two = encoded(Exact(False, significand << shift, exponent - shift), name, mode, False)
        assert one == two


@pytest.mark.parametrize("name", DESTINATIONS)
def test_infinities(name):
    fmt, encoder = RULES.formats[name], RULES.encoders["pto"][name]
    for negative, saturate in product((False, True), repeat=2):
        code, raised = encode.encode_infinity(fmt, negative, saturate, encoder, RULES.flags)
        kind = formats.classify(name, code)
        if saturate:
            assert raised == OVERFLOW
            assert abs(formats.value(name, code) or 0) == max(abs(v) for v in finite_ends(name))
            assert kind.startswith("negative") == negative
        elif fmt.specials is Specials.NAN_ONLY:
            assert (code, raised) == (formats.canonical_nan(name), OVERFLOW)
        else:
            assert (kind, raised) == ("negative_infinity" if negative else "positive_infinity", 0)


def finite_ends(name):
    fmt = RULES.formats[name]
    value = formats.value(name, fmt.largest_finite)
    assert value is not None
    return [value, -value]


@pytest.mark.parametrize("name", DESTINATIONS)
def test_nans(name):
    fmt, encoder, source = RULES.formats[name], RULES.encoders["pto"][name], RULES.formats["FP32"]
    for code, invalid in ((0x7FC00000, 0), (0xFFFFFFFF, 0), (0x7F800001, 1), (0xFFBFFFFF, 1)):
        for saturate in (False, True):
            result = encode.encode_nan(source, code, fmt, saturate, encoder, RULES.flags)
            assert tuple(result) == (0 if saturate else formats.canonical_nan(name), invalid)


def test_directions_that_stay_inside():
    inward = {
        (name, negative)
        for name, row in RULES.roundings.items()
        for negative in (False, True)
        if encode.points_inward(row, negative)
    }
    assert inward == {
        ("RTZ", False), ("RTZ", True), ("RTO", False), ("RTO", True), ("RTM", False), ("RTP", True),
    }  # fmt: skip
    assert Choice.AWAY not in {RULES.roundings[name].choice for name, _ in inward}


#: the exponent of the smallest normal number, and the fraction bits that numbers beside it have
SMALLEST_NORMAL = {"HiF8": (-15, 1), "E4M3": (-6, 3)}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SMALLEST_NORMAL)
def test_tiny_after_rounding_is_below_the_smallest_normal_with_an_unbounded_exponent(name, mode):
    exponent, fraction_bits = SMALLEST_NORMAL[name]
    row = replace(RULES.encoders["pto"][name], tiny_after_rounding=True)
    unit = power_of_two(exponent - 1 - fraction_bits)
    for eighths, negative in product(range(8 << fraction_bits, 17 << fraction_bits), (False, True)):
        number = unit * Fraction(eighths, 8)
        rounded = magnitude_to_integer(number / unit, mode, negative) * unit
        value = exact(-number if negative else number)
        result = encode.encode(value, RULES.formats[name], RULES.roundings[mode], False, row, RULES.flags)
        if result.flags:
            assert (result.flags == UNDERFLOW) == (rounded < power_of_two(exponent)), value
