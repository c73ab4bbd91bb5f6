"""Small obligations that tests and worker processes build by name."""

import os
import time
from dataclasses import dataclass

from pysmt.environment import get_env
from pysmt.typing import BVType

from halfulp_formal.obligation import Obligation, Verdict

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
        case "broken":
            raise ValueError("no such rule\nas this")
    own = int(name.rpartition(".")[2].removeprefix("n"))
    return obligation(name, M.Equals(M.BVAdd(X, M.BV(own, 16)), M.BVAdd(M.BV(own, 16), X)))
