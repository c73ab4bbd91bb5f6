"""What running many obligations costs beside solving them, and what a second worker is worth."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

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


def rows(engine: Engine) -> Iterator[tuple[str, ...]]:
    """Yield a row a number of workers."""
    yield (
        "workers",
        "time",
        "building and deciding, of all workers",
        "the scheduler's own processor time",
        "share",
        "speed-up",
    )
    names = sample()
    seconds_of = expected(names)
    first = 0.0
    for jobs in (1, 2):
        started, own = time.perf_counter(), time.process_time()
        proofs = run(names, build, engine, jobs=jobs, expected=seconds_of)
        spent, own = time.perf_counter() - started, time.process_time() - own
        wrong = next((proof for proof in proofs if not proof.ok), None)
        if wrong is not None:
            raise AssertionError(f"{wrong.name}: {wrong.verdict.name}: {wrong.detail}")
        working = sum(proof.seconds for proof in proofs)
        first = first or spent
        yield str(jobs), seconds(spent), seconds(working), seconds(own), f"{own / working:.1%}", ratio(spent, first)


def section(engine: Engine) -> Section:
    """Return the figures."""
    return Section(
        "Workers",
        f"{SAMPLE} obligations of the default groups, spread evenly, none of them expected to take more than {LONGEST:g} s.",
        list(rows(replace(engine, cross_check=False))),
    )
