"""Results of the shards of one run, put together to what the whole run would have come to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from .results import Results

#: what must be the same in all shards of a run, by the name that it has in a results file
ALIKE = {
    "halfulp": "version",
    "rules": "rules",
    "solvers": "solvers",
    "about": "noun",
    "patterns": "patterns",
    "split": "split",
}


class Unmergeable(ValueError):
    """Files that are not the shards of one run; the message names the file, what it has and what was expected."""


def merge(shards: Sequence[tuple[str, Results]], order: Iterable[str]) -> Results:
    """Return the results of the whole run from those of all its shards, each with the name of its file.

    `order` has the names of all obligations in the order of a whole run; names that it lacks come last, sorted.
    Raises Unmergeable where the files are not exactly the shards of one run.
    """
    check_alike(shards)
    check_complete(shards)
    place = {name: number for number, name in enumerate(order)}
    rows = [row for _, results in shards for row in results.rows]
    rows.sort(key=lambda row: (place.get(row.proof.name, len(place)), row.proof.name))
    return replace(shards[0][1], rows=rows, shard="1/1", split="")


def check_alike(shards: Sequence[tuple[str, Results]]) -> None:
    """Refuse shards of different runs: another version, other rules, solvers or patterns, or split by other times."""
    first_file, first = shards[0]
    for file, results in shards[1:]:
        for name, field in ALIKE.items():
            given, expected = getattr(results, field), getattr(first, field)
            if given != expected:
                raise Unmergeable(f"{file}: {name} is {given!r}; expected {expected!r}, as in {first_file}")


def check_complete(shards: Sequence[tuple[str, Results]]) -> None:
    """Refuse a shard that is there twice or not at all, and an obligation that is in two."""
    owner: dict[str, str] = {}
    seen: dict[str, str] = {}
    parts = shards[0][1].shard.partition("/")[2]
    for file, results in shards:
        shard = results.shard
        if shard.partition("/")[2] != parts:
            raise Unmergeable(f"{file}: shard is {shard}; expected one of {parts}, as in {shards[0][0]}")
        if shard in seen:
            raise Unmergeable(f"{file}: shard is {shard}, which {seen[shard]} is, too")
        seen[shard] = file
        for row in results.rows:
            if row.proof.name in owner:
                raise Unmergeable(f"{file}: {row.proof.name} is in {owner[row.proof.name]}, too")
            owner[row.proof.name] = file
    missing = [f"{part}/{parts}" for part in range(1, int(parts) + 1) if f"{part}/{parts}" not in seen]
    if missing:
        raise Unmergeable(f"shard {missing[0]} is missing; expected all from 1/{parts} to {parts}/{parts}")
