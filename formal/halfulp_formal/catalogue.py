"""Every conversion and every obligation by name: what there is, and how to build it."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from fnmatch import fnmatchcase

from halfulp_formal import equivalence
from halfulp_formal.case import Case
from halfulp_formal.obligation import Obligation
from halfulp_formal.properties import integer, pipeline, rounding
from halfulp_formal.properties.claim import Kind
from halfulp_formal.subject import Subject, base_subject
from halfulp_model.conversions import conversions as model_conversions

KINDS: tuple[Kind, ...] = (*equivalence.KINDS, *pipeline.KINDS, *rounding.KINDS, *integer.KINDS)

#: the kinds whose lifted calls are validated: together they lift every function that the others lift from inputs
VALIDATED = ("equivalent", "legal")
SAMPLES = 200


class UnknownName(ValueError):
    """No conversion or obligation has this name, or a pattern matches none."""


def conversions() -> list[str]:
    """Return the names of all conversions, in table order."""
    return list(model_conversions())


def kinds_of(conversion: str) -> Iterator[Kind]:
    """Yield the kinds of obligation that a conversion has; a vector mode shares its twin's proofs by `twin`."""
    vector = equivalence.is_vector(conversion)
    for kind in KINDS:
        if kind.applies(conversion) and (not vector or kind in equivalence.KINDS):
            yield kind


def obligations(conversion: str) -> list[str]:
    """Return the names of a conversion's obligations."""
    return [f"{conversion}.{kind.name}" for kind in kinds_of(conversion)]


def matching(patterns: list[str]) -> list[str]:
    """Return the obligations that glob patterns select: by their own name, or by their conversion's.

    No pattern selects all. Raises UnknownName for a pattern that matches nothing.
    """
    every = [(name, conversion) for conversion in conversions() for name in obligations(conversion)]
    if not patterns:
        return [name for name, _ in every]
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
    if conversion not in model_conversions():
        raise UnknownName(no_match(name, conversions()))
    for kind in kinds_of(conversion):
        if kind.name == last:
            case = Case(subject or base_subject(), conversion)
            claim = kind.build(case)
            return Obligation(
                name=name,
                conversion=conversion,
                sentence=kind.sentence,
                source=kind.source,
                assumption=claim.assumption,
                claim=claim.claim,
                inputs=claim.inputs,
                replays=case.replays,
                expect=kind.expect,
                samples=SAMPLES if kind.name in VALIDATED else 0,
            )
    raise UnknownName(no_match(name, obligations(conversion)))
