"""Corner classes of the stages after the rounding: intermediate, offset, destination, and their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from halfulp_formal.vectors.classes.rounding import rounds_to_integer
from halfulp_formal.vectors.corner import SPREAD, CornerClass, Group

if TYPE_CHECKING:
    from halfulp_formal.bits import Bool
    from halfulp_formal.vectors.facts.postprocess import Facts

    Corner = CornerClass[Facts]


def has_intermediate(row: Any) -> bool:
    """Tell whether a conversion saturates to an intermediate width."""
    return bool(row.mode.offset_bits)


def wraps_whole(row: Any) -> bool:
    """Tell whether a rounded product goes to the destination without an intermediate."""
    return rounds_to_integer(row) and not has_intermediate(row)


def ends(group: str, noun: str, bound: str, verb: str) -> tuple[Corner, ...]:
    """Return the classes of the ends of a range, `f.lowest` to `f.highest`.

    group: the first part of their names. noun: what is rounded. bound: a number of the range. verb: what one outside does.
    """
    return (
        CornerClass(
            f"{group}/highest",
            f"The {noun} is the largest {bound}: the last one that does not {verb}.",
            lambda f: f.live & f.product.positive & f.product.whole & (f.product.whole_part == f.highest),
        ),
        CornerClass(
            f"{group}/above-highest",
            f"The {noun} is the largest {bound} plus 1: the first one that {verb}s.",
            lambda f: f.live & f.product.positive & f.product.whole & (f.product.whole_part == f.highest + 1),
            ("least", "far"),
        ),
        CornerClass(
            f"{group}/highest-and-less-than-half",
            f"The {noun} is the largest {bound} plus less than 1/2.",
            lambda f: f.live & f.product.positive & f.product.under_tie & (f.product.whole_part == f.highest),
        ),
        CornerClass(
            f"{group}/highest-and-half",
            f"The {noun} is the largest {bound} plus 1/2.",
            lambda f: f.live & f.product.positive & f.product.tie & (f.product.whole_part == f.highest),
        ),
        CornerClass(
            f"{group}/highest-and-more-than-half",
            f"The {noun} is the largest {bound} plus more than 1/2, and less than 1.",
            lambda f: f.live & f.product.positive & f.product.over_tie & (f.product.whole_part == f.highest),
        ),
        CornerClass(
            f"{group}/lowest",
            f"The {noun} is the least {bound}: the last one that does not {verb}.",
            lambda f: f.live & f.product.negative & f.product.whole & (f.product.whole_part == -f.lowest),
        ),
        CornerClass(
            f"{group}/below-lowest",
            f"The {noun} is the least {bound} minus 1: the first one that {verb}s.",
            lambda f: f.live & f.product.negative & f.product.whole & (f.product.whole_part == 1 - f.lowest),
            ("least", "far"),
        ),
        CornerClass(
            f"{group}/lowest-and-less-than-half",
            f"The {noun} is the least {bound} minus less than 1/2.",
            lambda f: f.live & f.product.negative & f.product.under_tie & (f.product.whole_part == -f.lowest),
        ),
        CornerClass(
            f"{group}/lowest-and-half",
            f"The {noun} is the least {bound} minus 1/2.",
            lambda f: f.live & f.product.negative & f.product.tie & (f.product.whole_part == -f.lowest),
        ),
        CornerClass(
            f"{group}/lowest-and-more-than-half",
            f"The {noun} is the least {bound} minus more than 1/2, and less than 1.",
            lambda f: f.live & f.product.negative & f.product.over_tie & (f.product.whole_part == -f.lowest),
        ),
        CornerClass(
            f"{group}/rounding-{verb}s-high",
            f"The {noun} is less than 1 above the largest {bound}, and the rounding carries it out of the range.",
            lambda f: f.live & f.product.positive & (f.product.whole_part == f.highest) & (f.rounded == f.highest + 1),
        ),
        CornerClass(
            f"{group}/rounding-stays-high",
            f"The {noun} is less than 1 above the largest {bound}, and the rounding brings it back into the range.",
            lambda f: (
                f.live
                & f.product.positive
                & ~f.product.whole
                & (f.product.whole_part == f.highest)
                & (f.rounded == f.highest)
            ),
        ),
        CornerClass(
            f"{group}/rounding-{verb}s-low",
            f"The {noun} is less than 1 below the least {bound}, and the rounding carries it out of the range.",
            lambda f: f.live & f.product.negative & (f.product.whole_part == -f.lowest) & (f.rounded == f.lowest - 1),
        ),
        CornerClass(
            f"{group}/rounding-stays-low",
            f"The {noun} is less than 1 below the least {bound}, and the rounding brings it back into the range.",
            lambda f: (
                f.live
                & f.product.negative
                & ~f.product.whole
                & (f.product.whole_part == -f.lowest)
                & (f.rounded == f.lowest)
            ),
        ),
    )


def fits_after_rounding(facts: Facts) -> Bool:
    """The total of what the product is rounded to is in the destination's range."""
    return (facts.total >= facts.row.destination.minimum) & (facts.total <= facts.row.destination.maximum)


