"""`halfulp list` and `halfulp solvers`: what there is to prove, and what is installed to prove it with."""

from __future__ import annotations

import json
from itertools import groupby

import typer

from .failures import Refused
from .printing import encodable

PATTERNS = typer.Argument(
    None, metavar="[PATTERN]…", help="Glob patterns of conversions or obligations; none means the default groups."
)
ALL = typer.Option(False, "--all", help="Without patterns: everything but the nightly groups.")
NIGHTLY = typer.Option(False, "--nightly", help="Without patterns: everything.")


def list_conversions(
    patterns: list[str] = PATTERNS,
    everything: bool = ALL,
    nightly: bool = NIGHTLY,
    names_only: bool = typer.Option(False, "--names", help="Print one obligation's name a line and nothing else."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """List conversions and their obligations: name, sentence, source."""
    if names_only and as_json:
        raise Refused("--names and --json: given both, expected one of them")
    from halfulp_formal.catalogue import matching

    from .obligations import facts, groups

    names = matching(list(patterns or []), groups(everything, nightly))
    if names_only:
        print("\n".join(names))
        return 0
    grouped = groupby(names, key=lambda name: name.rpartition(".")[0])
    known = facts(names)
    found = {conversion: [(name, known[name]) for name in members] for conversion, members in grouped}
    if as_json:
        records = [
            {
                "conversion": conversion,
                "obligations": [
                    {"name": name, "sentence": fact.sentence, "source": fact.source, "expect": fact.expect.value}
                    for name, fact in members
                ],
            }
            for conversion, members in found.items()
        ]
        print(encodable(records, indent=1))
        return 0
    for conversion, members in found.items():
        print(conversion)
        for name, fact in members:
            print(f"  {name}\n    {fact.sentence}\n    {fact.source}")
    print(f"conversions: {len(found):,}, obligations: {len(names):,}")
    return 0


def list_solvers(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> int:
    """List the solvers that are installed; the first of them decides unless --solver says otherwise."""
    from halfulp_formal.solvers import PREFERENCE, available

    versions = available()
    if as_json:
        print(json.dumps({name: versions.get(name) for name in PREFERENCE}))
        return 0
    for name in PREFERENCE:
        print(f"{name:10}{versions.get(name, 'not installed')}")
    return 0
