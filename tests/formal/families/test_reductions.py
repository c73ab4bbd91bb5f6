"""Row and group maximum: every obligation as expected, smallest witnesses, wrong reductions refused."""

import pytest

from formal.families.proving import is_refused, of_family, seeds, smallest, unexpected
from halfulp_formal.catalogue import conversions
from halfulp_formal.families.family import Group
from halfulp_formal.families.reductions import FAMILY
from halfulp_formal.obligation import Verdict


def test_the_family_is_proved_by_default():
    assert FAMILY.conversions() == [
        "reduce.s32",
        "reduce.s32.maxabs",
        "reduce.u32",
        "reduce.u32.maxabs",
        "reduce.fp32",
        "reduce.fp32.maxabs",
    ]
    assert set(FAMILY.conversions()) <= set(conversions([Group.DEFAULT]))


@pytest.mark.parametrize("end", [".commutes", ".associates", ".flags", "canonical", "signalling", "padded", "_exactly"])
def test_obligations_are_as_expected(end):
    assert unexpected([name for name in of_family(FAMILY) if name.endswith(end)]) == []


@pytest.mark.slow
def test_every_obligation_is_as_expected():
    assert unexpected(of_family(FAMILY)) == []


@pytest.mark.parametrize(
    ("name", "witness"),
    [
        ("reduce.fp32.canonical", {"in.element0.32": 0x7F800001}),
        ("reduce.fp32.signalling", {"in.element0.32": 0x7F800001}),
        ("reduce.u32.signed_maximum", {"in.element1.32": 0x80000000}),
        ("reduce.fp32.repeated", {"in.element0.32": 0x7F800001}),
        ("reduce.fp32.padded", {"in.element0.32": 0x7F800001}),
        ("reduce.fp32.maxabs.padded", {"in.element0.32": 0x7F800001}),
        ("reduce.s32.maxabs.padded", {}),
    ],
)
def test_smallest_witnesses(name, witness):
    proof = smallest(name)
    assert proof.verdict is Verdict.REFUTED
    assert {key: value for key, value in (proof.witness or {}).items() if value} == witness


@pytest.mark.parametrize(("kind", "mistake", "candidates"), list(seeds(FAMILY)))
def test_a_mistake_is_refused(kind, mistake, candidates):
    assert is_refused(kind, mistake, candidates)
