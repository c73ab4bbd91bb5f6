"""Obligations for tests of the command line, built by name in worker processes; run as a script, a run to interrupt."""

import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

from formal.obligations import build as build_small
from halfulp_formal.obligation import Verdict


def build(name):
    """The small obligation of that name, expected to be proved."""
    return replace(build_small(name), expect=Verdict.PROVED)


def build_or_stick(folder, name):
    """The obligation; one named stuck never comes, and a file tells that a worker waits for it."""
    if name.endswith(".stuck"):
        (folder / "stuck").touch()
        time.sleep(600)
    return build(name)


def build_with_contrary_solver(name):
    """The obligation, in a process where Bitwuzla sees a point that refutes it."""
    from halfulp_formal import decide
    from halfulp_formal.solvers import Answer

    opinion = decide._Query.refute

    def contrary(query, solver):
        found = opinion(query, solver)
        if solver != "bitwuzla":
            return found
        return replace(found, answer=Answer.SAT, witness={"in.x": 0, "in.y": 0})

    setattr(decide._Query, "refute", contrary)  # noqa: B010  # hides the type
    return build(name)


class Pretend:
    """Stands for the catalogue: the named obligations and nothing else."""

    def __init__(self, names, build):
        self.names = list(names)
        self.build = build

    def matching(self, patterns, groups):
        assert groups
        return self.names if not patterns else [name for name in self.names if name in patterns]


def pretend(monkeypatch, names, build=build):
    """Let the command line know only the named obligations."""
    from halfulp_formal.cli import obligations, planning, runs

    pretended = Pretend(names, build)
    monkeypatch.setattr(planning, "catalogue", pretended)
    monkeypatch.setattr(runs, "catalogue", pretended)
    fact = obligations.Fact("A sentence.", "a test", Verdict.PROVED)
    monkeypatch.setattr(runs, "facts", lambda names: dict.fromkeys(names, fact))


def main():
    """Run the command line on two obligations that end and one that does not."""
    import pytest

    from halfulp_formal.cli import main as halfulp

    folder = Path(sys.argv.pop(1))
    pretend(pytest.MonkeyPatch(), ["a.true", "a.n1", "a.stuck"], partial(build_or_stick, folder))
    halfulp()


if __name__ == "__main__":
    main()
