import struct
from fractions import Fraction
from math import isfinite

import pytest

from oracle import formats
from oracle.formats import classify, decompose, value

EIGHT_BIT = ("HiF8", "E4M3", "E5M2", "E3M2", "E2M3", "E8M0", "E2M1X2", "E1M2X2", "HiF4X2")
HOST = {"FP64": ("<d", "<Q"), "FP32": ("<f", "<I"), "FP16": ("<e", "<H")}


def spread(width: int) -> list[int]:
    """Every exponent with the fraction's ends and a few patterns between, both signs."""
    middle = 0x5DEECE66D5DEECE66D % (1 << width)
    ends = {0, 1, (1 << width) - 1, middle}
    return sorted(ends | {1 << bit for bit in range(width)} | {(1 << width) - 1 ^ 1 << bit for bit in range(width)})


@pytest.mark.parametrize("name", HOST)
def test_values_are_the_host_s(name: str) -> None:
    floating, integer = HOST[name]
    width = struct.calcsize(integer) * 8
    codes = range(0, 1 << 16, 3) if width == 16 else spread(width)
    for code in codes:
        host = struct.unpack(floating, struct.pack(integer, code))[0]
        exact = value(name, code)
        if exact is None:
            assert not isfinite(host)
        else:
            assert Fraction(host) == exact


@pytest.mark.parametrize("name", EIGHT_BIT)
def test_available_if_and_only_if_finite_and_valid(name: str) -> None:
    for code in range(256):
        kind = classify(name, code)
        assert kind in formats.CLASSES
        available, negative, significand, exponent = decompose(name, code)
        unavailable = kind == "invalid_encoding" or kind.endswith(("nan", "infinity"))
        assert available is not unavailable
        if not available:
            assert (negative, significand, exponent) == (False, 0, 0)
        elif kind.endswith("zero"):
            assert (negative, significand, exponent) == (kind == "negative_zero", 0, 0)
        else:
            assert significand > 0
            assert negative is kind.startswith("negative")


# The fields of one code of each row of the layout table, worked by hand.
HIF8 = {
    0x00: (0, 0),
    0x01: (1, -22),
    0x07: (1, -16),
    0x08: (8, -3),
    0x0C: (12, -3),
    0x0F: (15, -3),
    0x10: (8, -2),
    0x18: (8, -4),
    0x20: (8, -1),
    0x2F: (15, 0),
    0x3F: (15, -6),
    0x40: (4, 2),
    0x5F: (7, -9),
    0x60: (2, 7),
    0x6D: (3, 13),
    0x6E: (2, 14),
    0x7E: (2, -16),
    0x7F: (3, -16),
}


@pytest.mark.parametrize("code", HIF8)
def test_hif8_rows(code: int) -> None:
    assert decompose("HiF8", code) == (True, False, *HIF8[code])
    if code:
        assert decompose("HiF8", code | 0x80) == (True, True, *HIF8[code])


def test_hif8_has_one_zero_one_nan_and_no_gap() -> None:
    numbers = [value("HiF8", code) for code in range(256)]
    finite = [number for number in numbers if number is not None]
    assert numbers[0x80] is numbers[0x6F] is numbers[0xEF] is None
    assert len(finite) == len(set(finite)) == 253
    assert max(finite) == -min(finite) == 32768
    assert min(number for number in finite if number > 0) == Fraction(1, 1 << 22)
    assert [classify("HiF8", code) for code in (0x00, 0x80, 0x6F, 0xEF, 0x07, 0x87, 0x7E, 0x08)] == [
        "positive_zero",
        "quiet_nan",
        "positive_infinity",
        "negative_infinity",
        "positive_subnormal",
        "negative_subnormal",
        "positive_normal",
        "positive_normal",
    ]


def test_e8m0() -> None:
    assert [decompose("E8M0", code) for code in (0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF)] == [
        (True, False, 1, -127),
        (True, False, 1, -126),
        (True, False, 1, 0),
        (True, False, 1, 1),
        (True, False, 1, 127),
        (False, False, 0, 0),
    ]
    assert classify("E8M0", 0) == "positive_normal"
    assert classify("E8M0", 0xFF) == "quiet_nan"


