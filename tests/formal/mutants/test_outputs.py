"""What a file shows of two models: blocks by their bytes, codes by class, number and place in the order."""

import random

import pytest

from halfulp_formal.evaluate import evaluate
from halfulp_formal.lift.values import conjoin
from halfulp_formal.mutants.bench import bench
from halfulp_formal.mutants.equivalence import base_case, by_name, changed_case
from halfulp_formal.mutants.lifted import lifted
from halfulp_formal.mutants.outputs import block_by_lanes

PACKED = "format.e2m1x2"


def answers(conversion, mutant, point):
    with bench().changed(by_name(conversion)[mutant]) as changed:
        return changed.run(conversion, point)


def agrees(conversion, mutant, point):
    """Whether the terms of a mutant show the same as the model's at a point, and are made for it."""
    base, changed = base_case(conversion), changed_case(conversion, mutant)
    family = lifted(conversion)
    given = dict(zip((each.symbol_name() for each in base.inputs), point, strict=True))
    legal = [] if family.legal(changed) is family.legal(base) else [family.legal(changed)]
    return all(evaluate([*legal, *family.agree(base, changed)], given))


@pytest.mark.parametrize(
    "mutant",
    [
        "rules.formats.E2M1.bias.2",
        "rules.formats.E2M1X2.lane.e1m2",
        "formats.lanes.arithmetic-2.left",
        "formats.classify.choice-3.never",
        "formats.order_key.arithmetic-9.plus",
        "seeded.negative_order_reversed",
    ],
)
def test_terms_of_a_packed_format_agree_where_the_functions_do(mutant):
    for carrier in (0x00, 0x08, 0x80, 0x1F, 0xF1, 0x3C):
        for lane in (0, 1):
            point = (carrier, lane)
            same = answers(PACKED, mutant, point) == bench().run(PACKED, point)
            assert agrees(PACKED, mutant, point) == same


def test_a_code_that_is_refused_a_key_does_not_agree():
    # the public call on the order asks whether the code is valid, which the class of an integer does not
    name, mutant = "format.s4", "formats.is_valid.compare-2.ge"
    assert answers(name, mutant, (3,)) == "Rejected"
    assert not agrees(name, mutant, (3,))


def test_a_mantissa_counts_by_its_bits():
    # clamped or not, 128 has the byte of -128: what is told is the exponent
    name, mutant = "bfp16.sym_inf", "rules.blocks.BFP16.minimum.fits-int8"
    point = (0xBFFF0000, 0, 0, 0, 0, 0, 0, 0)
    assert bench().run(name, point) == (128, 0xC0, 0, 0, 0, 0, 0, 0, 0)
    assert answers(name, mutant, point) == (127, 0x80, 0, 0, 0, 0, 0, 0, 0)
    assert not agrees(name, mutant, point)


@pytest.mark.parametrize("shared", [5, 254, 255])
def test_a_claim_by_lanes_says_the_same(shared):
    name, mutant = "bfp16.sym_inf", "rounding.round_magnitude.compare-3.gt"
    base, changed = base_case(name), changed_case(name, mutant)
    claim = conjoin(*lifted(name).agree(base, changed))
    made, steps = block_by_lanes(base, changed, claim)
    assert steps[0].is_true()  # the shared exponent
    assert len(steps) > 2 * len(base.members)
    draw = random.Random(shared)  # fixed points, no secrets
    verdicts = set()
    for _ in range(40):
        exponents = [shared, *(max(shared - draw.randrange(4), 0) for _ in range(7))]
        words = [draw.getrandbits(1) << 31 | each << 23 | draw.getrandbits(6) << 17 for each in exponents]
        point = {f"in.member{place}": word for place, word in enumerate(words)}
        one, two = evaluate([claim, made], point)
        assert one == two
        verdicts.add(one)
    assert verdicts == {True, False}
