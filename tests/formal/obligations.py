"""Small obligations that tests and worker processes build by name."""

import os
import time
from dataclasses import dataclass, replace
from types import SimpleNamespace

from pysmt.environment import get_env
from pysmt.typing import BVType

from halfulp_formal import prover, workers
from halfulp_formal.cache import Cache
from halfulp_formal.decide import Engine, decide
from halfulp_formal.obligation import Obligation, Verdict
from halfulp_formal.scheduler import run
from halfulp_formal.solvers import door, preferred

M = get_env().formula_manager


@dataclass(frozen=True)
class Agrees:
    """A replay that agrees everywhere."""

    def check(self, assignment):
        assert assignment


@dataclass(frozen=True)
class Differs:
    """A replay that differs everywhere."""

    def check(self, assignment):
        return f"model gives 1, term gives {assignment['in.x']}"


@dataclass(frozen=True)
class Breaks:
    """A replay that cannot be run."""

    def check(self, assignment):
        raise KeyError(next(iter(assignment)))


@dataclass(frozen=True)
class Waits:
    """A replay that takes its time."""

    def check(self, assignment):
        assert assignment

    def validate(self, samples):
        time.sleep(0.5)
        return samples


def symbol(name, width):
    return M.Symbol(name, BVType(width))


X, Y = symbol("in.x", 16), symbol("in.y", 16)
HARD = symbol("in.p", 40), symbol("in.q", 40)


def obligation(name, claim, *, assumption=None, inputs=(X, Y), **more):
    return Obligation(
        name=name,
        conversion=name.rpartition(".")[0],
        sentence="A sentence.",
        source="a test",
        assumption=M.TRUE() if assumption is None else assumption,
        claim=claim,
        inputs=inputs,
        **more,
    )


def commutes():
    return M.Equals(M.BVSub(X, Y), M.BVNeg(M.BVSub(Y, X)))


def hard():
    """A prime near 2**79 has no two factors below 2**40: true, and out of reach of any solver within seconds."""
    wide = [M.BVZExt(factor, 40) for factor in HARD]
    return M.Not(M.Equals(M.BVMul(*wide), M.BV(2**79 - 67, 80)))


def build(name):
    """The obligation of a name "anything.KIND"."""
    match name.rpartition(".")[2]:
        case "true":
            return obligation(name, commutes(), assumption=M.BVULT(X, M.BV(1000, 16)))
        case "false":
            return obligation(name, M.BVULT(X, M.BV(12345, 16)), replays=(Agrees(),), expect=Verdict.REFUTED)
        case "vacuous":
            return obligation(name, M.Equals(X, Y), assumption=M.BVULT(X, M.BV(0, 16)))
        case "hard":
            return obligation(name, hard(), inputs=HARD)
        case "differs":
            return obligation(name, M.Equals(X, Y), replays=(Agrees(), Differs()))
        case "breaks":
            return obligation(name, M.Equals(X, Y), replays=(Breaks(),))
        case "dies":
            os._exit(9)
        case "stuck":
            time.sleep(600)
        case "slow":
            return obligation(name, commutes(), replays=(Waits(),), samples=1)
        case "eats":
            LEFT.append(bytearray(600 << 20))
            time.sleep(600)
        case "broken":
            raise ValueError("no such rule\nas this")
    own = int(name.rpartition(".")[2].removeprefix("n"))
    return obligation(name, M.Equals(M.BVAdd(X, M.BV(own, 16)), M.BVAdd(M.BV(own, 16), X)))


def build_nothing(name):
    raise AssertionError(f"{name} was built")


def build_with_pid(name):
    return replace(build(name), conversion=str(os.getpid()))


def build_and_sign(folder, name):
    """The obligation; a file of its name tells which process built it."""
    (folder / f"{name}.task").write_text(str(os.getpid()))
    return build(name)


def build_in_grown_worker(name):
    """The obligation, in a process that will seem to use very much memory when it is done."""
    setattr(workers, "own_memory", lambda: 1 << 60)  # noqa: B010  # hides the type
    return build_with_pid(name)


def build_unexpected(name):
    """The obligation, which nobody expects to be refuted."""
    return replace(build(name), expect=Verdict.PROVED)


def build_with_wrong_replay(name):
    return replace(build(name), replays=(Differs(),))


def build_with_leftovers(folder, name):
    """The obligation; the first task of a process leaves memory behind that only the second one shows."""
    (folder / name).write_text(str(os.getpid()))
    setattr(workers, "own_memory", lambda: 0)  # noqa: B010  # hides the type
    if (folder / "left").exists():
        return build(name)
    if LEFT:
        (folder / "left").write_text(str(os.getpid()))
        LEFT.append(bytearray(500 << 20))
        time.sleep(600)
    LEFT.append(bytearray(1 << 20))
    return build(name)


#: memory that this process never gives back
LEFT: list[bytearray] = []


def build_that_dies_once(folder, name):
    """The obligation; the first process that decides one dies a while after it has announced the query."""

    def die_or_decide(*arguments, **more):
        try:
            (folder / "died").touch(exist_ok=False)
        except FileExistsError:
            return decide(*arguments, **more)
        time.sleep(0.5)
        os._exit(9)

    setattr(prover, "decide", die_or_decide)  # noqa: B010  # hides the type
    return build(name)


def build_for_silent_solver(name):
    """The obligation, in a process whose solver forgets its limit."""
    silent = SimpleNamespace(add_assertion=lambda _: None, solve=lambda _: time.sleep(600), exit=lambda: None)
    setattr(door, "_backend", lambda _: SimpleNamespace(create=lambda _, _series: silent, version=lambda: "0"))  # noqa: B010  # hides the type
    return replace(build(name), expect=Verdict.REFUTED)


def hammer(cache, proof):
    """Write and read one entry many times."""
    for _ in range(100):
        cache.store(proof, "z3 1")
        assert cache.verdict(proof.query, "z3 1") is not None
        assert cache.recall(proof.name, "z3 1") is not None
    return True


def run_in_folder(folder, names):
    """Decide the obligations with a cache in a folder: names and verdicts."""
    proofs = run(names, build, Engine(preferred(), 20), jobs=1, cache=Cache(folder, "sources"))
    return [(proof.name, proof.verdict) for proof in proofs]
