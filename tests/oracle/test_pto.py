"""The specification's own executable tests as values, and the corners its text names."""

from fractions import Fraction

import pytest

from oracle import pto
from oracle.encoders import binary16, fp8, integer, single
from oracle.pto import build_parameter, build_shift, fp32_to_fp19, post_process
from oracle.rounding import MODES

ONE = 0x3F800000
UNIT = fp32_to_fp19(ONE)
HALF = fp32_to_fp19(0x3F000000)
MINUS = (1 << 64) - 1


def run(
    value: int,
    mode: int,
    *,
    rounding: str = "RNE",
    sat: bool = False,
    relu: int = 0,
    word: int = 0,
    activation: int = 0,
    accumulator: str = "",
) -> tuple[int, int]:
    return post_process(value, mode, rounding, sat, relu, word, activation, accumulator or pto.MODES[mode][1] or "FP32")


def unit(mode: int, offset: int = 0, scale: int = UNIT) -> int:
    return build_parameter(scale, offset, pto.OFFSET_WIDTH.get(mode, 0))


def test_every_mode_converts_one() -> None:
    expected = {"FP16": 0x3C00, "BF16": 0x3F80, "E4M3": 0x38, "HiF8": 0x08, "FP32": ONE}
    assert len(pto.MODES) == 27
    for mode, (_, accumulator, destination, parameter) in pto.MODES.items():
        source = ONE if accumulator != "S32" else 2 if mode in pto.SHIFT_MODES else 1
        word = 0 if mode in pto.SHIFT_MODES or parameter == "none" else unit(mode)
        assert run(source, mode, word=word) == (expected.get(destination or "FP32", 1), 0)


@pytest.mark.parametrize(
    ("value", "mode", "offset", "word"),
    [(300, 3, 1, 0), (20, 17, 1, 0), (70000, 19, 1, 0), (-300, 3, -1, MINUS), (-300, 3, 255, MINUS)],
)
def test_intermediate_saturates_before_the_offset(value: int, mode: int, offset: int, word: int) -> None:
    assert run(value, mode, word=unit(mode, offset)) == (word, 0x14)


def test_scale_offset_wrap_and_clamp() -> None:
    two = fp32_to_fp19(0x40000000)
    assert run(3, 3, word=unit(3, -1, two)) == (5, 0)
    assert run(70, 3, word=unit(3, 0, two)) == (0xFFFFFFFFFFFFFF8C, 0x14)
    assert run(70, 3, word=unit(3, 0, two), sat=True) == (127, 0x14)
    assert run(0x3FC00000, 24, word=unit(24, 0, two)) == (3, 0)
    assert run(0x428C0000, 24, word=unit(24, 0, two)) == (0xFFFFFFFFFFFFFF8C, 0x14)


def test_shift() -> None:
    assert run(-33, 13, word=build_shift(0)) == (0xFFFFFFFFFFFFFFEF, 0)
    assert run(0x7FFFFFFF, 13, word=build_shift(0)) == (0x7FFF, 0x14)
    assert run(0x80000000, 12, word=build_shift(0)) == (0xFFFFFFFFFFFF8000, 0x14)
    assert run(0x7FFFFFFF, 12, word=build_shift(15)) == (0x7FFF, 0)
    assert run(-2, 13, word=build_shift(0), relu=1) == (MINUS, 0)


def test_activation_selects_the_multiplier() -> None:
    assert run(0xC0000000, 24, relu=1, word=unit(24)) == (0, 0)
    for relu in (2, 3):
        assert run(0xC0800000, 24, relu=relu, word=unit(24), activation=HALF) == (MINUS - 1, 0)
    three_quarters = fp32_to_fp19(0x3F400000)
    assert run(0xBF000BB0, 32, relu=2, word=unit(32), activation=three_quarters) == (0xB601, 0x10)
    assert run(0xFF800000, 24, relu=1, word=unit(24, 9)) == (9, 0)
    assert run(0x80000000, 32, relu=1, word=unit(32)) == (0, 0)


def test_special_values() -> None:
    low = 0xFFFFFFFFFFFFFF80
    for source in (0x7FC00000, 0x7F800000, 0xFF800000):
        assert run(source, 24, word=unit(24)) == (low, 0x01)
    assert run(0x7FC00000, 24, word=unit(24), sat=True) == (0, 0x01)
    assert run(0x7F800000, 24, word=unit(24), sat=True) == (127, 0x14)
    assert run(0xFF800000, 24, word=unit(24), sat=True) == (low, 0x14)
    assert run(0x7FC00000, 26, word=unit(26)) == (0x7F, 0)
    assert run(0xFF800000, 26, word=unit(26)) == (0x7F, 0x14)
    assert run(0x7FC00000, 25, word=unit(25)) == (0x80, 0)
    assert run(0xFF800000, 25, word=unit(25)) == (0xEF, 0)
    assert run(0xFF800000, 32, word=unit(32)) == (0xFC00, 0)
    assert run(0x7FC00000, 32, word=unit(32)) == (0x7E00, 0)
    assert run(0x7F800001, 32, word=unit(32)) == (0x7E00, 0x01)
    assert run(0x7FC00000, 32, word=unit(32), sat=True) == (0, 0)
    assert run(0x7F800001, 32, word=unit(32), sat=True) == (0, 0x01)
    assert run(0x7F800000, 32, word=unit(32), sat=True) == (0x7BFF, 0x14)


