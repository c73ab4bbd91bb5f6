"""The obligations of a mutant: what they claim, and what they are called."""

import pytest
from pysmt.shortcuts import BV, BVULT, BVMul, Equals, Or, Symbol
from pysmt.typing import BVType

from halfulp_formal.evaluate import evaluate
from halfulp_formal.mutants.equivalence import EQUIVALENT, UNSHOWN, apart_from_zero, build, difference, named
from halfulp_formal.vectors.classes.mutants import class_name, told_apart
from halfulp_formal.vectors.family import family_of

NAME = "shifts322s16"
MUTANT = "integers.in_range.compare-2.lt"


def test_a_claim_apart_from_zero_says_the_same():
    one, two = (Symbol(f"apart.{name}", BVType(4)) for name in ("one", "two"))
    claim = Or(Equals(BVMul(one, two), BV(0, 4)), BVULT(one, two))
    made = apart_from_zero(claim, one)
    for left in range(16):
        for right in range(16):
            assert len(set(evaluate([claim, made], {"apart.one": left, "apart.two": right}))) == 1


def test_names_lead_back_to_the_mutant():
    for joint in (UNSHOWN, EQUIVALENT):
        made = build(f"{NAME}{joint}{MUTANT}")
        found, conversion, mutant = named(made.name)
        assert (found, conversion, mutant.name, made.conversion) == (joint, NAME, MUTANT, NAME)
    with pytest.raises(LookupError):
        build(f"{NAME}{EQUIVALENT}nothing")


@pytest.mark.parametrize(("value", "told"), [(65534, True), (65532, False), (65536, False)])
def test_a_mutants_class_holds_what_tells_it_from_the_model(value, told):
    facts = family_of(NAME).facts(NAME)
    point = {"in.value": value, "in.relu": 0, "in.quant_word": 0, "in.relu_word": 0}
    assert evaluate([told_apart(facts, MUTANT).term, difference(facts.case, MUTANT)], point) == (told, told)


def test_a_class_is_named_like_its_mutant():
    assert class_name(MUTANT) == "mutant/integers-in-range-compare-2-lt"
