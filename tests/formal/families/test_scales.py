"""Power-of-two scales: obligations of a sample in every run and of all in the slow one, wrong models, least witnesses."""

import pytest

from formal.families.proving import is_refused, of_conversions, of_family, seeds, smallest, unexpected
from halfulp_formal.catalogue import build, obligations
from halfulp_formal.decide import Engine, decide
from halfulp_formal.encodings.e8m0 import threshold
from halfulp_formal.families.scales import FAMILY, ScaleCase
from halfulp_formal.lift.validate import validate
from halfulp_formal.mistakes import MISTAKES
from halfulp_formal.obligation import Verdict
from halfulp_formal.scale_findings import DIFFERENCES, FINDINGS
from halfulp_formal.subject import base_subject
from halfulp_model import mx_scale

SEEDS = list(seeds(FAMILY))
SAMPLE = (
    *("e8m0.bf16.rne.sat", "e8m0.fp32.rtz.nosat", "e8m0.fp16.rto.nosat"),
    *("scale.fp32.floor", "scale.bf16.even", "scale.fp16.rceil.e4m3"),
)


def test_there_are_42_conversions_to_e8m0_and_27_scale_choices():
    names = FAMILY.conversions()
    assert sum(name.startswith("e8m0.") for name in names) == 3 * 7 * 2
    assert sum(name.startswith("scale.") for name in names) == 3 * (3 + 6)


@pytest.mark.parametrize("name", SAMPLE)
def test_every_obligation_of_a_conversion_is_as_expected(name):
    assert unexpected(of_conversions(name)) == []


@pytest.mark.slow
def test_every_obligation_is_as_expected():
    assert unexpected(of_family(FAMILY)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in FAMILY.conversions() if name.split(".")[1] in ("fp16", "bf16")])
def test_every_lift_from_a_sixteen_bit_source_agrees_at_every_code(name):
    case = ScaleCase(base_subject(), name)
    case.result(case.code)
    assert [validate(call, case.inputs) for call in case.lifter.calls] == [1 << 16]


@pytest.mark.parametrize(("kind", "mistake", "candidates"), SEEDS, ids=[f"{kind}-{seed}" for kind, seed, _ in SEEDS])
def test_a_wrong_model_is_refused(kind, mistake, candidates):
    assert is_refused(kind, mistake, candidates)


@pytest.mark.parametrize(("width", "constant"), [(8, 181), (11, 1448), (24, 11863283)])
def test_the_threshold_is_the_floor_of_the_root(width, constant):
    assert threshold(width) == constant
    assert constant**2 < 1 << (2 * width - 1) < (constant + 1) ** 2


@pytest.mark.parametrize(
    ("name", "witness"),
    [
        ("e8m0.fp32.rne.nosat.range_before_rounding", 0x002D413D),
        ("e8m0.fp32.rtm.sat.range_before_rounding", 0x7F000001),
        ("e8m0.bf16.rtp.nosat.range_before_rounding", 0x0021),
        ("scale.fp32.floor.is_ceil", 0x00400001),
        ("scale.fp32.floor.is_even", 0x00600000),
        ("scale.fp32.ceil.is_even", 0x00400001),
        ("scale.fp32.even.is_tcvt_nearest", 0x005A827A),
        ("scale.fp16.floor.is_tcvt_directed", 0x0000),
        ("scale.fp32.ceil.is_tcvt_directed", 0x00000000),
        ("scale.fp32.rceil.e4m3.is_ocp", 0x04600001),
        ("scale.fp32.rceil.hif8.is_ocp", 0x07800001),
    ],
)
def test_a_sentence_is_refuted_by_its_least_witness(name, witness):
    proof = smallest(name)
    assert proof.verdict is Verdict.REFUTED
    assert list((proof.witness or {}).values()) == [witness]


@pytest.mark.parametrize("finding", [*FINDINGS, *DIFFERENCES], ids=lambda finding: finding.title)
def test_a_model_without_the_difference_does_not_refute_the_sentence(finding):
    subject = MISTAKES[finding.mistake].subject()
    names = [
        name
        for name in FAMILY.conversions()
        if f"{name}.{finding.key}" in obligations(name) and finding.applies(name) and "fp32" not in name
    ]
    verdicts = {decide(build(f"{name}.{finding.key}", subject), Engine(timeout=30)).verdict for name in names}
    assert Verdict.PROVED in verdicts


def test_the_rules_differ_where_they_are_said_to():
    below_two, five = 0x3FFFFFFF, 0x40A00000
    assert mx_scale(below_two, "FP32", rule="floor").word == 0x7F
    assert mx_scale(below_two, "FP32", rule="even").word == 0x80
    assert mx_scale(five, "FP32", rule="ceil").word == 0x82
    assert mx_scale(five, "FP32", rule="even").word == 0x81