def far(side: str, *, ones: bool) -> Corner:
    """Return the class of products far out of the intermediate's range on a side, by what is in the place of its bits."""
    bits, high = ("all ones" if ones else "all zero"), side == "high"
    whole = "integer part" if high else "magnitude"
    return CornerClass(
        f"stages/far-low-bits-{'one' if ones else 'zero'}{'' if high else '-negative'}",
        f"The product is far {'above' if high else 'below'} the intermediate's range, the low bits of its {whole} are {bits},"
        " and the offset brings the total into the destination's range.",
        lambda f: (f.exact_over if high else f.exact_under) & f.total_inside & low_bits(f, ones=ones),
    )


def low_bits(facts: Facts, *, ones: bool) -> Bool:
    """The magnitude is 2^w or more for an intermediate of w bits, whose place has one value in every bit."""
    count = 2 * (facts.highest + 1)
    low = facts.product.whole_part % count
    return (facts.product.whole_part >= count) & (low == (count - 1 if ones else 0))


OFFSET: tuple[Corner, ...] = (
    CornerClass("offset/one", "The offset is 1.", lambda f: f.fits & (f.offset == 1), SPREAD),
    CornerClass(
        "offset/minus-one",
        "The offset is -1.",
        lambda f: f.fits & (f.offset == -1),
        SPREAD,
    ),
    CornerClass(
        "offset/highest",
        "The offset is the largest there is, and the total fits the destination.",
        lambda f: f.fits & (f.offset == f.highest),
    ),
    CornerClass(
        "offset/lowest",
        "The offset is the least there is, and the total fits the destination.",
        lambda f: f.fits & (f.offset == f.lowest),
    ),
    CornerClass(
        "offset/cancels",
        "The offset is minus the product.",
        lambda f: f.fits & (f.exact_total == 0),
    ),
    CornerClass(
        "offset/after-tie",
        "The product is a tie and the offset odd: rounding after the addition would break the tie the other way.",
        lambda f: f.small & f.product.tie & (f.offset == 1) & (f.product.whole_part + 2 < f.row.destination.maximum),
        ("positive", "negative"),
    ),
)