def test_four_bit_lanes() -> None:
    assert [value("E2M1X2", code) for code in range(8)] == [Fraction(half, 2) for half in (0, 1, 2, 3, 4, 6, 8, 12)]
    for name in ("E1M2X2", "HiF4X2"):
        assert [value(name, code) for code in range(8)] == [Fraction(quarter, 4) for quarter in range(8)]
    assert [classify("E2M1X2", code) for code in (0, 1, 8, 9)] == [
        "positive_zero",
        "positive_normal",
        "negative_zero",
        "negative_normal",
    ]
    carrier = 0x97
    assert [formats.lane_of("E2M1X2", carrier, lane) for lane in (0, 1)] == [0x7, 0x9]
    with pytest.raises(ValueError, match=r"^FP16 has no lanes: expected E2M1X2, E1M2X2 or HiF4X2$"):
        formats.lane_of("FP16", 0)


def test_constrained_zero_bits() -> None:
    assert decompose("TF32", 0x3F800000) == (True, False, 1024, -10)
    assert decompose("TF32", 0x00002000) == (True, False, 1, -136)
    assert decompose("TF32", 0x80000000) == (True, True, 0, 0)
    assert decompose("HF32", 0x00001000) == (True, False, 1, -137)
    for name, code in (("TF32", 0x3F801000), ("HF32", 0x3F800800), ("E3M2", 0x40), ("E2M3", 0x80)):
        assert classify(name, code) == "invalid_encoding"
        assert decompose(name, code) == formats.UNAVAILABLE
    assert classify("TF32", 0x7FC00000) == classify("HF32", 0x7FC00000) == "quiet_nan"
    assert classify("TF32", 0x7F802000) == classify("HF32", 0x7F801000) == "signaling_nan"


def test_classes_of_the_other_formats() -> None:
    expected = {
        ("E4M3", 0x7F): "quiet_nan",
        ("E4M3", 0xFF): "quiet_nan",
        ("E4M3", 0x7E): "positive_normal",
        ("E4M3", 0x80): "negative_zero",
        ("E5M2", 0x7C): "positive_infinity",
        ("E5M2", 0x7D): "signaling_nan",
        ("E5M2", 0x7E): "quiet_nan",
        ("E3M2", 0x1F): "positive_normal",
        ("E3M2", 0x23): "negative_subnormal",
        ("E2M3", 0x20): "negative_zero",
        ("FP19", 0x3FC00): "positive_infinity",
        ("FP19", 0x3FE00): "quiet_nan",
        ("FP19", 0x3FC01): "signaling_nan",
        ("FP19", 0x00001): "positive_subnormal",
        ("S4X2", 0x8): "negative_normal",
        ("U4X2", 0x8): "positive_normal",
        ("S64", 0): "positive_zero",
    }
    assert {key: classify(*key) for key in expected} == expected
    assert decompose("FP19", 0x00001) == (True, False, 1, -136)
    assert decompose("S32", 5) == formats.UNAVAILABLE
    assert value("E4M3", 0x7E) == 448


def test_canonical_nans_and_zeros() -> None:
    nans = {name: formats.canonical_nan(name) for name in (*formats.LAYOUTS, "HiF8", "E8M0", "S32")}
    assert nans == {
        "FP64": 0x7FF8000000000000,
        "FP32": 0x7FC00000,
        "TF32": 0x7FC00000,
        "HF32": 0x7FC00000,
        "FP16": 0x7E00,
        "BF16": 0x7FC0,
        "HiF8": 0x80,
        "E4M3": 0x7F,
        "E5M2": 0x7E,
        "E8M0": 0xFF,
        "E3M2": None,
        "E2M3": None,
        "E2M1X2": None,
        "E1M2X2": None,
        "HiF4X2": None,
        "FP19": None,
        "S32": None,
    }
    assert formats.signed_zeros("TF32") == (0, 0x80000000)
    assert formats.signed_zeros("E3M2") == (0, 0x20)
    assert formats.signed_zeros("HiF4X2") == (0, 0x8)
    assert formats.signed_zeros("HiF8") is None
