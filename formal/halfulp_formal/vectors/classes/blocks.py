"""Corner classes of block conversions: the exponent, each lane's rounding, what reaches 128, what renormalising does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from halfulp_formal.vectors.corner import CornerClass, Group, all_of, any_of
from halfulp_model.rows import Choice

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

#: significands of a leader between 127 and 128 mantissa units
CLOSE: dict[str, tuple[str, int]] = {
    "127": ("127", 127 * UNIT),
    "above-127": ("one last place above 127", 127 * UNIT + 1),
    "before-tie": ("one last place below 127.5", 255 * UNIT // 2 - 1),
    "tie": ("127.5", 255 * UNIT // 2),
    "after-tie": ("one last place above 127.5", 255 * UNIT // 2 + 1),
    "before-128": ("one last place below 128", 128 * UNIT - 1),
}


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


def close(name: str, sign: str) -> Corner:
    """Return the class of a leader between 127 and 128."""
    what, significand = CLOSE[name]
    return CornerClass(
        f"reach/{sign}-{name}",
        f"Member {LEADER} alone has the largest exponent and is {sign}, its exact mantissa's magnitude {what}.",
        lambda f: (
            f.legal
            & f.alone(LEADER)
            & SIGNS[sign](f.lanes[LEADER])
            & (f.lanes[LEADER].significand == significand)
            & (f.shared < 254)
        ),
        BOTH,
    )


def renormalised_by(place: int) -> Corner:
    """Return the class of a block that one member renormalises."""
    return CornerClass(
        f"renormalise/lane-{place}",
        f"Member {place} alone rounds to 128 and moves the exponent.",
        lambda f: (
            f.legal
            & f.moves(f.lanes[place])
            & ~any_of(f.moves(lane) for index, lane in enumerate(f.lanes) if index != place)
        ),
        FILLED,
    )


def neighbour(name: str, sentence: str, when: Callable[[Facts, Lane], Bool]) -> Iterator[Corner]:
    """Yield classes of a neighbour in a block that is quantised a second time."""
    for sign in SIGNS:
        yield signed_neighbour(name, sentence, sign, when)


def signed_neighbour(name: str, sentence: str, sign: str, when: Callable[[Facts, Lane], Bool]) -> Corner:
    """Return the class of a neighbour of one sign in a block that is quantised a second time."""
    return CornerClass(
        f"renormalise/{sign}-{name}",
        f"The block is quantised again; member {NEIGHBOUR} is {sign}: {sentence}.",
        lambda f: (
            f.legal
            & f.moves(f.lanes[LEADER])
            & f.lanes[NEIGHBOUR].near
            & SIGNS[sign](f.lanes[NEIGHBOUR])
            & when(f, f.lanes[NEIGHBOUR])
        ),
        BOTH,
    )


def after_renormalising(between: Callable[[Lane], Bool]) -> Callable[[Facts, Lane], Bool]:
    """Return where a member lies under the next exponent."""
    return lambda _facts, lane: between(lane.renormalised)


def twice(facts: Facts, _lane: Lane) -> Bool:
    """Rounding the rounded mantissa again gives another number."""
    exact, rounded_twice, _ = facts.second_pass(NEIGHBOUR)
    return exact != rounded_twice


def from_top(facts: Facts, _lane: Lane) -> Bool:
    """Rounding only what a first shift would leave gives another number."""
    exact, _, cut = facts.second_pass(NEIGHBOUR)
    return exact != cut


def renormalisations() -> Iterator[Corner]:
    """Yield blocks that are quantised a second time."""
    yield from (renormalised_by(place) for place in range(8))
    yield CornerClass(
        "renormalise/two",
        "Two members round to 128.",
        lambda f: f.legal & f.moves(f.lanes[LEADER]) & f.moves(f.lanes[NEIGHBOUR]),
        FILLED,
    )
    yield CornerClass(
        "renormalise/from-1",
        "The exponent moves from 1 to 2.",
        lambda f: f.legal & f.moves(f.lanes[LEADER]) & (f.shared == 1),
        BOTH,
    )
    yield CornerClass(
        "renormalise/from-253",
        "The exponent moves from 253 to 254, the last one of finite numbers.",
        lambda f: f.legal & f.moves(f.lanes[LEADER]) & (f.shared == 253),
        BOTH,
    )
    for name, (what, between) in BETWEEN.items():
        sentence = f"under the next exponent its magnitude is {what}"
        yield from neighbour(name, sentence, after_renormalising(between))
    yield from neighbour("rounded-twice", "rounding its rounded mantissa once more gives another one", twice)
    yield from neighbour("cut-first", "its lowest 16 bits decide how it is rounded", from_top)


def with_mantissa(number: int) -> Corner:
    """Return the class of a mantissa that is emitted."""
    name = f"minus-{-number}" if number < 0 else f"{number}"
    return CornerClass(
        f"mantissa/{name}",
        f"Member {LEADER} has the mantissa {number}.",
        lambda f: f.legal & (f.shared < 254) & (f.mantissa(LEADER) == number),
        FILLED,
    )


#: mantissas at the ends of what is emitted
MANTISSAS = (127, -127, -128, 64, -64)

BELOW_64: Corner = CornerClass(
    "mantissa/leader-below-64",
    f"Member {LEADER} has the largest magnitude of all, and a mantissa of a magnitude below 64.",
    lambda f: (
        f.legal
        & f.leads(f.lanes[LEADER])
        & (f.shared < 254)
        & all_of(word.field(30, 0) <= f.words[LEADER].field(30, 0) for word in f.words)
        & (f.mantissa(LEADER).magnitude() < 64)
    ),
    FILLED,
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


def special(name: str, sign: str) -> Corner:
    """Return the class of an infinity or a NaN beside finite members."""
    what, fraction = SPECIAL[name]
    return CornerClass(
        f"special/{sign}-{name}",
        f"Member {LEADER} is {what} and {sign}, no other member has the exponent 255.",
        lambda f: (
            f.legal
            & f.alone(LEADER)
            & (f.shared == 255)
            & SIGNS[sign](f.lanes[LEADER])
            & (f.lanes[LEADER].fraction == fraction)
        ),
        BOTH,
    )


def specials() -> Iterator[Corner]:
    """Yield blocks under the exponent 255."""
    yield from (special(name, sign) for sign in SIGNS for name in SPECIAL)
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
