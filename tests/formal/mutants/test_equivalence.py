"""The obligations of a mutant: what they claim, and what they are called."""

import pytest
from pysmt.shortcuts import BV, BVULT, BVMul, Equals, Or, Symbol
from pysmt.typing import BVType

from halfulp_formal.decide import Engine, decide
from halfulp_formal.evaluate import evaluate
from halfulp_formal.mutants.bench import bench
from halfulp_formal.mutants.equivalence import (
    EQUIVALENT,
    UNSHOWN,
    WHOLE,
    apart_from_zero,
    build,
    by_name,
    difference,
    named,
)
from halfulp_formal.mutants.infection import shown_whole
from halfulp_formal.obligation import Verdict
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
    for joint in (UNSHOWN, EQUIVALENT, WHOLE):
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


def decided(name):
    return decide(build(name), Engine("bitwuzla", 60))


@pytest.mark.parametrize(
    "name",
    [
        # a moved sign test shows at 0 alone, and there the product is 0
        "req8.rne.sat.whole.postprocess.source_negative.constant-1.plus-1",
        "qf322b8.rne.nosat.whole.seeded.negative_zero_positive",
        # an Exact never equals a number, and HiF8 has no -0
        "qf322hif8.rhb.nosat.mutant.postprocess.element.arguments-19.swapped",
        # a rounding row says nothing of tininess, but no product of an integer is below the smallest normal BF16
        "qs322bf16.rne.nosat.mutant.encode.encode.arguments-19.swapped",
    ],
)
def test_what_shows_at_few_inputs_or_is_never_reached_is_proved(name):
    proof = decided(name)
    assert (proof.verdict, proof.detail) == (Verdict.PROVED, "")


def test_a_statement_that_cannot_be_run_is_refuted_by_an_input_that_reaches_it():
    conversion, mutant = "f322bf16.rne.nosat", "encode.encode.arguments-19.swapped"
    proof = decided(f"{conversion}{EQUIVALENT}{mutant}")
    assert proof.verdict is Verdict.REFUTED
    point = tuple(proof.witness[symbol.symbol_name()] for symbol in family_of(conversion).facts(conversion).inputs)
    assert not isinstance(bench().run(conversion, point), str)
    with bench().changed(by_name(conversion)[mutant]) as changed:
        assert changed.run(conversion, point) == "AttributeError"


def test_the_whole_expression_shows_for_fewer_inputs_than_the_changed_constant():
    mutant = by_name(NAME)["integers.in_range.compare-2.lt"]
    where = shown_whole(NAME, mutant)
    shows = {value: evaluate([where], {"in.value": value, "in.quant_word": 0})[0] for value in (65532, 65534, 65536)}
    assert shows == {65532: False, 65534: True, 65536: False}
    with pytest.raises(LookupError, match=r"^rules\.flags\.OF\.and-nx changes more than one expression$"):
        shown_whole(NAME, by_name(NAME)["rules.flags.OF.and-nx"])
