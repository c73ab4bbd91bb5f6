"""What a run of the prover needs of its command line, checked before anything is decided."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from halfulp_formal import catalogue
from halfulp_formal.cache import Cache, default_folder
from halfulp_formal.cluster import Cluster, Unusable
from halfulp_formal.decide import Engine
from halfulp_formal.families.family import Group
from halfulp_formal.prover import engine_name
from halfulp_formal.shards import UnusableTimes, expected, read_times
from halfulp_formal.solvers import preferred

from .failures import Refused, check_amount
from .folders import make_folder


@dataclass(frozen=True)
class Plan:
    """A run whose options have been checked."""

    patterns: Sequence[str]
    names: Sequence[str]  #: the selected obligations, before sharding
    part: int
    parts: int
    engine: Engine
    jobs: int
    cache: Cache | None
    dump: Path | None
    seconds: Mapping[str, float]  #: that the selected obligations should take, the same on every machine
    cluster: Cluster | None


def make_plan(
    *,
    patterns: list[str],
    groups: Sequence[Group],
    solver: str,
    cross_check: bool,
    jobs: int | None,
    timeout: float,
    shard: str,
    keep: bool,
    dump: Path | None,
    second: str = "",
    memory: float = Engine.memory,
    times: Path | None = None,
    dask: str = "",
    save: Path | None = None,
) -> Plan:
    """Check what was asked for. Raises Refused, UnknownName or MissingSolver for what cannot be used.

    save: the folder that gets the queries on which two solvers disagree; None means one in the cache folder.
    """
    check_amount("--timeout", timeout, "seconds")
    check_amount("--memory", memory, "GiB")
    part, parts = read_shard(shard)
    engine = Engine(
        solver or preferred(),
        timeout,
        cross_check=cross_check or bool(second),
        second=second,
        save=save or default_folder() / "disagreements",
        memory=memory,
    )
    engine_name(engine)  # refuses a solver that is not installed
    if engine.other == engine.solver:
        raise Refused(f"--second {second}: is the solver that decides; expected another")
    names = catalogue.matching(patterns, groups)
    seconds = expected(names, None if times is None else recorded_times(times))
    if dump is not None:
        make_folder("--dump", dump)
    cluster = None
    if dask:
        if dump is not None:
            raise Refused("--dump and --dask do not go together: the queries are built on the cluster")
        cluster = connected(dask, engine)
    return Plan(
        patterns=patterns,
        names=names,
        part=part,
        parts=parts,
        engine=engine,
        jobs=jobs or cpu_count(),
        cache=make_cache(dump) if keep else None,
        dump=dump,
        seconds=seconds,
        cluster=cluster,
    )


def read_shard(text: str) -> tuple[int, int]:
    """Read I/N. Raises Refused."""
    found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise Refused(f"--shard {text}: expected I/N with 1 <= I <= N <= 999999")
    return int(found[1]), int(found[2])


def recorded_times(path: Path) -> dict[str, float]:
    """Read the times of an earlier run. Raises Refused."""
    try:
        return read_times(path)
    except UnusableTimes as error:
        raise Refused(f"--times {error}") from error
    except OSError as error:
        raise Refused(f"--times {path}: {error.strerror}") from error


def make_cache(dump: Path | None) -> Cache:
    """Return the user's cache; a query that is to be dumped has to be built, whatever is known under its name."""
    return Cache.of_sources(default_folder()) if dump is None else Cache(default_folder())


def connected(address: str, engine: Engine) -> Cluster:
    """Return a cluster that can do the run. Raises Refused."""
    try:
        cluster = Cluster(address)
        cluster.check(engine)
    except Unusable as error:
        raise Refused(str(error)) from error
    return cluster


def cpu_count() -> int:
    """Return the number of processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
