"""Rule data of conversions to a power-of-two scale: rows, and each mistake with its file, line and field."""

import pytest

from halfulp_model.loader import default_rules
from halfulp_model.rows import Choice, Outcome
from model.rule_data import check_refused

RULES = default_rules()


def test_outcomes_carry_masks_and_fall_back_to_the_unsaturated_code():
    table = RULES.scale_tables["tcvt"]
    assert table.nan == table.zero == table.negative == Outcome(0xFF, 0xFF, 0x01)
    assert table.infinity == table.overflow == Outcome(0xFF, 0xFE, 0x14)
    assert table.underflow == Outcome(0xFF, 0x00, 0x18)
    assert table.inexact == 0x10


def test_rules_are_roundings_of_the_exponent():
    assert {name: (rule.rounding.nearest, rule.rounding.choice) for name, rule in RULES.scale_rules.items()} == {
        "floor": (False, Choice.FLOOR),
        "ceil": (False, Choice.CEILING),
        "even": (True, Choice.EVEN),
        "rceil": (False, Choice.CEILING),
    }
    assert {name for name, rule in RULES.scale_rules.items() if rule.elements} == {"rceil"}


@pytest.mark.parametrize(
    ("old", "new", "at", "message"),
    [
        (
            "  tcvt:\n    destination: E8M0",
            "  tcvt:\n    destination: FP32",
            "destination: FP32",
            "scale_tables.tcvt.destination: no scale format is called 'FP32'",
        ),
        (
            "sources: [FP16, BF16, FP32]\n    range: before",
            "sources: [FP16, HiF8]\n    range: before",
            "sources: [FP16, HiF8]",
            "scale_tables.tcvt.sources.1: no binary format is called 'HiF8'",
        ),
        (
            "underflow: {code: 0xff",
            "underflow: {code: 0x1ff",
            "underflow: {code: 0x1ff",
            "scale_tables.tcvt.underflow.code: 0x1ff does not fit a carrier of 8 bits",
        ),
        (
            "zero: {code: 0xff, flags: [NV]",
            "zero: {code: 0xff, flags: [XX]",
            "zero: {code: 0xff, flags: [XX]",
            "scale_tables.tcvt.zero.flags.0: 'XX' is not one of ['NV', 'DZ', 'OF', 'UF', 'NX']",
        ),
        (
            "elements: [HiF8,",
            "elements: [E8M0,",
            "elements: [E8M0,",
            "scale_rules.rceil.elements.0: no floating format is called 'E8M0'",
        ),
        (
            "choice: floor, source",
            "choice: down, source",
            "choice: down",
            "scale_rules.floor.choice: 'down' is not one of ['floor', 'ceiling', 'zero', 'away', 'even', 'odd']",
        ),
    ],
)
def test_a_mistake_is_refused_where_it_stands(tmp_path, old, new, at, message):
    check_refused(tmp_path, "e8m0.yaml", old, new, at, message)
