"""The claims about plain conversions single out the code of an IEEE 754 and OCP oracle."""

from itertools import pairwise

import pytest

from formal.properties.test_floating import Claims, beside
from halfulp_formal.properties import plain
from halfulp_formal.properties.plain import INWARD, TARGETS
from oracle import formats, ieee_ocp
from oracle.rounding import MODES, OVERFLOW, power_of_two

SMALL = ["e2m1", "e2m3", "e3m2", "e4m3", "e5m2"]
ORACLE = {"e2m1": "E2M1X2"}


def oracle_name(name):
    return ORACLE.get(name, name.upper())


def value(name, magnitude):
    return formats.value(oracle_name(name), magnitude << plain.LOW_BITS.get(name, 0))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SMALL)
def test_of_all_codes_the_rule_names_one(name, mode):
    target = TARGETS[name]
    claims = Claims(target, mode)
    codes = {code: value(name, code) for code in range(target.largest + 1)}
    assert all(low < high for low, high in pairwise(codes.values()))
    numbers = [number for number in beside(list(codes.values())) if number]
    start = MODES.index(mode)
    for magnitude in [*numbers[:7], *numbers[7 + start : -6 : 17], *numbers[-6:]]:
        for number in (magnitude, -magnitude):
            code, flags = ieee_ocp.encode(number, name.upper(), mode, False)
            overflow = claims.at(number, 0)[0]
            assert overflow == (flags == OVERFLOW), number
            named = [each for each in codes if claims.at(number, each)[1]]
            assert named == ([] if overflow else [code % (1 << target.bits)]), (number, mode)


@pytest.mark.parametrize("name", TARGETS)
def test_targets_are_the_formats(name):
    target = TARGETS[name]
    fmt, low = oracle_name(name), plain.LOW_BITS.get(name, 0)
    assert formats.classify(fmt, target.largest << low) == "positive_normal"
    # the smallest normal number, and one unit below it
    normal = value(name, 1 << target.fraction_bits)
    assert normal == power_of_two(1 - target.bias)
    assert value(name, 1) == power_of_two(1 - target.bias - target.fraction_bits)
    kind = formats.classify(fmt, target.infinity << low)
    others = {"e4m3": "quiet_nan", "e2m1": "positive_normal", "e2m3": "positive_normal", "e3m2": "positive_normal"}
    assert kind == others.get(name, "positive_infinity")


def test_modes_that_point_inward():
    for mode in MODES:
        inward = INWARD.get(mode.lower(), (False, False))
        assert inward == tuple(mode not in ieee_ocp.OUTWARD[negative] for negative in (False, True))
