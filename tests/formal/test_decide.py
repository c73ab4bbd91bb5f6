from dataclasses import replace
from types import SimpleNamespace

import pytest
from pysmt.exceptions import SolverReturnedUnknownResultError
from pysmt.typing import INT

from formal.obligations import M, X, Y, build, commutes, hard, obligation
from halfulp_formal.decide import Engine, decide, replay
from halfulp_formal.obligation import Verdict
from halfulp_formal.smtlib import obligation_hash
from halfulp_formal.solvers import MissingSolver, available, door

SOLVERS = list(available())
QUICK = [Engine(name, 10) for name in SOLVERS]
COUNT = M.Symbol("in.count", INT)
CUBES = tuple(M.Equals(M.BVExtract(X, 14, 15), M.BV(value, 2)) for value in range(4))
SQUARE = M.Equals(M.BVSub(M.BVMul(X, X), M.BVMul(Y, Y)), M.BVMul(M.BVAdd(X, Y), M.BVSub(X, Y)))


class Fake:
    """A solver that answers and lies as it is told."""

    def __init__(self, *answers, value=None):
        self.answers, self.fixed = iter(answers), value

    def solve(self, _assumptions):
        answer = next(self.answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def get_py_value(self, _term):
        return self.fixed

    def add_assertion(self, _formula):
        pass

    def exit(self):
        pass


@pytest.fixture
def fake(monkeypatch):
    """Replace solvers by fakes: fake(bitwuzla=Fake(...))."""
    real = door._backend

    def install(**fakes):
        def backend(name):
            if name not in fakes:
                return real(name)
            return SimpleNamespace(create=lambda _, _series: fakes[name], version=lambda: "0")

        monkeypatch.setattr(door, "_backend", backend)

    return install


@pytest.mark.parametrize("engine", QUICK)
def test_true_claim_is_proved(engine):
    proof = decide(build("a.true"), engine)
    assert (proof.verdict, proof.witness, proof.detail, proof.second) == (Verdict.PROVED, None, "", "")
    assert (proof.name, proof.conversion, proof.solver) == ("a.true", "a", engine.solver)
    assert proof.ok
    assert proof.query == obligation_hash(build("a.true"))
    assert 0 < proof.seconds < 10


@pytest.mark.parametrize("engine", QUICK)
def test_false_claim_is_refuted_with_a_witness(engine):
    proof = decide(build("a.false"), engine)
    assert proof.verdict is Verdict.REFUTED
    assert proof.ok
    # The other input does not occur in the terms.
    assert proof.witness is not None
    assert proof.witness == {"in.x": max(proof.witness["in.x"], 12345), "in.y": 0}


@pytest.mark.parametrize("engine", QUICK)
def test_least_witness(engine):
    assert decide(build("a.false"), engine, minimise=True).witness == {"in.x": 12345, "in.y": 0}


@pytest.mark.parametrize("engine", QUICK)
def test_impossible_assumption_is_an_error(engine):
    proof = decide(build("a.vacuous"), engine)
    assert (proof.verdict, proof.detail) == (Verdict.ERROR, "vacuous: the assumption can never hold")


@pytest.mark.parametrize("name", SOLVERS)
def test_limit_is_undecided(name):
    proof = decide(build("a.hard"), Engine(name, 0.2))
    assert (proof.verdict, proof.detail) == (Verdict.UNDECIDED, f"{name} gave no answer within 0.2 s")
    assert not proof.ok


def test_assumption_that_stays_open_is_undecided():
    proof = decide(obligation("a.b", commutes(), assumption=M.Not(hard())), Engine("bitwuzla", 0.2))
    assert proof.verdict is Verdict.UNDECIDED


def test_replay_that_disagrees_is_an_error():
    proof = decide(build("a.differs"), Engine("z3"), minimise=True)
    assert proof.verdict is Verdict.ERROR
    assert proof.detail == "replay disagrees at in.x=0x0, in.y=0x1: model gives 1, term gives 0"
    assert proof.witness is None


def test_replay_that_breaks_is_an_error():
    proof = decide(build("a.breaks"), Engine("z3"), minimise=True)
    assert (proof.verdict, proof.detail) == (
        Verdict.ERROR,
        "replay failed at in.x=0x0, in.y=0x1: KeyError: 'in.x'",
    )


def test_model_that_refutes_nothing_is_an_error(fake):
    fake(bitwuzla=Fake(True, value=7))
    proof = decide(build("a.false"), Engine("bitwuzla"))
    assert proof.verdict is Verdict.ERROR
    assert proof.detail == (
        "bitwuzla gave a model that refutes nothing: at in.x=0x7, in.y=0x0 the assumption is true and the claim true"
    )


def test_wrong_model_of_the_assumption_is_an_error(fake):
    fake(bitwuzla=Fake(False, True, value=2000))
    proof = decide(build("a.true"), Engine("bitwuzla"))
    assert proof.verdict is Verdict.ERROR
    assert proof.detail == "bitwuzla gave a model at which the assumption is false: in.x=0x7d0, in.y=0x7d0"


def test_crash_of_a_solver_is_an_error_in_one_line(fake):
    fake(bitwuzla=Fake(RuntimeError("out of\n  luck")))
    proof = decide(build("a.true"), Engine("bitwuzla"))
    assert (proof.verdict, proof.detail) == (Verdict.ERROR, "bitwuzla failed: RuntimeError: out of luck")


def test_term_outside_the_logic_is_an_error():
    proof = decide(obligation("a.b", M.LT(COUNT, COUNT)), Engine("z3"))
    assert proof.verdict is Verdict.ERROR
    assert proof.detail == "UnsupportedTerm: symbol in.count is of type Int; expected Bool or a bit-vector"


def test_cross_check_agrees():
    for kind, word in (("true", "unsat"), ("false", "sat")):
        proof = decide(build(f"a.{kind}"), Engine("bitwuzla", 10, cross_check=True))
        assert proof.ok
        assert proof.second == f"z3 {available()['z3']}: {word}"


def test_wrong_unsat_is_caught_by_the_cross_check(fake):
    fake(bitwuzla=Fake(False))
    proof = decide(build("a.false"), Engine("bitwuzla", cross_check=True))
    assert (proof.verdict, proof.detail) == (Verdict.ERROR, "solvers disagree: bitwuzla says unsat, z3 says sat")
    assert proof.witness is None


def test_disagreement_saves_what_each_solver_was_asked(fake, tmp_path):
    fake(bitwuzla=Fake(False))
    folder = tmp_path / "saved"
    proof = decide(build("a.false"), Engine("bitwuzla", cross_check=True, save=folder))
    says = "solvers disagree: bitwuzla says unsat, z3 says sat"
    assert proof.detail == f"{says}; queries saved: a.false.bitwuzla.smt2 and a.false.z3.smt2 in {folder}"
    for solver, answer in (("bitwuzla", "unsat"), ("z3", "sat")):
        text = (folder / f"a.false.{solver}.smt2").read_text()
        version = "0" if solver == "bitwuzla" else available()["z3"]
        assert text.startswith(f"; a.false\n; {solver} {version}: {answer}; {says}\n(set-logic QF_BV)\n")
        assert f"(set-info :status {answer})" in text
        assert "(check-sat)" in text


def test_disagreement_within_a_cube_saves_the_cube(fake, tmp_path):
    fake(bitwuzla=Fake(False))
    claimed = obligation("a.b", M.BVULT(X, M.BV(65535, 16)), cubes=CUBES, split=False)
    decide(claimed, Engine("bitwuzla", cross_check=True, save=tmp_path))
    assert (tmp_path / "a.b.z3.smt2").read_text().count("(assert ") == 2
    assert "#b11" in (tmp_path / "a.b.z3.smt2").read_text()


def test_disagreement_that_cannot_be_saved_is_one_all_the_same(fake, tmp_path):
    fake(bitwuzla=Fake(False))
    (tmp_path / "file").touch()
    proof = decide(build("a.false"), Engine("bitwuzla", cross_check=True, save=tmp_path / "file"))
    path = tmp_path / "file" / "a.false.bitwuzla.smt2"
    assert proof.detail.endswith(f"z3 says sat; cannot write {path}: File exists")
    assert proof.verdict is Verdict.ERROR


def test_undecided_second_opinion_keeps_the_verdict(fake):
    fake(z3=Fake(SolverReturnedUnknownResultError()))
    proof = decide(build("a.true"), Engine("bitwuzla", 10, cross_check=True))
    assert (proof.verdict, proof.solver, proof.second) == (Verdict.PROVED, "bitwuzla", "z3 0: undecided")


def test_undecided_first_opinion_hands_over_to_the_second(fake):
    fake(bitwuzla=Fake(SolverReturnedUnknownResultError()))
    proof = decide(build("a.true"), Engine("bitwuzla", 10, cross_check=True))
    assert (proof.verdict, proof.solver, proof.second) == (Verdict.PROVED, "z3", "bitwuzla 0: undecided")


def test_crash_of_the_second_solver_is_an_error(fake):
    fake(z3=Fake(MemoryError()))
    proof = decide(build("a.true"), Engine("bitwuzla", 10, cross_check=True))
    assert (proof.verdict, proof.detail) == (Verdict.ERROR, "z3 failed: MemoryError: no reason given")


@pytest.mark.parametrize("engine", QUICK)
def test_cubes(engine):
    claimed = obligation("a.b", M.BVULE(M.BVAnd(X, Y), X), cubes=CUBES, split=True)
    proof = decide(claimed, engine)
    assert (proof.verdict, proof.detail) == (Verdict.PROVED, "4 cubes")
    wrong = replace(claimed, claim=M.BVULT(X, M.BV(65535, 16)))
    assert decide(wrong, engine).witness == {"in.x": 65535, "in.y": 0}


def test_bitwuzla_takes_the_whole_unless_told_to_split():
    claimed = obligation("a.b", commutes(), cubes=CUBES)
    assert decide(claimed, Engine("bitwuzla")).detail == ""
    assert decide(claimed, Engine("z3")).detail == "4 cubes"


@pytest.mark.parametrize("engine", QUICK)
def test_cubes_that_leave_a_gap_are_an_error(engine):
    proof = decide(obligation("a.b", commutes(), cubes=CUBES[:2] + CUBES[3:], split=True), engine)
    assert proof.verdict is Verdict.ERROR
    assert proof.detail.startswith("the cubes do not cover the assumption: in.x=0x")


@pytest.mark.parametrize("name", SOLVERS)
def test_cubes_share_one_limit(name):
    claimed = build("a.hard")
    top = M.BVExtract(claimed.inputs[0], 38, 39)
    cubes = tuple(M.Equals(top, M.BV(value, 2)) for value in range(4))
    proof = decide(replace(claimed, cubes=cubes, split=True), Engine(name, 0.3))
    assert proof.verdict is Verdict.UNDECIDED
    assert proof.seconds < 2


def test_every_query_is_announced():
    heard = []
    decide(build("a.true"), Engine("bitwuzla", 10, cross_check=True), on_query=lambda: heard.append(1))
    assert len(heard) == 3


def test_missing_solver_is_no_verdict(monkeypatch):
    monkeypatch.setattr(door, "_backend", lambda _: None)
    with pytest.raises(MissingSolver):
        decide(build("a.true"), Engine("bitwuzla"))


def test_replay_of_a_stored_witness():
    replay(build("a.false"), {"in.x": 20000, "in.y": 0})
    with pytest.raises(Exception, match=r"^the witness refutes nothing: in\.x=0x1, in\.y=0x0$"):
        replay(build("a.false"), {"in.x": 1, "in.y": 0})


def test_identity_of_squares_needs_no_cubes():
    assert decide(obligation("a.b", SQUARE), Engine("bitwuzla", 20)).verdict is Verdict.PROVED
