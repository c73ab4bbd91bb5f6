"""Corner classes of the factor: scales at their ends, and each way in which an activation takes the scale's place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from halfulp_formal.vectors.classes.rounding import rounds
from halfulp_formal.vectors.corner import BOTH_SIGNS, SPREAD, CornerClass, Group

if TYPE_CHECKING:
    from halfulp_formal.bits import Bool
    from halfulp_formal.vectors.facts.postprocess import Facts

    Corner = CornerClass[Facts]


def has_scale(row: Any) -> bool:
    """Tell whether a conversion takes a scale."""
    return bool(row.mode.parameter.value == "scale")


def rounds_under_every_mode(row: Any) -> bool:
    """Tell whether a conversion rounds even without an activation, as NoQuant does not."""
    return rounds(row) and row.mode.destination is not None


#: the FP19 code of 1/2
ONE_HALF = 126 << 10


SCALE: tuple[Corner, ...] = (
    CornerClass(
        "scale/smallest",
        "The scale is the smallest normal FP19 number.",
        lambda f: f.live & ~f.product.zero & ~f.activated & (f.scale_exponent == 1) & (f.scale_fraction == 0),
        BOTH_SIGNS,
    ),
    CornerClass(
        "scale/largest",
        "The scale is the largest finite FP19 number.",
        lambda f: f.live & ~f.product.zero & ~f.activated & (f.scale_exponent == 254) & (f.scale_fraction == 0x3FF),
        BOTH_SIGNS,
    ),
    CornerClass(
        "scale/two",
        "The scale is 2: a factor, not a divisor.",
        lambda f: f.visible & ~f.activated & (f.scale_exponent == 128) & (f.scale_fraction == 0),
        BOTH_SIGNS,
    ),
    CornerClass(
        "scale/all-fraction-bits",
        "Every fraction bit of the scale is set.",
        lambda f: f.visible & ~f.activated & (f.scale_fraction == 0x3FF),
        (*BOTH_SIGNS, "far"),
    ),
    CornerClass(
        "scale/lowest-fraction-bit",
        "Only the lowest fraction bit of the scale is set.",
        lambda f: f.visible & ~f.activated & (f.scale_fraction == 1),
        (*BOTH_SIGNS, "far"),
    ),
    CornerClass(
        "scale/highest-fraction-bit",
        "Only the highest fraction bit of the scale is set.",
        lambda f: f.visible & ~f.activated & (f.scale_fraction == 0x200),
        BOTH_SIGNS,
    ),
)


def negative_under(relu: int) -> tuple[Corner, ...]:
    """Return the classes of one of the two ReluModes that read the activation word."""
    return (
        CornerClass(
            f"activation/mode-{relu}-negative",
            f"ReluMode is {relu} and the accumulator is negative: the activation factor is the factor.",
            lambda f: f.visible & (f.relu == relu) & f.activated,
            SPREAD,
        ),
        CornerClass(
            f"activation/mode-{relu}-not-negative",
            f"ReluMode is {relu} and the accumulator is not negative: the activation factor, which is not 1, is left alone.",
            lambda f: (
                f.visible & (f.relu == relu) & ~f.negative_source & (f.activation_exponent == 126) & scale_is_one(f)
            ),
        ),
        CornerClass(
            f"activation/mode-{relu}-zero",
            f"ReluMode is {relu}, the activation factor +0 and the accumulator negative: it counts as zero.",
            lambda f: f.live & (f.relu == relu) & f.negative_source & f.factor_zero & f.would_show,
            SPREAD,
        ),
    )


def scale_is_one(facts: Facts) -> Bool:
    """The factor of what is not negative is 1."""
    if has_scale(facts.row):
        return (facts.scale_exponent == 127) & (facts.scale_fraction == 0)
    return facts.legal


ACTIVATION: tuple[Corner, ...] = (
    CornerClass(
        "activation/mode-1-negative",
        "ReluMode is 1 and the accumulator is negative: it counts as zero.",
        lambda f: f.live & (f.relu == 1) & f.negative_source & f.would_show,
        SPREAD,
    ),
    CornerClass(
        "activation/mode-1-unread-word",
        "ReluMode is 1, the accumulator negative, and the activation word holds 1/2, which nobody reads.",
        lambda f: f.live & (f.relu == 1) & f.negative_source & f.would_show & (f.relu_word == ONE_HALF),
    ),
    CornerClass(
        "activation/mode-1-not-negative",
        "ReluMode is 1 and the accumulator is not negative: nothing changes.",
        lambda f: f.visible & (f.relu == 1) & ~f.negative_source,
        SPREAD,
    ),
    *negative_under(2),
    *negative_under(3),
    CornerClass(
        "activation/smallest",
        "The activation factor is the smallest normal FP19 number.",
        lambda f: f.live & ~f.product.zero & f.activated & (f.activation_exponent == 1) & (f.activation_fraction == 0),
    ),
    CornerClass(
        "activation/largest",
        "The activation factor is the largest finite FP19 number.",
        lambda f: (
            f.live & ~f.product.zero & f.activated & (f.activation_exponent == 254) & (f.activation_fraction == 0x3FF)
        ),
    ),
    CornerClass(
        "activation/all-fraction-bits",
        "Every fraction bit of the activation factor is set.",
        lambda f: f.visible & f.activated & (f.activation_fraction == 0x3FF),
        SPREAD,
    ),
)

UNREAD: tuple[Corner, ...] = (
    CornerClass(
        "activation/mode-0-negative",
        "ReluMode is 0, the accumulator negative, and the activation word holds 1/2, which nobody reads.",
        lambda f: f.visible & (f.relu == 0) & f.negative_source & (f.relu_word == ONE_HALF),
        SPREAD,
    ),
)

REPLACES: tuple[Corner, ...] = (
    CornerClass(
        "activation/smaller-than-scale",
        "The activation factor is smaller than the scale, which is at least 2.",
        lambda f: f.visible & f.activated & (f.activation_exponent < f.scale_exponent) & (f.scale_exponent >= 128),
        SPREAD,
    ),
    CornerClass(
        "activation/larger-than-scale",
        "The activation factor is larger than the scale, which is below 1/2.",
        lambda f: f.visible & f.activated & (f.activation_exponent > f.scale_exponent) & (f.scale_exponent < 126),
        SPREAD,
    ),
)

GROUPS: tuple[Group[Facts], ...] = (
    Group(has_scale, SCALE),
    Group(rounds, ACTIVATION),
    Group(rounds_under_every_mode, UNREAD),
    Group(has_scale, REPLACES),
)
