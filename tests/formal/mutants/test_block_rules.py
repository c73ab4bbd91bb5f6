"""Mutants of the rows of block conversions: every one is rule data that the model would accept."""

import pytest

from halfulp_formal.mutants.block_rules import BLOCK_CHOICES, conversion_rules
from halfulp_formal.subject import discarded, shipped_document
from halfulp_model.blocks import block_conversions

EVERY = {mutant.name: mutant for row in block_conversions().values() for mutant in conversion_rules(row)}


def described(name):
    return [mutant.what for mutant in conversion_rules(block_conversions()[name])]


def test_a_name_means_one_change():
    for row in block_conversions().values():
        for mutant in conversion_rules(row):
            assert EVERY[mutant.name] == mutant


def test_every_choice_of_a_row_is_known():
    for row in shipped_document()[0]["blocks"].values():
        assert all(row[key] in meanings for key, meanings in BLOCK_CHOICES.items())


@pytest.mark.parametrize(
    ("conversion", "what"),
    [
        ("bfp16.conv_even", "tie rule conv_odd instead of conv_even"),
        ("bfp16.floor", "rounding mode ceil instead of floor"),
        ("bfp16.floor", "BFP16: no rounding mode emits the most negative mantissa"),
        ("bfp16.ceil", "BFP16: a subnormal member counts"),
        ("bfp16.ceil", "BFP16: a mantissa beyond the largest magnitude is clamped"),
        ("mxint8", "MXINT8: the shared exponent is the largest exponent field"),
        ("mxint8", "MXINT8 has 7 fraction bits instead of 6"),
        ("mxint8", "FP32 has a bias of 126 instead of 127"),
    ],
)
def test_rows_are_changed_where_people_get_them_wrong(conversion, what):
    assert what in described(conversion)


@pytest.mark.slow  # each copy of the model has its rule data checked by the schema
@pytest.mark.parametrize("name", [name for name in EVERY if ".formats." not in name])
def test_the_model_accepts_every_mutant_of_its_rule_data(name):
    with discarded(EVERY[name].subject()) as subject:
        assert subject.module("loader").default_rules()
