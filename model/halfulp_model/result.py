"""What a conversion returns, and how it refuses."""

from __future__ import annotations

from typing import NamedTuple


class Result(NamedTuple):
    """A 64-bit result word (integers sign-extended, floating codes zero-extended) and the five status flags."""

    word: int
    flags: int


class Rejected(ValueError):
    """The operation is illegal and has no effect.

    `rule` names the broken rule (its lines in the rule data or the specification); the message says what was given and
    what was expected.
    """

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"{rule}: {message}")
        self.rule = rule


class Uncharacterised(NamedTuple):
    """The evidence does not say what the hardware gives, so the model gives no result either.

    `question` names the row of the rule data's open questions, `text` is what it asks.
    """

    question: str
    text: str
