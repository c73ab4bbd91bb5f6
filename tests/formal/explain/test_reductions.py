"""Reductions explained: every step of the row and of its groups."""

import random
import shlex

import pytest

from halfulp_formal.explain import FieldError, as_lines, evaluate, explain, explain_witness
from halfulp_formal.explain.reductions import names
from halfulp_formal.subject import base_subject
from halfulp_model import Attributes, Published, matrix_post_process

ABSOLUTE = """\
reduce.s32.maxabs: maximum of S32 accumulators, absolute
  column 0         1            0x00000001  S32
  column 1         -2147483648  0x80000000  S32
  column 2         -3           0xfffffffd  S32
  RowMaxIn         -5           0xfffffffb  S32
  row step 1       1            0x00000001  S32; of |1| and |1|
  row step 2       2147483647   0x7fffffff  S32; of |1| and |-2147483648|; OF
  row step 3       2147483647   0x7fffffff  S32; of |2147483647| and |-3|
  row step 4       2147483647   0x7fffffff  S32; of |-5| and |2147483647|
  row maximum      2147483647   0x7fffffff  S32
  group 0 step 1   1            0x00000001  S32; of |1| and |1|
  group 0 step 2   2147483647   0x7fffffff  S32; of |1| and |-2147483648|; OF
  group 0 step 3   2147483647   0x7fffffff  S32; of |2147483647| and |-3|
  group 0 maximum  2147483647   0x7fffffff  S32
  flags            OF           0x04
"""
NUMBERS = """\
reduce.fp32: maximum of FP32 accumulators
  column 0     1.5            0x3fc00000  FP32; = 12582912·2^-23
  column 1     quiet NaN      0x7fc00000  FP32
  column 2     signaling NaN  0x7f800001  FP32
  column 3     -0             0x80000000  FP32
  column 4     0              0x00000000  FP32
  row step 1   1.5            0x3fc00000  FP32; = 12582912·2^-23; of 1.5 and quiet NaN
  row step 2   1.5            0x3fc00000  FP32; = 12582912·2^-23; of 1.5 and signaling NaN; NV
  row step 3   1.5            0x3fc00000  FP32; = 12582912·2^-23; of 1.5 and -0
  row step 4   1.5            0x3fc00000  FP32; = 12582912·2^-23; of 1.5 and 0
  row maximum  1.5            0x3fc00000  FP32; = 12582912·2^-23
  flags        NV             0x01
"""


@pytest.mark.parametrize(
    ("name", "fields", "text"),
    [
        ("reduce.s32.maxabs", {"row": "1,0x80000000,-3", "row_max_in": -5, "group": 8}, ABSOLUTE),
        ("reduce.fp32", {"": "1.5 nan 0x7f800001 -0.0 0"}, NUMBERS),
        ("reduce.fp32", {f"value_{k}": each for k, each in enumerate((1.5, "nan", "0x7f800001", "-0.0", 0))}, NUMBERS),
    ],
)
def test_step_by_step(name, fields, text):
    assert "\n".join([*as_lines(explain(name, fields)), ""]) == text


@pytest.mark.parametrize("name", names(base_subject()))
def test_an_explanation_ends_in_what_a_tile_publishes(name):
    chance = random.Random(name)
    for length in (1, 3, 17):
        row = [chance.choice([0, 1 << 31, 0x7F800001, 0x7FC00000, chance.getrandbits(32)]) for _ in range(length)]
        initial = chance.getrandbits(32)
        fields = {"row": [f"{code:#x}" for code in row], "row_max_in": f"{initial:#x}", "group": 16}
        explanation = explain(name, fields)
        asked = Attributes(row_max=1, row_max_init=1, group_max=1, group_n=2, max_abs=int(name.endswith(".maxabs")))
        published = matrix_post_process([row], asked, name.split(".")[1].upper(), row_max_in=[initial])
        assert isinstance(published, Published)
        assert int(explanation.outcome["out"], 0) == published.row_max[0] % (1 << 32)
        found = [int(code, 0) for code in explanation.outcome["group_max"]]
        assert found == [word % (1 << 32) for word in published.group_max[0]]
        assert explanation.stages[-1].bits == f"{published.flags:#04x}"
        assert explanation.outcome == evaluate(name, fields)
        _, _, again, *pairs = shlex.split(explanation.command)
        assert explain(again, dict(pair.split("=", 1) for pair in pairs)) == explanation


def test_a_witness_is_a_row_and_what_it_starts_from():
    values = {"in.element0.s32": 0xFFFFFFFF, "in.element1.s32": 1, "in.initial.s32": 0x80000000}
    explanation = explain_witness("reduce.s32", values)
    assert explanation is not None
    assert explanation.command == "halfulp explain reduce.s32 row=0xffffffff,0x00000001 row_max_in=0x80000000"
    assert explanation.outcome["value"] == 1
    assert explain_witness("reduce.s32", {"in.other": 1}) is None


S32_RANGE = "expected an integer from -2147483648 to 2147483647 or a 32-bit S32 code like 0x00000001"
U32_RANGE = "expected an integer from 0 to 4294967295 or a 32-bit U32 code like 0x00000001"


@pytest.mark.parametrize(
    ("name", "fields", "message"),
    [
        ("reduce.s32", {}, "row: expected S32 accumulators, separated by commas"),
        ("reduce.s32", {"row": []}, "row=[]: expected S32 accumulators, separated by commas"),
        ("reduce.s32", {"row": "1,x"}, f"row[1]=x: {S32_RANGE}"),
        ("reduce.u32", {"row": "-1"}, f"row[0]=-1: {U32_RANGE}"),
        ("reduce.fp32", {"row": "1"}, "row[0]=1: expected 1.0 for the number or 0x00000001 for the FP32 code"),
        (
            "reduce.s32",
            {"row": "1", "group": 3},
            "group=3: expected one of 0, 8, 16, 32, 48, 64, 80, 96, 112, 128 columns",
        ),
    ],
)
def test_what_cannot_be_read(name, fields, message):
    with pytest.raises(FieldError) as error:
        explain(name, fields)
    assert str(error.value) == message
