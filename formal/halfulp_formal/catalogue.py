"""Every conversion and every obligation by name: what there is, and how to build it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cache

from halfulp_formal.families import adder, blocks, formats, fp19, fpatr, plain, postprocess, reductions, scales, tiles
from halfulp_formal.families.family import Family, Group
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

    No pattern selects all obligations of the groups. Raises UnknownName for a pattern that matches nothing.
    """
    if not patterns:
        return [name for conversion in conversions(groups) for name in obligations(conversion)]
    every = [(name, conversion) for conversion in conversions() for name in obligations(conversion)]
    chosen: dict[str, None] = {}
    for pattern in patterns:
        found = [
            name for name, conversion in every if fnmatchcase(name, pattern) or matches_conversion(conversion, pattern)
        ]
        if not found:
            raise UnknownName(no_match(pattern, [*conversions(), *(name for name, _ in every)]))
        chosen |= dict.fromkeys(found)
    return [name for name, _ in every if name in chosen]


def matches_conversion(conversion: str, pattern: str) -> bool:
    """Tell whether a pattern means a conversion: its whole name, or the leading parts of it."""
    return fnmatchcase(conversion, pattern) or fnmatchcase(conversion.split(".", maxsplit=1)[0], pattern)


def no_match(pattern: str, names: list[str]) -> str:
    """Return the message for a pattern that matches nothing, with the nearest name."""
    near = get_close_matches(pattern, names, n=1)
    return f"nothing is called {pattern!r}" + (f"; did you mean {near[0]!r}?" if near else "")


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
