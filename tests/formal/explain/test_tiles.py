"""Tiles explained: preflight, every element as alone, reductions, packed elements, and every way to give the operands."""

import random
import shlex

import pytest

from halfulp_formal.explain import FieldError, as_lines, evaluate, explain, explain_witness
from halfulp_formal.explain.stages import as_record
from halfulp_model import Attributes, Published, controls, matrix_post_process, post_process, quant_param
from halfulp_model.conversions import conversions

TILE = """\
tile.vreq4.rne.nosat: tile of 1 × 2, S32 × FP19 → S5 + offset → S4, RNE, Sat 0
  word                    0x48852023          B.FPATR
  PreQuantMode      18    0x12                bits 31:26; VREQ4
  ReluMode          1     0x1                 bits 25:23; ReLU
  GroupNCode        0     0x0                 bits 22:19; no groups
  RowMaxEn          1     0x1                 bit 18
  GroupMaxEn        0     0x0                 bit 17
  RowMaxInit        1     0x1                 bit 16
  MaxAbsEn          0     0x0                 bit 15
  Func              2     0x2                 bits 14:12; as it must be
  ElementWiseEn     0     0x0                 bit 11; as it must be
  Reserved          0     0x0                 bits 10:9; as it must be
  TransB            0     0x0                 bit 8
  TransA            0     0x0                 bit 7
  Opc1              2     0x2                 bits 6:4; as it must be
  Opcode            1     0x1                 bits 3:1; as it must be
  W                 1     0x1                 bit 0; as it must be
  RMode             1     0x1                 RNE
  Sat               0     0x0
  legal             yes
  0,0 accumulator   5     0x00000005          S32; not negative
  0,0 factor        1     0x1fc00             FP19; = 1024·2^-10; scale
  0,0 special       no
  0,0 offset        0     0x00                S5
  0,0 product       5                         = 5120·2^-10
  0,0 rounded       5                         RNE, exact
  0,0 intermediate  5     0x05                S5
  0,0 total         5
  0,0 out           5     0x5                 S4
  0,0 word                0x0000000000000005
  0,0 flags         none  0x00
  0,1 accumulator   -9    0xfffffff7          S32; negative path
  0,1 factor        0                         ReLU puts zero in place of the scale
  0,1 special       no
  0,1 offset        1     0x01                S5
  0,1 product       -0
  0,1 rounded       0                         RNE, exact
  0,1 intermediate  0     0x00                S5
  0,1 total         1
  0,1 out           1     0x1                 S4
  0,1 word                0x0000000000000001
  0,1 flags         none  0x00
  row 0 step 1      5     0x00000005          S32; of 5 and -9
  row 0 step 2      6     0x00000006          S32; of 6 and 5
  row 0 maximum     6     0x00000006          S32
  D                       0x15                bytes, the first element in the low nibble
  flags             none  0x00                of all elements and maxima
"""


def test_a_tile_stage_by_stage():
    fields = {
        "tile": "5,-9",
        "scale": "1.0,0.5",
        "offset": "0,1",
        "relu": 1,
        "row_max": 1,
        "row_max_init": 1,
        "row_max_in": 6,
    }
    assert "\n".join([*as_lines(explain("tile.vreq4.rne.nosat", fields)), ""]) == TILE


def asked_again(explanation):
    """The explanation that its own command prints."""
    _, _, again, *pairs = shlex.split(explanation.command)
    return explain(again, dict(pair.split("=", 1) for pair in pairs))


NAMES = ("noquant.s32", "noquant.fp32", "req8.rto.sat", "vdeqf16.rna.sat", "qf322fp8.rne.nosat", "vreq4.rtm.nosat")


