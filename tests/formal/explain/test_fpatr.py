"""The B.FPATR word explained field by field, B.DATR beside it, and the preflight of an operation."""

import random
import shlex

import pytest

from halfulp_formal.explain import FieldError, as_lines, evaluate, explain, explain_witness
from halfulp_model import Attributes, Fault, fpatr_decode, fpatr_encode, quant_param

WORD = """\
fpatr: the word of B.FPATR
  word               0x0d8021a7  B.FPATR
  PreQuantMode   3   0x03        bits 31:26; REQ8
  ReluMode       3   0x3         bits 25:23; vector activation
  GroupNCode     0   0x0         bits 22:19; no groups
  RowMaxEn       0   0x0         bit 18
  GroupMaxEn     0   0x0         bit 17
  RowMaxInit     0   0x0         bit 16
  MaxAbsEn       0   0x0         bit 15
  Func           2   0x2         bits 14:12; as it must be
  ElementWiseEn  0   0x0         bit 11; as it must be
  Reserved       0   0x0         bits 10:9; as it must be
  TransB         1   0x1         bit 8
  TransA         1   0x1         bit 7
  Opc1           2   0x2         bits 6:4; as it must be
  Opcode         3   0x3         bits 3:1; must be 1
  W              1   0x1         bit 0; as it must be
  legal          no              illegal instruction, fixed_bits: Func is 2, ElementWiseEn 0, bits 10:9 0, Opc1 2, Opcode 1 \
and W 1 (asl/block/attributes/B.FPATR.asl, legality)
"""
CONTROLS = """\
fpatr.datr: B.DATR beside B.FPATR
  PreQuantMode      25  0x19  QF322HIF8
  RMode             1   0x1   RNE
  Sat               1   0x1
  Layout            0   0x00
  PadValueOrByteId  0   0x0
  CMode             0   0x0
  Canonicalize      0   0x0
  legal             no        tile legality, rounding: RMode is NONE where the mode does not leave the rounding open \
(BundleFPATRDATRFieldsLegal)
"""


def text_of(name, fields):
    return "\n".join([*as_lines(explain(name, fields)), ""])


def test_a_word_field_by_field():
    assert text_of("fpatr", {"": "0x0d8021a7"}) == WORD


def test_controls_beside_a_mode():
    assert text_of("fpatr.datr", {"pre_quant": 25, "rmode": "RNE", "sat": 1}) == CONTROLS


def test_random_words_are_decoded_and_judged_as_by_the_public_call():
    chance = random.Random(5)
    words = [chance.getrandbits(32) for _ in range(40)]
    words += [
        fpatr_encode(
            Attributes(3, chance.randrange(5), chance.randrange(12), *(chance.getrandbits(1) for _ in range(6)))
        )
        for _ in range(40)
    ]
    for word in words:
        fields = {"word": f"{word:#x}"}
        found = explain("fpatr", fields)
        decoded = fpatr_decode(word)
        assert found.outcome == evaluate("fpatr", fields)
        if isinstance(decoded, Fault):
            assert (found.outcome["fault"], found.outcome["rule"]) == (decoded.kind.value, decoded.rule.value)
        else:
            assert found.outcome == {"word": f"{word:#010x}", **decoded._asdict(), "fault": None}
        again = {name: code for name, code in found.outcome.items() if name in Attributes._fields}
        if not isinstance(decoded, Fault):
            assert explain("fpatr", again) == found


def test_a_word_by_its_fields():
    assert explain("fpatr", {"pre_quant": "req8", "relu": 1, "row_max": 1}).outcome["word"] == "0x0c842023"


def test_witnesses():
    explanation = explain_witness("fpatr", {"in.word": 0x20A3})
    assert explanation is not None
    assert explanation.command == "halfulp explain fpatr word=0x000020a3"
    controls = {"in.rmode": 1, "in.sat": 0, "in.layout": 0, "in.pad": 2, "in.cmode": 0, "in.canonicalize": 0}
    explanation = explain_witness("fpatr.datr", controls | {"in.pre_quant": 3})
    assert explanation is not None
    assert explanation.command == "halfulp explain fpatr.datr pre_quant=3 rmode=1 pad=2"
    assert explanation.outcome["rule"] == "datr_fields"
    assert explain_witness("fpatr", {"in.relu": 1}) is None
    assert explain_witness("fpatr.datr", controls) is None