def test_zero_takes_part_in_the_affine_step() -> None:
    for zero in (0, 0x80000000):
        assert run(zero, 24, word=unit(24, 5)) == (5, 0)
        assert run(zero, 24, word=unit(24, -5)) == (MINUS - 4, 0)
        assert run(zero, 24, word=unit(24)) == (0, 0)
    negative_zeros = {1: 0x8000, 16: 0x8000, 26: 0x80, 27: 0x80000000, 25: 0}
    assert {mode: run(0x80000000, mode, word=unit(mode))[0] for mode in negative_zeros} == negative_zeros


def test_fixed_rounding_ignores_the_programmed_mode() -> None:
    for rounding in ("NONE", *MODES):
        assert run(0x3F801000, 32, rounding=rounding, word=unit(32)) == (0x3C00, 0x10)
        assert run(0x3F880000, 26, rounding=rounding, word=unit(26)) == (0x38, 0x10)
        assert run(0x3F880000, 25, rounding=rounding, word=unit(25)) == (0x09, 0x10)
    assert run(257, 35, rounding="RTP", word=unit(35)) == (0x4381, 0x10)
    assert run(257, 35, rounding="NONE", word=unit(35)) == (0x4380, 0x10)


def test_no_quantization() -> None:
    assert run(0x7F800001, 0) == (0x7F800001, 0)
    assert run(0x80000000, 0, accumulator="S32") == (0xFFFFFFFF80000000, 0)
    assert run(0xFFFFFFFF, 0, accumulator="U32") == (0xFFFFFFFF, 0)
    assert run(0xFFFFFFFF, 0, accumulator="U32", relu=1) == (0xFFFFFFFF, 0)
    assert run(-3, 0, accumulator="S32", relu=2, activation=HALF) == (MINUS - 1, 0x10)
    four = fp32_to_fp19(0x40800000)
    assert run(0x80000000, 0, accumulator="S32", relu=2, activation=four) == (0, 0x14)
    assert run(0xBF800000, 0, relu=3, activation=HALF) == (0xBF000000, 0)
    assert run(0xBF800000, 0, relu=1) == (0, 0)
    assert run(0x7F800001, 0, relu=1) == (0x7FC00000, 0x01)


def test_intermediates() -> None:
    step = pto.round_and_saturate
    assert step(Fraction(15), 5, "RNE") == (15, 0)
    assert step(Fraction(31, 2), 5, "RNE") == (15, 0x14)
    assert step(Fraction(-33, 2), 5, "RNA") == (-16, 0x14)
    assert step(Fraction(1023, 4), 9, "RNE") == (255, 0x14)
    assert step(Fraction(-1027, 4), 9, "RNE") == (-256, 0x14)
    assert step(Fraction(327677, 5), 17, "RTZ") == (65535, 0x10)


def test_encoders_on_the_specification_s_values() -> None:
    three_halves = Fraction(3, 2)
    assert integer(Fraction(130), -128, 127, "RNE", False) == (130, 0x14)
    assert binary16(three_halves, "FP16", "RNE", False) == (0x3E00, 0)
    assert binary16(Fraction(-257, 256), "BF16", "RHB", False) == (0xBF80, 0x10)
    assert fp8(three_halves, "E4M3", "RNE", False) == (0x3C, 0)
    assert fp8(three_halves, "HiF8", "RNE", False) == (0x0C, 0)
    assert single(Fraction(1), "RNE", False) == (ONE, 0)


def test_e4m3_and_hif8_overflow_before_rounding() -> None:
    just_above = {"E4M3": Fraction(449), "HiF8": Fraction(32769)}
    codes = {"E4M3": (0x7F, 0x7F, 0x7E, 0xFE), "HiF8": (0x6F, 0xEF, 0x6E, 0xEE)}
    for name, value in just_above.items():
        for mode in MODES:
            results = [fp8(sign * value, name, mode, sat) for sat in (False, True) for sign in (1, -1)]
            assert results == [(code, 0x14) for code in codes[name]]


def test_a_negative_underflow_keeps_its_sign_only_in_16_and_32_bits() -> None:
    tiny = Fraction(-1, 1 << 200)
    assert single(tiny, "RNE", False) == (0x80000000, 0x18)
    assert binary16(tiny, "FP16", "RNE", False) == (0x8000, 0x18)
    assert fp8(tiny, "E4M3", "RNE", False) == (0x00, 0x18)
    assert fp8(tiny, "E4M3", "RTP", False) == (0x00, 0x18)
    assert fp8(tiny, "E4M3", "RTO", False) == (0x81, 0x18)
    assert fp8(tiny, "HiF8", "RTM", False) == (0x81, 0x18)


