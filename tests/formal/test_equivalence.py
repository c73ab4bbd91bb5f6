"""Model against encoding: what is claimed, that it is true at single points, and that it is proved."""

from dataclasses import replace

import pytest
from pysmt.shortcuts import And, Not

from formal.obligations import obligation
from halfulp_formal import catalogue
from halfulp_formal.case import Case
from halfulp_formal.decide import Engine, decide
from halfulp_formal.equivalence import KINDS, every, input_bits, is_vector, one_exponent
from halfulp_formal.evaluate import compile_term
from halfulp_formal.mistakes import MISTAKES
from halfulp_formal.obligation import Verdict
from halfulp_formal.sampling import legal_points
from halfulp_formal.seeded import JOINT, build_seeded
from halfulp_formal.solvers import available
from halfulp_formal.subject import base_subject
from halfulp_model.conversions import conversions
from oracle import pto

ENGINE = Engine(timeout=60)
#: a conversion of every mode and accumulator, in alternating roundings
BY_MODE = list({name.split(".")[0] + conversions()[name].accumulator.name: name for name in conversions()}.values())
QUICK = ["noquant.u32", "shifts322s16", "vshifts322s16", "req8.rne.nosat"]


def test_kinds():
    assert [kind.name for kind in KINDS] == ["equivalent", "total", "legal", "twin"]
    assert every("anything")
    assert [name for name in ("vreq8.rne.sat", "req8.rne.sat") if is_vector(name)] == ["vreq8.rne.sat"]
    vectors = {name for name in conversions() if is_vector(name)}
    assert vectors == {name for name in conversions() if conversions()[name].mode.operand == "vector"}
    assert {name[1:] for name in vectors} <= set(conversions())


def test_an_encoding_reads_the_inputs_as_they_stand():
    own = Case(base_subject(), "req8.rne.nosat")
    assert [bits.term for bits in input_bits(own)] == list(own.inputs)


@pytest.mark.parametrize("kind", ["equivalent", "total", "legal"])
@pytest.mark.parametrize("name", BY_MODE)
def test_claims_are_true_at_legal_points(name, kind):
    built = catalogue.build(f"{name}.{kind}")
    claim = compile_term([And(built.assumption, built.claim)], Case(base_subject(), name).inputs)
    for point in legal_points(conversions()[name], 100):
        assert claim(*point.values()) == (True,), point


@pytest.mark.parametrize("name", BY_MODE)
def test_the_assumption_is_the_oracles_legality(name):
    conversion = conversions()[name]
    built = catalogue.build(f"{name}.total")
    legal = compile_term([built.assumption], Case(base_subject(), name).inputs)
    parameter = conversion.mode.parameter.value != "none"
    for point in spoilt(legal_points(conversion, 60)):
        relu, quant_word, relu_word = (point[key] for key in ("in.relu", "in.quant_word", "in.relu_word"))
        expected = (
            relu < 4
            and (relu < 2 or pto.activation_legal(relu_word))
            and (not parameter or pto.parameter_legal(conversion.mode.code, quant_word))
        )
        assert legal(*point.values()) == (expected,), point


def spoilt(points):
    """Yield each point as it is, and with one bit of each word turned."""
    for number, point in enumerate(points):
        yield point
        yield {**point, "in.relu": point["in.relu"] ^ 4}
        yield {**point, "in.quant_word": point["in.quant_word"] ^ 1 << number % 64}
        yield {**point, "in.relu": 2, "in.relu_word": point["in.relu_word"] ^ 1 << number % 64}


@pytest.mark.parametrize("name", [name for name in BY_MODE if is_vector(name)])
def test_twins_are_equal_at_single_points_and_proved(name):
    built = catalogue.build(f"{name}.twin")
    claim = compile_term([built.claim], Case(base_subject(), name).inputs)
    for point in legal_points(conversions()[name], 50):
        assert claim(*point.values()) == (True,)
    assert decide(built, ENGINE).verdict is Verdict.PROVED


