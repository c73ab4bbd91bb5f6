import pytest

from halfulp_model.conversions import (
    build_conversion,
    build_conversions,
    conversion_name,
    conversions,
    rounding_choices,
    saturate_choices,
)
from halfulp_model.loader import default_rules
from oracle import pto
from oracle.rounding import MODES

RULES = default_rules()


def expected_names():
    """Every name from the oracle's table: mode, then accumulator, rounding mode and Sat where they are open."""
    for code, (name, _, _, _) in sorted(pto.MODES.items()):
        mode = name.removesuffix("_PRE").lower()
        if code == 0:
            yield from (f"{mode}.{each}" for each in ("fp32", "s32", "u32"))
        elif code in pto.SHIFT_MODES:
            yield mode
        else:
            fixed = "rhb" if code in pto.ALWAYS_RHB else "rne" if code in pto.ALWAYS_RNE else None
            for rounding in [fixed] if fixed else [each.lower() for each in RULES.roundings]:
                yield from (f"{mode}.{rounding}.{end}" for end in ("nosat", "sat"))


def test_names_are_the_oracles_in_table_order():
    assert list(conversions()) == list(expected_names())
    assert set(RULES.roundings) == set(MODES)


@pytest.mark.parametrize("name", conversions())
def test_rows_are_the_oracles(name):
    conversion = conversions()[name]
    code = conversion.mode.code
    mode, accumulator, destination, parameter = pto.MODES[code]
    parts = name.split(".")
    assert conversion.name == name
    assert parts[0] == mode.removesuffix("_PRE").lower() == conversion.mode.name.lower()
    assert conversion.accumulator.name == (accumulator or parts[1].upper())
    if destination:
        assert conversion.destination.name == destination.removesuffix("X2")
    else:
        assert conversion.destination is conversion.accumulator
    assert conversion.saturate == name.endswith(".sat")
    assert conversion.mode.offset_bits == pto.OFFSET_WIDTH.get(code, 0)
    assert conversion.mode.operand == parameter
    assert (conversion.encoder is None) == conversion.destination.is_integer
    programmed = conversion.rounding.name if conversion.mode.rounding == "programmable" else "NONE"
    assert pto.controls_legal(code, programmed, conversion.saturate)
    assert conversion.out_of_range == 0x14


def test_open_choices():
    modes = RULES.modes
    assert rounding_choices(RULES, modes["REQ8"]) == list(RULES.roundings)
    assert rounding_choices(RULES, modes["QF322HIF8"]) == ["RHB"]
    assert rounding_choices(RULES, modes["NoQuant"]) == ["RNE"]
    assert saturate_choices(modes["REQ8"]) == saturate_choices(modes["QF322HIF8"]) == [False, True]
    assert saturate_choices(modes["SHIFTS322S16"]) == [False]


@pytest.mark.parametrize(
    ("mode", "accumulator", "rounding", "saturate", "name"),
    [
        ("REQ8", "S32", "RTO", True, "req8.rto.sat"),
        ("NoQuant", "U32", "RNE", False, "noquant.u32"),
        ("SHIFTS322S16", "S32", "RNE", False, "shifts322s16"),
        ("QF322FP8", "FP32", "RNE", False, "qf322fp8.rne.nosat"),
    ],
)
def test_one_name(mode, accumulator, rounding, saturate, name):
    assert conversion_name(RULES.modes[mode], accumulator, rounding, saturate) == name
    assert build_conversion(RULES, RULES.modes[mode], accumulator, rounding, saturate) == conversions()[name]


def test_conversions_are_made_once():
    assert conversions() is conversions()
    assert [each.name for each in build_conversions(RULES)] == list(conversions())
