"""FP32 to FP19: every obligation, and wrong models refused."""

import pytest

from formal.families.proving import is_refused, of_family, seeds, unexpected
from halfulp_formal.families.fp19 import FAMILY, NAME

SEEDS = list(seeds(FAMILY))


def test_every_obligation_is_as_expected():
    assert FAMILY.conversions() == [NAME]
    assert unexpected(of_family(FAMILY)) == []


@pytest.mark.parametrize(("kind", "mistake", "candidates"), SEEDS, ids=[f"{kind}-{seed}" for kind, seed, _ in SEEDS])
def test_a_wrong_model_is_refused(kind, mistake, candidates):
    assert is_refused(kind, mistake, candidates)
