"""What became of the mutants, as the page shows it: counts by conversion, what is open, and the equivalent ones."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from halfulp_formal.mutants.merging import read_outcomes
from halfulp_formal.mutants.outcome import Fate, Outcome, shown_point
from halfulp_formal.mutants.report import OPEN, by_conversion, counts, summary

COUNTS = ("mutants", "refused", "killed", "raised", "equivalent", "survive", "undecided")

#: digits of a query's digest that are shown
DIGITS = 16


def read_mutants(path: Path) -> dict[str, Any]:
    """Read what `halfulp mutants --json` wrote. Raises OSError, and MalformedResults for anything but such a file.

    conversions: counts in the order of COUNTS. open: [conversion, mutant, where, what, fate, detail]. equivalent: [mutant,
    where, what, proofs] and a proof [detail, digest, conversions]. Those that are killed or refused are counted only.
    """
    those = read_outcomes(path)
    numbers = {name: vars(counts(each)) for name, each in by_conversion(those).items()}
    return {
        "summary": summary(those),
        "conversions": {name: [each[count] for count in COUNTS] for name, each in numbers.items()},
        "open": [
            [each.conversion, each.mutant, each.where, each.what, each.fate.value, each.detail or told_by(each)]
            for each in those
            if each.fate in OPEN
        ],
        "equivalent": equivalent(each for each in those if each.fate is Fate.EQUIVALENT),
    }


def told_by(each: Outcome) -> str:
    """Return the inputs that tell a mutant from the model, nothing where there are none."""
    return f"told from the model by {shown_point(each.witness)}" if each.witness else ""


def equivalent(those: Iterable[Outcome]) -> list[list[Any]]:
    """Return each equivalent mutant once, with its proofs and the conversions that each of them is about."""
    found: dict[str, list[Any]] = {}
    proofs: dict[str, dict[tuple[str, str], list[str]]] = {}
    for each in those:
        found.setdefault(each.mutant, [each.mutant, each.where, each.what])
        proof = (each.detail, each.query[:DIGITS])
        proofs.setdefault(each.mutant, {}).setdefault(proof, []).append(each.conversion)
    return [[*found[name], [[*proof, conversions] for proof, conversions in proofs[name].items()]] for name in found]
