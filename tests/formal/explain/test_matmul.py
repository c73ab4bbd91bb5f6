"""Matrix multiply and fold explained: blocks, products, block sums, and every accumulation."""

import random
import shlex

import pytest

from halfulp_formal.explain import FieldError, as_lines, evaluate, explain, explain_witness
from halfulp_model import Block, bfp16_matmul, fold

LANE = """\
bfp16_matmul: BFP16 × BFP16 → FP32, one lane, RNE
  a                64 0 0 0 0 0 0 -128     0x40000000000000807f  BFP16; exponent 127, mantissas in units of 2^-6
  b                64 0 0 0 0 0 0 64       0x400000000000004080  BFP16; exponent 128, mantissas in units of 2^-5
  accumulator      16777216                0x4b800000            FP32; = 8388608·2^1
  products         4096 0 0 0 0 0 0 -8192
  sum of products  -4096
  scaled           -2                                            = -4096·2^-11; in units of 2^(255 - 266)
  as FP32          -2                      0xc0000000            FP32; = -8388608·2^-22; exact
  exact sum        16777214                                      = 70368735789056·2^-22
  in last places   16777214                                      = 70368735789056·2^-22; above code 0x4a800000
  rounded          16777214                                      RNE: code 0x4b7ffffe, without a sign
  out              16777214                0x4b7ffffe            FP32
"""
FOLD = """\
bfp16_fold: BFP16 × BFP16 → FP32, fold of block sums, RNE
  a 0                      64 0 0 0 0 0 0 0     0x400000000000000096  BFP16; exponent 150, mantissas in units of 2^17
  a 1                      64 1 1 1 1 1 1 1     0x40010101010101017f  BFP16; exponent 127, mantissas in units of 2^-6
  b 0                      64 0 0 0 0 0 0 64    0x40000000000000407f  BFP16; exponent 127, mantissas in units of 2^-6
  b 1                      64 0 0 0 0 0 0 64    0x40000000000000407f  BFP16; exponent 127, mantissas in units of 2^-6
  accumulator              0                    0x00000000            FP32
  block 0 products         4096 0 0 0 0 0 0 0
  block 0 sum of products  4096
  block 0 scaled           8388608                                    = 4096·2^11; in units of 2^(277 - 266)
  block 0 as FP32          8388608              0x4b000000            FP32; exact
  block 0 exact sum        8388608                                    = 1·2^23
  block 0 in last places   8388608                                    = 1·2^23; above code 0x4a800000
  block 0 rounded          8388608                                    RNE: code 0x4b000000, without a sign
  block 0 accumulator      8388608              0x4b000000            FP32
  block 1 products         4096 0 0 0 0 0 0 64
  block 1 sum of products  4160
  block 1 scaled           1.015625                                   = 4160·2^-12; in units of 2^(254 - 266)
  block 1 as FP32          1.015625             0x3f820000            FP32; = 8519680·2^-23; exact
  block 1 exact sum        8388609.015625                             = 70368752697344·2^-23
  block 1 in last places   8388609.015625                             = 70368752697344·2^-23; above code 0x4a800000
  block 1 rounded          8388609                                    RNE: code 0x4b000001, without a sign
  block 1 accumulator      8388609              0x4b000001            FP32
  out                      8388609              0x4b000001            FP32
"""
ONE = "127:64,0,0,0,0,0,0,0"


@pytest.mark.parametrize(
    ("name", "fields", "text"),
    [
        (
            "bfp16_matmul",
            {"a": "127:64,0,0,0,0,0,0,-128", "b": "0x400000000000004080", "accumulator": "0x4b800000"},
            LANE,
        ),
        (
            "bfp16_fold",
            {
                "a": "150:64,0,0,0,0,0,0,0/127:64,1,1,1,1,1,1,1",
                "b": [{"exponent": 127, "mantissas": [64, 0, 0, 0, 0, 0, 0, 64]}, "40000000000000407f"],
            },
            FOLD,
        ),
    ],
)
def test_products_sums_and_accumulation(name, fields, text):
    assert "\n".join([*as_lines(explain(name, fields)), ""]) == text


def test_a_block_sum_beyond_fp32_is_an_open_question():
    explanation = explain("bfp16_matmul", {"a": "254:64,0,0,0,0,0,0,-128", "b": "254:64,64,64,64,64,64,64,64"})
    text = "a block sum that FP32 does not hold exactly"
    *_, held, out = explanation.stages
    assert (held.name, held.value, held.note) == ("as FP32", "negative infinity", "not exact, so not characterised")
    assert (out.value, out.note) == ("not characterised", f"open question inexact_block_sum: {text}")
    assert explanation.outcome == {"open": "inexact_block_sum", "text": text}


def blocks(chance, count):
    """Blocks whose sums FP32 holds."""
    return [
        Block(chance.randrange(110, 145), tuple(chance.randrange(-128, 128) for _ in range(8))) for _ in range(count)
    ]


def operands(left, right):
    """Blocks as fields."""
    return {
        side: [{"exponent": each.exponent, "mantissas": list(each.mantissas)} for each in operand]
        for side, operand in (("a", left), ("b", right))
    }


def asked_again(explanation):
    """The explanation that its own command prints."""
    _, _, again, *pairs = shlex.split(explanation.command)
    return explain(again, dict(pair.split("=", 1) for pair in pairs))