@pytest.mark.parametrize("kind", ["total", "legal"])
@pytest.mark.parametrize("name", BY_MODE)
def test_totality_and_legality_are_proved(name, kind):
    proof = decide(catalogue.build(f"{name}.{kind}"), ENGINE)
    assert proof.verdict is Verdict.PROVED
    assert proof.validated == (catalogue.SAMPLES if kind == "legal" else 0)


@pytest.mark.parametrize("name", QUICK)
def test_equivalence_is_proved_and_validated(name):
    proof = decide(catalogue.build(f"{name}.equivalent"), ENGINE)
    assert (proof.verdict, proof.witness) == (Verdict.PROVED, None)
    assert proof.validated >= 2 * catalogue.SAMPLES


@pytest.mark.parametrize("name", ["deqf16.rto.sat", "qf322b8.rtp.nosat", "vqf322f16.rne.sat"])
def test_the_products_have_one_exponent(name):
    own = Case(base_subject(), name)
    step = one_exponent(own)
    assert own.lifter.calls == []
    holds = compile_term([step], own.inputs)
    assert all(holds(*point.values()) == (True,) for point in legal_points(conversions()[name], 100))
    by_itself = obligation("a.b", step, assumption=own.legal, inputs=own.inputs)
    for solver in available():
        assert decide(by_itself, Engine(solver, 20)).verdict is Verdict.PROVED


@pytest.mark.parametrize("solver", ["z3", pytest.param("cvc5", marks=pytest.mark.slow)])
def test_the_products_exponent_is_what_a_second_solver_needs(solver):
    built = catalogue.build("qf322f32.rtz.sat.equivalent")
    proof = decide(built, Engine(solver, 60))
    assert (proof.verdict, proof.solver) == (Verdict.PROVED, solver)


@pytest.mark.parametrize("mistake", ["exponents_subtracted", "nearest_reversed"])
def test_a_second_solver_refuses_mistakes_in_the_exponent_and_elsewhere(mistake):
    wrong = build_seeded(f"qf322f16.rne.sat.equivalent{JOINT}{mistake}")
    step = one_exponent(Case(MISTAKES[mistake].subject(), "qf322f16.rne.sat"))
    assert step in wrong.steps
    # a mistake that the step is about makes it false; any other leaves it true
    proof = decide(obligation("a.b", step, assumption=wrong.assumption, inputs=wrong.inputs), ENGINE)
    assert (proof.verdict is Verdict.REFUTED) == (mistake == "exponents_subtracted")
    # any witness will do, not the least one
    assert decide(replace(wrong, expect=Verdict.PROVED), Engine("z3", 60)).verdict is Verdict.REFUTED


@pytest.mark.slow
@pytest.mark.parametrize("name", conversions())
def test_every_equivalence_is_proved(name):
    assert decide(catalogue.build(f"{name}.equivalent"), ENGINE).verdict is Verdict.PROVED


def test_without_the_assumption_equivalence_is_refuted():
    # outside the legal words model and encoding may differ: the assumption is needed
    built = catalogue.build("noquant.fp32.equivalent")
    claim = compile_term([built.assumption, built.claim], Case(base_subject(), "noquant.fp32").inputs)
    # a negative activation factor, whose sign the encoding does not look at
    assert claim(0xBF800000, 2, 0, 1 << 18 | 127 << 10) == (False, False)


def test_every_side_condition_is_part_of_the_claim():
    own = Case(base_subject(), "shifts322s16")
    own.element  # noqa: B018  # lifted
    assert own.lifter.total().is_true()
    wrong = Case(base_subject(), "shifts322s16")
    wrong.lifter.require(Not(wrong.legal), "a test", "here")
    kinds = {kind.name: kind for kind in KINDS}
    for kind in ("equivalent", "total"):
        claim = kinds[kind].build(wrong)
        values = compile_term([claim.assumption, claim.claim], wrong.inputs)(5, 0, 1 << 32, 0)
        assert values == (True, False)
