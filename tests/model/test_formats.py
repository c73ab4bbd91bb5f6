"""Class, decomposition, inverse and order of codes: every code up to 16 bits, chosen and random ones beyond."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halfulp_model import formats
from halfulp_model.exact import Exact
from halfulp_model.formats import Decomposition, Encoding, ValueClass
from halfulp_model.loader import default_rules
from halfulp_model.rows import Kind
from oracle import formats as oracle

FORMATS = default_rules().formats
#: formats without a DataType code of their own are judged by the packed format that they are a lane of
JUDGED = [row for row in FORMATS.values() if row.name not in ("E2M1", "E1M2", "S4", "U4")]
NARROW = [row for row in JUDGED if row.code_bits <= 16]
WIDE = [row for row in JUDGED if row.code_bits > 16]
FLOATING = [row for row in JUDGED if not row.is_integer]

#: formats that the specification itself orders
ORDERED = ["FP64", "FP32", "TF32", "HF32", "FP16", "BF16", "E4M3", "E5M2"]

#: claims that are false of the codes: what is claimed, and what is so
FALSE_CLAIMS = {
    ("E2M1X2", "has_subnormal"): (False, True),
    ("E1M2X2", "has_subnormal"): (False, True),
    ("HiF4X2", "has_subnormal"): (False, True),
}


def names(rows):
    return {"argnames": "row", "argvalues": rows, "ids": [row.name for row in rows]}


def corners(row):
    """Codes whose fields are least, greatest and next to them, with and without a constrained bit set."""
    if row.code_bits <= 8:
        return range(1 << row.code_bits)
    if row.is_integer:
        half = 1 << (row.code_bits - 1)
        return [0, 1, half - 1, half, half + 1, 2 * half - 1]
    last, low = (1 << row.fraction_bits) - 1, row.low_zero_bits
    found = []
    for sign in (0, 1):
        for exponent in (0, 1, row.bias, row.exponent_mask - 1, row.exponent_mask):
            for fraction in {0, 1, last // 2, last // 2 + 1, last - 1, last}:
                head = (sign << row.exponent_bits) + exponent
                code = ((head << row.fraction_bits) + fraction) << low
                found += [code, code + 1] if low else [code]
    return found


def check_against_oracle(row, code):
    parts = formats.decompose(row, code)
    assert formats.classify(row, code).value == oracle.classify(row.name, code), hex(code)
    assert tuple(parts) == oracle.decompose(row.name, code), hex(code)
    if parts.available:
        value = Exact(parts.negative, parts.significand, parts.exponent)
        assert formats.encode_exact(row, value) == Encoding(available=True, bits=code)


@pytest.mark.parametrize(**names(NARROW))
def test_every_code_of_a_narrow_format(row):
    for code in range(1 << row.code_bits):
        check_against_oracle(row, code)


@pytest.mark.parametrize(**names(WIDE))
def test_corner_codes_of_a_wide_format(row):
    for code in corners(row):
        check_against_oracle(row, code)


@pytest.mark.parametrize(**names(WIDE))
@settings(deadline=None, max_examples=150)
@given(data=st.data())
def test_any_code_of_a_wide_format(row, data):
    code = data.draw(st.integers(0, (1 << row.code_bits) - 1))
    check_against_oracle(row, code)
    check_against_oracle(row, code >> row.low_zero_bits << row.low_zero_bits)


@pytest.mark.parametrize(("lane", "packed"), [("E2M1", "E2M1X2"), ("E1M2", "E1M2X2"), ("S4", "S4X2"), ("U4", "U4X2")])
def test_a_lane_differs_from_its_packed_format_in_the_class_of_subnormals_alone(lane, packed):
    for code in range(16):
        assert formats.decompose(FORMATS[lane], code) == formats.decompose(FORMATS[packed], code)
        one, two = formats.classify(FORMATS[lane], code), formats.classify(FORMATS[packed], code)
        assert one.value.replace("subnormal", "normal") == two.value
        assert (one is two) != formats.lacks_hidden_bit(FORMATS[lane], code)


def facts(row):
    """What the descriptor claims, worked out from the codes."""
    classes = {formats.classify(row, code) for code in corners(row)}
    valid = [code for code in corners(row) if formats.is_valid(row, code)]
    return {
        "has_zero": ValueClass.POSITIVE_ZERO in classes,
        "has_signed_zero": ValueClass.NEGATIVE_ZERO in classes,
        "has_subnormal": any(formats.lacks_hidden_bit(row, code) for code in valid),
        "has_infinity": ValueClass.POSITIVE_INFINITY in classes,
        "has_quiet_nan": ValueClass.QUIET_NAN in classes,
        "has_signaling_nan": ValueClass.SIGNALING_NAN in classes,
    }


@pytest.mark.parametrize(**names(FLOATING))
def test_claims_of_the_descriptor_against_the_codes(row):
    described = formats.descriptor(row)
    for claim, fact in facts(row).items():
        claimed = getattr(described, claim)
        assert (claimed, fact) == FALSE_CLAIMS.get((row.name, claim), (fact, fact)), claim


def test_codes_without_hidden_bit_are_below_the_normal_range():
    for row in FLOATING:
        for code in corners(row):
            number = oracle.value(row.name, code)
            if number and row.kind is Kind.BINARY:
                below = abs(number) < Fraction(2) ** (1 - row.bias)
                assert formats.lacks_hidden_bit(row, code) == below


def test_subnormal_boundaries_against_the_codes():
    for row in FLOATING:
        if row.claims.subnormal_boundaries is not None:
            positive = [(number, code) for code in corners(row) if (number := oracle.value(row.name, code) or 0) > 0]
            subnormal = [code for _, code in sorted(positive) if formats.lacks_hidden_bit(row, code)]
            normal = [code for _, code in sorted(positive) if not formats.lacks_hidden_bit(row, code)]
            found = (subnormal[0], subnormal[-1], normal[0])
            expected = (0x01, 0x07, 0x7E) if row.name == "HiF8" else row.claims.subnormal_boundaries
            assert found == expected


def test_the_claimed_smallest_normal_of_hif8_is_one():
    assert FORMATS["HiF8"].claims.subnormal_boundaries == (0x01, 0x07, 0x08)
    assert oracle.value("HiF8", 0x08) == 1
    assert oracle.value("HiF8", 0x7E) == Fraction(1, 2**15)


def test_integers_have_no_descriptor():
    described = formats.descriptor(FORMATS["S4X2"])
    assert described == formats.Descriptor()
    assert not described.available


def test_descriptors_of_the_formats_with_the_most_to_say():
    assert formats.descriptor(FORMATS["TF32"]) == formats.Descriptor(
        available=True,
        kind=Kind.BINARY,
        carrier_bits=32,
        lane_bits=32,
        lanes_per_carrier=1,
        sign_bits=1,
        sign_bit=31,
        exponent_bits_min=8,
        exponent_bits_max=8,
        fraction_bits_min=10,
        fraction_bits_max=10,
        exponent_bias_available=True,
        exponent_bias=127,
        required_low_zero_bits=13,
        has_zero=True,
        has_signed_zero=True,
        has_subnormal=True,
        has_infinity=True,
        has_quiet_nan=True,
        has_signaling_nan=True,
    )
    assert formats.descriptor(FORMATS["HiF8"]) == formats.Descriptor(
        available=True,
        kind=Kind.TAPERED,
        carrier_bits=8,
        lane_bits=8,
        lanes_per_carrier=1,
        sign_bits=1,
        sign_bit=7,
        exponent_bits_max=4,
        fraction_bits_min=1,
        fraction_bits_max=3,
        has_zero=True,
        has_subnormal=True,
        has_infinity=True,
        has_quiet_nan=True,
    )
    assert formats.descriptor(FORMATS["E8M0"]) == formats.Descriptor(
        available=True,
        kind=Kind.SCALE,
        carrier_bits=8,
        lane_bits=8,
        lanes_per_carrier=1,
        exponent_bits_min=8,
        exponent_bits_max=8,
        exponent_bias_available=True,
        exponent_bias=127,
        has_quiet_nan=True,
    )
    e2m3 = formats.descriptor(FORMATS["E2M3"])
    assert (e2m3.carrier_bits, e2m3.lane_bits, e2m3.sign_bit, e2m3.required_high_zero_bits) == (8, 6, 5, 2)
    e2m1x2 = formats.descriptor(FORMATS["E2M1X2"])
    assert (e2m1x2.carrier_bits, e2m1x2.lane_bits, e2m1x2.lanes_per_carrier, e2m1x2.sign_bit) == (8, 4, 2, 3)


def test_canonical_nans_are_quiet():
    for row in FLOATING:
        if row.canonical_nan:
            assert formats.classify(row, row.canonical_nan) is ValueClass.QUIET_NAN
            assert formats.decompose(row, row.canonical_nan) == Decomposition(False, False, 0, 0)


def ordered_value(row, code):
    """The value of a code that is not a NaN, an infinity beyond every number."""
    infinite = {ValueClass.POSITIVE_INFINITY: 1, ValueClass.NEGATIVE_INFINITY: -1}
    kind = formats.classify(row, code)
    if kind in infinite:
        return infinite[kind] * Fraction(2) ** 2000
    return oracle.value(row.name, code)


@pytest.mark.parametrize(**names(JUDGED))
def test_order_by_key_is_order_by_value(row):
    unordered = (ValueClass.INVALID_ENCODING, ValueClass.QUIET_NAN, ValueClass.SIGNALING_NAN)
    step = (1 << row.code_bits) // 1021 | 1
    sample = {*corners(row), *range(0, 1 << row.code_bits, step)}
    codes = [code for code in sample if formats.classify(row, code) not in unordered]
    codes.sort(key=lambda code: formats.order_key(row, code))
    keys = [formats.order_key(row, code) for code in codes]
    values = [ordered_value(row, code) for code in codes]
    assert len(set(keys)) == len(codes)
    assert keys[0] >= 0
    assert values == sorted(values)
    zeros = [code for code, value in zip(codes, values, strict=True) if value == 0]
    assert zeros == sorted(zeros, reverse=True)


@pytest.mark.parametrize("name", ORDERED)
def test_the_key_of_a_format_that_the_specification_orders(name):
    row = FORMATS[name]
    top, mask = 1 << (row.carrier_bits - 1), (1 << row.carrier_bits) - 1
    for code in corners(row):
        assert formats.order_key(row, code) == (~code & mask if code & top else code ^ top)


def test_lanes_count_from_the_lowest_bits():
    assert formats.lanes(FORMATS["S4X2"], 0x7A) == (0xA, 0x7)
    assert formats.lanes(FORMATS["E3M2"], 0x3F) == (0x3F,)


@pytest.mark.parametrize(
    ("name", "value", "encoding"),
    [
        ("FP16", Exact(False, 1 << 60, -60), Encoding(True, 0x3C00)),
        ("FP16", Exact(True, 1, -24), Encoding(True, 0x8001)),
        ("FP16", Exact(False, 3, -25), Encoding(False, 1)),
        ("FP16", Exact(False, 1, -100), Encoding(False, 0)),
        ("FP16", Exact(False, 1, 16), Encoding(False, 0x7C00)),
        ("FP16", Exact(False, 2049, 0), Encoding(False, 0x6800)),
        ("FP16", Exact(True, 0, 7), Encoding(True, 0x8000)),
        ("TF32", Exact(False, 1, 0), Encoding(True, 0x3F800000)),
        ("TF32", Exact(False, 1, -136), Encoding(True, 0x2000)),
        ("E4M3", Exact(False, 15, 5), Encoding(False, 0x7F)),
        ("E4M3", Exact(False, 14, 5), Encoding(True, 0x7E)),
        ("HiF8", Exact(True, 0, 0), Encoding(False, 0x80)),
        ("HiF8", Exact(False, 1, -23), Encoding(False, 0)),
        ("E8M0", Exact(False, 4, -2), Encoding(True, 0x7F)),
        ("E8M0", Exact(False, 3, 0), Encoding(False, 0x80)),
        ("E8M0", Exact(True, 1, 0), Encoding(False, 0)),
        ("E8M0", Exact(False, 1, 128), Encoding(False, 0xFF)),
        ("E8M0", Exact(False, 0, 0), Encoding(False, 0)),
    ],
)
def test_encoding_of_an_exact_number(name, value, encoding):
    assert formats.encode_exact(FORMATS[name], value) == encoding
