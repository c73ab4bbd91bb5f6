"""Plain conversions: the public fault reports, the slow oracle, and what is refused."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from halfulp_model import Rejected, convert
from halfulp_model.convert import plain_conversions
from halfulp_model.loader import default_rules
from oracle import ieee_ocp

CASES = Path(__file__).parents[1] / "cases" / "public.jsonl"
FLAGS = {"NV": 1, "DZ": 2, "OF": 4, "UF": 8, "NX": 16}


def public_cases():
    for line in CASES.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["destination"] != "E8M0":
            yield pytest.param(case, id=f"{case['from']}-{case['destination']}-{case['in']}")


@pytest.mark.parametrize("case", list(public_cases()))
def test_public_fault_reports_come_out_right(case):
    sat = case["saturation"] == "sat"
    result = convert(int(case["in"], 16), case["source"], case["destination"], rounding=case["rounding"], sat=sat)
    assert result.word == int(case["right"], 16)
    if case["flags"] is not None:
        raised = [] if case["flags"] == "none" else case["flags"].split("|")
        assert result.flags == sum(FLAGS[name] for name in raised)


def some_code(rng, fmt):
    """A code of a source: any bits, or a number near 1 with a run of low zeros."""
    row = default_rules().formats[fmt]
    code = rng.getrandbits(row.lane_bits)
    if not row.is_integer and rng.random() < 0.7:
        fraction_bits = row.fraction_bits + row.low_zero_bits
        exponent = min(max(row.bias + rng.randint(-30, 30), 0), row.exponent_mask)
        zeros = rng.randrange(row.fraction_bits + 1) + row.low_zero_bits
        code = (rng.getrandbits(1) << row.sign_bit) | (exponent << fraction_bits)
        code |= rng.getrandbits(fraction_bits) >> zeros << zeros
    return code >> row.low_zero_bits << row.low_zero_bits


@pytest.mark.parametrize("seed", range(4))
def test_every_conversion_agrees_with_the_oracle(seed):
    rng = random.Random(seed)
    for conversion in plain_conversions().values():
        code = some_code(rng, conversion.source.name)
        names = (conversion.source.name, conversion.destination.name)
        rounding, sat = conversion.rounding.name, conversion.saturate
        assert tuple(convert(code, *names, rounding=rounding, sat=sat)) == ieee_ocp.convert(code, *names, rounding, sat)


def test_there_is_a_conversion_for_every_pair_mode_and_sat():
    assert len(plain_conversions()) == (15 * 15 - 14) * 7 * 2


@pytest.mark.parametrize(
    ("arguments", "keywords", "message"),
    [
        ((1 << 32, "FP32", "FP16"), {}, "code: 4294967296 is not a 32-bit FP32 code"),
        ((1, "TF32", "FP16"), {}, "code: 1 is not a 32-bit TF32 code"),
        (("1", "FP32", "FP16"), {}, "code: '1' is not a 32-bit FP32 code"),
        (
            (0, "FP32", "FP16"),
            {"rounding": "RNX"},
            "rounding: 'RNX' is not a rounding mode; expected RNE, RTZ, RTM, RTP, RNA, RTO or RHB",
        ),
        ((0, "FP32", "FP16"), {"sat": 2}, "sat: 2 is not a Sat value; expected False or True"),
        ((0, "FP32", "FP16"), {"rules": "ieee"}, "rules: 'ieee' is not a rule set; expected pto or ieee-ocp"),
        (
            (0, "FP32", "HiF8"),
            {},
            (
                "destination: ieee-ocp has no encoder for HiF8; "
                "expected an integer format, FP32, TF32, FP16, BF16, E5M2, E4M3, E3M2, E2M3, E2M1"
            ),
        ),
    ],
)
def test_what_is_refused_says_why(arguments, keywords, message):
    with pytest.raises(Rejected) as caught:
        convert(*arguments, **keywords)
    assert str(caught.value) == message


def test_the_post_processing_rules_overflow_before_rounding():
    assert convert(0x43E08000, "FP32", "E4M3") == (0x7E, 0x10)
    assert convert(0x43E08000, "FP32", "E4M3", rules="pto") == (0x7F, 0x14)
