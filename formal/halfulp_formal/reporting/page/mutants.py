"""What became of the mutants, as the page shows it: counts by conversion, what is open, and the equivalent ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from halfulp_formal.reporting.checked import read_json, refuse, schema_mistakes

SCHEMA_FILE = Path(__file__).with_name("mutants.schema.json")

COUNTS = ("mutants", "killed", "raised", "equivalent", "survive", "undecided")

#: fates that leave something to do
OPEN = ("survives", "undecided")

#: digits of a query's digest that are shown
DIGITS = 16


def checked_record(path: Path) -> dict[str, Any]:
    """Return what `halfulp mutants --json` wrote. Raises OSError, and MalformedResults for anything but such a file."""
    record: dict[str, Any] = read_json(path, "halfulp mutants --json")
    refuse(path, schema_mistakes(SCHEMA_FILE, record))
    return record


def read_mutants(path: Path) -> dict[str, Any]:
    """Read what `halfulp mutants --json` wrote. Raises OSError, and MalformedResults for anything but such a file.

    conversions: counts in the order of COUNTS. open: [conversion, mutant, where, what, fate, detail]. equivalent: [mutant,
    where, what, proofs] and a proof [detail, digest, conversions]. Those that are killed are counted only.
    """
    record = checked_record(path)
    rows = record["mutants"]
    return {
        "summary": record["summary"],
        "conversions": {name: [counts[each] for each in COUNTS] for name, counts in record["conversions"].items()},
        "open": [
            [*(row[key] for key in ("conversion", "mutant", "where", "what", "fate")), row["detail"] or told_by(row)]
            for row in rows
            if row["fate"] in OPEN
        ],
        "equivalent": equivalent([row for row in rows if row["fate"] == "equivalent"]),
    }


def told_by(row: Mapping[str, Any]) -> str:
    """Return the inputs that tell a mutant from the model, nothing where there are none."""
    words = [f"0x{word}" for word in row.get("witness") or []]
    return f"told from the model by {' '.join(words)}" if words else ""


def equivalent(rows: Sequence[dict[str, Any]]) -> list[list[Any]]:
    """Return each equivalent mutant once, with its proofs and the conversions that each of them is about."""
    found: dict[str, list[Any]] = {}
    proofs: dict[str, dict[tuple[str, str], list[str]]] = {}
    for row in rows:
        name = row["mutant"]
        found.setdefault(name, [name, row["where"], row["what"]])
        proof = (row["detail"], (row["proof"] or "")[:DIGITS])
        proofs.setdefault(name, {}).setdefault(proof, []).append(row["conversion"])
    return [[*found[name], [[*proof, conversions] for proof, conversions in proofs[name].items()]] for name in found]
