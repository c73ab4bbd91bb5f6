"""Corner classes of results: flag combinations, shifts, and accumulators passed through unchanged."""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any

from halfulp_formal.vectors.corner import BOTH_SIGNS, SPREAD, CornerClass, Group

if TYPE_CHECKING:
    from halfulp_formal.bits import Bool
    from halfulp_formal.vectors.facts.postprocess import Facts

    Corner = CornerClass[Facts]

#: flag combinations that some conversion raises
FLAGS = {0x00: "none", 0x01: "nv", 0x10: "nx", 0x14: "of-nx", 0x18: "uf-nx"}


def flag_class(mask: int, name: str) -> Corner:
    """Return the class of one combination of flags."""
    raised = name.upper().replace("-", " and ")
    return CornerClass(
        f"flags/{name}",
        f"The flags are {raised}, and no others." if mask else "No flag is raised.",
        lambda f: f.legal & (f.flags == mask),
    )


def none_of_these(facts: Facts) -> Bool:
    """No listed combination is raised."""
    return reduce(and_, (facts.flags != mask for mask in FLAGS), facts.legal)


FLAG: tuple[Corner, ...] = (
    *(flag_class(mask, name) for mask, name in FLAGS.items()),
    CornerClass("flags/other", "The flags are any other combination.", none_of_these),
)


def is_shift(row: Any) -> bool:
    """Tell whether a conversion shifts."""
    return bool(row.mode.parameter.value == "shift")


def passes_through(row: Any) -> bool:
    """Tell whether a conversion leaves an accumulator as it is where no activation applies."""
    return row.mode.destination is None


def is_unsigned(row: Any) -> bool:
    """Tell whether a conversion's accumulator is never negative."""
    return passes_through(row) and not row.accumulator.signed


def relu_ignored(relu: int) -> Corner:
    """Return the class of a negative accumulator under a ReluMode that the shift does not heed."""
    return CornerClass(
        f"shift/mode-{relu}-ignored",
        f"ReluMode is {relu} and the accumulator negative: the shift modes apply no activation.",
        lambda f: (
            f.legal
            & (f.relu == relu)
            & (f.shifted < -1)
            & f.shift_fits
            & (f.activation_exponent == (126 if relu >= 2 else 0))
        ),
    )


SHIFT: tuple[Corner, ...] = (
    CornerClass("shift/zero", "The accumulator is 0.", lambda f: f.legal & (f.value == 0)),
    CornerClass(
        "shift/one-place",
        "Code 0 shifts by one place.",
        lambda f: f.legal & (f.shift == 1) & f.shift_fits & (f.value.magnitude() >= 2),
        (*BOTH_SIGNS, "far"),
    ),
    CornerClass(
        "shift/eight-places",
        "Code 7 shifts by eight places.",
        lambda f: f.legal & (f.shift == 8) & f.shift_fits & (f.value.magnitude() >= 1 << 8),
        (*BOTH_SIGNS, "far"),
    ),
    CornerClass(
        "shift/sixteen-places",
        "Code 15 shifts by sixteen places.",
        lambda f: f.legal & (f.shift == 16) & (f.value.magnitude() >= 1 << 16),
        (*BOTH_SIGNS, "far"),
    ),
    CornerClass(
        "shift/exact",
        "Only zeros are shifted out.",
        lambda f: f.legal & (f.lost == 0) & (f.value != 0) & f.shift_fits,
        BOTH_SIGNS,
    ),
    CornerClass(
        "shift/lowest-bit-lost",
        "Only the lowest bit is lost: a negative number is rounded down, not toward zero, and nothing is raised.",
        lambda f: f.legal & (f.lost == 1) & (f.shift >= 2) & (f.shifted != 0) & f.shift_fits,
        (*BOTH_SIGNS, "far"),
    ),
    CornerClass(
        "shift/half-lost",
        "Exactly one half is lost: it is cut, not rounded.",
        lambda f: f.legal & ((f.lost << 1) == f.shift_unit) & (f.shifted != 0) & f.shift_fits,
        BOTH_SIGNS,
    ),
    CornerClass(
        "shift/all-ones-lost",
        "Every lost bit is set.",
        lambda f: f.legal & (f.lost + 1 == f.shift_unit) & (f.shift >= 2) & (f.shifted != 0) & f.shift_fits,
        BOTH_SIGNS,
    ),
    CornerClass("shift/minus-one", "The accumulator is -1, and stays so.", lambda f: f.legal & (f.value == -1), SPREAD),
    CornerClass(
        "shift/highest",
        "The result is the S16 maximum, and the accumulator the largest that gives it without saturation.",
        lambda f: f.legal & (f.shifted == f.row.destination.maximum) & (f.lost + 1 == f.shift_unit),
        SPREAD,
    ),
    CornerClass(
        "shift/above-highest",
        "The shifted accumulator is the S16 maximum plus 1.",
        lambda f: f.legal & (f.shifted == f.row.destination.maximum + 1),
        SPREAD,
    ),
    CornerClass(
        "shift/lowest",
        "The result is the S16 minimum, and the accumulator the least that gives it without saturation.",
        lambda f: f.legal & (f.shifted == f.row.destination.minimum) & (f.lost == 0),
        SPREAD,
    ),
    CornerClass(
        "shift/below-lowest",
        "The shifted accumulator is the S16 minimum minus 1.",
        lambda f: f.legal & (f.shifted == f.row.destination.minimum - 1),
        SPREAD,
    ),
    CornerClass("shift/maximum", "The accumulator is the S32 maximum.", lambda f: f.legal & (f.value == (1 << 31) - 1)),
    CornerClass("shift/minimum", "The accumulator is the S32 minimum.", lambda f: f.legal & (f.value == -(1 << 31))),
    CornerClass(
        "shift/low-bits-show",
        "The shifted accumulator is out of range, and its low 16 bits are another number than the one it saturates to.",
        lambda f: f.legal & ~f.shift_fits & (f.shifted % (1 << 16) == 1),
        BOTH_SIGNS,
    ),
    CornerClass(
        "shift/sixteen-places-saturate",
        "A shift by sixteen places saturates.",
        lambda f: f.legal & ~f.shift_fits & (f.shift == 16),
    ),
    *(relu_ignored(relu) for relu in (1, 2, 3)),
)

#: 32-bit patterns of an accumulator that passes through
PATTERNS = {"zero": 0, "one": 1, "maximum": 0x7FFFFFFF, "top-bit": 0x80000000, "all-ones": 0xFFFFFFFF}


def identity(name: str, pattern: int, relu: int) -> Corner:
    """Return the class of one pattern that passes under one ReluMode."""
    return CornerClass(
        f"identity/{name}-mode-{relu}",
        f"The accumulator is {pattern:#010x} and ReluMode {relu}: it passes unchanged.",
        lambda f: f.legal & (f.pattern == pattern) & (f.relu == relu),
    )


IDENTITY: tuple[Corner, ...] = tuple(identity(name, pattern, 0) for name, pattern in PATTERNS.items())
UNSIGNED: tuple[Corner, ...] = tuple(
    identity(name, pattern, relu) for relu in (1, 2, 3) for name, pattern in PATTERNS.items()
)

GROUPS: tuple[Group[Facts], ...] = (
    Group(is_shift, SHIFT),
    Group(passes_through, IDENTITY),
    Group(is_unsigned, UNSIGNED),
    Group(lambda _row: True, FLAG),
)