COMBINATIONS: tuple[Corner, ...] = (
    CornerClass(
        "stages/none-saturates",
        "Product and offset are not zero, and neither stage overflows.",
        lambda f: f.fits & (f.offset != 0),
        ("positive", "negative"),
    ),
    CornerClass(
        "stages/intermediate-high-alone",
        "The intermediate saturates at its largest value, and the offset brings the total into the destination's range.",
        lambda f: f.exact_over & f.total_inside,
        SPREAD,
    ),
    CornerClass(
        "stages/intermediate-low-alone",
        "The intermediate saturates at its least value, and the offset brings the total into the destination's range.",
        lambda f: f.exact_under & f.total_inside,
        SPREAD,
    ),
    CornerClass(
        "stages/highest-intermediate",
        "The product is the largest intermediate, and the offset brings the total into the destination's range: nothing"
        " overflows.",
        lambda f: f.exact & (f.exact_product == f.highest) & f.total_inside,
        SPREAD,
    ),
    CornerClass(
        "stages/lowest-intermediate",
        "The product is the least intermediate, and the offset brings the total into the destination's range: nothing"
        " overflows.",
        lambda f: f.exact & (f.exact_product == f.lowest) & f.total_inside,
        SPREAD,
    ),
    CornerClass(
        "stages/rounded-to-highest",
        "The product is not whole and rounded to the largest intermediate, and the offset brings the total into the"
        " destination's range.",
        lambda f: f.live & ~f.product.whole & (f.rounded == f.highest) & fits_after_rounding(f),
    ),
    CornerClass(
        "stages/rounded-to-lowest",
        "The product is not whole and rounded to the least intermediate, and the offset brings the total into the"
        " destination's range.",
        lambda f: f.live & ~f.product.whole & (f.rounded == f.lowest) & fits_after_rounding(f),
    ),
    *(far(side, ones=ones) for side in ("high", "low") for ones in (True, False)),
    CornerClass(
        "stages/destination-high-alone",
        "The intermediate does not saturate, and the offset carries the total above the destination's range.",
        lambda f: f.exact_inside & f.total_over & (f.offset != 0) & ~f.product.zero,
        SPREAD,
    ),
    CornerClass(
        "stages/destination-low-alone",
        "The intermediate does not saturate, and the offset carries the total below the destination's range.",
        lambda f: f.exact_inside & f.total_under & (f.offset != 0) & ~f.product.zero,
        SPREAD,
    ),
    CornerClass(
        "stages/both-high",
        "The intermediate saturates at its largest value, and the total is above the destination's range.",
        lambda f: f.exact_over & f.total_over & (f.offset != 0),
    ),
    CornerClass(
        "stages/both-low",
        "The intermediate saturates at its least value, and the total is below the destination's range.",
        lambda f: f.exact_under & f.total_under & (f.offset != 0),
    ),
    CornerClass(
        "stages/high-then-low",
        "The intermediate saturates at its largest value, and the total is below the destination's range.",
        lambda f: f.live & (f.rounded > f.highest) & (f.total < f.row.destination.minimum),
    ),
    CornerClass(
        "stages/low-then-high",
        "The intermediate saturates at its least value, and the total is above the destination's range.",
        lambda f: f.live & (f.rounded < f.lowest) & (f.total > f.row.destination.maximum),
    ),
)

DESTINATION: tuple[Corner, ...] = (
    CornerClass(
        "destination/highest",
        "The total is the destination's maximum.",
        lambda f: f.exact & ~f.product.zero & (f.exact_total == f.row.destination.maximum),
        SPREAD,
    ),
    CornerClass(
        "destination/above-highest",
        "The total is the destination's maximum plus 1: Sat = 1 clamps it, Sat = 0 wraps it to the minimum.",
        lambda f: f.exact & ~f.product.zero & (f.exact_total == f.row.destination.maximum + 1),
        SPREAD,
    ),
    CornerClass(
        "destination/lowest",
        "The total is the destination's minimum.",
        lambda f: f.exact & ~f.product.zero & (f.exact_total == f.row.destination.minimum),
        SPREAD,
    ),
    CornerClass(
        "destination/below-lowest",
        "The total is the destination's minimum minus 1: Sat = 1 clamps it, Sat = 0 wraps it to the maximum.",
        lambda f: f.exact & ~f.product.zero & (f.exact_total == f.row.destination.minimum - 1),
        SPREAD,
    ),
    CornerClass(
        "destination/highest-and-half",
        "The product is the destination's maximum plus 1/2, and the offset is 0.",
        lambda f: (
            f.live
            & f.product.positive
            & f.product.tie
            & (f.product.whole_part == f.row.destination.maximum)
            & (f.offset == 0)
        ),
    ),
    CornerClass(
        "destination/lowest-and-half",
        "The product is the destination's minimum minus 1/2, and the offset is 0.",
        lambda f: (
            f.live
            & f.product.negative
            & f.product.tie
            & (f.product.whole_part == -f.row.destination.minimum)
            & (f.offset == 0)
        ),
    ),
    CornerClass(
        "destination/greatest-total",
        "Intermediate and offset are both the largest there are.",
        lambda f: f.exact_inside & (f.exact_total == 2 * f.highest),
    ),
    CornerClass(
        "destination/least-total",
        "Intermediate and offset are both the least there are.",
        lambda f: f.exact_inside & (f.exact_total == 2 * f.lowest),
    ),
    CornerClass(
        "destination/low-bits-zero-high",
        "The total is 2^N for an N-bit destination: Sat = 0 leaves 0.",
        lambda f: f.exact & (f.exact_total == f.row.destination.maximum * 2 + 2),
    ),
    CornerClass(
        "destination/low-bits-zero-low",
        "The total is -2^N for an N-bit destination: Sat = 0 leaves 0.",
        lambda f: f.exact & (f.exact_total == f.row.destination.minimum * 2),
    ),
    CornerClass(
        "destination/second-turn-high",
        "The total is so far above the range that wrapping subtracts 2^N twice.",
        lambda f: f.exact_inside & (f.exact_total > f.row.destination.maximum * 3 + 2),
    ),
    CornerClass(
        "destination/second-turn-low",
        "The total is so far below the range that wrapping adds 2^N twice.",
        lambda f: f.exact_inside & (f.exact_total < f.row.destination.minimum * 3),
    ),
)

