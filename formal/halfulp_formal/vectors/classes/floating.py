"""Corner classes of a number, for instance a product, that is rounded to a floating format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from halfulp_formal.vectors.classes.rounding import rounds
from halfulp_formal.vectors.corner import PRODUCT, SPREAD, CornerClass, Group, Wording
from halfulp_formal.vectors.format_codes import power_code
from halfulp_model.rows import Format, Kind

if TYPE_CHECKING:
    from halfulp_formal.bits import Bool
    from halfulp_formal.vectors.facts.postprocess import Facts

    Corner = CornerClass[Facts]
    Where = Callable[[Facts], Bool]

#: where the number lies between two codes: what to say of it, and the formula; {unit} and {own} are a unit of its last place
BETWEEN: dict[str, tuple[str, Where]] = {
    "exact": ("is a code's value", lambda f: f.float.quanta.whole),
    "tie-even": ("lies halfway above an even code", lambda f: f.float.quanta.tie & f.float.even),
    "tie-odd": ("lies halfway above an odd code", lambda f: f.float.quanta.tie & f.float.odd),
    "tie-minus-one": ("is {unit} short of a tie", lambda f: f.float.quanta.before_tie),
    "tie-plus-one": ("is {unit} past a tie", lambda f: f.float.quanta.after_tie),
    "code-minus-one": (
        "is {unit} short of a code's value",
        lambda f: f.float.quanta.before_integer,
    ),
    "code-plus-one": (
        "is {unit} past a code's value",
        lambda f: f.float.quanta.after_integer,
    ),
}

#: single places: what the magnitude is, and the formula
PLACES: dict[str, tuple[str, Where]] = {
    "carry-tie": (
        "halfway between the last code of a binade and the next binade",
        lambda f: f.float.normal & f.float.last_of_binade & f.float.quanta.tie & f.float.below_last_binade,
    ),
    "carry-past-tie": (
        "past halfway between the last code of a binade and the next binade",
        lambda f: f.float.normal & f.float.last_of_binade & f.float.quanta.over_tie & f.float.below_last_binade,
    ),
    "smallest-normal": (
        "the smallest normal number",
        lambda f: f.float.at(f.row.destination.minimum_exponent) & f.float.quanta.whole,
    ),
    "largest-subnormal": (
        "the largest subnormal number",
        lambda f: f.float.at_largest_subnormal & f.float.quanta.whole,
    ),
    "subnormal-to-normal-tie": (
        "halfway between the largest subnormal and the smallest normal number",
        lambda f: f.float.at_largest_subnormal & f.float.quanta.tie,
    ),
    "subnormal-to-normal": (
        "past halfway between the largest subnormal and the smallest normal number",
        lambda f: f.float.at_largest_subnormal & f.float.quanta.over_tie,
    ),
    "smallest-subnormal": (
        "the smallest subnormal number",
        lambda f: f.float.at(f.row.destination.smallest_exponent) & f.float.quanta.whole,
    ),
    "half-smallest-subnormal": (
        "half the smallest subnormal number",
        lambda f: f.float.below_smallest & f.float.quanta.tie,
    ),
    "under-half-smallest-subnormal": (
        "{own} below half the smallest subnormal number",
        lambda f: f.float.below_smallest & f.float.quanta.before_tie,
    ),
    "over-half-smallest-subnormal": (
        "{own} above half the smallest subnormal number",
        lambda f: f.float.below_smallest & f.float.quanta.after_tie,
    ),
    "vanishing": (
        "below 2^-64 of the smallest subnormal number",
        lambda f: f.float.below_smallest & (f.float.quanta.binade < -64),
    ),
    "largest-finite": (
        "the largest finite number",
        lambda f: f.float.at_largest & f.float.quanta.whole,
    ),
    "above-largest": (
        "{unit} above the largest finite number",
        lambda f: f.float.at_largest & f.float.quanta.after_integer,
    ),
    "above-largest-under-tie": (
        "less than half a quantum above the largest finite number",
        lambda f: f.float.at_largest & f.float.quanta.under_tie,
    ),
    "above-largest-before-tie": (
        "half a quantum above the largest finite number, less {unit}",
        lambda f: f.float.at_largest & f.float.quanta.before_tie,
    ),
    "above-largest-tie": (
        "half a quantum above the largest finite number",
        lambda f: f.float.at_largest & f.float.quanta.tie,
    ),
    "above-largest-after-tie": (
        "half a quantum above the largest finite number, and {unit}",
        lambda f: f.float.at_largest & f.float.quanta.after_tie,
    ),
    "above-largest-past-tie": (
        "more than half a quantum above the largest finite number, and less than a whole one",
        lambda f: f.float.at_largest & f.float.quanta.over_tie,
    ),
    "quantum-above-largest": (
        "one quantum above the largest finite number",
        lambda f: f.float.nonzero & (f.float.code == f.float.largest_code + 1) & f.float.quanta.whole,
    ),
    "past-quantum-above-largest": (
        "more than one quantum above the largest finite number, and less than two",
        lambda f: f.float.nonzero & (f.float.code == f.float.largest_code + 1) & ~f.float.quanta.whole,
    ),
    "next-binade": (
        "in the first binade above that of the largest finite number",
        lambda f: f.float.nonzero & (f.float.binade == f.float.largest_exponent + 1),
    ),
    "far-above-largest": (
        "16 binades or more above the largest finite number",
        lambda f: f.float.nonzero & (f.float.binade >= 16 + f.float.largest_exponent),
    ),
}


def to_float(row: Any) -> bool:
    """Tell whether a conversion rounds a product into a floating format."""
    return rounds(row) and not row.destination.is_integer


def signed(facts: Facts, sign: str) -> Bool:
    """The product has the sign and is not zero."""
    return facts.product.negative if sign == "negative" else facts.product.positive


def among_normal(where: Where) -> Where:
    """Narrow a formula to normal numbers."""
    return lambda f: f.float.normal & where(f)


def among_subnormal(where: Where) -> Where:
    """Narrow a formula to subnormal numbers."""
    return lambda f: f.float.subnormal & where(f)


def corner(
    name: str, sentence: str, where: Callable[[Any], Bool], sign: str, variants: tuple[str, ...]
) -> CornerClass[Any]:
    """Return a class of numbers of one sign."""
    return CornerClass(
        f"{name}-{sign}", f"{sentence}; the sign is {sign}.", lambda f: f.live & signed(f, sign) & where(f), variants
    )


def in_words(what: str, wording: Wording) -> str:
    """Return what a sentence says of a number."""
    own = f"one unit of its last place{wording.last_place}"
    return what.format(own=own, unit=own.replace("its", f"the {wording.noun}'s"))


def fine_and_exact(facts: Facts) -> Bool:
    """The number is a code's value, and has bits enough for one between codes."""
    return facts.float.quanta.whole & (facts.float.quanta.exponent <= 0)


