from difflib import get_close_matches

import pytest

from halfulp_formal.catalogue import conversions
from halfulp_formal.nearest import LIKELY, letter_pairs, nearest, shared


def test_pairs_of_letters():
    assert letter_pairs("req8") == {"re", "eq", "q8"}
    assert shared(letter_pairs("req8"), letter_pairs("req4")) == 2 * 2 / 6
    assert shared(set(), set()) == 0


@pytest.mark.parametrize("given", ["req8.rne.nosta", "cvt.fp32.fp61.rne.sat", "e4m", "zzz", ""])
def test_few_names_are_all_looked_at_closely(given):
    few = conversions()[:LIKELY]
    assert nearest(given, few) == next(iter(get_close_matches(given, few, n=1)), None)


def test_among_thousands():
    assert nearest("cvt.fp32.fp61.rne.sat", conversions()) == "cvt.fp32.fp16.rne.sat"
    assert nearest("zzz", conversions()) is None