@pytest.mark.parametrize("accumulated", [False, True])
def test_whole_operands_give_the_model_s_64_lanes(accumulated):
    chance = random.Random(8)
    left, right = blocks(chance, 8), blocks(chance, 8)
    start = [chance.getrandbits(23) | 0x3F800000 for _ in range(64)] if accumulated else None
    fields = operands(left, right) | ({"accumulator": [f"{code:#x}" for code in start]} if start else {})
    explanation = explain("bfp16_matmul", fields)
    expected = [f"{code:#010x}" for code in bfp16_matmul(left, right, start)]
    assert [lane["out"] for lane in explanation.outcome["lanes"]] == expected
    assert explanation.outcome == evaluate("bfp16_matmul", fields)
    assert asked_again(explanation) == explanation


def test_a_fold_gives_the_model_s_lane():
    chance = random.Random(9)
    left, right = blocks(chance, 5), blocks(chance, 5)
    fields = operands(left, right) | {"accumulator": -1.5}
    explanation = explain("bfp16_fold", fields)
    assert explanation.outcome["out"] == f"{fold(left, right, 0xBFC00000):#010x}"
    assert explanation.outcome == evaluate("bfp16_fold", fields)
    assert asked_again(explanation) == explanation


def test_a_witness_is_two_blocks():
    codes = {f"in.{side}{k}": 0xFF if k else 0x40 for side in "ab" for k in range(8)}
    explanation = explain_witness("bfp16_matmul", codes | {"in.a_exponent": 127, "in.b_exponent": 127})
    assert explanation is not None
    assert explanation.command == "halfulp explain bfp16_matmul a=0x40ffffffffffffff7f b=0x40ffffffffffffff7f"
    assert explain_witness("bfp16_matmul", codes) is None
    assert explain_witness("bfp16_fold", {"in.sum": 1}) is None


BLOCK = "a block such as 127:64,0,0,0,0,0,0,0, its exponent and its mantissas, or as bfp16.* prints it, 0x…"
INFINITE = ", as 255 is the exponent of infinities and NaNs"
EIGHT = {f"a_{k}": 0 for k in range(8)}


def test_one_block_may_be_an_object_or_a_list_of_one():
    one = {"exponent": 127, "mantissas": [64, *[0] * 7]}
    expected = evaluate("bfp16_matmul", {"a": ONE, "b": ONE})
    assert ONE == "127:64,0,0,0,0,0,0,0"
    assert evaluate("bfp16_matmul", {"a": one, "b": [one]}) == expected


REFUSED = [
    ("bfp16_matmul", {"a_exponent": 255, **EIGHT, "b": ONE}, f"a_exponent=255: expected 0 to 254{INFINITE}"),
    ("bfp16_matmul", {"a_exponent": 1, **EIGHT, "a_3": 128, "b": ONE}, "a_3=128: expected -128 to 127"),
    (
        "bfp16_matmul",
        {"a_exponent": 1, "a_0": 0, "a_1": 0, "b": ONE},
        "a_2: expected a value, as a_0 to a_7 are needed",
    ),
    ("bfp16_fold", {"a": f"{ONE}/256:0,0,0,0,0,0,0,0", "b": ONE}, "a[1]: given exponent 256, expected 0 to 254"),
    ("bfp16_matmul", {"a": "x:0,0,0,0,0,0,0,0", "b": ONE}, "a: given exponent x, expected 0 to 254"),
    (
        "bfp16_matmul",
        {"a": ONE, "b": ONE, "acc": "x"},
        "acc=x: expected a number like 1.5 or a code of FP32 like 0x00000001",
    ),
    ("bfp16_matmul", {}, f"a: expected {BLOCK}; more than one with / between"),
    ("bfp16_matmul", {"a": "1", "b": ONE}, f"a=1: expected {BLOCK}"),
    ("bfp16_matmul", {"a": [{"exponent": 1}], "b": ONE}, f'a={{"exponent": 1}}: expected {BLOCK}'),
    ("bfp16_matmul", {"a": "255:0,0,0,0,0,0,0,0", "b": ONE}, f"a: given exponent 255, expected 0 to 254{INFINITE}"),
    ("bfp16_matmul", {"a": "0x4000000000000000ff", "b": ONE}, f"a: given exponent 255, expected 0 to 254{INFINITE}"),
    ("bfp16_matmul", {"a": "1:0,0,0,0,0,0,0,128", "b": ONE}, "a: given mantissa 128, expected -128 to 127"),
    ("bfp16_matmul", {"a": "1:0,0,0,0,0,0,0,0x100", "b": ONE}, "a: given mantissa 0x100, expected -128 to 127"),
    ("bfp16_matmul", {"a": "1:0,0", "b": ONE}, "a=0,0: expected 8 mantissas"),
    (
        "bfp16_matmul",
        {"a_0": 1, "b": ONE},
        "a_exponent: expected both parts of a block, its exponent and its mantissas",
    ),
    (
        "bfp16_matmul",
        {"a_exponent": 1, "a": ONE, "b": ONE},
        f"a={ONE}: expected a or a_exponent and a_0 …, not both",
    ),
    (
        "bfp16_matmul",
        {"a": f"{ONE}/{ONE}", "b": ONE},
        "a: given 2 blocks beside 1 of b, expected one of each, or 8 of each",
    ),
    (
        "bfp16_matmul",
        {"a": ONE, "b": ONE, "accumulator": "x"},
        "accumulator=x: expected a number like 1.5 or a code of FP32 like 0x00000001",
    ),
    ("bfp16_fold", {"a": f"{ONE}/{ONE}", "b": ONE}, "b: given 1 block, expected 2, as a has"),
]


@pytest.mark.parametrize(("name", "fields", "message"), REFUSED)
def test_what_cannot_be_read(name, fields, message):
    with pytest.raises(FieldError) as error:
        explain(name, fields)
    assert str(error.value) == message
