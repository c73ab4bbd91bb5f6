"""The rounding decision of a magnitude: one table row a mode, one gate-level formula for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from halfulp_formal.bits import Bool

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def _never(_negative: Bool, _odd: Bool) -> Bool:
    return Bool.constant(False)


def _always(_negative: Bool, _odd: Bool) -> Bool:
    return Bool.constant(True)


def _if_positive(negative: Bool, _odd: Bool) -> Bool:
    return ~negative


def _if_negative(negative: Bool, _odd: Bool) -> Bool:
    return negative


def _if_odd(_negative: Bool, odd: Bool) -> Bool:
    return odd


def _if_even(_negative: Bool, odd: Bool) -> Bool:
    return ~odd


@dataclass(frozen=True, slots=True)
class RoundingRow:
    """What a mode does with a remainder below, at and above half a unit in the last place.

    Each rule says whether the magnitude steps up, from the sign and the lowest kept bit.
    """

    below_half: Callable[[Bool, Bool], Bool]
    half: Callable[[Bool, Bool], Bool]
    above_half: Callable[[Bool, Bool], Bool]


#: Rules for the signed value; the magnitude is incremented, so "up" is away from zero only if positive.
ROUNDING: Mapping[str, RoundingRow] = {
    "rne": RoundingRow(_never, _if_odd, _always),
    "rtm": RoundingRow(_if_negative, _if_negative, _if_negative),
    "rtp": RoundingRow(_if_positive, _if_positive, _if_positive),
    "rtz": RoundingRow(_never, _never, _never),
    "rna": RoundingRow(_never, _always, _always),
    "rto": RoundingRow(_if_even, _if_even, _if_even),
    "rhb": RoundingRow(_never, _if_positive, _always),
}


def increment(rounding: str, *, negative: Bool, lsb: Bool, guard: Bool, sticky: Bool) -> Bool:
    """Whether the truncated magnitude steps up by one unit in its last place.

    `lsb` is the lowest kept bit, `guard` the first bit dropped, `sticky` the or of all bits below it.
    """
    row = ROUNDING[rounding]
    return (
        (~guard & sticky & row.below_half(negative, lsb))
        | (guard & ~sticky & row.half(negative, lsb))
        | (guard & sticky & row.above_half(negative, lsb))
    )
