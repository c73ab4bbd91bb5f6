"""Counts in words, singular or plural: whoever prints a number with its noun takes both from here."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: 1 file, 2,794 files; `many` where the plural is not made with an s."""
    return f"{number:,} {noun_for(number, one, many)}"


def noun_for(number: int, one: str, many: str = "") -> str:
    """Return the noun, or the verb, that goes with a number."""
    return one if number == 1 else many or f"{one}s"
