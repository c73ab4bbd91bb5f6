"""One obligation to its verdict: refutation query, witness check, second opinion, vacuity check, replay."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from pysmt.environment import get_env

from halfulp_formal.abstraction import abstract_products
from halfulp_formal.dag import symbols
from halfulp_formal.evaluate import evaluate
from halfulp_formal.minimise import LimitReached, equals, least_point
from halfulp_formal.obligation import Mismatch, Proof, Verdict
from halfulp_formal.smtlib import export, obligation_hash
from halfulp_formal.solvers import Answer, SolverFailure, open_solver, second_opinion, version_of
from halfulp_formal.specialise import specialise
from halfulp_formal.steps import after_steps
from halfulp_formal.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from pysmt.fnode import FNode

    from halfulp_formal.obligation import Obligation
    from halfulp_formal.solvers import Session

# Bitwuzla's word-level rewriting settles whole what the others settle only case by case.
_DECIDES_WHOLE = frozenset({"bitwuzla"})
# A lemma on the operands of a product is settled at once or not worth the wait.
_LEMMA_SECONDS = 5.0
# What a session that has learnt from other cubes does not settle in this time is simpler to settle from the start.
_CUBE_SECONDS = 0.25


@dataclass(frozen=True)
class Engine:
    """Which solver decides, within which limit, and whether a second one must agree."""

    solver: str = "bitwuzla"
    timeout: float = 60.0  #: seconds a query, all its cubes together; each cube of a split obligation is a query
    cross_check: bool = False
    second: str = ""  #: the solver that must agree; "" means the preferred one of another family
    save: Path | None = None  #: the folder that gets the queries on which two solvers disagree
    memory: float = 1.5  #: GiB in use by a process that decides; more ends it from outside
    grace: float = 5.0  #: seconds past its limit after which a query is ended from outside

    @property
    def other(self) -> str:
        """The second solver, "" where none is asked. MissingSolver: none is installed."""
        return (self.second or second_opinion(self.solver)) if self.cross_check else ""


class Unsound(Exception):
    """An answer or a replay that contradicts the terms, or a premise that makes a proof worthless."""


class _Disagreement(Unsound):
    """Two solvers gave different definite answers to one query."""

    def __init__(self, first: _Opinion, second: _Opinion) -> None:
        says = [f"{each.solver} says {each.answer.value}" for each in (first, second)]
        super().__init__(f"solvers disagree: {says[0]}, {says[1]}")
        self.opinions = (first, second)


class _Refuted(Exception):
    """A claim is false at a point that was found on the way."""

    def __init__(self, witness: Mapping[str, int]) -> None:
        super().__init__("a step is refuted, and the claim with it")
        self.witness = witness


@dataclass(frozen=True)
class _Opinion:
    """One solver's answer to the refutation query; the witness of a SAT has been evaluated."""

    solver: str
    answer: Answer
    witness: Mapping[str, int] | None = None
    cubes: int = 0
    asked: tuple[FNode, ...] = ()  #: the formulas whose conjunction got this answer: abstracted or within a cube

    def __str__(self) -> str:
        word = "undecided" if self.answer is Answer.UNKNOWN else self.answer.value
        return f"{self.solver} {version_of(self.solver)}: {word}"


