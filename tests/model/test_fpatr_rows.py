"""Rule data of B.FPATR: rows, and each mistake with its file, line and field."""

import pytest

from halfulp_model.fpatr_rows import FaultKind, Rule
from halfulp_model.loader import default_rules
from model.rule_data import check_refused

RULES = default_rules()


def test_the_word():
    word = RULES.fpatr
    assert word.pre_quant.assigned == tuple(sorted(mode.code for mode in RULES.modes.values()))
    assert [(part.name, part.assigned) for part in word.fixed] == [
        ("Func", (2,)),
        ("ElementWiseEn", (0,)),
        ("Reserved", (0,)),
        ("Opc1", (2,)),
        ("Opcode", (1,)),
        ("W", (1,)),
    ]
    assert word.group_columns == (0, 8, 16, 32, 48, 64, 80, 96, 112, 128)


def test_every_rule_has_its_fault():
    assert list(RULES.legality) == [rule.value for rule in Rule]
    illegal = [name for name, row in RULES.legality.items() if row.fault is FaultKind.ILLEGAL_INSTRUCTION]
    assert illegal == ["fixed_bits", "pre_quant_mode", "relu_mode", "group_n_code"]


def test_reductions():
    assert {name: (row.absolute_overflow, row.signalling) for name, row in RULES.reductions.items()} == {
        "FP32": (0x04, 0x01),
        "S32": (0x04, 0x01),
        "U32": (0x04, 0x01),
    }


@pytest.mark.parametrize(
    ("old", "new", "at", "message"),
    [
        ("W: {low: 0,", "W: {low: 1,", "W: {low: 1", "fpatr.W.low: bit 1 is already taken by Opcode"),
        (
            "Opcode: {low: 1, bits: 3",
            "Opcode: {low: 1, bits: 2",
            "  PreQuantMode:",
            "fpatr: bits [3] belong to no field; expected all of 0 to 31",
        ),
        (
            "Opc1: {low: 4, bits: 3, assigned: [2]",
            "Opc1: {low: 4, bits: 3, assigned: [8]",
            "assigned: [8]",
            "fpatr.Opc1.assigned: 8 does not fit 3 bits",
        ),
        (
            "112, 128]",
            "112]",
            "columns: [0",
            "group_columns.columns: 9 columns for the codes [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]; expected one a code",
        ),
        (
            "  max_abs:",
            "  max_absolute:",
            '{fault: tile_legality, sentence: "MaxAbs',
            "legality.max_absolute: no rule is called 'max_absolute'",
        ),
        (
            '{fault: tile_legality, sentence: "RowMaxInit',
            '{fault: bundle, sentence: "RowMaxInit',
            "{fault: bundle",
            "legality.row_max_init.fault: 'bundle' is not one of ['illegal_instruction', 'tile_legality']",
        ),
    ],
)
def test_a_mistake_is_refused_where_it_stands(tmp_path, old, new, at, message):
    check_refused(tmp_path, "fpatr.yaml", old, new, at, message)
