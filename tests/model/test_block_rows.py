"""Rule data of block floating point: rows, and each mistake with its file, line and field."""

import pytest

from halfulp_model.block_rows import AdderRow, Minimum, Overflow, Selection
from halfulp_model.loader import default_rules
from halfulp_model.rows import Choice
from model.rule_data import check_refused
from oracle import bfp16 as oracle

RULES = default_rules()


def test_block_rows():
    hardware, ocp = RULES.blocks["BFP16"], RULES.blocks["MXINT8"]
    assert (hardware.size, hardware.scale_bits, hardware.largest, hardware.exponent_mask) == (8, 133, 127, 255)
    assert (ocp.size, ocp.scale_bits, ocp.largest, ocp.exponent_mask) == (32, 133, 127, 255)
    assert (hardware.selection, hardware.flushes_subnormals) == (Selection.EXPONENT_FIELD, True)
    assert (ocp.selection, ocp.flushes_subnormals) == (Selection.LARGEST_MAGNITUDE, False)
    assert (hardware.overflow, hardware.minimum) == (Overflow.RENORMALISE, Minimum.FLOOR_ONLY)
    assert (ocp.overflow, ocp.minimum) == (Overflow.CLAMP, Minimum.NEVER)
    assert (hardware.default_rounding, ocp.roundings) == ("floor", ("conv_even",))


def test_crrnd_codes_and_choices():
    assert {name: mode.code for name, mode in RULES.crrnd.items()} == oracle.ROUNDINGS
    assert [mode.nearest for mode in RULES.crrnd.values()] == [False] * 4 + [True] * 6
    six = [Choice.FLOOR, Choice.CEILING, Choice.ZERO, Choice.AWAY, Choice.EVEN, Choice.ODD]
    assert [mode.choice for mode in RULES.crrnd.values()] == six[:4] + six


def test_adder_row():
    assert RULES.adders["FP32"] == AdderRow("ieee-ocp", ("RNE", "RTZ", "RTM", "RTP", "RNA"), "RNE")


def test_open_questions_say_what_the_model_does():
    results = {name for name, question in RULES.open_questions.items() if question.uncharacterised}
    assert results == {"renormalised_to_255", "nan_reaches_128", "inexact_block_sum"}
    assert set(RULES.open_questions) - results == {
        "minimum_mantissa",
        "nan_payload",
        "subnormal_block_sum",
        "special_accumulator",
    }


@pytest.mark.parametrize(
    ("old", "new", "at", "message"),
    [
        (
            "{size: 8, member: FP32,",
            "{size: 8, member: HiF8,",
            "HiF8",
            "blocks.BFP16.member: no binary format is called 'HiF8'",
        ),
        (
            "roundings: [floor, ceil, sym_floor,",
            "roundings: [floor, RNE, sym_floor,",
            "roundings: [floor, RNE",
            "blocks.BFP16.roundings.1: no rounding mode is called 'RNE'",
        ),
        (
            "default_rounding: floor",
            "default_rounding: RNE",
            "default_rounding: RNE",
            "blocks.BFP16.default_rounding: 'RNE' is not among the roundings",
        ),
        (
            "minimum: never,",
            "minimum: sometimes,",
            "minimum: sometimes",
            "blocks.MXINT8.minimum: 'sometimes' is not one of ['floor_only_emits_-128', 'fits_int8', 'never']",
        ),
        ("ceil: {code: 1,", "ceil: {code: 0,", "ceil: {code: 0", "crrnd.ceil.code: 0 is already taken by floor"),
        (
            "{encoder: ieee-ocp,",
            "{encoder: pto2,",
            "{encoder: pto2",
            "adders.FP32.encoder: rule set 'pto2' has no encoder of 'FP32'",
        ),
        (
            "adders:\n  FP32:",
            "adders:\n  FP33:",
            "    {encoder: ieee-ocp",
            "adders.FP33: no format is called 'FP33'",
        ),
        (
            '{outcome: uncharacterised, text: "a NaN',
            '{outcome: unknown, text: "a NaN',
            "{outcome: unknown",
            "open_questions.nan_reaches_128.outcome: 'unknown' is not one of ['uncharacterised', 'reading']",
        ),
    ],
)
def test_a_mistake_is_refused_where_it_stands(tmp_path, old, new, at, message):
    check_refused(tmp_path, "blocks.yaml", old, new, at, message)
