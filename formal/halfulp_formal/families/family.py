"""The shape of a family."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from halfulp_formal.properties.claim import Kind
from halfulp_formal.subject import Subject


class Group(Enum):
    """When a family is proved without being asked for by name."""

    #: in every run
    DEFAULT = "default"
    #: when everything is asked for
    ALL = "all"
    #: in a run of its own
    NIGHTLY = "nightly"


@dataclass(frozen=True)
class Family:
    """A family of conversions.

    conversions: their names, in order. kinds: the kinds of obligation that a conversion has. case: the lifted conversion
    that its kinds are built from.
    """

    name: str
    group: Group
    conversions: Callable[[], list[str]]
    kinds: Callable[[str], Iterator[Kind]]
    case: Callable[[Subject, str], Any]
