"""Whole tiles and packed elements: obligations as expected, wrong tiles refused."""

import pytest

from formal.families.proving import is_refused, of_conversions, of_family, seeds, unexpected
from halfulp_formal.catalogue import conversions
from halfulp_formal.families.family import Group
from halfulp_formal.families.tiles import CONVERSIONS, FAMILY, PACKED
from halfulp_model.conversions import conversions as model_conversions


def test_the_family_is_proved_by_default():
    assert FAMILY.conversions() == [*(f"tile.{name}" for name in CONVERSIONS), PACKED]
    assert set(CONVERSIONS) <= set(model_conversions())
    assert set(FAMILY.conversions()) <= set(conversions([Group.DEFAULT]))


@pytest.mark.parametrize("name", [PACKED, "tile.noquant.u32", "tile.vshifts322s16"])
def test_obligations_are_as_expected(name):
    assert unexpected(of_conversions(name)) == []


@pytest.mark.slow
def test_every_obligation_is_as_expected():
    assert unexpected(of_family(FAMILY)) == []


#: where a mistake shows at once
SHOWS_IN = ("pack.s4x2", "tile.vreq4.rto.nosat", "tile.req8.rne.nosat", "tile.noquant.s32")


@pytest.mark.parametrize(("kind", "mistake", "candidates"), list(seeds(FAMILY)))
def test_a_mistake_is_refused(kind, mistake, candidates):
    assert is_refused(kind, mistake, [name for name in SHOWS_IN if name in candidates])
