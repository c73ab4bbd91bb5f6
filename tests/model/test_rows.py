import dataclasses

import pytest

from halfulp_model import rows
from halfulp_model.loader import default_rules

RULES = default_rules()


def test_flags_and_the_pairs_that_are_raised_together():
    flags = RULES.flags
    assert (flags.nv, flags.dz, flags.of, flags.uf, flags.nx) == (1, 2, 4, 8, 16)
    assert (flags.overflow, flags.underflow) == (0x14, 0x18)


@pytest.mark.parametrize(
    ("name", "code_bits", "lane_bits"),
    [("FP32", 32, 32), ("TF32", 32, 32), ("E4M3", 8, 8), ("E3M2", 8, 6), ("E2M3", 8, 6), ("S16", 16, 16), ("U8", 8, 8)],
)
def test_widths_of_a_code(name, code_bits, lane_bits):
    fmt = RULES.formats[name]
    assert (fmt.code_bits, fmt.lane_bits) == (code_bits, lane_bits)


@pytest.mark.parametrize("name", [name for name, row in RULES.formats.items() if row.lanes == 2])
def test_two_lanes_share_a_carrier(name):
    fmt = RULES.formats[name]
    assert (fmt.carrier_bits, fmt.code_bits, fmt.lane_bits) == (8, 4, 4)


def test_rows_cannot_be_changed():
    for row in (RULES.flags, RULES.roundings["RNE"], RULES.formats["FP32"], RULES.modes["REQ8"], RULES.parameter_word):
        field = dataclasses.fields(row)[0].name
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(row, field, None)


def test_enumerations_are_the_words_of_the_rule_data():
    assert [choice.value for choice in rows.Choice] == ["floor", "ceiling", "zero", "away", "even", "odd"]
    assert [kind.value for kind in rows.Kind] == ["binary", "tapered", "scale", "integer"]
    assert [each.value for each in rows.Parameter] == ["none", "scale", "shift"]
    assert [each.value for each in rows.Specials] == ["ieee", "nan_only", "listed", "none"]


def test_rounding_modes():
    nearest = {name for name, row in RULES.roundings.items() if row.nearest}
    assert nearest == {"RNE", "RNA", "RHB"}
    assert {name: row.choice.value for name, row in RULES.roundings.items()} == {
        "RNE": "even", "RTZ": "zero", "RTM": "floor", "RTP": "ceiling", "RNA": "away", "RTO": "odd", "RHB": "ceiling",
    }  # fmt: skip
