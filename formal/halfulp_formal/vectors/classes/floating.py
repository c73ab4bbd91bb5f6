"""Corner classes of a product that is rounded to a binary floating format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from halfulp_formal.vectors.classes.rounding import rounds
from halfulp_formal.vectors.corner import SPREAD, CornerClass, Group

if TYPE_CHECKING:
    from halfulp_formal.bits import Bool
    from halfulp_formal.vectors.facts.postprocess import Facts

    Corner = CornerClass[Facts]
    Where = Callable[[Facts], Bool]

#: where the number lies between two codes: what to say of it, and the formula
BETWEEN: dict[str, tuple[str, Where]] = {
    "exact": ("is a code's value", lambda f: f.float.quanta.whole & (f.float.quanta.exponent < 0)),
    "tie-even": ("lies halfway above an even code", lambda f: f.float.quanta.tie & f.float.quanta.even),
    "tie-odd": ("lies halfway above an odd code", lambda f: f.float.quanta.tie & f.float.quanta.odd),
    "tie-minus-one": ("is one unit of the product's last place short of a tie", lambda f: f.float.quanta.before_tie),
    "tie-plus-one": ("is one unit of the product's last place past a tie", lambda f: f.float.quanta.after_tie),
    "code-minus-one": (
        "is one unit of the product's last place short of a code's value",
        lambda f: f.float.quanta.before_integer,
    ),
    "code-plus-one": (
        "is one unit of the product's last place past a code's value",
        lambda f: f.float.quanta.after_integer,
    ),
}

#: single places: what the magnitude is, and the formula
PLACES: dict[str, tuple[str, Where]] = {
    "carry-tie": (
        "halfway between the last code of a binade and the next binade",
        lambda f: f.float.normal & f.float.last_of_binade & f.float.quanta.tie & below_largest(f),
    ),
    "carry-past-tie": (
        "past halfway between the last code of a binade and the next binade",
        lambda f: f.float.normal & f.float.last_of_binade & f.float.quanta.over_tie & below_largest(f),
    ),
    "smallest-normal": (
        "the smallest normal number",
        lambda f: (f.float.code == smallest_normal(f)) & f.float.nonzero & f.float.quanta.whole,
    ),
    "largest-subnormal": (
        "the largest subnormal number",
        lambda f: (f.float.code == smallest_normal(f) - 1) & f.float.nonzero & f.float.quanta.whole,
    ),
    "subnormal-to-normal-tie": (
        "halfway between the largest subnormal and the smallest normal number",
        lambda f: (f.float.code == smallest_normal(f) - 1) & f.float.nonzero & f.float.quanta.tie,
    ),
    "subnormal-to-normal": (
        "past halfway between the largest subnormal and the smallest normal number",
        lambda f: (f.float.code == smallest_normal(f) - 1) & f.float.nonzero & f.float.quanta.over_tie,
    ),
    "smallest-subnormal": (
        "the smallest subnormal number",
        lambda f: f.float.nonzero & (f.float.code == 1) & f.float.quanta.whole,
    ),
    "half-smallest-subnormal": (
        "half the smallest subnormal number",
        lambda f: f.float.nonzero & (f.float.code == 0) & f.float.quanta.tie,
    ),
    "under-half-smallest-subnormal": (
        "one unit of its last place below half the smallest subnormal number",
        lambda f: f.float.nonzero & (f.float.code == 0) & f.float.quanta.before_tie,
    ),
    "over-half-smallest-subnormal": (
        "one unit of its last place above half the smallest subnormal number",
        lambda f: f.float.nonzero & (f.float.code == 0) & f.float.quanta.after_tie,
    ),
    "vanishing": (
        "below 2^-64 of the smallest subnormal number",
        lambda f: f.float.nonzero & (f.float.quanta.binade < -64),
    ),
    "largest-finite": (
        "the largest finite number",
        lambda f: f.float.nonzero & (f.float.code == f.row.destination.largest_finite) & f.float.quanta.whole,
    ),
    "overflow-under-tie": (
        "less than half a unit above the largest finite number",
        lambda f: f.float.nonzero & (f.float.code == f.row.destination.largest_finite) & f.float.quanta.under_tie,
    ),
    "overflow-before-tie": (
        "one unit of the product's last place short of the overflow threshold of nearest rounding",
        lambda f: f.float.nonzero & (f.float.code == f.row.destination.largest_finite) & f.float.quanta.before_tie,
    ),
    "overflow-tie": (
        "the overflow threshold of nearest rounding: half a unit above the largest finite number",
        lambda f: f.float.nonzero & (f.float.code == f.row.destination.largest_finite) & f.float.quanta.tie,
    ),
    "overflow-after-tie": (
        "one unit of the product's last place past the overflow threshold of nearest rounding",
        lambda f: f.float.nonzero & (f.float.code == f.row.destination.largest_finite) & f.float.quanta.after_tie,
    ),
    "overflow-past-tie": (
        "past the overflow threshold of nearest rounding, and less than a whole unit above the largest finite number",
        lambda f: f.float.nonzero & (f.float.code == f.row.destination.largest_finite) & f.float.quanta.over_tie,
    ),
    "overflow-exact": (
        "a whole unit above the largest finite number: the first power of two out of range",
        lambda f: f.float.nonzero & (f.float.code == f.row.destination.largest_finite + 1) & f.float.quanta.whole,
    ),
    "overflow-far": (
        "above the largest finite number by many binades",
        lambda f: f.float.nonzero & (f.float.binade > 64 + f.row.destination.bias),
    ),
}


def smallest_normal(facts: Facts) -> int:
    """The magnitude code of the smallest normal number."""
    return 1 << facts.row.destination.fraction_bits


def below_largest(facts: Facts) -> Bool:
    """The number lies in a binade below the last one."""
    return facts.float.code < facts.row.destination.largest_finite


def to_binary_float(row: Any) -> bool:
    """Tell whether a conversion rounds a product into a binary format with infinities."""
    return rounds(row) and row.destination.kind.value == "binary" and row.destination.specials.value == "ieee"


def signed(facts: Facts, sign: str) -> Bool:
    """The product has the sign and is not zero."""
    return facts.product.negative if sign == "negative" else facts.product.positive


def corner(name: str, sentence: str, where: Where, sign: str, variants: tuple[str, ...]) -> Corner:
    """Return a class of products of one sign."""
    return CornerClass(
        f"{name}-{sign}", f"{sentence}; the sign is {sign}.", lambda f: f.live & signed(f, sign) & where(f), variants
    )


def classes() -> Iterator[Corner]:
    """Yield the classes of both signs, among the normal numbers, the subnormal ones, and at single places."""
    for sign in ("positive", "negative"):
        for name, (what, where) in BETWEEN.items():
            yield corner(
                f"normal/{name}",
                f"The magnitude {what}, among the normal numbers",
                lambda f, where=where: f.float.normal & where(f),
                sign,
                SPREAD,
            )
        for name, (what, where) in BETWEEN.items():
            yield corner(
                f"subnormal/{name}",
                f"The magnitude {what}, among the subnormal numbers",
                lambda f, where=where: f.float.subnormal & where(f),
                sign,
                SPREAD,
            )
        for name, (what, where) in PLACES.items():
            yield corner(f"place/{name}", f"The magnitude is {what}", where, sign, ("least",))


GROUPS: tuple[Group[Facts], ...] = (
    Group(
        to_binary_float,
        (
            CornerClass(
                "place/zero", "The product is zero: by the accumulator or by the factor.", lambda f: f.live & f.product.zero
            ),
            *classes(),
        ),
    ),
)
