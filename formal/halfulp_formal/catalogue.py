"""Every conversion and every obligation by name: what there is, and how to build it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from fnmatch import translate
from functools import cache
from itertools import accumulate, chain

from halfulp_formal.families import (
    adder,
    blocks,
    formats,
    fp19,
    fpatr,
    matmul,
    plain,
    postprocess,
    reductions,
    scales,
    tiles,
)
from halfulp_formal.families.family import Family, Group
from halfulp_formal.nearest import nearest
from halfulp_formal.obligation import Obligation
from halfulp_formal.properties.claim import Kind
from halfulp_formal.subject import Subject, base_subject

FAMILIES: tuple[Family, ...] = (
    postprocess.FAMILY,
    plain.FAMILY,
    formats.FAMILY,
    fp19.FAMILY,
    scales.FAMILY,
    blocks.FAMILY,
    matmul.FAMILY,
    adder.FAMILY,
    fpatr.FAMILY,
    reductions.FAMILY,
    tiles.FAMILY,
)

#: the kinds whose lifted calls are validated: together they lift every function that the others lift from inputs
VALIDATED = ("equivalent", "legal")
SAMPLES = 200


class UnknownName(ValueError):
    """No conversion or obligation has this name, or a pattern matches none."""


@cache
def owners() -> dict[str, Family]:
    """Return the family of every conversion, by name."""
    return {name: family for family in FAMILIES for name in family.conversions()}


def family_of(conversion: str) -> Family:
    """Return a conversion's family. Raises UnknownName where there is no such conversion."""
    if conversion not in owners():
        raise UnknownName(no_match(conversion, conversions()))
    return owners()[conversion]


def conversions(groups: Collection[Group] = tuple(Group)) -> list[str]:
    """Return the names of all conversions of some groups, in table order."""
    return [name for name, family in owners().items() if family.group in groups]


def kinds_of(conversion: str) -> Iterator[Kind]:
    """Yield the kinds of obligation that a conversion has."""
    return family_of(conversion).kinds(conversion)


def obligations(conversion: str) -> list[str]:
    """Return the names of a conversion's obligations."""
    return [f"{conversion}.{kind.name}" for kind in kinds_of(conversion)]


def matching(patterns: Sequence[str], groups: Collection[Group] = (Group.DEFAULT,)) -> list[str]:
    """Return the obligations that glob patterns select, of any group: by their own name, or by their conversion's.

    The leading parts of a conversion's name stand for all that begin so: `req8`, `req8.rne`, `*.fp32`.
    No pattern selects all obligations of the groups. Raises UnknownName for a pattern that matches nothing.
    """
    if not patterns:
        return [name for conversion in conversions(groups) for name in obligations(conversion)]
    every = {conversion: obligations(conversion) for conversion in conversions()}
    chosen: set[str] = set()
    for pattern in patterns:
        found = list(selected(pattern, every))
        if not found:
            raise UnknownName(no_match(pattern, [*every, *chain.from_iterable(every.values())]))
        chosen.update(found)
    return [name for names in every.values() for name in names if name in chosen]


def selected(pattern: str, every: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the obligations that a pattern selects; `every` has those of each conversion."""
    conversion = pattern.rpartition(".")[0]
    if pattern in every.get(conversion, ()):
        yield pattern
        return
    matches = re.compile(translate(pattern)).match
    for conversion, names in every.items():
        if any(matches(leading) for leading in accumulate(conversion.split("."), "{}.{}".format)):
            yield from names
        else:
            yield from filter(matches, names)


def no_match(pattern: str, names: Collection[str]) -> str:
    """Return the message for a pattern that matches nothing, with the nearest name."""
    near = nearest(pattern, names)
    return f"nothing is called {pattern!r}" + (f"; did you mean {near!r}?" if near else "")


def build(name: str, subject: Subject | None = None) -> Obligation:
    """Build an obligation about a model. Raises UnknownName where no conversion has it."""
    conversion, _, last = name.rpartition(".")
    if conversion not in owners():
        raise UnknownName(no_match(name, conversions()))
    for kind in kinds_of(conversion):
        if kind.name == last:
            case = family_of(conversion).case(subject or base_subject(), conversion)
            claim = kind.build(case)
            return Obligation(
                name=name,
                conversion=conversion,
                sentence=kind.sentence,
                source=kind.source,
                assumption=claim.assumption,
                claim=claim.claim,
                inputs=claim.inputs,
                cubes=claim.cubes,
                split=claim.split,
                steps=claim.steps,
                replays=case.replays,
                expect=kind.expect,
                samples=SAMPLES if kind.name in VALIDATED else 0,
            )
    raise UnknownName(no_match(name, obligations(conversion)))
