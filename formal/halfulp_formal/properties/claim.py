"""The shape of a property: a kind of obligation that some conversions have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import TRUE

from halfulp_formal.obligation import Verdict


@dataclass(frozen=True)
class Claim:
    """What is claimed of which inputs, under which assumption.

    cubes: cases that together cover the assumption, for solvers that do not decide the whole; split: no solver does.
    steps: formulas that follow from the assumption, to prove before the claim and to simplify it by.
    """

    claim: FNode
    inputs: tuple[FNode, ...]
    assumption: FNode = TRUE()  # noqa: RUF009  # a constant of pySMT's one environment
    cubes: tuple[FNode, ...] = ()
    split: bool = False
    steps: tuple[FNode, ...] = ()


@dataclass(frozen=True)
class Kind:
    """A kind of obligation: the last part of its name, the sentence it stands for, and how it is built.

    `applies` tells for which conversions; `mistakes` names seeded mistakes, each of which must refute the kind for some
    conversion that has it.
    """

    name: str
    sentence: str
    source: str
    applies: Callable[[Any], bool]
    build: Callable[[Any], Claim]
    mistakes: tuple[str, ...]
    expect: Verdict = Verdict.PROVED
