"""The matrix post-processing of B.FPATR: `req8.rne.nosat` and its like."""

from __future__ import annotations

from collections.abc import Iterator

from halfulp_formal import equivalence, findings
from halfulp_formal.case import Case
from halfulp_formal.properties import floating, floating_element, integer, pipeline, rounding
from halfulp_formal.properties.claim import Kind
from halfulp_model.conversions import conversions

from .family import Family, Group

KINDS: tuple[Kind, ...] = (
    *equivalence.KINDS,
    *pipeline.KINDS,
    *rounding.KINDS,
    *integer.KINDS,
    *floating.KINDS,
    *floating_element.KINDS,
    *findings.KINDS,
)


def kinds_of(conversion: str) -> Iterator[Kind]:
    """Yield the kinds of obligation that a conversion has; a vector mode shares its twin's proofs by `twin`."""
    vector = equivalence.is_vector(conversion)
    for kind in KINDS:
        if kind.applies(conversion) and (not vector or kind in equivalence.KINDS):
            yield kind


FAMILY = Family("post-processing", Group.DEFAULT, lambda: list(conversions()), kinds_of, Case)
