"""Blocks explained: exponent, every exact mantissa, both passes; what cannot be read, what is open."""

import random
import shlex

import pytest

from halfulp_formal.explain import FieldError, as_lines, evaluate, explain, explain_witness
from halfulp_model import Block, bfp16_encode, mxint8_quantize, v64_pack
from halfulp_model.blocks import block_conversions

EXAMPLE = "0x3fff0000,1.0,0x3f040001,0,-0.5,0x00000001,0x00000000,-1.75"
LINES = """\
bfp16.conv_even: FP32 × 8 → BFP16, conv_even, renormalised beyond 127
  member 0      1.9921875                   0x3fff0000            FP32; = 16711680·2^-23
  member 1      1                           0x3f800000            FP32; = 8388608·2^-23
  member 2      0.515625059604644775390625  0x3f040001            FP32; = 8650753·2^-24
  member 3      0                           0x00000000            FP32
  member 4      -0.5                        0xbf000000            FP32; = -8388608·2^-24
  member 5      ≈ 1.40129846432e-45         0x00000001            FP32; = 1·2^-149
  member 6      0                           0x00000000            FP32
  member 7      -1.75                       0xbfe00000            FP32; = -14680064·2^-23
  exponent      127                         0x7f                  the largest exponent field
  mantissa 0    128                                               from 127.5 by conv_even
  mantissa 1    64                          0x40                  from 64 by conv_even
  mantissa 2    33                          0x21                  from 33.000003814697265625 by conv_even
  mantissa 3    0                           0x00                  from 0 by conv_even
  mantissa 4    -32                         0xe0                  from -32 by conv_even
  mantissa 5    0                           0x00                  a subnormal member is flushed
  mantissa 6    0                           0x00                  from 0 by conv_even
  mantissa 7    -112                        0x90                  from -112 by conv_even
  renormalised  128                         0x80                  128 is reached: the whole block again under it
  mantissa 0    64                          0x40                  from 63.75 by conv_even
  mantissa 1    32                          0x20                  from 32 by conv_even
  mantissa 2    17                          0x11                  from 16.5000019073486328125 by conv_even
  mantissa 3    0                           0x00                  from 0 by conv_even
  mantissa 4    -16                         0xf0                  from -16 by conv_even
  mantissa 5    0                           0x00                  a subnormal member is flushed
  mantissa 6    0                           0x00                  from 0 by conv_even
  mantissa 7    -56                         0xc8                  from -56 by conv_even
  out           64 32 17 0 -16 0 0 -56      0x40201100f00000c880  mantissas, then the exponent 128
"""


def test_a_block_that_renormalises():
    assert "\n".join([*as_lines(explain("bfp16.conv_even", {"block": EXAMPLE})), ""]) == LINES


@pytest.mark.parametrize("name", block_conversions())
def test_an_explanation_ends_in_what_the_model_gives(name):
    chance = random.Random(name)
    size = block_conversions()[name].block.size
    for _ in range(3):
        exponent = chance.randrange(1, 250)
        words = [chance.getrandbits(1) << 31 | exponent << 23 | chance.getrandbits(23) for _ in range(size)]
        fields = {"block": [f"{word:#010x}" for word in words]}
        explanation = explain(name, fields)
        assert explanation.outcome == evaluate(name, fields)
        mode = name.rpartition(".")[2]
        block = mxint8_quantize(words) if name == "mxint8" else bfp16_encode(words, mode)
        assert isinstance(block, Block)
        assert explanation.outcome["exponent"] == block.exponent
        assert explanation.outcome["mantissas"] == list(block.mantissas)
        _, _, again, pair = shlex.split(explanation.command)
        assert explain(again, dict([pair.split("=", 1)])) == explanation


def test_the_bytes_are_those_of_a_v64():
    words = [0x3F800000 + (k << 20) for k in range(8)]
    block = bfp16_encode(words)
    assert isinstance(block, Block)
    planes = v64_pack([block] * 8)
    found = evaluate("bfp16.floor", {"block": " ".join(f"{word:#x}" for word in words)})
    assert found["out"][:2] == "0x"
    assert bytes.fromhex(found["out"][2:]) == planes[:8] + planes[64:65]


def test_an_open_question_has_no_block():
    block = ["0x7f7f0000", *["0"] * 7]
    found = evaluate("bfp16.conv_even", {"block": block})
    assert (found["open"], "exponent" in found) == ("renormalised_to_255", False)
    assert explain("bfp16.conv_even", {"block": block}).stages[-1].value == "not characterised"


def test_a_clamped_element():
    block = ["0x3fff0000", *["0"] * 31]
    assert evaluate("mxint8", {"block": block})["mantissas"][0] == 127


def test_a_witness_of_a_proof():
    values = {f"in.member{k}": 0 for k in range(8)} | {"in.shared": 0}
    found = explain_witness("bfp16.floor", values)
    assert found is not None
    assert found.outcome["mantissas"] == [0] * 8
    assert explain_witness("bfp16.floor", {"in.member0": 0}) is None


@pytest.mark.parametrize(
    ("name", "fields", "message"),
    [
        ("bfp16.floor", {}, "block: expected 8 FP32 codes or numbers, separated by commas"),
        ("bfp16.floor", {"block": "1,2"}, "block=1,2: expected 8 FP32 codes or numbers, separated by commas"),
        ("bfp16.floor", {"block": 7}, "block=7: expected 8 FP32 codes or numbers, separated by commas"),
        (
            "bfp16.floor",
            {"block": "0,0,0,0,0,0,0,1"},
            "block[7]=1: expected 1.0 for the number or 0x00000001 for the FP32 code",
        ),
        (
            "mxint8",
            {"block": ["inf", *["0"] * 31]},
            "block[0]=inf: expected a finite number, as mxint8 takes no other",
        ),
        ("mxint8", {"blok": "0"}, "blok: no such field; did you mean block?"),
    ],
)
def test_what_cannot_be_read(name, fields, message):
    with pytest.raises(FieldError) as error:
        explain(name, fields)
    assert str(error.value) == message
