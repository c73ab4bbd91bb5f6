"""Which conversions a study compares, and what patterns of their names mean."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import translate
from itertools import accumulate
from pathlib import Path

from halfulp_formal import catalogue
from halfulp_formal.families.family import Group

from .patch import Amendment
from .touched import Fate, Standing


@dataclass(frozen=True)
class Scope:
    """What is to be compared: conversions by patterns, or of every family; and where shipped vectors are."""

    patterns: tuple[str, ...] = ()
    everything: bool = False
    vectors: Path | None = None
    count_all: bool = False  #: count in every changed conversion, not in the first one of each mode alone


def in_scope(every: Sequence[Standing], amendment: Amendment, scope: Scope) -> set[str]:
    """Return the conversions that are compared.

    Those that patterns select; else, of what is touched, the default groups and what is expected by name, or everything
    where no default group is touched.
    """
    names = [each.name for each in every]
    if scope.patterns:
        return {name for pattern in scope.patterns for name in selected(names, pattern)}
    touched = [each for each in every if each.fate in (Fate.TOUCHED, Fate.NEW)]
    default = {each.name for each in touched if each.adapter.family.group is Group.DEFAULT}
    if scope.everything or not default:
        return set(names)
    expected = [each for each in amendment.expects or () if each.key in ("changed", "unchanged", "new")]
    named = {name for each in expected for name in meant(names, each.pattern)}
    return default | named


def meant(names: Sequence[str], pattern: str) -> list[str]:
    """Return the conversions that a pattern means: the one of that very name, or all that it, or leading parts, match."""
    if pattern in names:
        return [pattern]
    matches = re.compile(translate(pattern)).match
    return [name for name in names if any(map(matches, accumulate(name.split("."), "{}.{}".format)))]


def selected(names: Sequence[str], pattern: str) -> list[str]:
    """Return the conversions that a pattern selects. Raises UnknownName."""
    found = meant(names, pattern)
    if not found:
        raise catalogue.UnknownName(catalogue.no_match(pattern, list(names)))
    return found


def mode_of(name: str) -> str:
    """Return the part of a conversion's name that its variants of rounding and saturation share."""
    parts = name.split(".")
    return ".".join(parts[: {"cvt": 3, "e8m0": 2, "scale": 2}.get(parts[0], 1)])
