"""What a corner class is: a name, a sentence, and a formula over the facts of a conversion. No solver is loaded here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from halfulp_formal.bits import Bool

FactsT = TypeVar("FactsT")


@dataclass(frozen=True)
class Wording:
    """How sentences speak of what is rounded.

    noun: what it is. last_place: what is added where its last place counts. coarse: what it is without fraction bits.
    """

    noun: str
    last_place: str
    coarse: str


#: the product of accumulator and factor
PRODUCT = Wording("product", "", "an integer times 2^k, k > 0")
#: the number that a code stands for, as its format counts it; near ties are kept apart by a short last place
NUMBER = Wording(
    "number",
    " (at most an eighth of the step between codes)",
    "not zero and counted by its format in units of 2^k, k > 0",
)

#: the simplest point, the point with the largest accumulator, and the simplest one on other terms: see `Facts.variants`
LEAST = ("least",)
SPREAD = ("least", "far")
ON_NEGATIVE = ("least", "far", "activated")
BOTH_SIGNS = ("positive", "negative")


@dataclass(frozen=True)
class CornerClass(Generic[FactsT]):
    """A set of inputs worth a vector.

    name: its group, a slash, and which one: `tie/positive-even`. sentence: what its members have in common.
    when: the formula. variants: one witness is looked for a variant; the class is unreachable only if it is empty.
    points: the witnesses where they are not looked for but declared; each has to be in the class.
    every: all members are witnesses; for a class of few inputs, whose variants then do not matter.
    """

    name: str
    sentence: str
    when: Callable[[FactsT], Bool]
    variants: tuple[str, ...] = LEAST
    every: bool = False
    points: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class Group(Generic[FactsT]):
    """Corner classes that the same conversions have, or what makes them of a conversion's rows.

    `applies` reads a conversion's rows, never its name.
    """

    applies: Callable[[Any], bool]
    classes: tuple[CornerClass[FactsT], ...] | Callable[[Any], tuple[CornerClass[FactsT], ...]]

    def of(self, conversion: Any) -> tuple[CornerClass[FactsT], ...]:
        """Return a conversion's classes of the group."""
        if not self.applies(conversion):
            return ()
        return self.classes(conversion) if callable(self.classes) else self.classes


def classes_of(groups: Iterable[Group[FactsT]], conversion: Any) -> tuple[CornerClass[FactsT], ...]:
    """Return a conversion's classes in the order of their declaration. Raises ValueError where a name stands twice."""
    found = tuple(each for group in groups for each in group.of(conversion))
    names = [each.name for each in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"corner classes declared twice: {', '.join(twice)}")
    return found


def all_of(conditions: Iterable[Bool]) -> Bool:
    """Every condition holds; there is at least one."""
    return reduce(and_, conditions)


def any_of(conditions: Iterable[Bool]) -> Bool:
    """At least one condition holds; there is at least one."""
    return reduce(or_, conditions)
