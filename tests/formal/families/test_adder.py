"""The FP32 adder: claims of special operands, a few cubes of the equivalence, all of it in the slow run, wrong models."""

from dataclasses import replace

import pytest
from pysmt.shortcuts import Or

from formal.families.proving import ENGINE, is_refused, of_family, unexpected
from halfulp_formal.catalogue import build, conversions, obligations
from halfulp_formal.decide import decide
from halfulp_formal.encodings.fp32_add import FAR
from halfulp_formal.families.adder import FAMILY, FAR_RANGES
from halfulp_formal.families.family import Group
from halfulp_formal.obligation import Verdict

MODES = FAMILY.conversions()
#: cubes of one order of the exponents and one agreement of the signs
COUNT = FAR + len(FAR_RANGES)


def test_five_modes_in_a_run_of_their_own():
    assert [f"fp32_add.{mode}" for mode in ("rne", "rtz", "rtm", "rtp", "rna")] == MODES
    assert [name for name in conversions([Group.NIGHTLY]) if name.startswith("fp32_add.")] == MODES


@pytest.mark.parametrize("name", ["fp32_add.rne", "fp32_add.rtm"])
def test_special_operands(name):
    names = [obligation for obligation in obligations(name) if not obligation.endswith((".equivalent", ".neutral"))]
    assert unexpected(names) == []


@pytest.mark.parametrize("places", [(3, COUNT + 12, 2 * COUNT + 24, 3 * COUNT + FAR)])
@pytest.mark.parametrize("name", ["fp32_add.rne", "fp32_add.rtp"])
def test_a_few_cubes_of_the_equivalence(name, places):
    whole = build(f"{name}.equivalent")
    assert len(whole.cubes) == 4 * COUNT
    chosen = tuple(whole.cubes[place] for place in places)
    proof = decide(replace(whole, assumption=Or(chosen), cubes=chosen), ENGINE)
    assert (proof.verdict, proof.detail) == (Verdict.PROVED, "4 cubes")


@pytest.mark.slow
def test_every_obligation_is_as_expected():
    assert unexpected(of_family(FAMILY)) == []


@pytest.mark.parametrize(
    ("kind", "mistake", "name"),
    [
        ("equivalent", "zero_sum_positive", "fp32_add.rtm"),
        ("equivalent", "sum_of_magnitudes", "fp32_add.rtz"),
        ("equivalent", "tie_even_is_odd", "fp32_add.rne"),
        ("special", "quiet_bit_inverted", "fp32_add.rne"),
        ("special", "unlike_infinities_valid", "fp32_add.rna"),
        ("neutral", "addend_sign_lost", "fp32_add.rtp"),
        ("cancelled", "zero_sum_positive", "fp32_add.rtm"),
    ],
)
def test_a_wrong_adder_is_refused(kind, mistake, name):
    assert is_refused(kind, mistake, [name])
