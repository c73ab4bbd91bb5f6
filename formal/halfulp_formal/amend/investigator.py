"""Questions about an amendment, put to worker processes that stay from the first question to the last."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from halfulp_formal.cache import Cache
from halfulp_formal.decide import Engine
from halfulp_formal.obligation import Obligation, Proof
from halfulp_formal.scheduler import run
from halfulp_formal.workers import Pool, Work, local_start

from .patch import Amendment
from .questions import build_question

if TYPE_CHECKING:
    from halfulp_formal.scheduler import Runner


def silent(*_: object) -> None:
    """Say nothing."""


@dataclass
class Investigator:
    """Asks the questions of a study.

    hear: is told the name of every answer and how many there will be. tell: is told what is established, line by line.
    """

    amendment: Amendment
    engine: Engine
    jobs: int
    cache: Cache | None
    hear: Callable[[str, int], None] = silent
    tell: Callable[[str], None] = silent
    isolate: bool = True  #: decide in worker processes even where there is one job
    runner: Runner | None = field(default=None, init=False)

    @property
    def build(self) -> Callable[[str], Obligation]:
        """What makes the obligation of a question, in any process."""
        return partial(build_question, self.amendment.patches, self.engine.solver)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Keep the worker processes until the end, with all that they have imported and lifted."""
        if not self.isolate:
            yield
            return
        work = Work(self.build, self.engine, self.cache)
        with Pool(work, local_start(work)) as pool:
            self.runner = lambda tasks, _work, deliver: pool.run(tasks, self.jobs, deliver)
            try:
                yield
            finally:
                self.runner = None

    def ask(self, kind: str, names: Sequence[str], on_proof: Callable[[Proof], None] = silent) -> dict[str, Proof]:
        """Return the proofs of a question about each of some names; `on_proof` hears each as soon as it is known."""
        proofs = self.answers([f"{kind} {name}" for name in names], on_proof)
        return {name: proofs[f"{kind} {name}"] for name in names}

    def answers(self, questions: Sequence[str], on_proof: Callable[[Proof], None] = silent) -> dict[str, Proof]:
        """Return the proofs of questions, which are begun in that order."""
        if not questions:
            return {}

        def heard(proof: Proof) -> None:
            self.hear(proof.name, len(questions))
            on_proof(proof)

        proofs = run(
            questions,
            self.build,
            self.engine,
            jobs=self.jobs,
            cache=self.cache,
            on_proof=heard,
            isolate=self.isolate,
            runner=self.runner,
        )
        return dict(zip(questions, proofs, strict=True))
