"""A study as data for machines; what differs between two equal runs is left out."""

from __future__ import annotations

import json
from typing import Any

from halfulp_formal.explain import as_record
from halfulp_formal.obligation import Proof

from .expecting import exit_code, surprises
from .outcome import Entry, Sentence, Status, Study

SCHEMA = "halfulp-amendment-report/1"


def as_json(study: Study) -> str:
    """Return a study as JSON."""
    return json.dumps(record_of(study), ensure_ascii=False, indent=1) + "\n"


def record_of(study: Study) -> dict[str, Any]:
    """Return a study as plain JSON values; untouched conversions as name and digest."""
    amendment = study.amendment
    return {
        "schema": SCHEMA,
        "title": amendment.title,
        "question": amendment.question,
        "changes": [
            {"place": each.place, "old": each.old, "new": each.new, "reason": each.reason} for each in amendment.changes
        ],
        "functions": list(amendment.functions),
        "engine": study.engine,
        "exit_code": exit_code(study),
        "surprises": surprises(study),
        "counts": {status.value: len(study.having(status)) for status in Status},
        "conversions": [entry_record(entry) for entry in study.entries if entry.status is not Status.UNTOUCHED],
        "untouched": {entry.name: entry.standing.base for entry in study.having(Status.UNTOUCHED)},
        "sentences_asked": study.asked,
        "sentences": [sentence_record(each) for each in study.sentences],
        "partial": [entry.name for entry in study.partial],
        "vector_files": study.vector_files,
        "vectors": [
            {
                "file": each.file,
                "line": each.line,
                "class": each.corner,
                "in": each.inputs,
                "old": each.old,
                "new": each.new,
            }
            for each in study.vectors
        ],
    }


def entry_record(entry: Entry) -> dict[str, Any]:
    """Return a conversion as JSON values."""
    record: dict[str, Any] = {
        "name": entry.name,
        "family": entry.standing.adapter.family.name,
        "status": entry.status.value,
        "digests": {"base": entry.standing.base, "amended": entry.standing.amended},
    }
    if entry.proof is not None:
        record |= proof_record(entry.proof)
    if entry.shares:
        record["shares_proof_of"] = entry.shares
    if entry.status is Status.UNCHANGED:
        record["identical_terms"] = entry.identical
    if entry.equals:
        record["same_function_as"] = entry.equals
    if entry.where is not None:
        where = entry.where
        record["where"] = {"exact": where.region.exact, "around": where.around, "inside": where.inside}
    if entry.count is not None:
        record["count"] = {
            "differing": entry.count.differing,
            "inputs": entry.count.inputs,
            "varied": entry.count.varied,
            "fixed": {name: f"{value:#x}" for name, value in entry.count.fixed.items()},
        }
    elif entry.uncounted:
        record["not_counted"] = entry.uncounted
    if entry.total is not None:
        record["total"] = proof_record(entry.total)
    if entry.outputs:
        record["outputs"] = {name: {"base": before, "amended": after} for name, before, after in entry.outputs}
    base, amended = entry.versions
    if base is not None and amended is not None:
        record["base"], record["amended"] = as_record(base), as_record(amended)
    return record


def proof_record(proof: Proof) -> dict[str, Any]:
    """Return a proof as JSON values, without what differs between two runs."""
    record: dict[str, Any] = {"verdict": proof.verdict.value, "query": proof.query}
    if proof.detail:
        record["detail"] = proof.detail
    if proof.witness is not None:
        record["witness"] = {name: f"{value:#x}" for name, value in sorted(proof.witness.items())}
    return record


def sentence_record(each: Sentence) -> dict[str, Any]:
    """Return a sentence as JSON values."""
    return {
        "name": each.name,
        "sentence": each.sentence,
        "source": each.source,
        "before": each.before.value,
        "after": each.after.verdict.value,
        "detail": each.after.detail,
    }
