"""REQ8 on exact fractions, held against every vector file of it: how a test suite in Python uses the vectors.

pytest vectors/examples/test_req8.py
"""

import json
from fractions import Fraction
from math import ceil, floor
from pathlib import Path

import pytest

FILES = sorted(Path(__file__).parent.parent.glob("req8.*.jsonl"))
OVERFLOW, INEXACT = 0x14, 0x10


def signed(code, bits):
    """Read a code as two's complement."""
    return code - (code >> (bits - 1) << bits)


def rounded(exact, mode):
    """Round once to an integer."""
    low, high = floor(exact), ceil(exact)
    nearest = low if exact - low < Fraction(1, 2) else high
    tie = exact - low == Fraction(1, 2)
    even, odd = (low, high) if low % 2 == 0 else (high, low)
    away, toward = (high, low) if exact > 0 else (low, high)
    return {
        "RNE": even if tie else nearest,
        "RNA": away if tie else nearest,
        "RHB": nearest,
        "RTZ": toward,
        "RTM": low,
        "RTP": high,
        "RTO": odd if low != high else low,
    }[mode]


def req8(value, relu, quant_param, relu_param, mode, saturate):
    """The implementation under test; put yours in its place."""
    value = signed(value, 32)
    code = quant_param >> 13 & 0x7FFFF
    if value < 0 and relu:
        code = 0 if relu == 1 else relu_param & 0x7FFFF
    factor = (1024 + code % 1024) * Fraction(2) ** ((code >> 10) - 137) if code else 0
    exact = value * factor
    whole = rounded(Fraction(exact), mode)
    intermediate = min(max(whole, -256), 255)
    total = intermediate + signed(quant_param >> 37 & 0x1FF, 9)
    last = min(max(total, -128), 127)
    flags = OVERFLOW if intermediate != whole or last != total else INEXACT if whole != exact else 0
    return (last if saturate else total) & 0xFF, flags


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_every_case_has_the_right_bits(path):
    """Compare all bits of result and flags; what differs is named with its class and how it comes about."""
    header, *cases = map(json.loads, path.read_text("ascii").splitlines())
    wrong = []
    for case in cases:
        inputs, expected = ([int(text, 16) for text in case[key]] for key in ("in", "out"))
        given = req8(*inputs, header["rounding"], header["saturate"])
        if list(given) != expected:
            wrong.append((case["tc"], case["class"], case["why"], given))
    assert wrong == []
    assert len(cases) == header["count"] > 0
