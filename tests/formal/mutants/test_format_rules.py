"""Mutants of a format's row: its own, its lane's where it is packed, and all of them rule data that the model accepts."""

import pytest

from halfulp_formal.mutants.format_rules import format_rules, lane_row
from halfulp_formal.subject import discarded
from halfulp_formal.vectors.formats import rows

EVERY = {mutant.name: mutant for row in rows().values() for mutant in format_rules(row)}


def described(name):
    return [mutant.what for mutant in format_rules(rows()[name])]


def test_a_name_means_one_change():
    for row in rows().values():
        assert len({mutant.name for mutant in format_rules(row)}) == len(format_rules(row))
        for mutant in format_rules(row):
            assert EVERY[mutant.name] == mutant


def test_a_packed_format_has_the_mutants_of_its_lane():
    assert [lane_row(rows()[f"format.{name}"]).name for name in ("e2m1x2", "s4x2", "fp32")] == ["E2M1", "S4", "FP32"]
    assert {each.name for each in format_rules(rows()["format.e2m1"])} <= {
        each.name for each in format_rules(rows()["format.e2m1x2"])
    }


@pytest.mark.parametrize(
    ("conversion", "what"),
    [
        ("format.tf32", "TF32: low_zero_bits is 12 instead of 13, fraction_bits 11"),
        ("format.e2m3", "E2M3: high_zero_bits is 1 instead of 2, exponent_bits 3"),
        ("format.e2m1x2", "the lanes of E2M1X2 are E1M2 instead of E2M1"),
        ("format.s4x2", "the lanes of S4X2 are U4 instead of S4"),
        ("format.e1m2x2", "E1M2X2 has a class of subnormal numbers"),
        ("format.hif8", "infinity of HiF8 is 0x6e instead of 0x6f"),
        ("format.e8m0", "the NaN of E8M0 is 0"),
    ],
)
def test_rows_are_changed_where_people_get_them_wrong(conversion, what):
    assert what in described(conversion)


def test_what_the_rule_data_refuses_is_no_mutant():
    assert "U64 has 63 bits instead of 64" in described("format.u64")
    assert not [what for name in ("u64", "u4", "s4", "s4x2") for what in described(f"format.{name}") if "65" in what]
    assert not [what for name in ("u4", "s4", "s4x2") for what in described(f"format.{name}") if "instead of 4" in what]


@pytest.mark.slow  # each copy of the model has its rule data checked by the schema
@pytest.mark.parametrize("name", [name for name in EVERY if "X2" in name or "_zero_" in name or "carrier" in name])
def test_the_model_accepts_every_mutant_of_its_rule_data(name):
    with discarded(EVERY[name].subject()) as subject:
        assert subject.module("loader").default_rules()
