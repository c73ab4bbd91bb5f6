"""FP32 addition explained: the exact sum, where it is rounded, and what every mode makes of it."""

import random
import shlex

import pytest

from halfulp_formal.explain import FieldError, as_lines, evaluate, explain, explain_witness
from halfulp_model import fp32_add
from halfulp_model.adder import adders

ROUNDED = """\
fp32_add.rtp: FP32 + FP32, RTP
  left            1                          0x3f800000  FP32; = 8388608·2^-23
  right           ≈ 5.96046518808e-8         0x33800001  FP32; = 8388609·2^-47
  exact sum       ≈ 1.0000000596                         = 140737496743937·2^-47
  in last places  ≈ 8388608.5                            = 140737496743937·2^-24; above code 0x3f000000
  rounded         8388609                                RTP: code 0x3f800001, without a sign
  out             1.00000011920928955078125  0x3f800001  FP32; = 8388609·2^-23
  flags           NX                         0x10
  under RNE       1.00000011920928955078125  0x3f800001  FP32; = 8388609·2^-23; NX
  under RTZ       1                          0x3f800000  FP32; = 8388608·2^-23; NX
  under RTM       1                          0x3f800000  FP32; = 8388608·2^-23; NX
  under RTP       1.00000011920928955078125  0x3f800001  FP32; = 8388609·2^-23; NX
  under RNA       1.00000011920928955078125  0x3f800001  FP32; = 8388609·2^-23; NX
"""
ZERO = """\
fp32_add.rtm: FP32 + FP32, RTM
  left       1     0x3f800000  FP32; = 8388608·2^-23
  right      -1    0xbf800000  FP32; = -8388608·2^-23
  exact sum  -0                = -0·2^-23; zero, whose sign the rounding mode decides
  out        -0    0x80000000  FP32
  flags      none  0x00
  under RNE  0     0x00000000  FP32; none
  under RTZ  0     0x00000000  FP32; none
  under RTM  -0    0x80000000  FP32; none
  under RTP  0     0x00000000  FP32; none
  under RNA  0     0x00000000  FP32; none
"""
INVALID = """\
fp32_add.rne: FP32 + FP32, RNE
  left       positive infinity  0x7f800000  FP32
  right      negative infinity  0xff800000  FP32
  infinity   yes                            infinities of opposite signs have no sum
  out        quiet NaN          0x7fc00000  FP32
  flags      NV                 0x01
  under RNE  quiet NaN          0x7fc00000  FP32; NV
  under RTZ  quiet NaN          0x7fc00000  FP32; NV
  under RTM  quiet NaN          0x7fc00000  FP32; NV
  under RTP  quiet NaN          0x7fc00000  FP32; NV
  under RNA  quiet NaN          0x7fc00000  FP32; NV
"""

#: zeros, subnormals, the largest finite, infinities, NaNs, and numbers whose sums are exact, tied and cancelled
CODES = (
    0,
    1 << 31,
    1,
    0x80000001,
    0x7F7FFFFF,
    0x7F800000,
    0xFF800000,
    0x7FC00000,
    0x7F800001,
    0x3F800000,
    0xBF800000,
    0x33800000,
)


@pytest.mark.parametrize(
    ("name", "left", "right", "text"),
    [
        ("fp32_add.rtp", "0x3f800000", "0x33800001", ROUNDED),
        ("fp32_add.rtm", "1.0", "-1.0", ZERO),
        ("fp32_add.rne", "inf", "-inf", INVALID),
    ],
)
def test_an_addition_stage_by_stage(name, left, right, text):
    assert "\n".join([*as_lines(explain(name, {"left": left, "right": right})), ""]) == text


@pytest.mark.parametrize("name", adders())
def test_an_explanation_ends_in_what_the_model_gives(name):
    chance = random.Random(name)
    for left in CODES:
        right = chance.choice([*CODES, chance.getrandbits(32)])
        fields = {"left": f"{left:#x}", "right": f"{right:#x}"}
        explanation = explain(name, fields)
        result = fp32_add(left, right, name.rpartition(".")[2].upper())
        assert explanation.outcome["out"] == f"{result.word:#010x}"
        assert explanation.outcome == evaluate(name, fields)
        _, _, again, *pairs = shlex.split(explanation.command)
        assert explain(again, dict(pair.split("=", 1) for pair in pairs)) == explanation


def test_a_witness_is_both_operands():
    explanation = explain_witness("fp32_add.rne", {"in.left": 0x3F800000, "in.right": 0x3F800000})
    assert explanation is not None
    assert explanation.command == "halfulp explain fp32_add.rne left=0x3f800000 right=0x3f800000"
    assert explanation.outcome["value"] == "2"
    assert explain_witness("fp32_add.rne", {"in.left": 0x3F800000}) is None


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"left": "1.0"}, "right: expected a code of FP32 such as 0x3f800000, or a number"),
        ({"left": "1", "right": "1.0"}, "left=1: expected 1.0 for the number or 0x00000001 for the FP32 code"),
        ({"": "1.0"}, "1.0: expected KEY=VALUE, such as left=…"),
        ({"left": False, "right": "1.0"}, "left=false: expected a number like 1.5 or a code of FP32 like 0x00000001"),
    ],
)
def test_what_cannot_be_read(fields, message):
    with pytest.raises(FieldError) as error:
        explain("fp32_add.rne", fields)
    assert str(error.value) == message