@pytest.mark.parametrize("name", NAMES)
def test_an_explanation_ends_in_what_the_model_publishes(name):
    chance, conversion = random.Random(name), conversions()[name]
    rows, columns = 2, 3
    codes = [0, 1 << 31, 0x7F800000, 0x7FC00000, 0x3FC00000, *(chance.getrandbits(32) for _ in range(9))]
    tile = [[chance.choice(codes) for _ in range(columns)] for _ in range(rows)]
    fields = {
        "tile": [[f"{code:#x}" for code in row] for row in tile],
        "relu": 1,
        "row_max": 1,
        "group_n": 1,
        "group_max": 1,
    }
    mode = conversion.mode
    word = 0
    if mode.operand != "none":
        word = quant_param(0x1FE00, mode=mode.name)
        fields["scale"] = "0x1fe00"
    own = controls(conversion.rounding.name if mode.rounding == "programmable" else "NONE", sat=conversion.saturate)
    published = matrix_post_process(
        tile,
        Attributes(pre_quant=mode.code, relu=1, row_max=1, group_n=1, group_max=1),
        conversion.accumulator.name,
        datr=own,
        quant_param=[word] * columns if mode.operand == "vector" else word or None,
    )
    assert isinstance(published, Published)
    explanation = explain(f"tile.{name}", fields)
    found = explanation.outcome
    bits = conversion.destination.code_bits
    assert [[int(code, 0) for code in row] for row in found["d"]] == [
        [word % (1 << bits) for word in row] for row in published.d
    ]
    assert [int(code, 0) for code in found["row_max"]] == [word % (1 << 32) for word in published.row_max]
    assert explanation.stages[-1].bits == f"{published.flags:#04x}"
    assert found == evaluate(f"tile.{name}", fields)
    assert asked_again(explanation) == explanation


def test_every_element_is_explained_as_it_is_alone():
    fields = {"tile": "300,-7/5,0x80000000", "scale": 0.75, "offset": -3}
    told = as_record(explain("tile.req8.rne.nosat", fields))["stages"]
    for place, acc in (("0,0", 300), ("0,1", -7), ("1,0", 5), ("1,1", "0x80000000")):
        alone = as_record(explain("req8.rne.nosat", {"acc": acc, "scale": 0.75, "offset": -3}))["stages"]
        mine = [stage for stage in told if stage["name"].startswith(f"{place} ")]
        assert mine == [stage | {"name": f"{place} {stage['name']}"} for stage in alone]


def test_the_word_may_ask_for_another_mode_than_the_name():
    word = Attributes(pre_quant=3)
    fields = {"tile": "300", "word": "0x0c002023", "quant_scalar": f"{quant_param(0x1FC00, 1, mode='REQ8'):#x}"}
    explanation = explain("tile.noquant.s32", fields | {"rmode": "RNE"})
    result = post_process(300, "REQ8", quant_param=quant_param(0x1FC00, 1, mode="REQ8"))
    assert explanation.outcome["d"] == [[f"{result.word % 256:#04x}"]]
    assert word.pre_quant == 3
    assert explanation.summary == "tile of 1 × 1, S32 × FP19 → S9 + offset → S8, RNE, Sat 0"


def test_the_heading_tells_what_the_fields_ask_for():
    fields = {"tile": "3", "pre_quant": "REQ8", "scale": "0.5", "rmode": "RTZ", "sat": "1"}
    told = explain("tile.noquant.s32", fields)
    assert as_lines(told)[0] == "tile.noquant.s32: tile of 1 × 1, S32 × FP19 → S9 + offset → S8, RTZ, Sat 1"
    refused = explain("tile.noquant.s32", {"tile": "3", "word": "0"})
    assert as_lines(refused)[0] == "tile.noquant.s32: tile of 1 × 1, S32, nothing computed"