@dataclass(frozen=True)
class _Query:
    """One obligation under one limit; `on_query` hears when a solver starts to use up the limit."""

    obligation: Obligation
    timeout: float
    on_query: Callable[[], None]

    def refute(self, solver: str) -> _Opinion:
        """The solver's answer to "assumption and not claim"; by cubes if solver or obligation needs them.

        The query with its products abstracted is tried first: its unsat is the query's, its sat says nothing.
        """
        self.on_query()
        obligation = self.obligation
        try:
            claim = after_steps(obligation.claim, obligation.steps, partial(self._follows, solver))
        except _Refuted as refuted:
            return _Opinion(solver, Answer.SAT, refuted.witness, asked=self._whole(obligation.claim))
        abstract = abstract_products(obligation.assumption, claim, partial(self._holds, solver))
        if obligation.cubes and (obligation.split or solver not in _DECIDES_WHOLE):
            return self._refute_by_cubes(solver, claim, abstract)
        if abstract is not None and self._check(solver, abstract, self.timeout) is Answer.UNSAT:
            return _Opinion(solver, Answer.UNSAT, None, asked=(abstract,))
        with self._opened(solver, claim) as session:
            return self._opinion(session, session.check(), self._whole(claim))

    def _follows(self, solver: str, step: FNode) -> bool:
        """Whether the solver proves a step from the assumption; each is a query with a limit of its own.

        _Refuted: a point at which the step fails refutes the claim too.
        """
        self.on_query()
        obligation = self.obligation
        with open_solver(solver, self.timeout) as session:
            session.add(obligation.assumption, get_env().formula_manager.Not(step))
            answer = session.check()
            if answer is Answer.SAT:
                witness = _witness(session, obligation)
                if evaluate([obligation.assumption, obligation.claim], witness) == (True, False):
                    raise _Refuted(witness)
            return answer is Answer.UNSAT

    def _holds(self, solver: str, formula: FNode) -> bool:
        """Whether the solver proves a lemma quickly."""
        denied = get_env().formula_manager.Not(formula)
        return self._check(solver, denied, min(self.timeout, _LEMMA_SECONDS)) is Answer.UNSAT

    def _check(self, solver: str, formula: FNode, seconds: float) -> Answer:
        with open_solver(solver, seconds) as session:
            session.add(formula)
            return session.check()

    def _whole(self, claim: FNode) -> tuple[FNode, FNode]:
        return self.obligation.assumption, get_env().formula_manager.Not(claim)

    def _opened(self, solver: str, claim: FNode) -> Session:
        session = open_solver(solver, self.timeout)
        session.add(*self._whole(claim))
        return session

    def _opinion(self, session: Session, answer: Answer, asked: tuple[FNode, ...]) -> _Opinion:
        if answer is not Answer.SAT:
            return _Opinion(session.name, answer, None, asked=asked)
        obligation = self.obligation
        witness = _witness(session, obligation)
        holds, claimed = evaluate([obligation.assumption, obligation.claim], witness)
        if not holds or claimed:
            raise Unsound(
                f"{session.name} gave a model that refutes nothing: at {_point(witness)} "
                f"the assumption is {str(holds).lower()} and the claim {str(claimed).lower()}"
            )
        return _Opinion(session.name, answer, witness, asked=asked)

    def _refute_by_cubes(self, solver: str, claim: FNode, abstract: FNode | None) -> _Opinion:
        manager, cubes = get_env().formula_manager, self.obligation.cubes
        with open_solver(solver, self.timeout) as session:
            session.add(self.obligation.assumption, manager.Not(manager.Or(cubes)))
            covered = session.check()
            if covered is Answer.SAT:
                raise Unsound(f"the cubes do not cover the assumption: {_point(_witness(session, self.obligation))}")
            if covered is Answer.UNKNOWN:
                return _Opinion(solver, Answer.UNKNOWN)
        if abstract is not None:
            answer = next(
                (each for each, _ in self._by_cube(solver, abstract) if each is not Answer.UNSAT), Answer.UNSAT
            )
            if answer is Answer.UNSAT:
                return _Opinion(solver, Answer.UNSAT, None, len(cubes), (abstract,))
            if answer is Answer.UNKNOWN:
                # with its products it is no easier
                return _Opinion(solver, Answer.UNKNOWN)
        query = manager.And(*self._whole(claim))
        for cube, (answer, session) in zip(cubes, self._by_cube(solver, query), strict=False):
            if answer is not Answer.UNSAT:
                return self._opinion(session, answer, (query, cube))
        return _Opinion(solver, Answer.UNSAT, None, len(cubes), (query,))

    def _by_cube(self, solver: str, query: FNode) -> Iterator[tuple[Answer, Session]]:
        """The answers to the query in each cube within the limit, each with the session that still has its model.

        A query that is only ever decided by cubes is simplified by what each cube fixes, in a session of its own and with
        a limit of its own: there may be hundreds. Any other has one session, which learns from cube to cube; only what that
        does not settle at once is simplified.
        """
        if self.obligation.split:
            for cube in self.obligation.cubes:
                self.on_query()
                yield from self._in_cube(solver, query, cube, self.timeout)
            return
        deadline = time.monotonic() + self.timeout
        with open_solver(solver, self.timeout) as session:
            session.add(query)
            for cube in self.obligation.cubes:
                left = deadline - time.monotonic()
                answer = session.check(cube, seconds=min(left, _CUBE_SECONDS)) if left > 0 else Answer.UNKNOWN
                left = deadline - time.monotonic()
                if answer is Answer.UNKNOWN and left > 0:
                    yield from self._in_cube(solver, query, cube, left)
                else:
                    yield answer, session

    def _in_cube(self, solver: str, query: FNode, cube: FNode, seconds: float) -> Iterator[tuple[Answer, Session]]:
        """The answer in one cube, of the query simplified by what the cube fixes."""
        with open_solver(solver, seconds) as session:
            session.add(specialise(query, cube), cube)
            yield session.check(), session

    def require_assumption(self, solver: str) -> None:
        """Return if the assumption can hold: a proof from an impossible assumption says nothing."""
        assumption = self.obligation.assumption
        if assumption.is_true():
            return
        self.on_query()
        with open_solver(solver, self.timeout) as session:
            session.add(assumption)
            answer = session.check()
            if answer is Answer.UNSAT:
                raise Unsound("vacuous: the assumption can never hold")
            if answer is Answer.UNKNOWN:
                raise LimitReached(f"{solver} did not say within {self.timeout:g} s whether the assumption can hold")
            point = _witness(session, self.obligation)
        if evaluate([assumption], point) != (True,):
            raise Unsound(f"{solver} gave a model at which the assumption is false: {_point(point)}")

    def preferred_witness(self, solver: str) -> dict[str, int] | None:
        """The least witness, if there is one at which the first inputs are what is preferred; their values simplify it.

        None: there is none, or there are no preferences, or the solver does not say.
        """
        inputs, preferred = _inputs(self.obligation), self.obligation.preferred
        first = list(takewhile(lambda each: each.symbol_name() in preferred, inputs))
        if not first:
            return None
        self.on_query()
        manager = get_env().formula_manager
        cube = manager.And([equals(each, preferred[each.symbol_name()]) for each in first])
        with open_solver(solver, self.timeout) as session:
            session.add(specialise(manager.And(*self._whole(self.obligation.claim)), cube), cube)
            if session.check() is not Answer.SAT:
                return None
            return self._refuting(session.name, least_point(session, inputs, preferred))

    def least_witness(self, solver: str) -> dict[str, int]:
        """The witness nearest to what the obligation prefers, all zeros by default, whatever the solver."""
        self.on_query()
        with self._opened(solver, self.obligation.claim) as session:
            return self._refuting(solver, least_point(session, _inputs(self.obligation), self.obligation.preferred))

    def _refuting(self, solver: str, found: dict[str, int] | None) -> dict[str, int]:
        """A least point, if it refutes the claim."""
        if found is None:
            raise Unsound(f"{solver} has refuted the claim, and then finds nothing that refutes it")
        if evaluate([self.obligation.assumption, self.obligation.claim], found) != (True, False):
            raise Unsound(f"{solver} minimised the witness to a point that refutes nothing: {_point(found)}")
        return found


