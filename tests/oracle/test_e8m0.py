"""TCVT to E8M0 on the specification's own values, and the scale choices on public fault reports."""

import pytest

from oracle.e8m0 import mx_scale, tcvt_e8m0
from oracle.rounding import MODES


def test_rounding_of_three_halves_and_three_quarters() -> None:
    codes = {mode: tcvt_e8m0(0x3FC0, "BF16", mode, False) for mode in MODES}
    assert codes == {mode: (127 if mode in ("RTM", "RTZ") else 128, 0x10) for mode in MODES}
    below_one = {mode: tcvt_e8m0(0x3F40, "BF16", mode, False)[0] for mode in ("RTM", "RTP", "RTZ")}
    assert below_one == {"RTM": 126, "RTP": 127, "RTZ": 127}


def test_powers_of_two_are_exact() -> None:
    for mode in MODES:
        assert [tcvt_e8m0(bits, "BF16", mode, False) for bits in (0x3F80, 0x4000, 0x3F00)] == [
            (127, 0),
            (128, 0),
            (126, 0),
        ]
        assert tcvt_e8m0(0x0001, "FP16", mode, False) == (103, 0)


@pytest.mark.parametrize(
    ("bits", "source", "plain", "saturated"),
    [
        (0x0000, "BF16", (0xFF, 0x01), (0xFF, 0x01)),
        (0x8000, "BF16", (0xFF, 0x01), (0xFF, 0x01)),
        (0xBF80, "BF16", (0xFF, 0x01), (0xFF, 0x01)),
        (0xFF80, "BF16", (0xFF, 0x01), (0xFF, 0x01)),
        (0x7FC0, "BF16", (0xFF, 0x01), (0xFF, 0x01)),
        (0x7F81, "BF16", (0xFF, 0x01), (0xFF, 0x01)),
        (0x7F80, "BF16", (0xFF, 0x14), (0xFE, 0x14)),
        (0x00400000, "FP32", (0x00, 0x00), (0x00, 0x00)),
        (0x003FFFFF, "FP32", (0xFF, 0x18), (0x00, 0x18)),
        (0x00200000, "FP32", (0xFF, 0x18), (0x00, 0x18)),
        (0x7F000000, "FP32", (0xFE, 0x00), (0xFE, 0x00)),
        (0x7F000001, "FP32", (0xFF, 0x14), (0xFE, 0x14)),
        (0x7F7FFFFF, "FP32", (0xFF, 0x14), (0xFE, 0x14)),
    ],
)
def test_specials_and_range(bits: int, source: str, plain: tuple[int, int], saturated: tuple[int, int]) -> None:
    for mode in MODES:
        assert tcvt_e8m0(bits, source, mode, False) == plain
        assert tcvt_e8m0(bits, source, mode, True) == saturated


def test_threshold_is_the_root_of_two() -> None:
    # 11863283 / 2^23 is the last FP32 below the square root of two.
    assert [tcvt_e8m0(0x3F800000 + 11863283 - (1 << 23) + step, "FP32", "RNE", False)[0] for step in (0, 1)] == [
        127,
        128,
    ]


def test_nearest_modes_agree_and_lie_between_the_directed_ones() -> None:
    for bits in range(0x0001, 0x7C00, 29):
        codes = {mode: tcvt_e8m0(bits, "FP16", mode, False)[0] for mode in MODES}
        assert codes["RNE"] == codes["RNA"] == codes["RHB"]
        assert codes["RTM"] <= codes["RNE"] <= codes["RTP"] <= codes["RTM"] + 1


def test_other_sources_are_rejected() -> None:
    with pytest.raises(ValueError, match=r"^source FP64: expected one of FP16, BF16, FP32$"):
        tcvt_e8m0(0, "FP64", "RNE", False)


def test_scale_choices() -> None:
    assert mx_scale(0x3FFFFFFF, "FP32", "floor") == 0
    assert [mx_scale(bits, "FP32", "ceil") for bits in (0x3F900000, 0x3FA00000, 0x40A00000)] == [1, 1, 3]
    assert [mx_scale(bits, "FP32", "even") for bits in (0x3FBFFFFF, 0x3FC00000, 0x40400000, 0x3FC00001)] == [
        0,
        0,
        2,
        1,
    ]
    assert [mx_scale(bits, "FP32", "rceil", "E4M3") for bits in (0x43E00000, 0x43E00001, 0x43000000)] == [0, 1, -1]
