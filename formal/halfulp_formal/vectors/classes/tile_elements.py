"""Corner classes of the elements of a tile: the classes of the conversion alone, at a column among zeros.

Those that try a field bit by bit are about an element alone, and stay with its own file.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from halfulp_formal.vectors.classes.tiles import all_places, asks
from halfulp_formal.vectors.corner import CornerClass
from halfulp_formal.vectors.postprocess import PostProcessing
from halfulp_formal.vectors.tile_shapes import alone, shapes

if TYPE_CHECKING:
    from halfulp_formal.bits import Bool
    from halfulp_formal.vectors.facts.tiles import TileFacts

    Corner = CornerClass[TileFacts]


@cache
def classes(name: str) -> tuple[Corner, ...]:
    """Return the classes of a tile's elements, in turn at the first and at the last place."""
    shape = shapes()[name]
    ends = shape.places[0], shape.places[-1]
    found = [corner for corner in PostProcessing().classes(alone(name)) if not corner.points]
    return tuple(at(corner, ends[index % 2]) for index, corner in enumerate(found))


def at(corner: CornerClass[Any], place: tuple[int, int]) -> Corner:
    """Return the class of tiles whose element at a place is in a class of the conversion, and all other columns are zero."""
    row, column = place
    return CornerClass(
        f"element-{corner.name}",
        f"Row {row}, column {column}, as all of the column, all others zero: {corner.sentence}",
        partial(is_element, corner=corner, place=place),
        tuple(f"{variant}@{row}.{column}" for variant in corner.variants),
    )


def is_element(f: TileFacts, corner: CornerClass[Any], place: tuple[int, int]) -> Bool:
    """An operation without reductions has a column of one element of a class, and zeros."""
    # under an offset a zero raises flags of its own, so that the column is all of one number
    others = all_places(f, lambda row, column: f.value(row, column) == (f.value(*place) if column == place[1] else 0))
    return asks(f) & others & f.element(*place).holds(corner)
