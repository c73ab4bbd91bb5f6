"""Runs of the prover: what was asked for is checked first, then decided, then made into results."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from halfulp_formal import catalogue
from halfulp_formal.abstraction import products
from halfulp_formal.cache import Cache, default_folder, source_digest
from halfulp_formal.decide import Engine
from halfulp_formal.explain import explain_witness
from halfulp_formal.families.family import Group
from halfulp_formal.mistakes import MISTAKES
from halfulp_formal.obligation import Obligation, Proof, Verdict
from halfulp_formal.reporting import Results, Row, differences, input_widths, write_whole
from halfulp_formal.scheduler import engine_name, run
from halfulp_formal.seeded import JOINT, Seed, build_seeded, seeds, settle
from halfulp_formal.smtlib import export_obligation
from halfulp_formal.solvers import preferred, second_opinion, version_of
from halfulp_model.loader import default_rules

from .failures import Interrupted, Refused
from .obligations import facts, shard
from .progress import Progress
from .versions import halfulp_version

#: unexpected refutations that are looked into; each costs building its obligation again
LOOKED_UP = 20

#: seconds a query on the way to a least witness
LEAST_SECONDS = 5.0

Build = Callable[[str], Obligation]


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
) -> Plan:
    """Check what was asked for. Raises Refused, UnknownName or MissingSolver for what cannot be used."""
    if not timeout > 0 or math.isinf(timeout):
        raise Refused(f"--timeout {timeout:g}: expected a number of seconds above 0")
    part, parts = read_shard(shard)
    engine = Engine(solver or preferred(), timeout, cross_check)
    engine_name(engine)  # refuses a solver that is not installed
    names = catalogue.matching(patterns, groups)
    if dump is not None:
        make_folder(dump)
    # a query that is to be dumped has to be built, whatever is known under its name
    sources = source_digest() if keep and dump is None else ""
    return Plan(
        patterns=patterns,
        names=names,
        part=part,
        parts=parts,
        engine=engine,
        jobs=jobs or cpu_count(),
        cache=Cache(default_folder(), sources) if keep else None,
        dump=dump,
    )


def read_shard(text: str) -> tuple[int, int]:
    """Read I/N. Raises Refused."""
    found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise Refused(f"--shard {text}: expected I/N with 1 <= I <= N")
    return int(found[1]), int(found[2])


def make_folder(folder: Path) -> None:
    """Make the folder that queries are written to. Raises Refused."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refused(f"--dump {folder}: cannot be a folder: {error.strerror}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Refused(f"--dump {folder}: permission denied")