SCALE = f"{quant_param(0x1FC00, mode='REQ8'):#x}"
PREFLIGHTS = [
    ({"pre_quant": "REQ8", "quant_scalar": SCALE}, None),
    ({"pre_quant": "REQ8", "quant_scalar": SCALE, "rmode": "RTO", "sat": 1}, None),
    ({"pre_quant": "REQ8", "relu": 5}, "relu_mode"),
    ({"pre_quant": "REQ8"}, "scalar_quant_word"),
    ({"pre_quant": "REQ8", "quant_scalar": SCALE, "quant_columns": 3}, "operands"),
    ({"pre_quant": "REQ8", "quant_scalar": SCALE, "rows": 65536}, "shape"),
    ({"pre_quant": "REQ8", "quant_scalar": SCALE, "layout": 1}, "datr_fields"),
    ({"pre_quant": "VREQ8", "quant_words": f"{SCALE},{SCALE},{SCALE}"}, None),
    ({"pre_quant": "VREQ8", "quant_words": f"{SCALE},{SCALE}"}, "quant_shape"),
    ({"pre_quant": "VREQ8", "quant_words": f"{SCALE},{SCALE},1"}, "quant_words"),
    ({"pre_quant": "VREQ8", "quant_word_0": 1, "quant_columns": 3}, "quant_words"),
    (
        {"pre_quant": "REQ8", "quant_scalar": SCALE, "row_max": 1, "row_max_init": 1, "row_max_in_rows": 1},
        "row_max_shape",
    ),
    ({"pre_quant": "QF322B8", "quant_scalar": SCALE}, "accumulator"),
]


@pytest.mark.parametrize(("fields", "rule"), PREFLIGHTS)
def test_a_preflight_names_the_first_rule_that_is_broken(fields, rule):
    given = {"rows": 2, "columns": 3} | fields
    explanation = explain("fpatr.s32", given)
    assert explanation.outcome.get("rule") == rule
    assert explanation.stages[-1].value == ("yes" if rule is None else "no")
    assert explanation.outcome == evaluate("fpatr.s32", given)
    _, _, again, *pairs = shlex.split(explanation.command)
    assert explain(again, dict(pair.split("=", 1) for pair in pairs)) == explanation


REFUSED = [
    ("fpatr", {}, "word: expected a 32-bit word 0x…, or its fields, such as pre_quant=REQ8 relu=1 row_max=1"),
    ("fpatr", {"word": 1 << 32}, "word=4294967296: expected a 32-bit word"),
    ("fpatr", {"word": 1, "relu": 1}, "relu=1: expected word or its fields, not both"),
    ("fpatr", {"pre_quant": "REQ9"}, "pre_quant=REQ9: expected a mode's name, such as REQ8, or its code"),
    ("fpatr", {"pre_quant": 64}, "pre_quant=64: expected 0 to 63, or a mode's name"),
    ("fpatr", {"relu": 8}, "relu=8: expected 0 to 7"),
    ("fpatr.datr", {}, "pre_quant: expected a PreQuantMode, its code or its name, such as pre_quant=REQ8"),
    (
        "fpatr.datr",
        {"pre_quant": 3, "rmode": "RNX"},
        "rmode=RNX: expected 0 to 7, or NONE, RNE, RTZ, RTM, RTP, RNA, RTO, RHB",
    ),
    ("fpatr.s32", {"pre_quant": 3}, "rows: expected a count of 0 to 65536"),
    ("fpatr.s32", {"pre_quant": 3, "rows": -1, "columns": 1}, "rows=-1: expected a count of 0 to 65536"),
    (
        "fpatr.s32",
        {"pre_quant": 3, "rows": 1, "columns": 1, "quant_words": f"{1 << 64}"},
        "quant_words[0]=18446744073709551616: expected a 64-bit word",
    ),
]


@pytest.mark.parametrize(("name", "fields", "message"), REFUSED)
def test_what_cannot_be_read(name, fields, message):
    with pytest.raises(FieldError) as error:
        explain(name, fields)
    assert str(error.value) == message
