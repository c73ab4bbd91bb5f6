"""Parts of a run that take about as long as each other, and are the same on every machine that takes one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from heapq import heappop, heappush
from pathlib import Path
from statistics import mean
from typing import Any

from halfulp_formal.catalogue import kinds_of, obligations, owners
from halfulp_formal.seeded import JOINT

#: seconds by family and kind, measured once; `shipped_record` says how
SHIPPED = Path(__file__).with_name("times.json")
RECIPE = (
    "python -m halfulp_formal.shards RESULTS.json, of `halfulp prove --all --no-cache --json RESULTS.json`, "
    "or of other obligations for times that are not in it"
)

#: seconds of what nothing is known about
UNKNOWN = 1.0


class UnusableTimes(ValueError):
    """A file that should hold the times of an earlier run does not; the message is the whole line."""


def split(names: Sequence[str], parts: int, seconds: Mapping[str, float]) -> list[list[str]]:
    """Return parts of about the same sum of seconds, each in the order of the names.

    The longest comes first, to the part that has least so far, the first of several; so names and seconds alone decide.
    """
    loads = [(0.0, part) for part in range(parts)]
    owner: dict[str, int] = {}
    for name in sorted(names, key=lambda name: (-seconds[name], name)):
        load, part = heappop(loads)
        owner[name] = part
        heappush(loads, (load + seconds[name], part))
    found: list[list[str]] = [[] for _ in range(parts)]
    for name in names:
        found[owner[name]].append(name)
    return found


def digest(parts: Sequence[Sequence[str]]) -> str:
    """Return what tells one split from another, in 16 hex digits: shards of different splits do not fit together."""
    return sha256("\n\n".join("\n".join(part) for part in parts).encode()).hexdigest()[:16]


def expected(names: Iterable[str], recorded: Mapping[str, float] | None = None) -> dict[str, float]:
    """Return the seconds that obligations should take: recorded ones, else those shipped for their family and kind."""
    found = {}
    for name in names:
        conversion, _, kind = name.partition(JOINT)[0].rpartition(".")
        known = (recorded or {}).get(name)
        found[name] = shipped(conversion, kind) if known is None else known
    return found


def shipped(conversion: str, kind: str) -> float:
    """Return the seconds that a kind of obligation takes for a conversion of one family."""
    family = owners().get(conversion)
    return shipped_times().get(family.name if family else "", {}).get(kind, UNKNOWN)


@cache
def shipped_times() -> dict[str, dict[str, float]]:
    """Return the shipped seconds by family and kind."""
    found: dict[str, dict[str, float]] = json.loads(SHIPPED.read_text(encoding="utf-8"))["seconds"]
    return found


def read_times(path: Path) -> dict[str, float]:
    """Return the seconds by obligation of an earlier run, from its results file. Raises UnusableTimes and OSError."""
    try:
        seconds: Any = json.loads(path.read_bytes())["run"]["seconds"]
        times = {str(name): float(value) for name, value in seconds.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnusableTimes(f"{path}: no times in it; expected what `halfulp prove --json` wrote") from error
    wrong = next((name for name, value in times.items() if not 0 <= value < float("inf")), None)
    if wrong is not None:
        raise UnusableTimes(f"{path}: run.seconds of {wrong} is {times[wrong]:g}; expected a number of seconds")
    return times


def shipped_record(times: Mapping[str, float], known: Mapping[str, Mapping[str, float]] = {}) -> dict[str, Any]:
    """Return the content of the shipped file: the mean seconds of each family's kinds, to one significant digit.

    A kind that has no times keeps the seconds that are known of it, as long as there is such a kind.
    """
    exist = {(owner.name, kind.name) for name, owner in owners().items() for kind in kinds_of(name)}
    grouped = {
        family: {kind: [value] for kind, value in kinds.items() if (family, kind) in exist}
        for family, kinds in known.items()
    }
    measured: dict[str, dict[str, list[float]]] = {}
    for name, value in times.items():
        conversion, _, kind = name.rpartition(".")
        if conversion in owners() and name in obligations(conversion):
            measured.setdefault(owners()[conversion].name, {}).setdefault(kind, []).append(value)
    for family, kinds in measured.items():
        grouped[family] = grouped.get(family, {}) | kinds
    return {
        "recipe": RECIPE,
        "seconds": {
            family: {kind: float(f"{mean(values):.1g}") for kind, values in sorted(kinds.items())}
            for family, kinds in sorted(grouped.items())
        },
    }


if __name__ == "__main__":
    import sys

    record = shipped_record(read_times(Path(sys.argv[1])), shipped_times())
    SHIPPED.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
