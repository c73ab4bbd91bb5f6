"""A family of conversions as vectors see it: names, rows, the golden model's results. No solver is loaded here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, cached_property
from itertools import accumulate
from typing import Any, Protocol

from halfulp_formal.nearest import nearest
from halfulp_formal.vectors.corner import CornerClass
from halfulp_formal.vectors.selection import is_shipped

#: the conversions that have a vector file, in words
WITH_FILE = "the post-processing, format.*, e8m0.*, scale.*, cvt.*, bfp16.*, mxint8, bfp16_matmul or some of tile.*"


@dataclass(frozen=True)
class Field:
    """One input or output: its name, its type in the rule data, and its width in bits."""

    name: str
    type: str
    bits: int

    @cached_property
    def digits(self) -> int:
        """The number of hex digits of a value."""
        return -(-self.bits // 4)

    def text(self, value: int) -> str:
        """Return a value as fixed-width lower-case hex."""
        return f"{value:0{self.digits}x}"


@dataclass(frozen=True)
class Description:
    """What a file's header says of its conversion, beside the classes.

    twins: other conversions with the same arithmetic, which the cases hold for as well. rules: name of the rule set and
    SHA-256 of the rows that the conversion reads. rounding: None where nothing is rounded. relu: "input" where every case
    has its own ReluMode.
    """

    conversion: str
    twins: tuple[str, ...]
    rules: tuple[str, str]
    rounding: str | None
    saturate: bool
    relu: str | None
    inputs: tuple[Field, ...]
    outputs: tuple[Field, ...]


class Family(Protocol):
    """Conversions that share inputs, corner classes and a way to run them."""

    def names(self) -> tuple[str, ...]:
        """The conversions that can have a file of their own, in table order."""
        ...

    def twins(self, name: str) -> tuple[str, ...]:
        """The other conversions that a conversion's file holds for."""
        ...

    def describe(self, name: str) -> Description:
        """Describe a conversion that has a file."""
        ...

    def classes(self, name: str) -> tuple[CornerClass[Any], ...]:
        """Return the corner classes of a conversion, in the file's order."""
        ...

    def run(self, name: str, inputs: tuple[int, ...]) -> tuple[int, ...]:
        """Run the golden model on bit patterns. A result that its field cannot hold comes back as it is."""
        ...

    def why(self, name: str, inputs: tuple[int, ...]) -> str:
        """Say in one short line how the result comes about."""
        ...

    def facts(self, name: str) -> Any:
        """Return the vocabulary of the corner classes' formulas. Loads the lifter and pySMT."""
        ...


class UnknownConversion(ValueError):
    """No conversion has this name, or a pattern matches none."""


@cache
def families() -> tuple[Family, ...]:
    """Return the families in the order of their files."""
    # a family imports this module
    from halfulp_formal.vectors.blocks import Blocks  # noqa: PLC0415
    from halfulp_formal.vectors.formats import Formats  # noqa: PLC0415
    from halfulp_formal.vectors.matmul import Matmul  # noqa: PLC0415
    from halfulp_formal.vectors.plain import Plain  # noqa: PLC0415
    from halfulp_formal.vectors.postprocess import PostProcessing  # noqa: PLC0415
    from halfulp_formal.vectors.scales import Scales  # noqa: PLC0415
    from halfulp_formal.vectors.tiles import Tiles  # noqa: PLC0415

    return (PostProcessing(), Formats(), Scales(), Plain(), Blocks(), Matmul(), Tiles())


@cache
def owners() -> dict[str, Family]:
    """Return the family of every conversion that can have a file, in the order of their files."""
    return {name: family for family in families() for name in family.names()}


def family_of(name: str) -> Family:
    """Return the family of a conversion that can have a file. Raises UnknownConversion naming the nearest one."""
    if name not in owners():
        raise UnknownConversion(no_match(name, all_names()))
    return owners()[name]


def all_names() -> list[str]:
    """Return every conversion that can have a file."""
    return list(owners())


def shipped_names() -> list[str]:
    """Return every conversion whose file is shipped."""
    return [name for name in owners() if is_shipped(name)]


def matching(patterns: Iterable[str]) -> list[str]:
    """Return the conversions whose file glob patterns select: by the leading parts of its name, all too, or of a twin's.

    No pattern selects the shipped ones. Raises UnknownConversion for a pattern that matches nothing.
    """
    asked = list(patterns)
    if not asked:
        return shipped_names()
    aliases = {name: (name, *family.twins(name)) for name, family in owners().items()}
    for pattern in asked:
        if not any(matches(alias, pattern) for names in aliases.values() for alias in names):
            raise UnknownConversion(no_match(pattern, [alias for names in aliases.values() for alias in names]))
    return [
        name for name, names in aliases.items() if any(matches(alias, pattern) for alias in names for pattern in asked)
    ]


def matches(name: str, pattern: str) -> bool:
    """Tell whether a pattern means a conversion: its whole name, or leading parts of it, as for `halfulp prove`."""
    return any(fnmatchcase(leading, pattern) for leading in accumulate(name.split("."), "{}.{}".format))


def no_match(given: str, names: list[str]) -> str:
    """Return the message for a name or pattern that matches none of these names, with what was probably meant."""
    # all that is proved or explained is loaded only to tell what is unknown from what has no file
    from halfulp_formal import catalogue, explain  # noqa: PLC0415

    if any(matches(name, given) for name in (*catalogue.conversions(), *explain.all_names())):
        return f"{given!r} has no vector file; expected conversions of {WITH_FILE}"
    near = nearest(given, names)
    return f"no conversion is called {given!r}" + (f"; did you mean {near!r}?" if near else "")
