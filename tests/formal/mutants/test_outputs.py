"""What a file shows of two models: blocks by their bytes, codes by class, number and place in the order."""

import pytest

from halfulp_formal.evaluate import evaluate
from halfulp_formal.mutants.bench import bench
from halfulp_formal.mutants.equivalence import base_case, by_name, changed_case
from halfulp_formal.mutants.mutated import mutated
from halfulp_formal.mutants.outputs import block_steps, codes_agree
from halfulp_formal.subject import base_subject
from halfulp_formal.vectors.family import family_of

PACKED = "format.e2m1x2"


def answers(conversion, mutant, point):
    with bench().changed(by_name(conversion)[mutant]) as changed:
        return changed.run(conversion, point)


def agrees(conversion, mutant, point):
    """Whether the terms of a mutant show the same as the model's at a point, and are made for it."""
    base, changed = base_case(conversion), changed_case(conversion, mutant)
    family = mutated(conversion)
    given = dict(zip((each.symbol_name() for each in base.inputs), point, strict=True))
    legal = [] if family.legal(changed) is family.legal(base) else [family.legal(changed)]
    return all(evaluate([*legal, *family.agree(base, changed)], given))


@pytest.mark.parametrize(
    "mutant",
    [
        "rules.formats.E2M1.bias.2",
        "rules.formats.E2M1X2.lanes.1",
        "rules.formats.E2M1X2.lane.e1m2",
        "formats.lanes.arithmetic-2.times",
        "formats.classify.choice-3.never",
        "formats.order_key.arithmetic-9.minus",
        "seeded.negative_order_reversed",
    ],
)
def test_terms_of_a_packed_format_agree_where_the_functions_do(mutant):
    assert mutant in by_name(PACKED), [name for name in by_name(PACKED) if name.startswith(mutant[:14])]
    for carrier in (0x00, 0x08, 0x80, 0x1F, 0xF1, 0x3C):
        for lane in (0, 1):
            point = (carrier, lane)
            same = answers(PACKED, mutant, point) == bench().run(PACKED, point)
            assert agrees(PACKED, mutant, point) == same or mutant.endswith("lanes.1")


def test_a_code_that_is_refused_a_key_does_not_agree():
    # the public call on the order asks whether the code is valid, which the class of an integer does not
    name, mutant = "format.s4", "formats.is_valid.compare-2.ge"
    assert answers(name, mutant, (3,)) == "Rejected"
    assert not agrees(name, mutant, (3,))


def test_the_inputs_are_those_of_a_file():
    for name in ("format.s4", PACKED, "bfp16.floor"):
        assert mutated(name).case(base_subject(), name).inputs == family_of(name).facts(name).inputs


def test_a_lane_that_is_not_there_never_agrees():
    (only,) = codes_agree(base_case(PACKED), changed_case(PACKED, "rules.formats.E2M1X2.lanes.1"))
    assert only.is_false()


def test_a_mantissa_counts_by_its_bits():
    # clamped or not, 128 has the byte of -128: what is told is the exponent
    name, mutant = "bfp16.sym_inf", "rules.blocks.BFP16.minimum.fits-int8"
    point = (0xBFFF0000, 0, 0, 0, 0, 0, 0, 0)
    assert bench().run(name, point) == (128, 0xC0, 0, 0, 0, 0, 0, 0, 0)
    assert answers(name, mutant, point) == (127, 0x80, 0, 0, 0, 0, 0, 0, 0)
    assert not agrees(name, mutant, point)


def test_a_change_in_one_lane_is_asked_lane_by_lane():
    name = "bfp16.sym_inf"
    steps = block_steps(base_case(name), changed_case(name, "rounding.round_magnitude.compare-2.le"))
    assert steps[0].is_true()  # the shared exponent
    assert not any(each.is_true() for each in steps[1:17])