def cpu_count() -> int:
    """Return the number of processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def build_and_dump(folder: Path, build: Build, name: str) -> Obligation:
    """Build an obligation and write its query as SMT-LIB 2."""
    obligation = build(name)
    write_whole(folder / f"{name}.smt2", export_obligation(obligation))
    return obligation


def decide(plan: Plan, build: Build, names: Sequence[str], on_proof: Callable[[Proof], None]) -> list[Proof]:
    """Decide names as planned."""
    if plan.dump is not None:
        build = partial(build_and_dump, plan.dump, build)
    return run(names, build, plan.engine, jobs=plan.jobs, cache=plan.cache, on_proof=on_proof)


def run_obligations(plan: Plan) -> Results:
    """Decide the planned obligations. Raises Interrupted."""
    names = shard(list(plan.names), plan.part, plan.parts)
    with Progress(len(names), "obligation") as progress, interruptible(progress):
        proofs = decide(plan, catalogue.build, names, progress.hear)
    known = facts(names)
    wrong = {proof.name: catalogue.build(proof.name) for proof in unexpected_refutations(proofs)[:LOOKED_UP]}
    least = least_witnesses(plan, wrong)
    rows = []
    for proof in proofs:
        fact = known[proof.name]
        if proof.name in least:
            proof = replace(proof, witness=least[proof.name])  # noqa: PLW2901  # the same refutation at another point
        row = Row(proof, fact.sentence, fact.source, f"halfulp prove {proof.name}", {})
        rows.append(with_witness(row, wrong.get(proof.name)))
    return make_results(plan, rows, "obligation")


def unexpected_refutations(proofs: Sequence[Proof]) -> list[Proof]:
    """Return the proofs that were refuted and should not have been."""
    return [proof for proof in proofs if proof.witness is not None and not proof.ok]


def least_witnesses(plan: Plan, wrong: Mapping[str, Obligation]) -> dict[str, Mapping[str, int]]:
    """Return the least witnesses of those obligations that multiply nothing: there they take no time."""
    simple = [name for name, each in wrong.items() if not products([each.assumption, each.claim])]
    engine = replace(plan.engine, timeout=min(plan.engine.timeout, LEAST_SECONDS), cross_check=False)
    proofs = run(simple, partial(build_refutable, catalogue.build), engine, jobs=plan.jobs)
    return {proof.name: proof.witness for proof in proofs if proof.witness is not None}


def build_refutable(build: Build, name: str) -> Obligation:
    """Build an obligation that is expected to be refuted, which is what makes its witness the least one."""
    return replace(build(name), expect=Verdict.REFUTED)


def run_seeded(plan: Plan) -> Results:
    """Put the seeded mistakes to the planned obligations. Raises Interrupted.

    Where patterns select some obligations only, a mistake that does not show in them is no concern of this run.
    """
    chosen = seeds(plan.names)[plan.part - 1 :: plan.parts]

    def matters(proof: Proof) -> bool:
        return not plan.patterns or proof.verdict is not Verdict.PROVED

    with Progress(len(chosen), "seeded mistake") as progress, interruptible(progress):
        proofs = settle(
            chosen,
            lambda names: decide(plan, build_seeded, names, lambda _: None),
            lambda proof: progress.count(proof, matters(proof) and not proof.ok),
        )
    rows = [seeded_row(seed, proof) for seed, proof in zip(chosen, proofs, strict=True) if matters(proof)]
    if len(rows) < len(chosen):
        progress.say(f"seeded mistakes that do not show in the selected obligations: {len(chosen) - len(rows)}")
    return make_results(plan, rows, "seeded mistake")


def seeded_row(seed: Seed, proof: Proof) -> Row:
    """Return the row of a mistake; one that passed says so."""
    obligation, _, mistake = proof.name.partition(JOINT)
    if proof.verdict is Verdict.PROVED:
        proof = replace(proof, detail=f"none of {len(seed.candidates)} obligations of this kind refutes it")
    sentence = f"seeded: {MISTAKES[mistake].what}"
    return Row(proof, sentence, f"{seed.kind} must refute it", f"halfulp prove --seeded {obligation}", {})


def make_results(plan: Plan, rows: Sequence[Row], noun: str) -> Results:
    """Return the results of a run with what it depended on."""
    names = [plan.engine.solver]
    if plan.engine.cross_check:
        names.append(second_opinion(plan.engine.solver))
    return Results(
        rows=rows,
        noun=noun,
        version=halfulp_version(),
        rules=default_rules().digest,
        solvers={name: version_of(name) for name in names},
        patterns=plan.patterns,
        shard=f"{plan.part}/{plan.parts}",
    )


def with_witness(row: Row, obligation: Obligation | None) -> Row:
    """Add to a refuted row what the model does at its witness, and what of the obligation's claim is false there."""
    witness = row.proof.witness
    if witness is None:
        return row
    row = replace(row, explanation=explain_witness(row.proof.conversion, witness))
    if obligation is None:
        return row
    return replace(row, widths=input_widths(obligation), differences=differences(obligation, witness))


class interruptible:  # noqa: N801  # used like a function
    """Turns an interrupt into one line that says what was finished."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, KeyboardInterrupt):
            done = self.progress
            raise Interrupted(
                f"interrupted: {done.done:,} of {done.total:,} {done.noun}s decided, "
                f"{done.unexpected:,} not as expected; no report written"
            ) from error
