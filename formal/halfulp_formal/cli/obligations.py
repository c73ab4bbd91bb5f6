"""What the commands know of an obligation without building it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from halfulp_formal.catalogue import kinds_of
from halfulp_formal.families.family import Group
from halfulp_formal.obligation import Verdict


@dataclass(frozen=True)
class Fact:
    """An obligation's sentence, where it is from, and the verdict it should get."""

    sentence: str
    source: str
    expect: Verdict


def facts(names: Sequence[str]) -> dict[str, Fact]:
    """Return what is known of obligations, by name."""
    return {
        f"{conversion}.{kind.name}": Fact(kind.sentence, kind.source, kind.expect)
        for conversion in dict.fromkeys(name.rpartition(".")[0] for name in names)
        for kind in kinds_of(conversion)
    }


def groups(everything: bool, nightly: bool) -> tuple[Group, ...]:
    """Return the groups that a run without patterns takes."""
    return (Group.DEFAULT, *((Group.ALL,) if everything or nightly else ()), *((Group.NIGHTLY,) if nightly else ()))
