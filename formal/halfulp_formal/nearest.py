"""The name that was probably meant, among thousands."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from heapq import nlargest
from itertools import pairwise

#: names that are looked at closely for the one that was meant
LIKELY = 40


def nearest(given: str, names: Collection[str]) -> str | None:
    """Return the name that is most like the given one, None where none is much like it."""
    # a close look at thousands of names takes seconds; the nearest name is among those that share most pairs of letters
    pairs = letter_pairs(given)
    likely = nlargest(LIKELY, names, key=lambda name: shared(pairs, letter_pairs(name)))
    return next(iter(get_close_matches(given, likely, n=1)), None)


def letter_pairs(text: str) -> set[str]:
    """Return the pairs of letters that stand side by side in a text."""
    return set(map("".join, pairwise(text)))


def shared(one: set[str], two: set[str]) -> float:
    """Return how much two sets have in common, from 0 to 1."""
    return 2 * len(one & two) / max(1, len(one) + len(two))
