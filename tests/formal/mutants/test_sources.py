"""Mutants of the source: names that stay apart, text that is Python, nothing changed but the one node."""

import ast
import re

import pytest

from halfulp_formal.mutants.sources import Text, seeded_mutants, source_mutants
from halfulp_formal.subject import SourcePatch, model_sources, replaced_once
from halfulp_formal.vectors.classes.mutants import class_name

EVERY = (*source_mutants(), *seeded_mutants())


def test_names_and_class_names_are_unique_and_fit_a_vector_file():
    assert len({mutant.name for mutant in EVERY}) == len(EVERY)
    assert len({class_name(mutant.name) for mutant in EVERY}) == len(EVERY)
    assert all(re.fullmatch("[a-z0-9-]+/[a-z0-9-]+", class_name(mutant.name)) for mutant in EVERY)


@pytest.mark.parametrize("module", sorted({mutant.modules[0] for mutant in EVERY}))
def test_every_mutant_of_a_module_is_another_python_source(module):
    sources = dict(model_sources())
    patches = [patch for mutant in source_mutants() for patch in mutant.patches if isinstance(patch, SourcePatch)]
    made = [sources[module].replace(patch.old, patch.new) for patch in patches if patch.module == module]
    assert len(set(made)) == len(made)
    assert {replaced_once(patch, sources) for patch in patches[:20] if patch.module == module} <= set(made)
    assert sources[module] not in made


def test_a_mutant_says_where_and_what():
    mutant = next(each for each in source_mutants() if each.name == "rounding.round_magnitude.compare-4.le")
    assert mutant.what == "rounding.round_magnitude: 2 * rest <= unit instead of 2 * rest < unit"
    line = dict(model_sources())["rounding"].splitlines()[int(mutant.where.removeprefix("rounding.py:")) - 1]
    assert "2 * rest < unit" in line
    assert mutant.place is not None
    assert mutant.place.first <= int(mutant.where.removeprefix("rounding.py:")) <= mutant.place.last


def test_text_is_found_by_bytes():
    text = Text('x = "·"; y = a < b\n')
    compare = ast.parse('x = "·"; y = a < b\n').body[1].value  # type: ignore[attr-defined]  # an assignment
    assert text.of(compare) == "a < b"
    assert text.changed(compare, compare.left, "(c)") == "(c) < b"


def test_a_seeded_mistake_is_placed_on_the_lines_it_replaces():
    mutant = next(each for each in seeded_mutants() if each.name == "seeded.offset_before_saturation")
    lines = dict(model_sources())["postprocess"].splitlines()
    assert mutant.place is not None
    assert "intermediate = saturate_signed" in lines[mutant.place.first - 1]
    assert "total = intermediate + offset" in lines[mutant.place.last - 1]