def classes(wording: Wording, **other: Where) -> Iterator[Corner]:
    """Yield the classes of both signs, among the normal numbers, the subnormal ones, and at single places.

    other: formulas in the place of those of `BETWEEN`, by name.
    """
    between = {name: (what, other.get(name, where)) for name, (what, where) in BETWEEN.items()}
    for sign in ("positive", "negative"):
        for name, (what, where) in between.items():
            yield corner(
                f"normal/{name}",
                f"The magnitude {in_words(what, wording)}, among the normal numbers",
                among_normal(where),
                sign,
                SPREAD,
            )
        for name, (what, where) in between.items():
            yield corner(
                f"subnormal/{name}",
                f"The magnitude {in_words(what, wording)}, among the subnormal numbers",
                among_subnormal(where),
                sign,
                SPREAD,
            )
        for name, (what, where) in PLACES.items():
            yield corner(f"place/{name}", f"The magnitude is {in_words(what, wording)}", where, sign, ("least",))


#: what a code beyond the largest finite one leaves of itself where nobody looks at what is above its field
WRAPPED: dict[str, tuple[str, Callable[[Facts, int], Bool]]] = {
    "zero": ("all zero", lambda f, count: f.float.quanta.whole & (f.float.code % count == 0)),
    "finite": (
        "those of 1",
        lambda f, count: f.float.quanta.whole & (f.float.code % count == power_code(f.float.format, 0)),
    ),
    "full": ("all ones", lambda f, count: f.float.quanta.whole & (f.float.code % count == count - 1)),
    "full-and-more": (
        "all ones, and more than half a last place is above it",
        lambda f, count: f.float.quanta.over_tie & (f.float.code % count == count - 1),
    ),
}


def reaches_beyond(source: Format, row: Any) -> bool:
    """Tell whether numbers of a source, or multiples of it, reach beyond the exponent field of a binary destination."""
    destination = row.destination
    if destination.is_integer or destination.kind is not Kind.BINARY:
        return False
    # twice as far as the field's exponents go
    furthest = (2 << destination.exponent_bits) - destination.bias
    return bool((source.maximum.bit_length() if source.is_integer else 1 << (source.exponent_bits - 1)) >= furthest)


def product_reaches_beyond(row: Any) -> bool:
    """Tell whether products reach beyond the exponent field of a binary destination; a scale has the exponents of FP32."""
    return rounds(row) and reaches_beyond(row.fp19, row)


def beyond() -> Iterator[CornerClass[Any]]:
    """Yield the classes of numbers far out of range, of both signs, by the low bits of the code that would be theirs."""
    for sign in ("positive", "negative"):
        for name, (what, where) in WRAPPED.items():
            yield corner(
                f"beyond/{name}",
                "Were there no end to the exponents, the number would be a code with bits above the field, those in it"
                f" {what}",
                lambda f, where=where: beyond_field(f, where),  # type: ignore[misc]  # a name of the loop
                sign,
                ("least",),
            )


def beyond_field(facts: Facts, where: Callable[[Facts, int], Bool]) -> Bool:
    """The code that the number is at or above has bits above the field, were there no end to the exponents."""
    fmt = facts.float.format
    count = 1 << (fmt.sign_bit - fmt.low_zero_bits)
    return facts.float.nonzero & (facts.float.code >= count) & where(facts, count)


ZERO: Corner = CornerClass(
    "place/zero", "The product is zero: by the accumulator or by the factor.", lambda f: f.live & f.product.zero
)

GROUPS: tuple[Group[Facts], ...] = (
    Group(to_float, (ZERO, *classes(PRODUCT, exact=fine_and_exact))),
    Group(product_reaches_beyond, tuple(beyond())),
)
