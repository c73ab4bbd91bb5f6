"""The questions that an amendment raises of a conversion, as obligations that any worker can build from their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, TRUE

from halfulp_formal.catalogue import SAMPLES, UnknownName
from halfulp_formal.evaluate import evaluate
from halfulp_formal.explain.stages import flags_text
from halfulp_formal.lift.values import conjoin, disjoin
from halfulp_formal.minimise import equals
from halfulp_formal.obligation import Obligation, Verdict
from halfulp_formal.smtlib import query_hash
from halfulp_formal.subject import Patch, base_subject, patched_subject
from halfulp_model.loader import default_rules

from .sides import ADAPTERS, Adapter, Side, same_outputs

#: greater numbers without a sign are patterns
SMALL = 9


@dataclass(frozen=True)
class Pair:
    """A conversion under base and amended model, with the assumption and the claim that it is the same."""

    name: str
    base: Side
    amended: Side
    assumption: FNode
    claim: FNode

    @property
    def inputs(self) -> tuple[FNode, ...]:
        """The free symbols, those of which a witness is to be simplest first."""
        return tuple(dict.fromkeys((*self.base.inputs, *self.amended.inputs)))

    @property
    def plain(self) -> FNode:
        """The parameters are what is preferred of them."""
        preferred = self.base.preferred
        chosen = [each for each in self.inputs if each.symbol_name() in preferred]
        return conjoin(*(equals(each, preferred[each.symbol_name()]) for each in chosen))


def adapter_of(name: str) -> Adapter:
    """Return the adapter of a conversion of base or amended model, by the group that its name begins with."""
    for adapter in ADAPTERS:
        if name in adapter.names(base_subject()):
            return adapter
    raise UnknownName(name)


@cache
def pair(patches: tuple[Patch, ...], name: str) -> Pair:
    """Lift a conversion under both models."""
    lift = adapter_of(name).lift
    base, amended = lift(base_subject(), name), lift(patched_subject(patches), name)
    if set(base.inputs) != set(amended.inputs):
        # codes of different widths have nothing in common
        return Pair(name, base, amended, TRUE(), FALSE())
    assumption = base.legal if base.legal is amended.legal else disjoin(base.legal, amended.legal)
    kept = {condition.term for condition in base.conditions}
    broken = (condition.term for condition in amended.conditions if condition.term not in kept)
    return Pair(name, base, amended, assumption, conjoin(*broken, same_outputs(base, amended)))


def apart(versions: Pair, point: Mapping[str, int]) -> list[tuple[str, str, str]]:
    """Return the outputs that differ at a point, by name, under base and amended model, as they are written elsewhere."""
    found = []
    for (name, mine, _), (_, theirs, _) in zip(versions.base.outputs, versions.amended.outputs, strict=False):
        before, after = value_at(mine, point), value_at(theirs, point)
        if before != after:
            digits = max(hex_digits(mine), hex_digits(theirs))
            found.append((name, written(name, before, digits), written(name, after, digits)))
    return found


def hex_digits(output: Any) -> int:
    """Return the hexadecimal digits of an output that is a pattern, 0 for a truth value, a signed or a small number.

    As many as a code, a lane or a word of its size has: 2, 4, 8, 16 …
    """
    if isinstance(output, FNode):
        return 0
    low, high = (output, output) if isinstance(output, int) else (output.low, output.high)
    return max(2, 1 << (high.bit_length() - 1).bit_length() - 2) if low >= 0 and high > SMALL else 0


def written(name: str, value: int, digits: int) -> str:
    """Return a value as explanations show it: flags by their names, patterns in hexadecimal at their width."""
    if name.rsplit(maxsplit=1)[-1] == "flags":
        return f"{flags_text(default_rules().flags, value)} {value:#04x}"
    return f"{value:#0{digits + 2}x}" if digits else str(value)


def value_at(output: Any, point: Mapping[str, int]) -> int:
    """Return the value of an output at a point; a truth value is 0 or 1."""
    if isinstance(output, int):
        return output
    if isinstance(output, FNode):
        return int(evaluate([output], point)[0])
    value = int(evaluate([output.term], point)[0])
    return value - (1 << output.width) if output.low < 0 and value >> (output.width - 1) else value


#: the query of two versions that are one and the same term
IDENTICAL = query_hash(TRUE(), TRUE())


def same(patches: tuple[Patch, ...], name: str) -> Obligation:
    """Base and amended model give the same outputs for every legal input, and the amended one breaks nothing."""
    versions = pair(patches, name)
    identical = versions.claim.is_true()
    return Obligation(
        name=name,
        conversion=name,
        sentence="Base and amended model give the same outputs for every legal input.",
        source="the amendment",
        assumption=TRUE() if identical else versions.assumption,
        claim=versions.claim,
        inputs=versions.inputs,
        cubes=versions.base.cubes,
        split=bool(versions.base.cubes),
        replays=(*versions.base.replays, *versions.amended.replays),
        samples=SAMPLES,
        expect=Verdict.REFUTED,
        preferred=versions.base.preferred,
    )


def total(patches: tuple[Patch, ...], name: str) -> Obligation:
    """The amended model has a result for every legal input."""
    amended = lift_amended(patches, name)
    return Obligation(
        name=name,
        conversion=name,
        sentence="The amended model has a result for every legal input.",
        source="the amendment",
        assumption=amended.legal,
        claim=amended.total,
        inputs=amended.inputs,
        replays=amended.replays,
        samples=SAMPLES,
    )


def lift_amended(patches: tuple[Patch, ...], name: str) -> Side:
    """Lift a conversion that the amended model has, whether the base has it or not."""
    subject = patched_subject(patches)
    for adapter in ADAPTERS:
        if name in adapter.names(subject):
            return adapter.lift(subject, name)
    raise UnknownName(name)
