"""What families have in common whose conversions have a row each, and each a file of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from halfulp_formal.vectors.classes import mutants
from halfulp_formal.vectors.corner import CornerClass, classes_of
from halfulp_formal.vectors.family import Description


class RowFamily:
    """Conversions by name, each with its row and its description; their corner classes follow from the row.

    package: the model that is run, for instance a patched copy.
    """

    def __init__(
        self,
        rows: Callable[[], Mapping[str, Any]],
        groups: Iterable[Any],
        description: Callable[[str], Description],
        package: str,
    ) -> None:
        self.rows = rows
        self.groups = groups
        self.description = description
        self.package = package

    def names(self) -> tuple[str, ...]:
        """The conversions, in table order."""
        return tuple(self.rows())

    def twins(self, _name: str) -> tuple[str, ...]:
        """Every conversion has a file of its own."""
        return ()

    def describe(self, name: str) -> Description:
        """Describe a conversion."""
        return self.description(name)

    def classes(self, name: str) -> tuple[CornerClass[Any], ...]:
        """Return the corner classes of a conversion."""
        return (*classes_of(self.groups, self.rows()[name]), *mutants.classes(name))
