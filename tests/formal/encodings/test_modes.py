"""The mode table and the names of conversions."""

from collections import Counter

import pytest

from halfulp_formal.encodings import conversion_names
from halfulp_formal.encodings.modes import MODES, conversion_named


def test_there_are_27_codes_and_noquant_has_three_accumulators():
    assert Counter(mode.code for mode in MODES.values()) == dict.fromkeys(
        [*range(1, 6), 12, 13, *range(16, 21), *range(23, 29), *range(32, 40)], 1
    ) | {0: 3}


def test_a_vector_mode_is_its_scalar_twin_under_another_code():
    for name, mode in MODES.items():
        if name.startswith("v"):
            twin = MODES[name[1:]]
            assert (
                mode.source,
                mode.destination,
                mode.parameter,
                mode.offset_bits,
                mode.rounding,
                mode.final,
            ) == (
                twin.source,
                twin.destination,
                twin.parameter,
                twin.offset_bits,
                twin.rounding,
                twin.final,
            )


def test_every_name_is_a_conversion_and_names_are_unique():
    names = conversion_names()
    assert len(names) == len(set(names)) == 3 + 2 + 10 * 2 + 14 * 14
    chosen = {name: conversion_named(name) for name in names}
    assert chosen["req8.rhb.sat"].rounding == "rhb"
    assert chosen["req8.rhb.sat"].saturating
    assert not chosen["qf322hif8.rhb.nosat"].saturating
    assert chosen["qf322hif8.rhb.nosat"].rounding == "rhb"
    assert chosen["noquant.s32"].rounding == "rne"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "req8",
        "req8.sat",
        "req8.rne",
        "req9.rne.sat",
        "noquant.s32.sat",
        "qf322f16.rtz.sat",
        "req8.rnx.sat",
    ],
)
def test_anything_else_is_refused(name):
    with pytest.raises(ValueError, match=f"^no conversion is named '{name}'; expected mode"):
        conversion_named(name)
