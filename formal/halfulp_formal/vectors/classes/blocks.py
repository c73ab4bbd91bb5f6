"""Corner classes of block conversions: the exponent, each lane's rounding, what reaches 128, what renormalising does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from halfulp_formal.vectors.classes.block_lanes import (
    BETWEEN,
    BOTH,
    DISTANCES,
    FILLED,
    LEADER,
    NEIGHBOUR,
    SIGNS,
    UNIT,
    distance_class,
    half,
    leader_rounded,
    rounded,
    tie_in_lane,
)
from halfulp_formal.vectors.classes.block_limits import (
    BELOW_64,
    CLOSE,
    MANTISSAS,
    close,
    renormalisations,
    with_mantissa,
)
from halfulp_formal.vectors.corner import CornerClass, Group, all_of, any_of
from halfulp_model.rows import Choice

if TYPE_CHECKING:
    from halfulp_formal.bits import Bool
    from halfulp_formal.vectors.facts.blocks import Facts

    Corner = CornerClass[Facts]


def by_field(row: Any) -> bool:
    """Tell whether a conversion takes the largest exponent field, as the hardware does."""
    return bool(row.block.selection.value == "exponent_field")


def by_magnitude(row: Any) -> bool:
    """Tell whether a conversion takes the largest magnitude and clamps, as the procedure does."""
    return not by_field(row)


def rounds_upward(row: Any) -> bool:
    """Tell whether a conversion rounds toward +infinity, so that a large negative member does not renormalise."""
    return bool(by_field(row) and not row.rounding.nearest and row.rounding.choice is Choice.CEILING)


def every(_row: Any) -> bool:
    """Every block conversion has these classes."""
    return True


def zeros() -> Iterator[Corner]:
    """Yield blocks without a normal member."""
    yield CornerClass("zero/positive", "Every member is +0.", lambda f: all_of(word == 0 for word in f.words))
    yield CornerClass("zero/negative", "Every member is -0.", lambda f: all_of(word == 1 << 31 for word in f.words))
    yield CornerClass(
        "zero/subnormal",
        "Every member is subnormal and not zero.",
        lambda f: all_of((word.field(30, 23) == 0) & (word.field(22, 0) > 0) for word in f.words),
        BOTH,
    )


def largest_subnormal(sign: str) -> Corner:
    """Return the class of a block of the largest subnormal number, whose next code is a normal number's."""
    code = 0x7FFFFF | (sign == "negative") << 31
    return CornerClass(
        f"zero/{sign}-largest-subnormal",
        f"Every member is the largest subnormal number and {sign}: the exponent stays 0.",
        lambda f: all_of(word == code for word in f.words),
    )


def leads_alone(place: int) -> Corner:
    """Return the class of a block whose exponent one member decides."""
    return CornerClass(
        f"exponent/lane-{place}",
        f"Member {place} alone has the largest exponent.",
        lambda f: f.legal & f.alone(place),
        FILLED,
    )


def exponents(lanes: Iterable[int]) -> Iterator[Corner]:
    """Yield blocks by the exponent that they share."""
    yield from (leads_alone(place) for place in lanes)
    yield CornerClass(
        "exponent/all-equal",
        "All members have one exponent, and none is exact.",
        lambda f: f.legal & all_of(f.leads(lane) & ~lane.whole for lane in f.lanes),
        FILLED,
    )
    yield CornerClass(
        "exponent/smallest",
        "The largest exponent is 1, that of the smallest normal numbers.",
        lambda f: f.legal & (f.shared == 1) & f.leads(f.lanes[LEADER]),
        BOTH,
    )
    yield CornerClass(
        "exponent/largest",
        "The largest exponent is 254, that of the largest numbers, and nothing rounds to 128.",
        lambda f: f.legal & (f.shared == 254) & f.leads(f.lanes[LEADER]),
        BOTH,
    )


def flushes() -> Iterator[Corner]:
    """Yield blocks with subnormal members beside normal ones."""
    yield CornerClass(
        "subnormal/largest",
        f"Member {NEIGHBOUR} is the largest subnormal number, member {LEADER} a normal one of exponent 1.",
        lambda f: (
            f.legal
            & (f.shared == 1)
            & f.leads(f.lanes[LEADER])
            & (f.words[NEIGHBOUR].field(30, 0) == 0x7FFFFF)
            & ~any_of(f.moves(lane) for lane in f.lanes)
        ),
        BOTH,
    )
    yield CornerClass(
        "subnormal/beside-one",
        f"Member {NEIGHBOUR} is subnormal and not zero, member {LEADER} is 1 or more.",
        lambda f: (
            f.legal
            & (f.shared >= 127)
            & f.leads(f.lanes[LEADER])
            & (f.words[NEIGHBOUR].field(30, 23) == 0)
            & (f.words[NEIGHBOUR].field(22, 0) > 0)
        ),
        BOTH,
    )


