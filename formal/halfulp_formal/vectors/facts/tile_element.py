"""What is said of a conversion alone, said of an element of a tile: of its accumulator, and of the words of its column."""

from __future__ import annotations

from functools import cache
from typing import Any

from pysmt.fnode import FNode

from halfulp_formal.abstraction import substitute
from halfulp_formal.bits import Bool
from halfulp_formal.lift.values import Int, conjoin, fit
from halfulp_formal.vectors.corner import CornerClass
from halfulp_formal.vectors.facts.order import Key
from halfulp_formal.vectors.postprocess import PostProcessing
from halfulp_formal.vectors.tile_shapes import alone


@cache
def facts_alone(name: str) -> Any:
    """Return the facts of the conversion of a tile's elements."""
    return PostProcessing().facts(alone(name))


class Element:
    """An element of D; inputs: its accumulator, ReluMode, its parameter and its activation word."""

    def __init__(self, name: str, inputs: tuple[Int | int, ...]) -> None:
        self.alone = facts_alone(name)
        symbols = self.alone.case.inputs
        self.terms = {symbol: fit(value, symbol.bv_width()) for symbol, value in zip(symbols, inputs, strict=True)}

    def of(self, term: FNode) -> FNode:
        """Return a term about the conversion's inputs, about the element's."""
        return substitute(term, self.terms)

    def holds(self, corner: CornerClass[Any]) -> Bool:
        """The element is in a class of the conversion, under legal words."""
        return Bool(self.of(conjoin(self.alone.legal.term, corner.when(self.alone).term)))

    def variant(self, name: str) -> tuple[Bool, list[Key]]:
        """Return what a variant asks for, and the numbers by which its least point is the least."""
        asked, keys = self.alone.variant(name)
        return Bool(self.of(asked.term)), [(key, self.of(term)) for key, term in keys]
