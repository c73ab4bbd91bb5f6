"""A sample of every family: as halfulp decides it, and the same queries whole in z3."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pysmt.shortcuts import Not

from halfulp_formal.catalogue import FAMILIES, build, obligations
from halfulp_formal.decide import Engine, decide
from halfulp_formal.families.family import Family
from halfulp_formal.obligation import Obligation, Verdict
from halfulp_formal.shards import expected
from halfulp_formal.solvers import Answer, SolverFailure, open_solver

from .section import Section, ratio, seconds, timed

#: obligations of a family, at most
SAMPLE = 8

#: what is expected to take longer is left out
LONGEST = 15.0


def sample(family: Family) -> list[str]:
    """Return some obligations of a family, spread evenly over it."""
    names = [name for conversion in family.conversions() for name in obligations(conversion)]
    times = expected(names)
    short = [name for name in names if times[name] <= LONGEST]
    step = max(1, len(short) // SAMPLE)
    return short[step // 2 :: step][:SAMPLE]


def whole(obligation: Obligation, limit: float) -> Answer:
    """Return z3's answer to the query as it stands: nothing abstracted, no cubes, no steps."""
    with open_solver("z3", limit) as session:
        session.add(obligation.assumption, Not(obligation.claim))
        try:
            return session.check()
        except SolverFailure:
            return Answer.UNKNOWN


def rows(engine: Engine, limit: float) -> Iterator[tuple[str, ...]]:
    """Yield a row a family."""
    yield "family", "obligations", "build", "decide", "z3, whole", "of them finished", "z3 / decide"
    for family in FAMILIES:
        building = deciding = other = 0.0
        names = sample(family)
        finished = 0
        for name in names:
            obligation, spent = timed(build, name)
            building += spent
            proof, spent = timed(decide, obligation, engine)
            deciding += spent
            if not proof.ok:
                raise AssertionError(f"{name}: {proof.verdict.name}: {proof.detail}")
            answer, spent = timed(whole, obligation, limit)
            other += spent
            finished += answer is not Answer.UNKNOWN
            if answer is (Answer.SAT if proof.verdict is Verdict.PROVED else Answer.UNSAT):
                raise AssertionError(f"{name}: z3 says {answer.value}")
        bound = "≥ " if finished < len(names) else ""
        yield (
            family.name,
            str(len(names)),
            seconds(building),
            seconds(deciding),
            seconds(other),
            f"{finished} of {len(names)}",
            bound + ratio(deciding, other),
        )


def section(engine: Engine, limit: float) -> Section:
    """Return the comparison of all families."""
    return Section(
        "Proofs, and the same queries whole in z3",
        f"Up to {SAMPLE} obligations of each family, spread evenly over it, one after another in one process. *build* lifts "
        "the model and makes the terms, *decide* is all that leads to the verdict, replay and check of the lift included. z3 "
        f"gets assumption and denied claim as they stand, for {limit:g} s at most; what it does not finish counts as that.",
        list(rows(replace(engine, cross_check=False), limit)),
    )
