"""Corner classes of blocks at the end of their range: what reaches 128, what renormalising does, the mantissas emitted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from halfulp_formal.vectors.classes.block_lanes import BETWEEN, BOTH, FILLED, LEADER, NEIGHBOUR, SIGNS, UNIT
from halfulp_formal.vectors.corner import CornerClass, all_of, any_of

if TYPE_CHECKING:
    from halfulp_formal.bits import Bool
    from halfulp_formal.vectors.facts.blocks import Facts, Lane

    Corner = CornerClass[Facts]


#: significands of a leader between 127 and 128 mantissa units
CLOSE: dict[str, tuple[str, int]] = {
    "127": ("127", 127 * UNIT),
    "above-127": ("one last place above 127", 127 * UNIT + 1),
    "before-tie": ("one last place below 127.5", 255 * UNIT // 2 - 1),
    "tie": ("127.5", 255 * UNIT // 2),
    "after-tie": ("one last place above 127.5", 255 * UNIT // 2 + 1),
    "before-128": ("one last place below 128", 128 * UNIT - 1),
}


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
