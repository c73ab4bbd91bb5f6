"""A minimised suite kills what the whole file kills, has a case of every class, and none in vain."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formal.vectors import readers
from halfulp_formal.mutants.cover import cover, minimised, suite_of
from halfulp_formal.mutants.killing import Kill, kills, tries
from halfulp_formal.vectors.reading import read

NAMES = ["shifts322s16", pytest.param("cvt.fp32.e2m1.rtz.sat", marks=pytest.mark.slow)]


@given(st.lists(st.sets(st.integers(0, 12)), max_size=9))
def test_a_cover_holds_everything_and_nothing_in_vain(parts):
    places = cover(parts)
    assert places == sorted(set(places))
    assert set(chain(*(parts[place] for place in places))) == set(chain(*parts))
    for left_out in places:
        assert set(chain(*(parts[place] for place in places if place != left_out))) < set(chain(*parts))


def test_of_equal_sets_the_first_is_taken():
    assert cover([{1}, {1, 2}, {1, 2}, {3}]) == [1, 3]


def test_a_set_that_later_ones_make_needless_goes_out():
    # greedy takes the middle four first
    assert cover([{2, 3, 4, 5}, {1, 2, 3}, {4, 5, 6}]) == [1, 2]


@pytest.fixture(scope="module", params=NAMES)
def both(request):
    """The suite of a shipped file, and what is left of it."""
    file = read(readers.FOLDER / f"{request.param}.jsonl")
    (made,) = minimised([file])
    return suite_of(file), made


def killed_by(suite):
    name = suite.description.conversion
    found = kills({name: tries(name, [(case.inputs, case.outputs) for case in suite.cases])})[name]
    return {mutant for mutant, kill in found.items() if isinstance(kill, Kill)}


def test_exactly_the_same_mutants_are_killed(both):
    whole, made = both
    assert killed_by(made.suite) == killed_by(whole)
    assert made.mutants == len(killed_by(whole)) > 50


def test_every_class_has_a_case_and_cases_keep_their_order(both):
    whole, made = both
    assert {case.corner for case in made.suite.cases} == {case.corner for case in whole.cases}
    assert len(made.suite.cases) < len(whole.cases) == made.cases
    assert [entry.name for entry in made.suite.classes] == [entry.name for entry in whole.classes]
    key = {(case.corner, case.inputs): (case.tc, case.outputs, case.why) for case in whole.cases}
    places = [key[case.corner, case.inputs][0] for case in made.suite.cases]
    assert places == sorted(places)
    assert [case.tc for case in made.suite.cases] == list(range(1, len(made.suite.cases) + 1))
    assert all((case.outputs, case.why) == key[case.corner, case.inputs][1:] for case in made.suite.cases)
