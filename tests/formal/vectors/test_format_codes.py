import struct
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfulp_formal.vectors.format_codes import code_of
from halfulp_model.loader import default_rules

FORMATS = default_rules().formats
#: Python's own packing of IEEE numbers
PACKING = {"FP16": ("<e", "<H"), "FP32": ("<f", "<I"), "FP64": ("<d", "<Q")}


def packed(name, value):
    """Return the code of a number that the format has, None for any other."""
    as_float, as_bits = PACKING[name]
    try:
        raw = struct.pack(as_float, float(value))
    except OverflowError:
        return None
    read = struct.unpack(as_float, raw)[0]
    return struct.unpack(as_bits, raw)[0] if abs(read) != float("inf") and Fraction(read) == value else None


@pytest.mark.parametrize("name", PACKING)
@given(st.integers(1, (1 << 60) - 1), st.integers(-1100, 980), st.booleans())
def test_the_code_of_a_number_is_the_one_that_python_packs(name, significand, exponent, negative):
    # short numbers are among the format's more often than long ones
    for number in (significand, significand % 64 + 1, 1 << significand % 60):
        signed = -number if negative else number
        for power in (exponent, exponent % 30 - 20):
            if number * 2.0**power < 1e308:
                assert code_of(FORMATS[name], (signed, power)) == packed(name, signed * Fraction(2) ** power)


def test_numbers_of_integer_formats():
    assert code_of(FORMATS["S8"], (127, 0)) == 127
    assert code_of(FORMATS["S8"], (-127, 0)) == -127
    assert code_of(FORMATS["S8"], (-4, -2)) == -1
    assert code_of(FORMATS["S8"], (1, 6)) == 64
    assert code_of(FORMATS["S8"], (1, 7)) is None
    assert code_of(FORMATS["S8"], (3, -1)) is None
    assert code_of(FORMATS["U8"], (255, 0)) == 255
    assert code_of(FORMATS["U8"], (-1, 0)) is None


def test_a_format_with_clear_low_bits():
    assert code_of(FORMATS["TF32"], (1, 0)) == 0x3F800000
    assert code_of(FORMATS["TF32"], (1025, -10)) == 0x3F802000
    assert code_of(FORMATS["TF32"], (2049, -11)) is None
