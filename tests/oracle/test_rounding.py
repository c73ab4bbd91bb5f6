from fractions import Fraction
from math import ceil, floor, trunc

import pytest

from oracle.rounding import MODES, floor_log2, magnitude_to_integer, to_integer

EIGHTHS = [Fraction(numerator, 8) for numerator in range(-40, 41)]
# -2.5, -1.5, -0.5, 0.5, 1.5, 2.5
TIES = {
    "RNE": (-2, -2, 0, 0, 2, 2),
    "RTM": (-3, -2, -1, 0, 1, 2),
    "RTP": (-2, -1, 0, 1, 2, 3),
    "RTZ": (-2, -1, 0, 0, 1, 2),
    "RNA": (-3, -2, -1, 1, 2, 3),
    "RTO": (-3, -1, -1, 1, 1, 3),
    "RHB": (-2, -1, 0, 1, 2, 3),
}


@pytest.mark.parametrize("mode", MODES)
def test_ties(mode: str) -> None:
    halves = [Fraction(numerator, 2) for numerator in (-5, -3, -1, 1, 3, 5)]
    assert tuple(to_integer(half, mode) for half in halves) == TIES[mode]


@pytest.mark.parametrize("value", EIGHTHS)
def test_directed_modes_are_the_library_functions(value: Fraction) -> None:
    assert to_integer(value, "RTM") == floor(value)
    assert to_integer(value, "RTP") == ceil(value)
    assert to_integer(value, "RTZ") == trunc(value)
    assert to_integer(value, "RNE") == round(value)


@pytest.mark.parametrize("mode", MODES)
def test_nearest_modes_are_nearest_and_integers_stay(mode: str) -> None:
    for value in EIGHTHS:
        rounded = to_integer(value, mode)
        limit = Fraction(1, 2) if mode in ("RNE", "RNA", "RHB") else Fraction(7, 8)
        assert abs(rounded - value) <= limit
        if value.denominator == 1:
            assert rounded == value
        elif mode == "RTO":
            assert rounded % 2 == 1


def test_magnitude_rounding_swaps_the_directed_modes() -> None:
    swapped = {"RTP": "RTM", "RTM": "RTP"}
    for value in EIGHTHS[41:]:
        for mode in MODES:
            assert magnitude_to_integer(value, mode, False) == to_integer(value, mode)
            if mode != "RHB":
                assert magnitude_to_integer(value, mode, True) == to_integer(value, swapped.get(mode, mode))
        lower = floor(value)
        down = value - lower <= Fraction(1, 2)
        assert magnitude_to_integer(value, "RHB", True) == (lower if down else lower + 1)


def test_unknown_mode_is_named() -> None:
    with pytest.raises(ValueError, match=r"^rounding mode 'RNX': expected one of RNE, RTM, RTP, RTZ, RNA, RTO, RHB$"):
        to_integer(Fraction(1, 2), "RNX")


def test_floor_log2() -> None:
    for value in (Fraction(1), Fraction(3, 2), Fraction(2**300 - 1), Fraction(1, 3), Fraction(1, 2**275)):
        exponent = floor_log2(value)
        assert Fraction(2) ** exponent <= value < Fraction(2) ** (exponent + 1)
