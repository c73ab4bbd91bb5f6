"""Results of a run as if it had been: verdicts that are due, witnesses that are known, and some that are not as expected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial

import pytest

from halfulp_formal import catalogue, findings_report
from halfulp_formal.families.family import Family
from halfulp_formal.obligation import Proof, Verdict
from halfulp_formal.reporting import Results, Row
from halfulp_model.loader import default_rules

#: witnesses as a solver gives them
WITNESSES: Mapping[str, Mapping[str, int]] = {
    "noquant.fp32.noquant_nan": {"in.value": 0x7F800001, "in.relu": 1, "in.quant_word": 0, "in.relu_word": 0},
    "deqf16.rne.nosat.tininess": {"product.negative": 0, "product.significand.43": 0x7FF, "product.exponent.8": 0x1E6},
    "scale.fp16.even.is_tcvt_nearest": {"in.bits.16": 0x3D00},
    "format.e1m2x2.denied_subnormals": {"in.bits.4": 1},
    "bfp16.floor.nan_payload": {f"in.member{index}": 0x3F800000 + index for index in range(8)},
}

#: the family that is shown whole where the catalogue is made smaller, and opens on demand
LARGE = "plain conversions"


def fewer_families(patch: pytest.MonkeyPatch, *whole: str) -> None:
    """Let the catalogue list only conversions of WITNESSES and of noquant, but some families whole: pages are made soon."""
    shown = {
        *(name.rpartition(".")[0] for name in WITNESSES),
        "noquant.s32",
        "noquant.u32",
        "cvt.fp32.e4m3.rne.sat",
        "fp19.fp32",
        "scale.fp16.rceil.hif8",
    }

    def few(family: Family) -> list[str]:
        return [name for name in family.conversions() if name in shown]

    families = (
        family if family.name in whole else replace(family, conversions=partial(few, family))
        for family in catalogue.FAMILIES
    )
    patch.setattr(catalogue, "FAMILIES", tuple(families))
    # what is remembered of it goes with the patch
    patch.setattr(catalogue, "owners", cache(catalogue.owners.__wrapped__))
    by_kind = findings_report.conversions_by_kind.__wrapped__
    patch.setattr(findings_report, "conversions_by_kind", cache(by_kind))


def pretended(
    conversions: list[str],
    unexpected: Mapping[str, Verdict] = {},
    witnesses: Mapping[str, Mapping[str, int]] = WITNESSES,
) -> Results:
    """Results on all obligations of some conversions; one that should be refuted but has no witness here is left out."""
    rows = []
    for conversion in conversions:
        for kind in catalogue.kinds_of(conversion):
            name = f"{conversion}.{kind.name}"
            verdict = unexpected.get(name, kind.expect)
            witness = witnesses.get(name) if verdict is Verdict.REFUTED else None
            if verdict is Verdict.REFUTED and witness is None:
                continue
            proof = Proof(name, conversion, verdict, kind.expect, "bitwuzla", "0.10.0", 0.0, "ab" * 32, witness)
            rows.append(Row(proof, kind.sentence, kind.source, f"halfulp prove {name}", {}))
    return Results(rows, "obligation", "0.1.0", default_rules().digest, {"bitwuzla": "0.10.0"})
