"""B.FPATR: every obligation as expected, the finding's smallest word, wrong words and preflights refused."""

import pytest

from formal.families.proving import is_refused, of_family, seeds, smallest, unexpected
from halfulp_formal.catalogue import conversions
from halfulp_formal.families.family import Group
from halfulp_formal.families.fpatr import FAMILY
from halfulp_formal.obligation import Verdict


def test_the_family_is_proved_by_default():
    assert FAMILY.conversions() == ["fpatr", "fpatr.datr", "fpatr.fp32", "fpatr.s32", "fpatr.u32"]
    assert set(FAMILY.conversions()) <= set(conversions([Group.DEFAULT]))


def test_every_obligation_is_as_expected():
    assert unexpected(of_family(FAMILY)) == []


def test_the_smallest_word_beyond_the_mask():
    proof = smallest("fpatr.mask")
    assert (proof.verdict, proof.witness) == (Verdict.REFUTED, {"in.word": 0x20A3})


@pytest.mark.parametrize(("kind", "mistake", "candidates"), list(seeds(FAMILY)))
def test_a_mistake_is_refused(kind, mistake, candidates):
    assert is_refused(kind, mistake, candidates)
