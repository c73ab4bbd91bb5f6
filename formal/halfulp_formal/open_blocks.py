"""Open questions of block conversions, as the smallest blocks that meet them: to be put to the hardware, in no vector."""

from __future__ import annotations

from halfulp_formal.catalogue import UnknownName, build, no_match, obligations
from halfulp_formal.decide import Engine, decide
from halfulp_formal.obligation import Verdict

#: open questions of the rule data, and the sentences that their smallest blocks refute
SENTENCES = {
    "renormalised_to_255": ("renormalised_to_255",),
    "nan_reaches_128": ("nan_reaches_128",),
    "minimum_mantissa": ("minimum_mantissa", "minimum_mantissa_values"),
    "nan_payload": ("nan_payload",),
}


class NotFound(Exception):
    """A solver did not find the block that it was asked for."""


def smallest_blocks(conversion: str, question: str, engine: Engine | None = None) -> list[tuple[int, ...]]:
    """Return the smallest blocks of FP32 words that meet an open question, none for a mode that does not raise it.

    Smallest is lexicographically, so that as many members as possible are zero. The two readings of -128 have two blocks:
    one whose bits tell them apart, and one of which even a value does. Raises UnknownName, NotFound.
    """
    if question not in SENTENCES:
        raise UnknownName(no_match(question, list(SENTENCES)))
    raised = obligations(conversion)
    names = [f"{conversion}.{sentence}" for sentence in SENTENCES[question]]
    return [smallest_block(name, engine or Engine()) for name in names if name in raised]


def smallest_block(name: str, engine: Engine) -> tuple[int, ...]:
    """Return the members of the smallest block that refutes an obligation."""
    proof = decide(build(name), engine, minimise=True)
    if proof.verdict is not Verdict.REFUTED or proof.witness is None:
        raise NotFound(f"{name} is {proof.verdict.value}; expected refuted: {proof.detail}")
    members = [key for key in proof.witness if key.startswith("in.member")]
    return tuple(proof.witness[key] for key in members)
