from itertools import product

import pytest

from halfulp_model.integers import clamp, in_range, narrowed, saturate_signed, stands_for, to_word, wrap
from halfulp_model.loader import default_rules

FORMATS = default_rules().formats
INTEGERS = [name for name, row in FORMATS.items() if row.is_integer]
SMALL = ["S4", "S8", "U8"]


def window(fmt):
    """Integers from well below to well above a format's range."""
    size = fmt.maximum - fmt.minimum + 1
    return range(fmt.minimum - 2 * size, fmt.maximum + 2 * size + 1)


def edges(fmt):
    """Integers around every multiple of the format's range."""
    size = fmt.maximum - fmt.minimum + 1
    ends = [fmt.minimum + turn * size for turn in range(-3, 4)]
    return [end + step for end in ends for step in (-2, -1, 0, 1, 2)]


@pytest.mark.parametrize("bits", range(1, 8))
def test_saturation_by_sorting(bits):
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    for value in range(3 * low - 3, 3 * high + 4):
        assert saturate_signed(value, bits) == sorted((low, value, high))[1]


@pytest.mark.parametrize("name", SMALL)
def test_every_integer_near_a_small_format(name):
    fmt = FORMATS[name]
    held = range(fmt.minimum, fmt.maximum + 1)
    for value in window(fmt):
        assert in_range(value, fmt) == (value in held)
        assert clamp(value, fmt) == sorted((fmt.minimum, value, fmt.maximum))[1]
        assert wrap(value, fmt) in held
        assert (wrap(value, fmt) - value) % len(held) == 0
        assert narrowed(value, fmt, True) == clamp(value, fmt)
        assert narrowed(value, fmt, False) == wrap(value, fmt)


@pytest.mark.parametrize("name", INTEGERS)
def test_edges_of_every_format(name):
    fmt = FORMATS[name]
    bits = fmt.carrier_bits // fmt.lanes
    low = -(1 << (bits - 1)) if fmt.signed else 0
    high = low + (1 << bits) - 1
    assert (fmt.minimum, fmt.maximum) == (low, high)
    for value in edges(fmt):
        assert in_range(value, fmt) == (low <= value <= high)
        assert clamp(value, fmt) == min(max(value, low), high)
        assert low <= wrap(value, fmt) <= high
        assert (wrap(value, fmt) - value) % (1 << bits) == 0


def test_wrapping_reads_a_code_as_its_integer():
    for name, (code, number) in {"S8": (0xFF, -1), "S4": (8, -8), "U8": (0xFF, 255), "S16": (0x8000, -32768)}.items():
        assert wrap(code, FORMATS[name]) == number


@pytest.mark.parametrize("name", INTEGERS)
def test_what_stands_for_a_nan_and_an_infinity(name):
    fmt = FORMATS[name]
    for nan, negative in product((False, True), repeat=2):
        assert stands_for(fmt, nan, negative, False) == fmt.minimum
        assert stands_for(fmt, True, negative, True) == 0
    assert stands_for(fmt, False, True, True) == fmt.minimum
    assert stands_for(fmt, False, False, True) == fmt.maximum


def test_words_are_sign_extended():
    top = 1 << 64
    assert [to_word(value) for value in (0, 5, -1, -(1 << 31), (1 << 32) - 1)] == [
        0, 5, top - 1, top - (1 << 31), (1 << 32) - 1,
    ]  # fmt: skip
