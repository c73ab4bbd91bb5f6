"""What running many obligations costs beside solving them, and what a second worker is worth."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context

from halfulp_formal.catalogue import build, matching
from halfulp_formal.decide import Engine
from halfulp_formal.families.family import Group
from halfulp_formal.scheduler import run
from halfulp_formal.shards import expected

from .section import Section, ratio, seconds

#: obligations of the sample
SAMPLE = 200

#: what is expected to take longer is left out: one long one at the end would hide what is to be seen
LONGEST = 3.0


def sample() -> list[str]:
    """Return obligations of the default groups, spread evenly."""
    names = matching([], (Group.DEFAULT,))
    times = expected(names)
    short = [name for name in names if times[name] <= LONGEST]
    return short[:: max(1, len(short) // SAMPLE)][:SAMPLE]


@dataclass(frozen=True)
class Measured:
    """Seconds of one run: from start to end, of all its workers at work, and of the scheduler's own processor time."""

    spent: float
    working: float
    own: float

    def row(self, what: str, gain: str) -> tuple[str, ...]:
        """Return the run's row."""
        share = f"{self.own / self.working:.1%}"
        return what, seconds(self.spent), seconds(self.working), seconds(self.own), share, gain


def measured(names: Sequence[str], jobs: int, engine: Engine) -> Measured:
    """Decide obligations on so many workers."""
    started, own = time.perf_counter(), time.process_time()
    proofs = run(names, build, engine, jobs=jobs, expected=expected(names))
    spent, own = time.perf_counter() - started, time.process_time() - own
    wrong = next((proof for proof in proofs if not proof.ok), None)
    if wrong is not None:
        raise AssertionError(f"{wrong.name}: {wrong.verdict.name}: {wrong.detail}")
    return Measured(spent, sum(proof.seconds for proof in proofs), own)


def side_by_side(names: Sequence[str], engine: Engine) -> Measured:
    """Decide obligations twice at the same time, in two programs of one worker that know nothing of each other."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        both = list(pool.map(measured, (names, names), (1, 1), (engine, engine)))
    return Measured(
        max(each.spent for each in both), sum(each.working for each in both), sum(each.own for each in both)
    )


def rows(engine: Engine) -> Iterator[tuple[str, ...]]:
    """Yield a row a run."""
    yield "workers", "time", "building and deciding", "the scheduler's own processor time", "share", "speed-up"
    names = sample()
    one, two, apart = measured(names, 1, engine), measured(names, 2, engine), side_by_side(names, engine)
    yield one.row("1", "1")
    yield two.row("2", ratio(two.spent, one.spent))
    yield apart.row("1, twice at the same time", ratio(apart.spent, 2 * one.spent))


def section(engine: Engine) -> Section:
    """Return the figures."""
    return Section(
        "Workers",
        f"{SAMPLE} obligations of the default groups, spread evenly, none of them expected to take more than {LONGEST:g} s. "
        "The last row is what the machine gives two programs that know nothing of each other, each deciding all of them: "
        "no scheduler can gain more from it.",
        list(rows(replace(engine, cross_check=False))),
    )
