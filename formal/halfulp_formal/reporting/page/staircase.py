"""The steps that a conversion makes round a number, found by asking the model: where each begins and ends, and its code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple


class Step(NamedTuple):
    """Consecutive indices with one code."""

    first: int
    last: int
    code: int


@dataclass(frozen=True)
class Curve:
    """A conversion along a line of numbers: an index stands for a number, which grows with it, and gets a code.

    value: what a code stands for, None where that is no number. label: a code in words.
    """

    number: Callable[[int], Fraction]
    convert: Callable[[int], int]
    value: Callable[[int], Fraction | None]
    label: Callable[[int], str]


def steps(convert: Callable[[int], int], low: int, high: int, stride: int) -> Iterator[Step]:
    """Yield the steps from index `low` to `high`, both included.

    Two indices that are `stride` apart and have one code are taken for the same step.
    """
    first, code, at = low, convert(low), low
    while at < high:
        ahead = min(at + stride, high)
        while convert(ahead) != code:
            last = last_alike(convert, at, ahead)
            yield Step(first, last, code)
            first = at = last + 1
            code = convert(first)
        at = ahead
    yield Step(first, high, code)


def last_alike(convert: Callable[[int], int], low: int, high: int) -> int:
    """Return an index from `low` up to before `high` with the code of `low`, and after which another one follows."""
    code = convert(low)
    while high - low > 1:
        middle = (low + high) // 2
        if convert(middle) == code:
            low = middle
        else:
            high = middle
    return low


def is_round(index: int, places: int) -> bool:
    """Tell whether an index is a multiple of 2^places: where steps of numbers meet, the round one is their border."""
    return index % (1 << places) == 0


def staircase(curve: Curve, given: int, low: int, high: int, stride: int, unit: Fraction) -> dict[str, Any]:
    """Return the steps round an index as JSON values, all lengths in `unit` from the number of the index `given`.

    A step is [from, to, height or null, code in words, whether its left end belongs to it, whether its right end does];
    an end that cannot be told, or that the window cuts, is null.
    """
    origin, places = curve.number(given), max(stride.bit_length() - 3, 1)
    found = list(steps(curve.convert, low, high, stride))

    def length(number: Fraction) -> float:
        return round(float((number - origin) / unit), 4)

    records = []
    for step in found:
        height = curve.value(step.code)
        begins = None if step.first == low else belongs(step.first, step.first - 1, places)
        ends = None if step.last == high else belongs(step.last, step.last + 1, places)
        here, there = (length(curve.number(index)) for index in (step.first, step.last))
        records.append([here, there, None if height is None else length(height), curve.label(step.code), begins, ends])
    return {"steps": records, "hit": next(place for place, step in enumerate(found) if step.last >= given)}


def belongs(mine: int, other: int, places: int) -> bool | None:
    """Tell whether the border between neighbouring indices is mine; None where neither is round."""
    if is_round(mine, places):
        return True
    return False if is_round(other, places) else None
