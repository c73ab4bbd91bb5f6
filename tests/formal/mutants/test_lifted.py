"""The lifted families: one of each, over the inputs of a vector file, whatever width a mutant gives the source."""

import pytest

from halfulp_formal.evaluate import evaluate
from halfulp_formal.mutants.equivalence import changed_case, difference
from halfulp_formal.mutants.lifted import LIFTED, lifted
from halfulp_formal.mutants.mutated import FAMILIES
from halfulp_formal.subject import base_subject
from halfulp_formal.vectors.family import family_of


def test_every_family_is_lifted():
    assert list(LIFTED) == [family.title for family in FAMILIES]


@pytest.mark.parametrize(
    "name", ["shifts322s16", "cvt.s32.s8.rne.nosat", "scale.fp16.floor", "bfp16.floor", "format.s4", "format.s4x2"]
)
def test_a_case_is_lifted_over_the_inputs_of_a_file(name):
    facts = family_of(name).facts(name)
    assert set(facts.inputs) <= set(lifted(name).case(base_subject(), name).inputs)
    assert facts.inputs[0].bv_width() >= family_of(name).describe(name).inputs[0].bits


@pytest.mark.parametrize("name", ["format.s4", "format.e2m1x2", "bfp16.floor"])
def test_codes_and_blocks_have_no_other_inputs(name):
    assert lifted(name).case(base_subject(), name).inputs == family_of(name).facts(name).inputs


def test_a_source_of_another_width_is_asked_the_same_codes():
    name, mutant = "cvt.s32.s8.rne.nosat", "rules.formats.S32.carrier_bits.31"
    case = lifted(name).case(base_subject(), name)
    assert changed_case(name, mutant).inputs == case.inputs
    told = [evaluate([difference(case, mutant)], {"in.bits.32": code}) for code in (0, 1, 0x80000000)]
    assert told == [(False,), (False,), (True,)]
