"""The mutant that a command behaves like, found in its own answers."""

from __future__ import annotations

from dataclasses import replace

from halfulp_formal.mutants import lookalike
from halfulp_formal.replay.judging import Judged

NONE_KNOWN = "no known mutant"


def with_likeness(judged: Judged) -> Judged:
    """Return a judged file that says which mutant gives every answer that the command gave, right ones included."""
    answers = judged.outcome.answers
    every = [(case.inputs, answers[case.tc]) for case in judged.file.lines if case.tc in answers]
    return replace(judged, alike=lookalike(judged.conversion, every) or NONE_KNOWN)
