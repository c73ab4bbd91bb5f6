"""The families of which mutants are made, lifted: what the solver side has to know of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import TRUE, Symbol
from pysmt.typing import BVType

from halfulp_formal.case import Case
from halfulp_formal.families.blocks import BlockCase, finite
from halfulp_formal.families.formats import FileCase
from halfulp_formal.families.plain import PlainCase
from halfulp_formal.families.scales import ScaleCase
from halfulp_formal.lift.values import Int, conjoin
from halfulp_formal.mutants import outputs
from halfulp_formal.mutants.mutated import mutated
from halfulp_formal.properties.numbers import less
from halfulp_formal.subject import Subject, base_subject
from halfulp_formal.vectors.facts.matmul import Lane
from halfulp_formal.vectors.facts.tiles import TileFacts
from halfulp_model.block_rows import Selection
from halfulp_model.blocks import block_conversions


@dataclass(frozen=True)
class Lifted:
    """A family.

    case: one lifted from a model, over the inputs of the shipped one; its `conversion` and `lifter` may be exchanged.
    legal, result: of a lifted case, which inputs are legal, and what is lifted of it. agree: of a lifted case and a changed
    one, that a vector file shows the same of both, in parts. lanes: makes of the claim that they do one that is proved by
    steps, None where the whole is as simple. free: terms of the shipped case that any number of their width may stand for,
    with the symbol of each, None where there is nothing to gain by it.
    """

    case: Callable[[Subject, str], Any]
    legal: Callable[[Any], FNode]
    result: Callable[[Any], Any]
    agree: Callable[[Any, Any], tuple[FNode, ...]]
    lanes: Callable[[Any, Any, FNode], tuple[FNode, tuple[FNode, ...]]] | None = None
    free: Callable[[Any], dict[FNode, FNode]] | None = None


def plain_case(subject: Subject, name: str) -> PlainCase:
    """Lift a plain conversion; one of a source of another width is given the same codes."""
    case = PlainCase(subject, name)
    case.bits = PlainCase(base_subject(), name).bits
    return case


def scale_case(subject: Subject, name: str) -> ScaleCase:
    """Lift a conversion to a scale; one of a source of another width is given the same codes."""
    case = ScaleCase(subject, name)
    case.code = ScaleCase(base_subject(), name).code
    return case


def declared_legal(case: Any) -> FNode:
    """Return which inputs are legal, as the case has it."""
    legal: FNode = case.legal
    return legal


def every_code(_case: Any) -> FNode:
    """Return that all codes that the source's width holds are legal."""
    true: FNode = TRUE()
    return true


def block_legal(case: Any) -> FNode:
    """Return which blocks are converted: the characterised ones, and of a procedure without specials the finite ones.

    Which of the two a conversion is no changed row decides: the public calls do.
    """
    if block_conversions()[case.name].block.selection is Selection.LARGEST_MAGNITUDE:
        return finite(case.members)
    characterised: FNode = case.converted.characterised
    return characterised


def format_legal(case: Any) -> FNode:
    """Return which codes or carriers the model takes: those of the width that it gives the format."""
    row = case.row
    fits = less(case.asked, 1 << row.code_bits)
    return conjoin(less(case.carrier, 1 << row.carrier_bits), fits) if case.layout.lanes > 1 else fits


@cache
def shipped_legal_of(name: str) -> FNode:
    """Return which inputs are legal by the model as it is shipped."""
    term: FNode = LIFTED[mutated(name).title].case(base_subject(), name).legal.term
    return term


def shipped_legal(case: Any) -> FNode:
    """Return which inputs are legal, where that is for no changed row to say.

    A tile has a fault for what a changed model refuses, which is an output; a changed lane has to be characterised.
    """
    return shipped_legal_of(case.name)


def any_total(case: Lane) -> dict[FNode, FNode]:
    """Return the sum of the products, and a number of its width."""
    total = case.total(case.a.free, case.b.free)
    assert isinstance(total, Int)
    return {total.term: Symbol(f"any.total.{total.width}", BVType(total.width))}


#: by title
LIFTED = {
    "post-processing": Lifted(Case, declared_legal, lambda case: case.element, outputs.elements_agree),
    "plain conversions": Lifted(
        plain_case, declared_legal, lambda case: case.result, outputs.words_agree(lambda case: case.result)
    ),
    "scales": Lifted(scale_case, every_code, lambda case: case.whole, outputs.words_agree(lambda case: case.whole)),
    "blocks": Lifted(
        BlockCase, block_legal, lambda case: case.converted, outputs.blocks_agree, lanes=outputs.block_by_lanes
    ),
    "formats": Lifted(FileCase, format_legal, lambda case: case.reading, outputs.codes_agree),
    "matrix multiply": Lifted(Lane, shipped_legal, lambda case: case.folded, outputs.lanes_agree, free=any_total),
    "tiles": Lifted(TileFacts, shipped_legal, lambda case: (case.fault, case.operations), outputs.tiles_agree),
}


def lifted(conversion: str) -> Lifted:
    """Return the lifted family of a conversion of which mutants are made. Raises LookupError for any other."""
    return LIFTED[mutated(conversion).title]
