"""Corner classes of a number, for instance a product, that is rounded to an integer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from halfulp_formal.vectors.corner import BOTH_SIGNS, ON_NEGATIVE, PRODUCT, SPREAD, CornerClass, Group, Wording

if TYPE_CHECKING:
    from halfulp_formal.vectors.facts.postprocess import Facts

    Corner = CornerClass[Facts]


def rounds_to_integer(row: Any) -> bool:
    """Tell whether a conversion rounds a product to an integer; a U32 accumulator is never scaled."""
    return bool(row.destination.is_integer and row.mode.parameter.value != "shift" and row.accumulator.signed)


ZERO: Corner = CornerClass(
    "exact/zero", "The accumulator is zero, and so is the product.", lambda f: f.live & (f.value == 0)
)


def position(wording: Wording, negative: tuple[str, ...], least_negative: tuple[str, ...]) -> tuple[Corner, ...]:
    """Return the classes of places between integers.

    negative, least_negative: the variants of negative numbers, of many and of a single one.
    """
    noun, unit = wording.noun, f"one unit of its last place{wording.last_place}"
    return (
        CornerClass(
            "exact/positive",
            f"The {noun} is a positive integer that fits every stage.",
            lambda f: f.small & f.product.positive & f.product.whole & (f.product.exponent <= 0),
            SPREAD,
        ),
        CornerClass(
            "exact/negative",
            f"The {noun} is a negative integer that fits every stage.",
            lambda f: f.small & f.product.negative & f.product.whole & (f.product.exponent <= 0),
            negative,
        ),
        CornerClass(
            "exact/no-fraction-bits",
            f"The {noun} is {wording.coarse}: there is nothing to round.",
            lambda f: f.live & ~f.product.zero & (f.product.exponent > 0),
            BOTH_SIGNS,
        ),
        CornerClass(
            "tie/one-half",
            f"The {noun} is 1/2: between 0 and 1.",
            lambda f: f.small & f.product.positive & f.product.tie & (f.product.whole_part == 0),
        ),
        CornerClass(
            "tie/minus-one-half",
            f"The {noun} is -1/2: between -1 and 0.",
            lambda f: f.small & f.product.negative & f.product.tie & (f.product.whole_part == 0),
            least_negative,
        ),
        CornerClass(
            "tie/positive-even",
            f"The {noun} is k + 1/2, k > 0 and even: the even neighbour is the one toward zero.",
            lambda f: f.small & f.product.positive & f.product.tie & f.product.even & (f.product.whole_part > 0),
            SPREAD,
        ),
        CornerClass(
            "tie/positive-odd",
            f"The {noun} is k + 1/2, k > 0 and odd: the even neighbour is the one away from zero.",
            lambda f: f.small & f.product.positive & f.product.tie & f.product.odd,
            SPREAD,
        ),
        CornerClass(
            "tie/negative-even",
            f"The {noun} is -(k + 1/2), k > 0 and even: the even neighbour is the one toward zero.",
            lambda f: f.small & f.product.negative & f.product.tie & f.product.even & (f.product.whole_part > 0),
            negative,
        ),
        CornerClass(
            "tie/negative-odd",
            f"The {noun} is -(k + 1/2), k > 0 and odd: the even neighbour is the one away from zero.",
            lambda f: f.small & f.product.negative & f.product.tie & f.product.odd,
            negative,
        ),
        CornerClass(
            "tie-minus-one/positive",
            f"The {noun} is positive, its magnitude {unit} below a tie.",
            lambda f: f.small & f.product.positive & f.product.before_tie,
            SPREAD,
        ),
        CornerClass(
            "tie-minus-one/negative",
            f"The {noun} is negative, its magnitude {unit} below a tie.",
            lambda f: f.small & f.product.negative & f.product.before_tie,
            negative,
        ),
        CornerClass(
            "tie-plus-one/positive",
            f"The {noun} is positive, its magnitude {unit} above a tie.",
            lambda f: f.small & f.product.positive & f.product.after_tie,
            SPREAD,
        ),
        CornerClass(
            "tie-plus-one/negative",
            f"The {noun} is negative, its magnitude {unit} above a tie.",
            lambda f: f.small & f.product.negative & f.product.after_tie,
            negative,
        ),
        CornerClass(
            "integer-minus-one/positive",
            f"The {noun} is positive, its magnitude {unit} below an integer.",
            lambda f: f.small & f.product.positive & f.product.before_integer,
            SPREAD,
        ),
        CornerClass(
            "integer-minus-one/negative",
            f"The {noun} is negative, its magnitude {unit} below an integer.",
            lambda f: f.small & f.product.negative & f.product.before_integer,
            negative,
        ),
        CornerClass(
            "integer-plus-one/positive",
            f"The {noun} is positive, its magnitude {unit} above an integer that is not 0.",
            lambda f: f.small & f.product.positive & f.product.after_integer & (f.product.whole_part > 0),
            SPREAD,
        ),
        CornerClass(
            "integer-plus-one/negative",
            f"The {noun} is negative, its magnitude {unit} above an integer that is not 0.",
            lambda f: f.small & f.product.negative & f.product.after_integer & (f.product.whole_part > 0),
            negative,
        ),
        CornerClass(
            "tiny/positive",
            f"The {noun} is positive and below 2^-64: far below one half, yet not zero.",
            lambda f: f.live & f.product.positive & (f.product.binade < -64),
            SPREAD,
        ),
        CornerClass(
            "tiny/negative",
            f"The {noun} is negative, its magnitude below 2^-64.",
            lambda f: f.live & f.product.negative & (f.product.binade < -64),
            negative,
        ),
        CornerClass(
            "huge/positive",
            f"The {noun} is at least 2^64: it fits no register of that width.",
            lambda f: f.live & f.product.positive & (f.product.binade >= 64),
            SPREAD,
        ),
        CornerClass(
            "huge/negative",
            f"The {noun} is at most -2^64.",
            lambda f: f.live & f.product.negative & (f.product.binade >= 64),
            negative,
        ),
    )


def mode_class(name: str, rounds: Callable[[Any], bool], other: str) -> Group[Any]:
    """Return the class of a rounding mode: every conversion that rounds otherwise has a point where it shows."""
    corner: CornerClass[Any] = CornerClass(
        f"mode/not-{name.lower()}",
        f"{name} would give {other}.",
        lambda f: f.live & f.differs_under(name),
        BOTH_SIGNS,
    )
    return Group(lambda row: rounds(row) and row.rounding.name != name, (corner,))


def mode_classes(rounds: Callable[[Any], bool], other: str = "another result") -> tuple[Group[Any], ...]:
    """Return the classes of all rounding modes, for the conversions that round at all; other: what is looked for."""
    return tuple(mode_class(name, rounds, other) for name in ("RNE", "RTZ", "RTM", "RTP", "RNA", "RTO", "RHB"))


def rounds(row: Any) -> bool:
    """Tell whether a conversion rounds at all."""
    return bool(row.mode.parameter.value != "shift" and row.accumulator.signed)


GROUPS: tuple[Group[Facts], ...] = (
    Group(rounds_to_integer, (ZERO, *position(PRODUCT, ON_NEGATIVE, ("least", "activated")))),
    *mode_classes(rounds),
)
