"""Corner classes of conversions to a power-of-two scale: places between powers of two, ends of the range, other rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from halfulp_formal.vectors.classes import codes, digits
from halfulp_formal.vectors.classes.results import FLAG
from halfulp_formal.vectors.classes.rounding import mode_classes
from halfulp_formal.vectors.corner import SPREAD, CornerClass, Group
from halfulp_model.api_e8m0 import scale_conversions

if TYPE_CHECKING:
    from halfulp_formal.bits import Bool
    from halfulp_formal.vectors.facts.scales import ScaleFacts

    Corner = CornerClass[ScaleFacts]
    Where = Callable[[ScaleFacts], Bool]

#: the value is the source's number, over the divisor where the rule has one: what it is, and the formula
PLACES: dict[str, tuple[str, Where]] = {
    "power": ("is a power of two", lambda f: f.here.power),
    "power-minus-one": (
        "is just below a power of two that is the source's next value",
        lambda f: f.after.live & f.after.power,
    ),
    "power-plus-one": (
        "is just above a power of two that is the source's value before it",
        lambda f: f.before.live & f.before.power,
    ),
    "half-minus-one": (
        "is below half-way between two powers of two, and the source's next value is not",
        lambda f: f.here.below_half & f.after.live & ~f.after.below_half,
    ),
    "half-plus-one": (
        "is above half-way between two powers of two, and the source's value before it is not",
        lambda f: f.here.above_half & f.before.live & ~f.before.above_half,
    ),
}
TIE: dict[str, tuple[str, Where]] = {
    "half": ("is half-way between two powers of two", lambda f: f.here.half),
}

#: a rule that divides by more than a power of two brings the two significands into order first
DIVIDED: tuple[Corner, ...] = (
    CornerClass(
        "divided/power-minus-two",
        "The value is just below a power of two that the source's second code after it has.",
        lambda f: f.live & ~f.here.power & f.after.live & ~f.after.power & f.second_after.live & f.second_after.power,
        SPREAD,
    ),
)

#: the exponent of the power of two at or below the value
PARITIES: dict[str, tuple[str, Where]] = {
    "even": ("even", lambda f: f.here.exponent % 2 == 0),
    "odd": ("odd", lambda f: f.here.exponent % 2 == 1),
}
SIDES: dict[str, tuple[str, Where]] = {
    "from-one": ("1 or more", lambda f: f.here.exponent >= 0),
    "below-one": ("below 1", lambda f: f.here.exponent < 0),
}

#: the ends of the scales, 2^127 and 2^-127
RANGE: tuple[Corner, ...] = (
    CornerClass(
        "range/largest", "The value is 2^127, the largest scale.", lambda f: f.live & f.here.power & at(f, 127)
    ),
    CornerClass(
        "range/below-largest",
        "The value is below 2^127, and more than half-way to it from 2^126.",
        lambda f: f.live & f.here.above_half & at(f, 126),
        SPREAD,
    ),
    CornerClass(
        "range/above-largest",
        "The value is above 2^127, and less than half-way to 2^128: to nearest it would be 2^127.",
        lambda f: f.live & ~f.here.power & f.here.below_half & at(f, 127),
        SPREAD,
    ),
    CornerClass(
        "range/far-above-largest",
        "The value is above 2^127, and more than half-way to 2^128.",
        lambda f: f.live & f.here.above_half & at(f, 127),
        SPREAD,
    ),
    CornerClass(
        "range/smallest", "The value is 2^-127, the smallest scale.", lambda f: f.live & f.here.power & at(f, -127)
    ),
    CornerClass(
        "range/above-smallest",
        "The value is above 2^-127, and less than half-way to 2^-126.",
        lambda f: f.live & ~f.here.power & f.here.below_half & at(f, -127),
        SPREAD,
    ),
    CornerClass(
        "range/below-smallest",
        "The value is below 2^-127, and more than half-way to it from 2^-128: to nearest it would be 2^-127.",
        lambda f: f.live & f.here.above_half & at(f, -128),
        SPREAD,
    ),
    CornerClass(
        "range/far-below-smallest",
        "The value is below 2^-127, and not more than half-way to it from 2^-128.",
        lambda f: f.live & ~f.here.above_half & at(f, -128),
        SPREAD,
    ),
    CornerClass(
        "range/least-binade",
        "The value is below 2^-128.",
        lambda f: f.live & (f.here.exponent < -128),
        SPREAD,
    ),
)

NEGATIVE: tuple[Corner, ...] = (
    CornerClass(
        "source/negative",
        "The source is a negative number.",
        lambda f: f.finite & f.sign & ~f.zero & ~f.subnormal,
        SPREAD,
    ),
    CornerClass(
        "source/subnormal",
        "The source is a subnormal number above zero.",
        lambda f: f.live & f.subnormal,
        SPREAD,
    ),
)


def at(facts: ScaleFacts, exponent: int) -> Bool:
    """The value is at or above 2^exponent, and below the next power of two."""
    return facts.here.exponent == exponent


def place(name: str, where: tuple[str, Where], parity: str, side: str) -> Corner:
    """Return the class of one place between powers of two, by parity and side of the exponent."""
    (what, here), (is_parity, has_parity), (on_side, has_side) = where, PARITIES[parity], SIDES[side]
    return CornerClass(
        f"{name}/{parity}-{side}",
        f"The value {what}; the power of two at or below it is {on_side} and has an {is_parity} exponent.",
        lambda f: f.live & here(f) & has_parity(f) & has_side(f),
    )


def places(between: dict[str, tuple[str, Where]]) -> tuple[Corner, ...]:
    """Return the classes of places between powers of two."""
    return tuple(
        place(name, where, parity, side) for name, where in between.items() for parity in PARITIES for side in SIDES
    )


def every(_row: Any) -> bool:
    """Every conversion has these."""
    return True


def is_logarithmic(row: Any) -> bool:
    """Tell whether a conversion compares log2 of the value: TCVT, in a rounding mode."""
    return bool(row.logarithmic)


def is_linear(row: Any) -> bool:
    """Tell whether a conversion is a rule of an MX quantiser."""
    return not is_logarithmic(row)


def divides(row: Any) -> bool:
    """Tell whether a rule divides by a number whose significand is not 1."""
    return is_linear(row) and row.divisor.significand.bit_count() > 1


def rule_class(rule: str, other: Any) -> Group[ScaleFacts]:
    """Return the class of a rule: every rule that chooses otherwise has a point where it shows."""
    corner: Corner = CornerClass(
        f"rule/not-{rule.replace('.', '-')}",
        f"The rule {rule} would give another scale.",
        lambda f: f.live & f.differs_from(f"scale.{f.source.name.lower()}.{rule}"),
        SPREAD,
    )
    return Group(
        lambda row: is_linear(row) and (row.rounding, row.divisor) != (other.rounding, other.divisor), (corner,)
    )


def rules() -> Iterator[Group[ScaleFacts]]:
    """Yield the classes of all rules."""
    for name, row in scale_conversions().items():
        _, source, rule = name.split(".", maxsplit=2)
        if source == "fp32":
            yield rule_class(rule, row)


GROUPS: tuple[Group[Any], ...] = (
    *mode_classes(is_logarithmic),
    *rules(),
    Group(every, places(PLACES)),
    Group(is_linear, places(TIE)),
    Group(divides, DIVIDED),
    Group(every, RANGE),
    Group(every, NEGATIVE),
    *codes.GROUPS,
    Group(every, FLAG),
    Group(every, digits.some(digits.of_scale)),
)
