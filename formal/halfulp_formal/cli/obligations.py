"""What the commands know of an obligation without building it."""

from __future__ import annotations

from dataclasses import dataclass

from halfulp_formal.catalogue import conversions, kinds_of, matching
from halfulp_formal.obligation import Verdict

#: last parts of names that only `--all` includes: too long for every day
NIGHTLY: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Fact:
    """An obligation's sentence, where it is from, and the verdict it should get."""

    sentence: str
    source: str
    expect: Verdict


def facts() -> dict[str, Fact]:
    """Return what is known of every obligation, by name."""
    return {
        f"{conversion}.{kind.name}": Fact(kind.sentence, kind.source, kind.expect)
        for conversion in conversions()
        for kind in kinds_of(conversion)
    }


def selected(patterns: list[str], everything: bool) -> list[str]:
    """Return the obligations that patterns select, without the nightly ones unless asked for. Raises UnknownName."""
    return [name for name in matching(patterns) if everything or name.rpartition(".")[2] not in NIGHTLY]


def shard(names: list[str], part: int, parts: int) -> list[str]:
    """Return one of several parts of about the same weight; the same part on every machine.

    Kinds are dealt out one after another, since obligations of one kind take about as long as each other.
    """
    by_kind = sorted(range(len(names)), key=lambda place: (names[place].rpartition(".")[2], place))
    return [names[place] for place in sorted(by_kind[part - 1 :: parts])]
