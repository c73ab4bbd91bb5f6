"""From conversions to suites: witnesses searched on a few processes, every one tried on the model and on its class."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from halfulp_formal.cache import Cache
from halfulp_formal.decide import Engine
from halfulp_formal.evaluate import compile_term
from halfulp_formal.obligation import Proof
from halfulp_formal.vectors.family import family_of
from halfulp_formal.vectors.suite import ClassEntry, Suite, assemble
from halfulp_formal.vectors.witnesses import Point, Searcher, WrongPoint
from halfulp_model.loader import default_rules


class WorkerDied(Exception):
    """A worker process ended before its work was done."""


def suite(name: str, searcher: Searcher) -> Suite:
    """Search the witnesses of a conversion and make its suite.

    Raises NoWitness where the solver reaches its limit, WrongPoint where terms, model and solver do not agree.
    """
    family = family_of(name)
    facts = family.facts(name)
    found: list[tuple[ClassEntry, list[Point]]] = []
    for corner in family.classes(name):
        result = searcher.witnesses(name, facts, corner)
        if isinstance(result, Proof):
            found.append((ClassEntry(corner.name, corner.sentence, 0, result.name), []))
        else:
            found.append((ClassEntry(corner.name, corner.sentence, len(result)), result))
    made = assemble(family, name, found)
    verify(made, facts)
    return made


def verify(made: Suite, facts: Any) -> None:
    """Return if every case is in its class, and the lifted terms give what the model gives; else raise WrongPoint."""
    name = made.description.conversion
    corners = family_of(name).classes(name)
    terms = [corner.when(facts).term for corner in corners]
    place = {corner.name: index for index, corner in enumerate(corners)}
    values = compile_term([facts.legal.term, *facts.codes, *terms], facts.inputs)
    outputs = len(facts.codes)
    for case in made.cases:
        legal, *rest = values(*case.inputs)
        if not (legal and rest[outputs + place[case.corner]]):
            raise WrongPoint(f"{name}: case {case.tc} is not in its class {case.corner}")
        if tuple(rest[:outputs]) != case.outputs:
            raise WrongPoint(f"{name}: case {case.tc}: the terms give {rest[:outputs]}, the model {list(case.outputs)}")


def suites(
    names: Sequence[str], engine: Engine, *, jobs: int, cache: Cache | None, on_suite: Callable[[str], None]
) -> list[Suite]:
    """Return the suites of conversions, in their order; `on_suite` hears each name as it is done.

    Conversions that differ in rounding and Sat alone, or in the rule of a scale, are made in one process, as they share
    most witnesses. Raises what `suite` raises, ValueError for fewer than one job, WorkerDied.
    """
    if jobs < 1:
        raise ValueError(f"jobs is {jobs}; expected at least 1")
    groups = [list(group) for _, group in groupby(names, key=arithmetic)]
    made: dict[str, Suite] = {}
    stream = in_process(groups, engine, cache) if jobs == 1 else in_workers(groups, engine, cache, jobs)
    for each in stream:
        made[each.description.conversion] = each
        on_suite(each.description.conversion)
    return [made[name] for name in names]


def arithmetic(name: str) -> str:
    """Return a conversion's name without what is chosen last: rounding mode, Sat, or the rule of a scale."""
    rules = default_rules()
    choices = {"sat", "nosat", *(rounding.lower() for rounding in rules.roundings), *rules.scale_rules}
    return ".".join(part for part in name.split(".") if part not in choices)


def effort(group: Sequence[str]) -> int:
    """Return a number that grows with the time that a group takes: the input bits of its conversions."""
    return sum(field.bits for name in group for field in family_of(name).describe(name).inputs)


def in_process(groups: Sequence[Sequence[str]], engine: Engine, cache: Cache | None) -> Iterator[Suite]:
    """Yield the suites one after the other."""
    for group in groups:
        searcher = Searcher(engine, cache)
        for name in group:
            yield suite(name, searcher)


def in_workers(groups: Sequence[Sequence[str]], engine: Engine, cache: Cache | None, jobs: int) -> Iterator[Suite]:
    """Yield the suites as workers make them, longest group first; whatever ends this early ends the workers too."""
    context: Any = get_context("forkserver" if "forkserver" in get_all_start_methods() else "spawn")
    todo = deque(sorted(groups, key=effort, reverse=True))
    workers: dict[Connection, Any] = {}
    try:
        for _ in range(min(jobs, len(todo))):
            mine, theirs = context.Pipe()
            process = context.Process(target=serve, args=(theirs, engine, cache), daemon=True)
            process.start()
            theirs.close()
            workers[mine] = process
            mine.send(todo.popleft())
        while workers:
            for pipe in wait(list(workers)):
                assert isinstance(pipe, Connection)
                yield from heard(pipe, workers, todo)
    finally:
        for process in workers.values():
            process.kill()
            process.join()


def heard(pipe: Connection, workers: dict[Connection, Any], todo: deque[Sequence[str]]) -> Iterator[Suite]:
    """Act on one message of a worker: a suite, an exception, or the end of a group."""
    try:
        message = pipe.recv()
    except (EOFError, OSError) as error:
        process = workers[pipe]
        process.join()
        raise WorkerDied(f"a worker process died (exit code {process.exitcode})") from error
    if isinstance(message, Suite):
        yield message
    elif isinstance(message, BaseException):
        raise message
    elif todo:
        pipe.send(todo.popleft())
    else:
        pipe.close()
        workers.pop(pipe).join()


def serve(pipe: Connection, engine: Engine, cache: Cache | None) -> None:
    """The life of a worker: groups of names in, suites out, until the pipe closes."""
    # the terminal sends its interrupt to every process; the parent alone decides what then happens
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            group = pipe.recv()
            try:
                for made in in_process([group], engine, cache):
                    pipe.send(made)
            except Exception as error:  # noqa: BLE001  # the parent raises it
                pipe.send(error)
            pipe.send(None)