def _inputs(obligation: Obligation) -> list[FNode]:
    """The declared inputs, then any other free symbol."""
    return list(dict.fromkeys([*obligation.inputs, *symbols([obligation.assumption, obligation.claim])]))


def _witness(session: Session, obligation: Obligation) -> dict[str, int]:
    """The model's values of the inputs; 0 where the terms do not mention an input."""
    used = set(symbols([obligation.assumption, obligation.claim]))
    return {s.symbol_name(): session.value(s) if s in used else 0 for s in _inputs(obligation)}


def _point(assignment: Mapping[str, int]) -> str:
    return ", ".join(f"{name}={value:#x}" for name, value in assignment.items())


def decide(
    obligation: Obligation,
    engine: Engine,
    *,
    minimise: bool = False,
    on_query: Callable[[], None] = lambda: None,
) -> Proof:
    """The verdict on an obligation; whatever goes wrong on the way is a verdict too.

    `on_query` is called whenever a solver starts on a query with a limit of its own. With `minimise`, and where a
    refutation is expected, a witness is the lexicographically least one. MissingSolver: a solver that the engine asks
    for is not installed.
    """
    started = time.perf_counter()
    version_of(engine.solver)
    other = engine.other
    query = _Query(obligation, engine.timeout, on_query)
    verdict, detail, second, digest, validated = Verdict.ERROR, "", "", "", 0
    opinion = _Opinion(engine.solver, Answer.UNKNOWN)
    try:
        digest = obligation_hash(obligation)
        least = minimise or obligation.expect is Verdict.REFUTED
        found = query.preferred_witness(engine.solver) if least and not other else None
        opinion = query.refute(engine.solver) if found is None else _Opinion(engine.solver, Answer.SAT, found)
        if other:
            opinion, second = _reconciled(opinion, query.refute(other))
        if least and found is None and opinion.answer is Answer.SAT:
            opinion = _Opinion(opinion.solver, Answer.SAT, query.least_witness(opinion.solver))
        verdict, detail, validated = _verdict(query, opinion)
    except _Disagreement as error:
        detail = f"{error}{_saved(obligation, error, engine.save)}"
    except (SolverFailure, Unsound, Mismatch) as error:
        detail = str(error)
    except LimitReached as error:
        verdict, detail = Verdict.UNDECIDED, str(error)
    except Exception as error:  # noqa: BLE001  # a broken term or solver binding costs its own verdict only
        detail = f"{type(error).__name__}: {' '.join(str(error).split())}"
    return Proof(
        name=obligation.name,
        conversion=obligation.conversion,
        verdict=verdict,
        expect=obligation.expect,
        solver=opinion.solver,
        version=version_of(opinion.solver),
        seconds=time.perf_counter() - started,
        query=digest,
        witness=opinion.witness if verdict is Verdict.REFUTED else None,
        detail=detail,
        second=second,
        validated=validated,
    )


