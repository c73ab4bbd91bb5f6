"""Formats: every obligation of the short ones, wrong models refused, and the findings with their least witnesses."""

import pytest

from formal.families.proving import is_refused, of_conversions, of_family, seeds, smallest, unexpected
from halfulp_formal.catalogue import build, obligations
from halfulp_formal.decide import Engine, decide
from halfulp_formal.families.formats import FAMILY
from halfulp_formal.format_findings import FINDINGS
from halfulp_formal.obligation import Verdict
from halfulp_model.loader import default_rules

SEEDS = list(seeds(FAMILY))


def test_every_row_is_a_conversion():
    assert FAMILY.conversions() == [f"format.{name.lower()}" for name in default_rules().formats]


@pytest.mark.parametrize("name", ["hif8", "e4m3", "e3m2", "e2m1x2", "e8m0", "tf32", "s4x2", "u8"])
def test_every_obligation_of_a_format_is_as_expected(name):
    assert unexpected(of_conversions(f"format.{name}")) == []


@pytest.mark.parametrize("kind", ["equivalent", "class", "value", "available", "roundtrip", "order", "ordered_alike"])
def test_64_bit_codes_are_settled_symbolically(kind):
    assert unexpected([f"format.fp64.{kind}"]) == []


@pytest.mark.slow
def test_every_obligation_is_as_expected():
    assert unexpected(of_family(FAMILY)) == []


@pytest.mark.parametrize(("kind", "mistake", "candidates"), SEEDS, ids=[f"{kind}-{seed}" for kind, seed, _ in SEEDS])
def test_a_wrong_model_is_refused(kind, mistake, candidates):
    assert is_refused(kind, mistake, candidates)


@pytest.mark.parametrize(
    ("name", "witness"),
    [
        ("format.e2m1x2.denied_subnormals", {"in.bits.4": 0x1}),
        ("format.e1m2x2.denied_subnormals", {"in.bits.4": 0x1}),
        ("format.hif4x2.denied_subnormals", {"in.bits.4": 0x1}),
        ("format.hif8.normal_below_boundary", {"in.bits.8": 0x18}),
        ("format.hif8.fraction_bits", {"in.bits.8": 0x01}),
        ("format.fp32.key_of_nan", {"in.bits.32": 0x7F800001}),
        ("format.e4m3.key_of_nan", {"in.bits.8": 0x7F}),
    ],
)
def test_a_finding_has_its_least_witness(name, witness):
    proof = smallest(name)
    assert proof.verdict is Verdict.REFUTED
    assert proof.witness == witness


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.key)
def test_a_model_without_the_contradiction_does_not_refute_the_sentence(finding):
    from halfulp_formal.mistakes import MISTAKES

    subject = MISTAKES[finding.mistake].subject()
    names = [name for name in FAMILY.conversions() if finding.applies(name)]
    verdicts = {decide(build(f"{name}.{finding.key}", subject), Engine(timeout=30)).verdict for name in names}
    assert Verdict.PROVED in verdicts


def test_the_kinds_of_a_format_fit_what_it_is():
    last = {
        name: {each.rpartition(".")[2] for each in obligations(f"format.{name}")} for name in ("e2m1", "s8", "hif8")
    }
    assert "equivalent" not in last["e2m1"]
    assert "value" not in last["s8"]
    assert {"no_number", "order", "class"} <= last["s8"]
    assert {"widths", "smallest_normal"} & last["hif8"] == {"widths"}
