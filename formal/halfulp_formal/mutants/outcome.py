"""What becomes of every mutant of some conversions: killed by a case, proved equivalent, or neither."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import groupby
from multiprocessing import active_children, get_all_start_methods, get_context
from typing import TypeVar

from pysmt.shortcuts import TRUE

from halfulp_formal.cache import Cache
from halfulp_formal.decide import Engine
from halfulp_formal.mutants.bench import bench
from halfulp_formal.mutants.equivalence import EQUIVALENT, UNSHOWN, WHOLE, base_case, build, by_name
from halfulp_formal.mutants.killing import Ending, Kill, Refusal, kills, tries
from halfulp_formal.mutants.lifted import lifted
from halfulp_formal.mutants.mutant import Mutant
from halfulp_formal.mutants.whole import whole_edit
from halfulp_formal.obligation import Obligation, Proof, Verdict
from halfulp_formal.scheduler import run
from halfulp_formal.smtlib import obligation_hash
from halfulp_formal.vectors.family import family_of
from halfulp_formal.vectors.generate import arithmetic

GivenT = TypeVar("GivenT")
MadeT = TypeVar("MadeT")

#: inputs and right outputs of a conversion's cases
Cases = Sequence[tuple[tuple[int, ...], tuple[int, ...]]]


class Fate(Enum):
    """What became of a mutant."""

    KILLED = "killed"
    EQUIVALENT = "equivalent"
    #: some legal input tells it from the model, but no case does
    SURVIVES = "survives"
    #: neither shown to be equivalent nor to be otherwise
    UNDECIDED = "undecided"
    #: no model can be built with it, so that there is nothing for a case to tell
    REFUSED = "refused"


#: the obligations of a mutant, each with the verdicts after which the next is asked: a change that shows may still not
#: matter, and so may one of which it is not known; what one query leaves open a narrower one may not
ASKED = (
    (UNSHOWN, (Verdict.REFUTED, Verdict.UNDECIDED)),
    (EQUIVALENT, (Verdict.UNDECIDED,)),
    (WHOLE, ()),
)


@dataclass(frozen=True)
class Outcome:
    """A mutant of a conversion and what became of it.

    kill: the case that tells it from the model. query: the SHA-256 of the query that proves it equivalent, "" where the
    terms are identical. witness: inputs that tell it from the model, in the order of a vector file. detail: a line more.
    """

    conversion: str
    mutant: str
    what: str
    where: str
    fate: Fate
    kill: Kill | None = None
    query: str = ""
    detail: str = ""
    witness: tuple[int, ...] | None = None


def killed_by(
    files: Mapping[str, Cases], jobs: int, on_run: Callable[[str], None] = lambda _: None
) -> dict[str, dict[str, Ending]]:
    """Try the mutants of conversions on their cases; `on_run` hears each conversion when its mutants have been run."""
    groups = [dict(group) for _, group in groupby(files.items(), key=lambda item: arithmetic(item[0]))]
    found: dict[str, dict[str, Ending]] = {}
    for each in mapped(group_kills, groups, jobs):
        found |= each
        for name in each:
            on_run(name)
    return {name: found[name] for name in files}


def mapped(run: Callable[[GivenT], MadeT], groups: Sequence[GivenT], jobs: int) -> Generator[MadeT, None, None]:
    """Yield what comes of groups of conversions, from worker processes where more than one is wanted."""
    if min(jobs, len(groups)) < 2:
        yield from map(run, groups)
        return
    context = get_context("forkserver" if "forkserver" in get_all_start_methods() else "spawn")
    others = active_children()
    # the terminal sends its interrupt to every process; this one alone decides what then happens
    with ProcessPoolExecutor(min(jobs, len(groups)), context, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        try:
            yield from pool.map(run, groups)
        except BaseException:
            # whatever ends a run does not wait for what its workers are at
            for process in active_children():
                if process not in others:
                    process.kill()
            raise


def group_kills(files: Mapping[str, Cases]) -> dict[str, dict[str, Ending]]:
    """Try the mutants of a group of conversions."""
    return kills({name: tries(name, cases) for name, cases in files.items()})


def survivors_of(killed: Mapping[str, Mapping[str, Ending]]) -> list[tuple[str, str]]:
    """Return conversion and mutant of every mutant that no case kills.

    Of conversions that differ in rounding and Sat alone those of one mutant stand together, so that one changed copy of the
    model serves them all.
    """
    groups = list(dict.fromkeys(map(arithmetic, killed)))
    every = [(conversion, mutant) for conversion in killed for mutant, end in killed[conversion].items() if end is None]
    return sorted(every, key=lambda pair: (groups.index(arithmetic(pair[0])), pair[1]))


def settled(
    survivors: Sequence[tuple[str, str]],
    engine: Engine,
    *,
    jobs: int,
    cache: Cache | None,
    isolate: bool = True,
    on_settled: Callable[[str], None] = lambda _: None,
) -> dict[tuple[str, str], Proof]:
    """Decide for mutants that no case kills whether they are equivalent: whether they show, then whether that matters.

    What no answer comes for is asked once more of fewer inputs, where there is one expression that the change is part of.
    `isolate` is the scheduler's: whether one job has a process of its own.
    """
    proofs: dict[tuple[str, str], Proof] = {}
    waiting = list(survivors)
    for joint, open_after in ASKED:
        if joint == WHOLE:
            left = [pair for pair in waiting if whole_edit(by_name(pair[0])[pair[1]]) is None]
            waiting = [pair for pair in waiting if pair not in left]
            for conversion, mutant in left:
                on_settled(f"{conversion}{EQUIVALENT}{mutant}")

        def hear(proof: Proof, open_after: tuple[Verdict, ...] = open_after) -> None:
            if proof.verdict not in open_after:
                on_settled(proof.name)

        names = [f"{conversion}{joint}{mutant}" for conversion, mutant in waiting]
        found = run(names, build, engine, jobs=jobs, cache=cache, on_proof=hear, isolate=isolate)
        proofs |= dict(zip(waiting, found, strict=True))
        waiting = [pair for pair in waiting if proofs[pair].verdict in open_after]
    return proofs


def outcomes(killed: Mapping[str, Mapping[str, Ending]], proofs: Mapping[tuple[str, str], Proof]) -> list[Outcome]:
    """Return what became of every mutant."""
    return [
        outcome(conversion, mutant, ending, proofs.get((conversion, mutant)))
        for conversion, each in killed.items()
        for mutant, ending in each.items()
    ]


def outcome(conversion: str, name: str, ending: Ending, proof: Proof | None) -> Outcome:
    """Return what became of a mutant; proof: of one that no case kills, and that is not refused either."""
    mutant = by_name(conversion)[name]
    if isinstance(ending, Refusal):
        return Outcome(conversion, name, mutant.what, mutant.where, Fate.REFUSED, detail=why_refused(ending.error))
    if ending is not None:
        return Outcome(conversion, name, mutant.what, mutant.where, Fate.KILLED, ending)
    assert proof is not None
    fate, witness, detail = Fate.UNDECIDED, None, proof.detail
    if proof.verdict is Verdict.PROVED:
        fate, detail = Fate.EQUIVALENT, "never shows" if UNSHOWN in proof.name else "shows, but changes no result"
        if proof.query == nothing_to_ask(conversion):
            return Outcome(conversion, name, mutant.what, mutant.where, fate, None, "", f"{detail}: identical terms")
    elif proof.verdict is Verdict.REFUTED:
        point = point_of(conversion, proof)
        if tells_apart(conversion, mutant, point):
            fate, witness = Fate.SURVIVES, point
        else:
            # a statement that the lifter refuses, which Python runs all the same
            detail = f"answers {shown_point(point)} as the model does"
    return Outcome(conversion, name, mutant.what, mutant.where, fate, None, proof.query, detail, witness)


def why_refused(error: str) -> str:
    """Return why a mutant is refused, by the name of the exception."""
    return f"no model can be built with it: {error}"


def tells_apart(conversion: str, mutant: Mutant, point: tuple[int, ...]) -> bool:
    """Tell whether a mutant answers a point otherwise than the model."""
    right = bench().run(conversion, point)
    with bench().changed(mutant) as changed:
        return changed.run(conversion, point) != right


def shown_point(point: tuple[int, ...]) -> str:
    """Return inputs as they stand in a vector file, without the leading zeros."""
    return " ".join(f"{value:#x}" for value in point)


@cache
def nothing_to_ask(conversion: str) -> str:
    """Return the digest of the query whose claim is true."""
    legal = lifted(conversion).legal(base_case(conversion))
    return obligation_hash(Obligation("", conversion, "", "", assumption=legal, claim=TRUE(), inputs=()))


def point_of(conversion: str, proof: Proof) -> tuple[int, ...]:
    """Return a witness as the inputs of a case."""
    assert proof.witness is not None
    inputs = family_of(conversion).facts(conversion).inputs
    return tuple(proof.witness[symbol.symbol_name()] for symbol in inputs)