#: codes under the exponent 255: what they are, and their fraction
SPECIAL = {"infinity": ("an infinity", 0), "quiet-nan": ("a quiet NaN without payload", 1 << 22)}


def special_leader(facts: Facts, sign: str) -> Bool:
    """The leader alone has the exponent 255, and a sign."""
    return facts.legal & facts.alone(LEADER) & (facts.shared == 255) & SIGNS[sign](facts.lanes[LEADER])


def special(name: str, sign: str) -> Corner:
    """Return the class of an infinity or a NaN beside finite members."""
    what, fraction = SPECIAL[name]
    return CornerClass(
        f"special/{sign}-{name}",
        f"Member {LEADER} is {what} and {sign}, no other member has the exponent 255.",
        lambda f: special_leader(f, sign) & (f.lanes[LEADER].fraction == fraction),
        BOTH,
    )


def nan_of_127(sign: str) -> Corner:
    """Return the class of a NaN whose mantissa is the largest one that is characterised."""
    return CornerClass(
        f"special/{sign}-nan-127",
        f"Member {LEADER} is a NaN and {sign}, the exact magnitude of its mantissa 127, the largest that is characterised.",
        lambda f: special_leader(f, sign) & (f.lanes[LEADER].significand == 127 * UNIT),
    )


def specials() -> Iterator[Corner]:
    """Yield blocks under the exponent 255."""
    yield from (special(name, sign) for sign in SIGNS for name in SPECIAL)
    yield from (nan_of_127(sign) for sign in SIGNS)
    yield CornerClass(
        "special/both",
        f"Member {LEADER} is an infinity, member {NEIGHBOUR} a quiet NaN without payload.",
        lambda f: (
            f.legal
            & (f.shared == 255)
            & (f.words[LEADER].field(30, 0) == 0x7F800000)
            & (f.words[NEIGHBOUR].field(30, 0) == 0x7FC00000)
        ),
        FILLED,
    )
    yield CornerClass(
        "special/neighbour",
        f"Member {LEADER} is an infinity, member {NEIGHBOUR} a finite number whose mantissa is not zero.",
        lambda f: (
            f.legal
            & f.alone(LEADER)
            & (f.words[LEADER].field(30, 0) == 0x7F800000)
            & f.lanes[NEIGHBOUR].near
            & ~f.lanes[NEIGHBOUR].whole
        ),
        FILLED,
    )


def kept() -> Iterator[Corner]:
    """Yield blocks whose subnormal members have elements, as the procedure keeps them."""
    yield CornerClass(
        "subnormal/kept",
        f"Member {NEIGHBOUR} is subnormal and more than half a unit of the last place.",
        lambda f: (
            f.legal
            & (f.shared <= 8)
            & f.leads(f.lanes[LEADER])
            & (f.words[NEIGHBOUR].field(30, 23) == 0)
            & f.lanes[NEIGHBOUR].odd
            & f.lanes[NEIGHBOUR].tie
        ),
        BOTH,
    )
    yield CornerClass(
        "subnormal/scale-stops",
        f"All members are subnormal, member {LEADER} is the largest one: the scale is 2^-127.",
        lambda f: f.legal & (f.shared == 0) & (f.words[LEADER].field(30, 0) == 0x7FFFFF),
        BOTH,
    )


#: every lane of eight, and those at the ends of the four groups of eight in a block of 32
EIGHT, ENDS = range(8), (0, 7, 8, 15, 16, 23, 24, 31)


GROUPS: tuple[Group[Facts], ...] = (
    Group(every, tuple(zeros())),
    Group(by_field, tuple(largest_subnormal(sign) for sign in SIGNS)),
    Group(by_field, tuple(exponents(EIGHT))),
    Group(by_magnitude, tuple(exponents(ENDS))),
    Group(every, tuple(distance_class(distance) for distance in DISTANCES)),
    Group(every, tuple(rounded(name, sign) for sign in SIGNS for name in BETWEEN)),
    Group(every, tuple(half(sign) for sign in SIGNS)),
    Group(by_field, tuple(tie_in_lane(place) for place in EIGHT)),
    Group(by_magnitude, tuple(tie_in_lane(place) for place in ENDS)),
    Group(every, tuple(leader_rounded(name, sign) for sign in SIGNS for name in BETWEEN)),
    Group(every, tuple(close(name, sign) for sign in SIGNS for name in CLOSE)),
    Group(every, tuple(flushes())),
    Group(by_magnitude, tuple(kept())),
    Group(by_field, tuple(renormalisations())),
    Group(every, tuple(with_mantissa(number) for number in MANTISSAS)),
    Group(rounds_upward, (BELOW_64,)),
    Group(by_field, tuple(specials())),
)
