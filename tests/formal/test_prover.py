from dataclasses import replace

import pytest

from formal.obligations import build, build_nothing
from halfulp_formal.decide import Engine
from halfulp_formal.obligation import Verdict
from halfulp_formal.prover import About, Prover, PutOff, engine_name, is_settled
from halfulp_formal.solvers import available

ENGINE = Engine("z3", 20)


def test_the_name_of_an_engine_has_every_solver_with_its_version():
    versions = available()
    assert engine_name(ENGINE) == f"z3 {versions['z3']}"
    assert (
        engine_name(replace(ENGINE, cross_check=True, second="bitwuzla"))
        == f"z3 {versions['z3']} + bitwuzla {versions['bitwuzla']}"
    )


def test_what_is_settled():
    proof = Prover(build, ENGINE, None).prove("a.true")
    both = replace(ENGINE, cross_check=True)
    assert is_settled(proof, ENGINE)
    assert is_settled(replace(proof, second="cvc5 1: unsat"), both)
    assert not is_settled(replace(proof, second="cvc5 1: undecided"), both)
    assert not is_settled(replace(proof, verdict=Verdict.UNDECIDED), ENGINE)


def test_a_query_is_asked_about_before_it_is_decided_and_once_in_a_process():
    asked: list[About] = []
    prover = Prover(build, ENGINE, None)
    first = prover.prove("a.true", asked.append)
    second = prover.prove("b.true", asked.append)
    assert [about.name for about in asked] == ["a.true"]
    assert (asked[0].query, asked[0].conversion, asked[0].expect) == (first.query, "a", Verdict.PROVED)
    assert (first.is_known, second.cached, second.shared, second.name) == (False, False, True, "b.true")


def test_a_proof_from_elsewhere_is_checked_here():
    known = Prover(build, ENGINE, None).prove("a.false")
    shared = Prover(build, ENGINE, None).prove("b.false", lambda _: known)
    assert (shared.cached, shared.shared) == (False, True)
    stored = Prover(build, ENGINE, None).prove("b.false", lambda _: replace(known, cached=True))
    assert (stored.cached, stored.shared) == (True, False)
    wrong = replace(known, witness={"in.x": 1, "in.y": 0})
    proof = Prover(build, ENGINE, None).prove("b.false", lambda _: wrong)
    assert (proof.is_known, proof.witness) == (False, known.witness)


def test_a_task_that_was_put_off_is_not_built_again():
    def put_off(_about):
        raise PutOff

    prover = Prover(build, ENGINE, None)
    with pytest.raises(PutOff):
        prover.prove("a.true", put_off)
    prover._build = build_nothing
    assert prover.prove("a.true").verdict is Verdict.PROVED
    assert prover.prove("a.true").detail == "cannot be built: AssertionError: a.true was built"


def test_the_time_of_a_proof_has_the_building_in_it(monkeypatch):
    from halfulp_formal import prover

    clock = iter([10.0, 14.5])
    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    monkeypatch.setattr(prover, "decide", lambda _, engine, **__: About("a").failed(Verdict.PROVED, engine, 1.0, ""))
    assert Prover(build, ENGINE, None).prove("a.true").seconds == 4.5