def test_a_refused_tile_names_the_rule_and_what_was_bound():
    explanation = explain("tile.req8.rne.nosat", {"tile": "1,2", "quant_words": "1,2"})
    assert explanation.outcome == {
        "fault": "tile_legality",
        "rule": "operands",
        "message": "the operands bound are those that B.FPATR asks for",
    }
    told = {stage.name: stage for stage in explanation.stages}
    assert told["shape"].value == "1 × 2"
    assert (told["parameter words"].value, told["parameter word 1"].bits) == ("2 columns", "0x0000000000000002")
    assert told["legal"].note == (
        "tile legality, operands: the operands bound are those that B.FPATR asks for (BundleMatrixDynamicBindingsComplete)"
    )
    assert asked_again(explanation) == explanation


def test_the_tiles_of_the_proofs_are_no_cases():
    assert explain_witness("tile.req8.rne.nosat", {"in.value00.s32": 1}) is None


S32_RANGE = "expected an integer from -2147483648 to 2147483647 or a 32-bit S32 code like 0x00000001"


REFUSED = [
    ("req8.rne.nosat", {}, "tile: expected rows of S32 accumulators, / between them, such as tile=1,2,3/4,5,6"),
    ("req8.rne.nosat", {"tile": "1,2/3"}, "tile[1]: given 1 column, expected 2, as the first row has"),
    ("req8.rne.nosat", {"tile": "1,y"}, f"tile[0][1]=y: {S32_RANGE}"),
    (
        "req8.rne.nosat",
        {"tile": "1,2", "scale": "1.0,2.0"},
        "quant_word: expected one word, as REQ8 has one for all columns",
    ),
    (
        "vreq8.rne.nosat",
        {"tile": "1,2", "scale": "1.0,2.0,4.0"},
        "scale=1.0,2.0,4.0: expected one value, or 2, one a column",
    ),
    (
        "req8.rne.nosat",
        {"tile": "1"},
        "scale: expected an FP19 factor such as scale=1.0 or scale=0x1fc00, or the whole quant_word=0x…",
    ),
    ("req8.rne.nosat", {"tile": "1", "word": 1, "relu": 1}, "relu=1: expected word or its fields, not both"),
    ("noquant.s32", {"tile": "1", "scale": "1.0"}, "scale=1.0: expected no scale, as NoQuant takes no parameter"),
    ("noquant.s32", {"tile": "1", "relu_word": 1}, "relu_word=1: expected relu=2 or relu=3 beside it"),
    (
        "req8.rne.nosat",
        {"tile": "1", "quant_columns": 3},
        "quant_columns=3: expected at most 0, the words that are given",
    ),
    (
        "req8.rne.nosat",
        {"tile": "1", "quant_words": "1", "scale": "1.0"},
        "scale=1.0: expected quant_words or quant_scalar or their parts, not both",
    ),
    ("req8.rne.nosat", {"value_0_0": 1, "value_0_2": 1}, "value_0_1: expected a value, as value_0_2 has one"),
    ("req8.rne.nosat", {"value_1_0": 1}, "value_0: expected a value, as value_1 has one"),
    ("req8.rne.nosat", {"value_0_0": 1, "tile": "1"}, "tile=1: expected tile or value_0, value_1 …, not both"),
    (
        "req8.rne.nosat",
        {"value_0_0": 1, "value_0_1": 1, "value_1_0": 1},
        "value_1_1: expected a value, as value_1_0 and value_1_1 are needed",
    ),
    ("req8.rne.nosat", {"value_0_0": 1, "value_1_0": "y"}, f"value_1_0=y: {S32_RANGE}"),
    ("noquant.s32", {"value_0_0": 1, "row_max_in_0": "x"}, f"row_max_in_0=x: {S32_RANGE}"),
    ("noquant.s32", {"tile": "1", "row_max_in": "x"}, f"row_max_in[0]=x: {S32_RANGE}"),
]


@pytest.mark.parametrize(("name", "fields", "message"), REFUSED)
def test_what_cannot_be_read(name, fields, message):
    with pytest.raises(FieldError) as error:
        explain(f"tile.{name}", fields)
    assert str(error.value) == message
