"""Corner classes of one lane of a block: how far it is below the leader, and how it is rounded."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from halfulp_formal.vectors.corner import CornerClass, all_of

if TYPE_CHECKING:
    from halfulp_formal.bits import Bool
    from halfulp_formal.vectors.facts.blocks import Facts, Lane

    Corner = CornerClass[Facts]


#: zeros elsewhere, and members elsewhere that are unlike one another
BOTH = ("least", "filled")
FILLED = ("filled",)


#: the members that most classes speak of: one that has the largest exponent, and one that has a smaller one
LEADER, NEIGHBOUR = 2, 5


SIGNS: dict[str, Callable[[Lane], Bool]] = {
    "positive": lambda lane: lane.positive,
    "negative": lambda lane: lane.negative,
}


#: where a mantissa lies between integers: what to say of it, and the formula
BETWEEN: dict[str, tuple[str, Callable[[Lane], Bool]]] = {
    "whole": ("a whole number", lambda lane: lane.whole & lane.nonzero),
    "tie-even": ("k + 1/2 with k > 0 and even", lambda lane: lane.tie & ~lane.odd & (lane.whole_part > 0)),
    "tie-odd": ("k + 1/2 with k odd", lambda lane: lane.tie & lane.odd),
    "before-tie": ("one last place below a tie", lambda lane: lane.before_tie & (lane.whole_part > 0)),
    "after-tie": ("one last place above a tie", lambda lane: lane.after_tie & (lane.whole_part > 0)),
    "before-integer": ("one last place below an integer", lambda lane: lane.before_integer & (lane.whole_part > 0)),
    "after-integer": ("one last place above an integer", lambda lane: lane.after_integer & (lane.whole_part > 0)),
}


#: how far a member lies below the leader: where its digits, its guard bit and a shifter's amount run out
DISTANCES = (6, 7, 8, 16, 31, 32, 64, 128, 253)


#: a mantissa unit in last places of a leader's significand
UNIT = 1 << 17


def distance_class(distance: int) -> Corner:
    """Return the class of a member so many binades below the leader."""
    return CornerClass(
        f"distance/{distance}",
        f"Member {NEIGHBOUR} is {distance} binades below the leader, and is no power of two.",
        lambda f: (
            f.legal
            & f.leads(f.lanes[LEADER])
            & (f.lanes[NEIGHBOUR].exponent > 0)
            & (f.lanes[NEIGHBOUR].distance == distance)
            & (f.lanes[NEIGHBOUR].fraction > 0)
        ),
        BOTH,
    )


def rounded(name: str, sign: str) -> Corner:
    """Return the class of a neighbour's place between integers."""
    what, between = BETWEEN[name]
    return CornerClass(
        f"round/{sign}-{name}",
        f"Member {NEIGHBOUR} is {sign}, its exact mantissa's magnitude {what}; nothing rounds to 128.",
        lambda f: (
            f.legal
            & ~f.renormalises
            & f.leads(f.lanes[LEADER])
            & f.lanes[NEIGHBOUR].near
            & SIGNS[sign](f.lanes[NEIGHBOUR])
            & between(f.lanes[NEIGHBOUR])
        ),
        BOTH,
    )


def half(sign: str) -> Corner:
    """Return the class of a mantissa of one half."""
    return CornerClass(
        f"round/{sign}-one-half",
        f"Member {NEIGHBOUR} is {sign}, its exact mantissa's magnitude 1/2.",
        lambda f: (
            f.legal
            & ~f.renormalises
            & f.leads(f.lanes[LEADER])
            & (f.lanes[NEIGHBOUR].exponent > 0)
            & SIGNS[sign](f.lanes[NEIGHBOUR])
            & f.lanes[NEIGHBOUR].tie
            & (f.lanes[NEIGHBOUR].whole_part == 0)
        ),
        BOTH,
    )


def tie_in_lane(place: int) -> Corner:
    """Return the class of a block that is exact but for one lane."""
    return CornerClass(
        f"lane/tie-{place}",
        f"Member {place} is a tie above an odd number, every other one is exact.",
        lambda f: (
            f.legal
            & (f.lanes[place].tie & f.lanes[place].odd & ~f.reaches(f.lanes[place]))
            & all_of(lane.whole & lane.nonzero for index, lane in enumerate(f.lanes) if index != place)
        ),
        FILLED,
    )


def leader_rounded(name: str, sign: str) -> Corner:
    """Return the class of a leader's own rounding."""
    what, between = BETWEEN[name]
    return CornerClass(
        f"leader/{sign}-{name}",
        f"Member {LEADER} has the largest exponent and is {sign}, its exact mantissa's magnitude {what}, below 127.",
        lambda f: (
            f.legal
            & f.leads(f.lanes[LEADER])
            & (f.lanes[LEADER].significand < 127 * UNIT)
            & SIGNS[sign](f.lanes[LEADER])
            & between(f.lanes[LEADER])
        ),
        FILLED,
    )
