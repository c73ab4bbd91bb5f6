"""Which conversions' files are shipped: one declared list; every other file is written by name."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class Selected:
    """Plain conversions whose files are shipped: a glob pattern of names, and the rule in words."""

    pattern: str
    rule: str


#: of the plain conversions, which are too many, these are shipped; of all other families every one is
SHIPPED: tuple[Selected, ...] = ()


def is_shipped(name: str) -> bool:
    """Tell whether a conversion's file is shipped."""
    return not name.startswith("cvt.") or any(fnmatchcase(name, each.pattern) for each in SHIPPED)