def _reconciled(first: _Opinion, second: _Opinion) -> tuple[_Opinion, str]:
    """The opinion to go on with, and what the other solver says."""
    if Answer.UNKNOWN not in (first.answer, second.answer) and first.answer is not second.answer:
        raise _Disagreement(first, second)
    if first.answer is Answer.UNKNOWN and second.answer is not Answer.UNKNOWN:
        return second, str(first)
    return first, str(second)


def _saved(obligation: Obligation, disagreement: _Disagreement, folder: Path | None) -> str:
    """Write both queries as each solver was asked, with the answer that it gave; where they are, in words."""
    if folder is None:
        return ""
    names = []
    for opinion in disagreement.opinions:
        path = folder / f"{obligation.name.replace('/', '_')}.{opinion.solver}.smt2"
        said = f"{opinion}; {disagreement}"
        text = export(
            opinion.asked, inputs=obligation.inputs, status=opinion.answer.value, comments=[obligation.name, said]
        )
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            return f"; cannot write {path}: {error.strerror}"
        names.append(path.name)
    return f"; queries saved: {' and '.join(names)} in {folder}"


def _verdict(query: _Query, opinion: _Opinion) -> tuple[Verdict, str, int]:
    """The verdict that an opinion amounts to, a line on how it came about, and at how many points it was validated."""
    if opinion.answer is Answer.UNKNOWN:
        return Verdict.UNDECIDED, f"{opinion.solver} gave no answer within {query.timeout:g} s", 0
    if opinion.answer is Answer.UNSAT:
        query.require_assumption(opinion.solver)
        return Verdict.PROVED, counted(opinion.cubes, "cube") if opinion.cubes else "", validate(query.obligation)
    assert opinion.witness is not None
    replay(query.obligation, opinion.witness)
    return Verdict.REFUTED, "", 0


def validate(obligation: Obligation) -> int:
    """Compare the obligation's terms with what they stand for, as often as it asks; the number of points compared.

    Mismatch: they differ somewhere, so a proof about the terms says nothing.
    """
    samples = obligation.samples
    return sum(each.validate(samples) for each in obligation.replays) if samples else 0


def replay(obligation: Obligation, witness: Mapping[str, int]) -> None:
    """Return if the witness refutes the claim and every replay agrees there; else raise Unsound."""
    if evaluate([obligation.assumption, obligation.claim], witness) != (True, False):
        raise Unsound(f"the witness refutes nothing: {_point(witness)}")
    for each in obligation.replays:
        try:
            complaint = each.check(witness)
        except Exception as error:
            reason = " ".join(str(error).split())
            raise Unsound(f"replay failed at {_point(witness)}: {type(error).__name__}: {reason}") from error
        if complaint is not None:
            raise Unsound(f"replay disagrees at {_point(witness)}: {complaint}")
