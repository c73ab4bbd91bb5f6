"""Fields and classes of FP32 and FP19, and FP32 to FP19."""

from fractions import Fraction as Q

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formal.encodings.exact import fields_value, power, rounded
from halfulp_formal.bits import Bits
from halfulp_formal.encodings import fp32_to_fp19
from halfulp_formal.encodings.unpack import unpack_fp19, unpack_fp32


def to_fp19(word):
    return fp32_to_fp19(Bits.constant(word, 32)).term.constant_value()


@given(st.integers(0, 2**32 - 1))
def test_finite_fp32_is_its_fields(word):
    unpacked = unpack_fp32(Bits.constant(word, 32))
    exponent, significand = (part.term.constant_value() for part in (unpacked.exponent, unpacked.significand))
    if word >> 23 & 0xFF != 0xFF:
        sign = -1 if unpacked.negative.term.is_true() else 1
        assert sign * significand * power(exponent - 150) == fields_value(word, 8, 23)


@pytest.mark.parametrize(
    ("word", "classes"),
    [
        (0x00000000, {"zero"}),
        (0x80000000, {"zero", "negative"}),
        (0x00000001, set()),
        (0x80000001, {"negative"}),
        (0x3F800000, set()),
        (0x7F7FFFFF, set()),
        (0x7F800000, {"infinity"}),
        (0xFF800000, {"infinity", "negative"}),
        (0x7F800001, {"nan", "signalling"}),
        (0x7FBFFFFF, {"nan", "signalling"}),
        (0x7FC00000, {"nan"}),
        (0xFFFFFFFF, {"nan", "negative"}),
    ],
)
def test_fp32_classes(word, classes):
    unpacked = unpack_fp32(Bits.constant(word, 32))
    names = ("negative", "zero", "infinity", "nan", "signalling")
    assert {name for name in names if getattr(unpacked, name).term.is_true()} == classes


def test_fp19_has_ten_fraction_bits():
    unpacked = unpack_fp19(Bits.constant(0x1FC01, 19))
    assert unpacked.significand.term.constant_value() == 0x401
    assert unpacked.exponent.term.constant_value() == 127


@given(st.integers(0, 2**32 - 1))
def test_a_finite_fp32_rounds_to_the_nearest_fp19(word):
    if word >> 23 & 0xFF != 0xFF:
        steps = rounded(Q(word & 0x7FFFFFFF, 1 << 13), "rne")
        assert to_fp19(word) == (word >> 31 << 18) + steps


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        (0x7F800000, 0x3FC00),
        (0xFF800000, 0x7FC00),
        (0x7F800001, 0x3FF00),
        (0xFFFFFFFF, 0x3FF00),
        (0x7F7FFFFF, 0x3FC00),
        (0x3F801000, 0x1FC00),
        (0x3F803000, 0x1FC02),
        (0x007FFFFF, 0x00400),
    ],
)
def test_corners_of_fp32_to_fp19(word, wanted):
    assert to_fp19(word) == wanted
