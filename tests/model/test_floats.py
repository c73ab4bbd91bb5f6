import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from halfulp_model import floats
from halfulp_model.exact import Exact
from halfulp_model.loader import default_rules
from halfulp_model.rows import Kind
from oracle import formats, pto
from oracle.rounding import power_of_two

FORMATS = default_rules().formats
FP32, FP19 = FORMATS["FP32"], FORMATS["FP19"]
BINARY = [name for name, row in FORMATS.items() if row.kind is Kind.BINARY and row.lanes == 1]

#: the oracle names four-bit formats by their carrier
ORACLE = {"E2M1": "E2M1X2", "E1M2": "E1M2X2"}


def codes(fmt):
    """Every code of a small format; corners and random ones of a large one."""
    bits = fmt.sign_bit + 1 - fmt.low_zero_bits
    if bits <= 12:
        return [code << fmt.low_zero_bits for code in range(1 << bits)]
    fraction, top = fmt.fraction_bits, fmt.exponent_mask
    corners = [
        (sign << (bits - 1)) + (exponent << fraction) + low
        for sign in (0, 1)
        for exponent in (0, 1, 2, fmt.bias, top - 1, top)
        for low in (0, 1, (1 << (fraction - 1)) - 1, 1 << (fraction - 1), (1 << fraction) - 1)
    ]
    draw = random.Random(fmt.name)
    return [code << fmt.low_zero_bits for code in [*corners, *(draw.getrandbits(bits) for _ in range(1000))]]


@pytest.mark.parametrize("name", BINARY)
def test_classes_are_the_oracles(name):
    fmt = FORMATS[name]
    for code in codes(fmt):
        kind = formats.classify(ORACLE.get(name, name), code)
        assert floats.is_nan(fmt, code) == kind.endswith("_nan"), hex(code)
        assert floats.is_signalling(fmt, code) == (kind == "signaling_nan"), hex(code)
        assert floats.is_infinite(fmt, code) == kind.endswith("infinity"), hex(code)
        assert floats.is_negative(fmt, code) == kind.startswith("negative"), hex(code)
        assert floats.is_negative_zero(fmt, code) == (kind == "negative_zero"), hex(code)
        if fmt.specials.value == "ieee":
            assert floats.is_positive_normal(fmt, code) == (kind == "positive_normal"), hex(code)


@pytest.mark.parametrize("name", BINARY)
def test_values_are_the_oracles(name):
    fmt = FORMATS[name]
    for code in codes(fmt):
        value = formats.value(ORACLE.get(name, name), code)
        if value is not None:
            negative, significand, exponent = floats.exact_value(fmt, code)
            assert (-1 if negative else 1) * significand * power_of_two(exponent) == value, hex(code)
            assert negative == bool(code >> fmt.sign_bit & 1)
            # a normal number has its hidden bit, a subnormal the least exponent
            assert significand >> fmt.fraction_bits == (floats.fields(fmt, code).exponent > 0)


@pytest.mark.parametrize("name", BINARY)
def test_fields_put_together_are_the_code(name):
    fmt = FORMATS[name]
    for code in codes(fmt):
        negative, exponent, fraction = floats.fields(fmt, code)
        magnitude = ((exponent << fmt.fraction_bits) + fraction) << fmt.low_zero_bits
        assert floats.with_sign(fmt, magnitude, negative) == code


@pytest.mark.parametrize("name", BINARY)
def test_one(name):
    fmt = FORMATS[name]
    assert floats.one(fmt) == Exact(False, 1 << fmt.fraction_bits, -fmt.fraction_bits)
    assert floats.with_sign(fmt, 5, False) == 5


def test_listed_specials():
    hif8 = FORMATS["HiF8"]
    assert [code for code in range(256) if floats.is_nan(hif8, code)] == [0x80]
    assert [code for code in range(256) if floats.is_infinite(hif8, code)] == [0x6F, 0xEF]
    assert not any(floats.is_signalling(hif8, code) for code in range(256))


def test_integers_have_no_specials():
    fmt = FORMATS["S8"]
    assert not any(floats.is_infinite(fmt, code) for code in range(256))


# FP32 to FP19.


def narrow(code):
    return floats.fp32_to_fp19(code, FP32, FP19)


@given(st.integers(0, (1 << 32) - 1))
@example(0x7F800000)
@example(0xFF800000)
@example(0x7F800001)
@example(0xFFFFFFFF)
@example(0x7F7FFFFF)
@example(0x00000000)
@example(0x80000000)
def test_scales_are_narrowed_as_the_oracle_narrows(code):
    assert narrow(code) == pto.fp32_to_fp19(code)


@pytest.mark.parametrize("kept", [0x00000, 0x00001, 0x0FFFF, 0x1FC00, 0x1FC01, 0x3FBFF, 0x5FBFE])
def test_every_rest_under_some_kept_bits(kept):
    for rest in (0, 1, 0xFFF, 0x1000, 0x1001, 0x1FFF):
        code = kept << 13 | rest
        assert narrow(code) == pto.fp32_to_fp19(code), hex(code)


def test_a_carry_reaches_infinity_and_infinity_stays():
    assert narrow(0x7F7FFFFF) == 0x3FC00
    assert narrow(0x7F800000) == 0x3FC00
    assert narrow(0x7F800001) == narrow(0xFFC00000) == 0x3FF00
