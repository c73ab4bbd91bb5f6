"""The tiles that have a file: their conversions and their M and N."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from halfulp_formal.vectors.postprocess import rows as conversion_rows
from halfulp_formal.vectors.postprocess import twins
from halfulp_model.postprocess import Conversion

#: the least GroupN, which gives the most groups
GROUP = 8


@dataclass(frozen=True)
class Shape:
    """The tile of a file: its conversion, and M × N."""

    conversion: Conversion
    rows: int
    columns: int

    @property
    def groups(self) -> int:
        """The most groups that a row can have."""
        return -(-self.columns // GROUP)

    @property
    def packed(self) -> bool:
        """Whether two elements of D share a byte."""
        return self.conversion.destination.code_bits == 4

    @property
    def places(self) -> list[tuple[int, int]]:
        """The elements by row and column."""
        return [(row, column) for row in range(self.rows) for column in range(self.columns)]


#: tiles by conversion: rows with a last group of one column, and packed elements of an odd number of columns
SIZES = {"noquant.s32": (2, 9), "noquant.fp32": (1, 9), "vreq4.rne.nosat": (2, 3)}


@cache
def shapes() -> dict[str, Shape]:
    """Return the tile of every file."""
    return {f"tile.{name}": Shape(conversion_rows()[name], *size) for name, size in SIZES.items()}


def alone(name: str) -> str:
    """Return the conversion whose own file has the elements' arithmetic: a vector mode shares its scalar twin's."""
    conversion = shapes()[name].conversion.name
    files = {own: twins()[own] for own, row in conversion_rows().items() if row.mode.operand != "vector"}
    return next(own for own, others in files.items() if conversion in (own, *others))
