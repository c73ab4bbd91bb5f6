"""The hardware's block conversion beside OCP's procedure, `bfp16_mxint8`: one block of eight through both."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from halfulp_formal.subject import Subject

from . import blocks
from .stages import Explanation, command_for

NAME = "bfp16_mxint8"

#: the two conversions, by the word in front of their stages
SIDES = {"hardware": "bfp16.conv_even", "procedure": "mxint8"}


def names(subject: Subject) -> dict[str, Any]:
    """Return the one name, with the hardware's conversion."""
    return {NAME: blocks.names(subject)[SIDES["hardware"]]}


def read(subject: Subject, _name: str, given: Mapping[str, Any]) -> blocks.Case:
    """Read a block of eight finite members. Raises FieldError."""
    case, given_as = blocks.read_members(subject, SIDES["hardware"], given)
    blocks.check_settled(subject, sides(subject, case)["procedure"], NAME, given_as)
    return case


def witness(subject: Subject, _name: str, values: Mapping[str, int]) -> blocks.Case | None:
    """Return the block that a solver's witness stands for, None where it has other inputs."""
    return blocks.witness(subject, SIDES["hardware"], values)


def sides(subject: Subject, case: blocks.Case) -> dict[str, blocks.Case]:
    """Return the case under both conversions; OCP's procedure takes a block of this size like one of its own."""
    rows = blocks.names(subject)
    ocp = rows[SIDES["procedure"]]
    smaller = replace(ocp, block=replace(ocp.block, size=len(case.members)))
    return {"hardware": case, "procedure": blocks.Case(smaller, case.members)}


def evaluate(subject: Subject, case: blocks.Case) -> dict[str, Any]:
    """Run both; their blocks as JSON values, and whether they are the same."""
    found = {side: blocks.evaluate(subject, each) for side, each in sides(subject, case).items()}
    return {**found, "same": found["hardware"] == found["procedure"]}


def explain(subject: Subject, case: blocks.Case) -> Explanation:
    """Tell the stages of both, one after the other."""
    told = {side: blocks.explain(subject, each) for side, each in sides(subject, case).items()}
    members = len(case.members)
    stages = list(told["hardware"].stages[:members])
    for side, each in told.items():
        stages += (replace(stage, name=f"{side} {stage.name}") for stage in each.stages[members:])
    _, _, _, *words = shlex.split(told["hardware"].command)
    failure = "; ".join(each.failure for each in told.values() if each.failure)
    found: dict[str, Any] = {side: each.outcome for side, each in told.items()}
    found["same"] = found["hardware"] == found["procedure"]
    return Explanation(
        conversion=NAME,
        summary="; ".join(f"{side}: {each.summary}" for side, each in told.items()),
        command=command_for(NAME, words),
        stages=tuple(stages),
        outcome={} if failure else found,
        failure=failure,
    )
