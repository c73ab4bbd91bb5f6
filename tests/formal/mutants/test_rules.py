"""Mutants of the rule data: every one is rule data that the model would accept."""

import re

import pytest

from halfulp_formal.mutants.rules import element_rules
from halfulp_formal.mutants.sources import source_mutants
from halfulp_formal.subject import RulePatch, discarded
from halfulp_formal.vectors.classes.mutants import class_name
from halfulp_model.conversions import conversions

SCALAR = [name for name, row in conversions().items() if row.mode.operand != "vector"]
EVERY = {mutant.name: mutant for name in SCALAR for mutant in element_rules(conversions()[name])}


def described(name):
    return [mutant.what for mutant in element_rules(conversions()[name])]


def test_a_name_means_one_change():
    for name in SCALAR:
        for mutant in element_rules(conversions()[name]):
            assert EVERY[mutant.name] == mutant
    assert not set(EVERY) & {mutant.name for mutant in source_mutants()}
    assert len({class_name(mutant.name) for mutant in EVERY.values()}) == len(EVERY)
    assert all(re.fullmatch("[a-z0-9-]+/[a-z0-9-]+", class_name(mutant.name)) for mutant in EVERY.values())


def test_a_rounding_mode_has_every_other_pair_of_nearest_and_choice():
    what = [each for each in described("req8.rne.sat") if "RNE" in each]
    assert what[:6] == [
        "tie rule RNA instead of RNE",
        "tie rule RHB instead of RNE",
        "rounding mode RTZ instead of RNE",
        "rounding mode RTM instead of RNE",
        "rounding mode RTP instead of RNE",
        "rounding mode RTO instead of RNE",
    ]
    assert len(what) == 11


@pytest.mark.parametrize(
    ("conversion", "what"),
    [
        ("req8.rne.sat", "offset and intermediate have 5 bits instead of 9"),
        ("req8.rne.sat", "an integer out of range raises NV"),
        ("req8.rne.sat", "the status bits OF and UF change places"),
        ("req8.rne.sat", "the offset field is one bit higher"),
        ("req4.rne.sat", "destination S8 instead of S4"),
        ("shifts322s16", "the shift field is one bit lower"),
        ("qf322f16.rne.sat", "FP16: tininess is detected after rounding"),
        ("qf322f16.rne.sat", "FP16 has a bias of 14 instead of 15"),
        ("qf322fp8.rne.sat", "E4M3 has infinities"),
        ("qf322hif8.rhb.sat", "infinity of HiF8 is 0x6e instead of 0x6f"),
        ("qf322hif8.rhb.sat", "band D2 of HiF8 has exponent base 3 instead of 2"),
    ],
)
def test_rows_are_changed_where_people_get_them_wrong(conversion, what):
    assert what in described(conversion)


def test_a_shift_has_no_rounding_and_no_factor():
    assert not [each for each in described("shifts322s16") if "instead of RNE" in each or "FP19" in each]


@pytest.mark.slow  # each copy of the model has its rule data checked by the schema
@pytest.mark.parametrize("name", [name for name, each in EVERY.items() if isinstance(each.patches[0], RulePatch)])
def test_the_model_accepts_every_mutant_of_its_rule_data(name):
    with discarded(EVERY[name].subject()) as subject:
        assert subject.module("loader").default_rules()
