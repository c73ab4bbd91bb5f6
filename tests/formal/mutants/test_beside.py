"""A mutant that is proved equivalent is run beside the model, so that a wrong condition for its change is no proof."""

import pytest
from pysmt.shortcuts import BV, FALSE, Equals

from halfulp_formal.decide import Engine, decide
from halfulp_formal.mutants import beside, equivalence
from halfulp_formal.mutants.bench import bench
from halfulp_formal.mutants.beside import Beside, points
from halfulp_formal.mutants.equivalence import EQUIVALENT, UNSHOWN, build, by_name
from halfulp_formal.mutants.killing import candidates, tries
from halfulp_formal.obligation import Mismatch, Verdict

NAME = "shifts322s16"
KILLED, EQUAL, NEVER = (
    "integers.to_word.constant-1.plus-1",
    "parameters.field.constant-1.plus-1",
    "postprocess.element.compare-2.ne",  # on a line that the rows leave out
)
ENGINE = Engine("bitwuzla", 60)


@pytest.mark.parametrize(
    "name", [NAME, "cvt.fp32.e4m3.rne.nosat", "scale.fp32.floor", "bfp16.conv_even", "format.e4m3"]
)
def test_the_points_are_legal_and_have_the_models_answers(name):
    found = points(name)
    assert len(found) > 50
    assert all(bench().run(name, each.inputs) == each.outputs for each in found)
    assert len({each.inputs for each in found}) == len(found)
    points.cache_clear()
    assert points(name) == found


@pytest.mark.parametrize("joint", [UNSHOWN, EQUIVALENT])
def test_a_wrong_condition_is_no_proof(monkeypatch, joint):
    assert decide(build(f"{NAME}{joint}{KILLED}"), ENGINE).verdict is Verdict.REFUTED
    # -257 >> 13
    case = ((0xFFFFFEFF, 0, 12 << 32, 0), (0xFFFF, 0))
    monkeypatch.setattr(beside, "points", lambda conversion: tuple(tries(conversion, [case])))
    zero = Equals(equivalence.base_case(NAME).inputs[0], BV(0, 32))  # at which the words are the same
    monkeypatch.setattr(equivalence, "shown", lambda *_: FALSE() if joint == UNSHOWN else zero)
    proof = decide(build(f"{NAME}{joint}{KILLED}"), ENGINE)
    told = "the mutant answers 0xfffffeff 0x0 0xc00000000 0x0 with 0x1ffffffffffffffff 0x0, the model with 0xffff 0x0"
    assert (proof.verdict, proof.detail) == (Verdict.ERROR, told)


def test_what_is_proved_was_run():
    proof = decide(build(f"{NAME}{EQUIVALENT}{EQUAL}"), ENGINE)
    assert proof.verdict is Verdict.PROVED
    assert proof.validated > 60
    assert Beside(NAME, by_name(NAME)[EQUAL]).validate(60) == 60
    mutant = by_name(NAME)[NEVER]
    assert decide(build(f"{NAME}{UNSHOWN}{NEVER}"), ENGINE).validated == Beside(NAME, mutant).validate(60) == 60


def test_a_few_points_tell_most_mutants_from_the_model():
    told = same = 0
    for mutant in candidates(NAME):
        if mutant.name.startswith("integers."):
            try:
                same += Beside(NAME, mutant).validate(60) > 0
            except Mismatch:
                told += 1
    assert told > 5 * same


def test_a_witness_is_put_to_the_replays_of_the_terms():
    class Complaining:
        def check(self, assignment):
            return f"no {assignment['in.value']}"

        def validate(self, samples):
            return samples

    mutant = by_name(NAME)[KILLED]
    assert Beside(NAME, mutant).check({"in.value": 3}) is None
    assert Beside(NAME, mutant, (Complaining(),)).check({"in.value": 3}) == "no 3"