ORDER: tuple[Corner, ...] = (
    CornerClass(
        "order/saturated-high",
        "The product saturates at the top, and adding the offset first would give another result.",
        lambda f: f.exact_over & f.order_shows,
        SPREAD,
    ),
    CornerClass(
        "order/saturated-low",
        "The product saturates at the bottom, and adding the offset first would give another result.",
        lambda f: f.exact_under & f.order_shows,
        SPREAD,
    ),
    CornerClass(
        "order/sum-high",
        "The product fits the intermediate, and adding the offset first would saturate it at the top and show.",
        lambda f: f.exact_inside & (f.exact_total > f.highest) & f.order_shows,
    ),
    CornerClass(
        "order/sum-low",
        "The product fits the intermediate, and adding the offset first would saturate it at the bottom and show.",
        lambda f: f.exact_inside & (f.exact_total < f.lowest) & f.order_shows,
    ),
)

WRAP: tuple[Corner, ...] = (
    CornerClass(
        "wrap/lowest",
        "The product is the destination's minimum.",
        lambda f: f.live & f.product.negative & f.product.whole & (f.product.whole_part == -f.row.destination.minimum),
        ("least", "activated"),
    ),
    CornerClass(
        "wrap/below-lowest",
        "The product is the destination's minimum minus 1: it wraps to the maximum.",
        lambda f: (
            f.live & f.product.negative & f.product.whole & (f.product.whole_part == 1 - f.row.destination.minimum)
        ),
    ),
    CornerClass(
        "wrap/lowest-and-half",
        "The product is the destination's minimum minus 1/2.",
        lambda f: f.live & f.product.negative & f.product.tie & (f.product.whole_part == -f.row.destination.minimum),
    ),
    CornerClass(
        "wrap/lowest-and-more-than-half",
        "The product is the destination's minimum minus more than 1/2: rounding carries it out of the range.",
        lambda f: (
            f.live & f.product.negative & f.product.over_tie & (f.product.whole_part == -f.row.destination.minimum)
        ),
    ),
    CornerClass(
        "wrap/above-highest",
        "The product is above the destination's maximum.",
        lambda f: f.live & f.product.positive & (f.product.whole_part > f.row.destination.maximum),
    ),
    CornerClass(
        "wrap/low-bits-zero",
        "The product is -2^N for an N-bit destination: nothing is left.",
        lambda f: (
            f.live & f.product.negative & f.product.whole & (f.product.whole_part == f.row.destination.minimum * -2)
        ),
    ),
    CornerClass(
        "wrap/low-bits-positive",
        "The product is below the range and wraps to a positive number.",
        lambda f: (
            f.live
            & f.product.negative
            & f.product.whole
            & (f.product.whole_part > 1 - f.row.destination.minimum)
            & (f.final(f.exact_product) > 0)
        ),
        SPREAD,
    ),
)

GROUPS: tuple[Group[Facts], ...] = (
    Group(has_intermediate, ends("intermediate", "product", "intermediate", "saturate")),
    Group(has_intermediate, OFFSET),
    Group(has_intermediate, COMBINATIONS),
    Group(has_intermediate, DESTINATION),
    Group(has_intermediate, ORDER),
    Group(wraps_whole, WRAP),
)