def test_underflow_is_flagged_when_rounding_reaches_the_smallest_normal() -> None:
    below = Fraction((1 << 25) - 1, 1 << 25)
    assert binary16(below / (1 << 14), "FP16", "RNE", False) == (0x0400, 0x18)
    assert binary16(below / (1 << 126), "BF16", "RNE", False) == (0x0080, 0x18)
    assert single(below / (1 << 126), "RNE", False) == (0x00800000, 0x18)
    assert fp8(below / (1 << 6), "E4M3", "RNE", False) == (0x08, 0x18)
    assert fp8(below / (1 << 15), "HiF8", "RNE", False) == (0x7E, 0x18)


def test_overflow_of_the_wide_destinations() -> None:
    assert binary16(Fraction(65519), "FP16", "RNE", False) == (0x7BFF, 0x10)
    assert binary16(Fraction(65520), "FP16", "RNE", False) == (0x7C00, 0x14)
    assert binary16(Fraction(-65520), "FP16", "RHB", False) == (0xFBFF, 0x10)
    assert binary16(Fraction(65535), "FP16", "RTZ", False) == (0x7BFF, 0x10)
    assert binary16(Fraction(65536), "FP16", "RTZ", False) == (0x7C00, 0x14)
    assert binary16(Fraction(65536), "FP16", "RTZ", True) == (0x7BFF, 0x14)
    assert single(Fraction(-(1 << 128)), "RTZ", True) == (0xFF7FFFFF, 0x14)
    assert single(Fraction((1 << 128) - 1), "RNE", False) == (0x7F800000, 0x14)
    assert single(Fraction((1 << 128) - 1), "RTM", False) == (0x7F7FFFFF, 0x10)


def test_fp19() -> None:
    assert fp32_to_fp19(ONE) == 0b0011111110000000000
    assert fp32_to_fp19(0x3F000000) == 0b0011111100000000000
    assert fp32_to_fp19(0x3F801000) == UNIT
    assert fp32_to_fp19(0x3F803000) == UNIT + 2
    assert fp32_to_fp19(0x3FFFF000) == UNIT + 0x400
    assert fp32_to_fp19(0x7F7FF000) == 0x3FC00
    assert fp32_to_fp19(0xFF800000) == 0x7FC00
    assert fp32_to_fp19(0xFF800001) == fp32_to_fp19(0x7FC00000) == 0x3FF00
    assert [pto.scale_legal(code) for code in (0, 1, 0x400, 0x3FBFF, 0x40400, 0x3FC00, 0x3FE00)] == [
        False,
        False,
        True,
        True,
        False,
        False,
        False,
    ]


def test_parameter_words() -> None:
    assert build_parameter(UNIT, -1, 9) == UNIT << 13 | 0x1FF << 37
    assert build_shift(15) == 0xF << 32
    eight = fp32_to_fp19(0x41000000)
    for mode, (_, _, _, parameter) in pto.MODES.items():
        free = set(range(32, 36)) if mode in pto.SHIFT_MODES else set(range(13, 31))
        free |= set(range(37, 37 + pto.OFFSET_WIDTH.get(mode, 0)))
        word = build_shift(7) if mode in pto.SHIFT_MODES else unit(mode, -1, eight)
        assert pto.parameter_legal(mode, word) is (parameter != "none")
        stays_legal = {bit for bit in range(64) if pto.parameter_legal(mode, word ^ 1 << bit)}
        assert stays_legal == (set() if parameter == "none" else free)
    assert not pto.parameter_legal(3, build_parameter(1, 0, 9))
    assert not pto.parameter_legal(6, unit(3))
    assert [pto.activation_legal(word) for word in (0, 0x400, 0x3FBFF, 1, 0x40000, 0x3FC00, 1 << 19)] == [
        True,
        True,
        True,
        False,
        False,
        False,
        False,
    ]


def test_controls_and_fields() -> None:
    assert pto.controls_legal(0, "NONE", False)
    assert not pto.controls_legal(0, "RNE", False)
    assert not pto.controls_legal(0, "NONE", True)
    assert not pto.controls_legal(12, "NONE", True)
    assert not pto.controls_legal(12, "RNE", False)
    assert pto.controls_legal(1, "NONE", True)
    assert not pto.controls_legal(26, "RNA", True)
    assert pto.controls_legal(3, "RHB", True)
    assert not pto.controls_legal(6, "NONE", False)
    assert [code for code in range(64) if pto.fields_legal(code, 0, 0, False, False, False, False)] == list(pto.MODES)
    legal = pto.fields_legal
    assert not legal(0, 4, 0, False, False, False, False)
    assert not legal(0, 0, 10, False, True, False, False)
    assert not legal(0, 0, 1, False, False, False, False)
    assert not legal(0, 0, 0, False, True, False, False)
    assert not legal(0, 0, 0, False, False, True, False)
    assert not legal(0, 0, 0, False, False, False, True)
    assert legal(0, 0, 1, True, True, True, True)
    assert pto.legal(3, "RTO", True, 2, unit(3), HALF, "S32")
    assert not pto.legal(3, "RTO", True, 2, unit(3), 1, "S32")
    assert not pto.legal(3, "RTO", True, 0, unit(3), 0, "FP32")
    assert pto.legal(1, "NONE", True, 1, 0, 0, "FP32")
