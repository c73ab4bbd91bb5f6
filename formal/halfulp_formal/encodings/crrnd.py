"""The ten rounding modes of the AIE-ML crrnd register, as the four bits of its code wire them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from halfulp_formal.bits import Bool

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Mode: register code (AIE-ML intrinsics guide).
CRRND: Mapping[str, int] = {
    "floor": 0,
    "ceil": 1,
    "sym_floor": 2,
    "sym_ceil": 3,
    "neg_inf": 8,
    "pos_inf": 9,
    "sym_zero": 10,
    "sym_inf": 11,
    "conv_even": 12,
    "conv_odd": 13,
}

_NEAREST, _CONVERGENT, _SYMMETRIC, _UP = 8, 4, 2, 1


def _outward(code: int, negative: Bool, lsb: Bool) -> Bool:
    """Whether the mode's direction, or the way its ties go, is away from zero."""
    up = Bool.constant(bool(code & _UP))
    if code & _CONVERGENT:
        return lsb ^ up
    return up if code & _SYMMETRIC else negative ^ up


def increment(rounding: str, *, negative: Bool, lsb: Bool, guard: Bool, sticky: Bool) -> Bool:
    """Whether the truncated magnitude steps up by one unit in its last place.

    `lsb` is the lowest kept bit, `guard` the first bit dropped, `sticky` the or of all bits below it.
    ValueError: the mode is not one of `CRRND`.
    """
    if rounding not in CRRND:
        raise ValueError(f"unknown crrnd mode {rounding}; expected one of {', '.join(CRRND)}")
    code = CRRND[rounding]
    outward = _outward(code, negative, lsb)
    return guard & (sticky | outward) if code & _NEAREST else (guard | sticky) & outward
