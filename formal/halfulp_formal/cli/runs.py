"""Runs of the prover: what was asked for is checked first, then decided, then made into results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from halfulp_formal import catalogue
from halfulp_formal.abstraction import products
from halfulp_formal.decide import Engine
from halfulp_formal.explain import explain_witness
from halfulp_formal.mistakes import MISTAKES
from halfulp_formal.obligation import Obligation, Proof, Verdict
from halfulp_formal.reporting import Results, Row, differences, input_widths, write_whole
from halfulp_formal.scheduler import run
from halfulp_formal.seeded import JOINT, Seed, build_seeded, seeds, settle
from halfulp_formal.shards import digest, split
from halfulp_formal.smtlib import export_obligation
from halfulp_formal.solvers import preferred, version_of
from halfulp_formal.wording import counted
from halfulp_model.loader import default_rules

from .failures import Interrupted, number_of, stopped
from .obligations import facts
from .planning import Plan
from .progress import Progress
from .versions import halfulp_version

#: unexpected refutations that are looked into; each costs building its obligation again
LOOKED_UP = 20

#: seconds a query on the way to a least witness
LEAST_SECONDS = 5.0

Build = Callable[[str], Obligation]


def build_and_dump(folder: Path, build: Build, name: str) -> Obligation:
    """Build an obligation and write its query as SMT-LIB 2."""
    obligation = build(name)
    write_whole(folder / f"{name}.smt2", export_obligation(obligation))
    return obligation


def decide(plan: Plan, build: Build, names: Sequence[str], on_proof: Callable[[Proof], None]) -> list[Proof]:
    """Decide names as planned."""
    if plan.dump is not None:
        build = partial(build_and_dump, plan.dump, build)
    return run(
        names,
        build,
        plan.engine,
        jobs=plan.jobs,
        cache=plan.cache,
        on_proof=on_proof,
        expected=plan.seconds,
        runner=plan.cluster.decide_all if plan.cluster else None,
    )


def run_obligations(plan: Plan) -> Results:
    """Decide the planned obligations. Raises Interrupted."""
    parts = split(plan.names, plan.parts, plan.seconds)
    names = parts[plan.part - 1]
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
        row = Row(proof, fact.sentence, fact.source, again(plan, proof.name), {}, timeout=plan.engine.timeout)
        rows.append(with_witness(row, wrong.get(proof.name)))
    return make_results(plan, rows, "obligation", digest(parts) if plan.parts > 1 else "")


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
    rows = [seeded_row(plan, seed, proof) for seed, proof in zip(chosen, proofs, strict=True) if matters(proof)]
    if len(rows) < len(chosen):
        progress.say(f"seeded mistakes that do not show in the selected obligations: {len(chosen) - len(rows)}")
    return make_results(plan, rows, "seeded mistake")


def again(plan: Plan, words: str) -> str:
    """Return the command that decides a row again as this run did, but for the limit in time."""
    engine = plan.engine
    options = {
        "--solver": engine.solver if engine.solver != preferred() else "",
        "--second": engine.second,
        "--memory": f"{engine.memory:g}" if engine.memory != Engine.memory else "",
    }
    given = [f"{option} {value}" for option, value in options.items() if value]
    if engine.cross_check and not engine.second:
        given.append("--cross-check")
    return " ".join(["halfulp prove", words, *given])


def seeded_row(plan: Plan, seed: Seed, proof: Proof) -> Row:
    """Return the row of a mistake; one that passed says so."""
    obligation, _, mistake = proof.name.partition(JOINT)
    if proof.verdict is Verdict.PROVED:
        proof = replace(proof, detail=f"none of {counted(len(seed.candidates), 'obligation')} of this kind refutes it")
    sentence = f"seeded: {MISTAKES[mistake].what}"
    command = again(plan, f"--seeded {obligation}")
    return Row(proof, sentence, f"{seed.kind} must refute it", command, {}, timeout=plan.engine.timeout)


def make_results(plan: Plan, rows: Sequence[Row], noun: str, split_by: str = "") -> Results:
    """Return the results of a run with what it depended on."""
    names = [plan.engine.solver, *([plan.engine.other] if plan.engine.other else [])]
    return Results(
        rows=rows,
        noun=noun,
        version=halfulp_version(),
        rules=default_rules().digest,
        solvers={name: version_of(name) for name in names},
        patterns=plan.patterns,
        shard=f"{plan.part}/{plan.parts}",
        split=split_by,
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
    """Turns an interrupt, or another signal that ends a run, into one line that says what was finished."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, KeyboardInterrupt):
            done = self.progress
            raise Interrupted(
                f"{stopped(error)}: {done.done:,} of {counted(done.total, done.noun)} decided, "
                f"{done.unexpected:,} not as expected; no report written",
                number_of(error),
            ) from error
