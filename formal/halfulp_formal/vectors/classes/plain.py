"""Corner classes of plain conversions: those of any rounded number, the ends of the destination, tininess, the source."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from halfulp_formal.vectors.classes import codes, digits, floating
from halfulp_formal.vectors.classes.results import FLAG
from halfulp_formal.vectors.classes.rounding import mode_classes, position
from halfulp_formal.vectors.classes.stages import ends
from halfulp_formal.vectors.corner import BOTH_SIGNS, NUMBER, SPREAD, CornerClass, Group

if TYPE_CHECKING:
    from halfulp_formal.bits import Bool
    from halfulp_formal.vectors.facts.plain import PlainFacts

    Corner = CornerClass[PlainFacts]
    Where = Callable[[PlainFacts], Bool]


def every(_row: Any) -> bool:
    """Every conversion has these."""
    return True


def to_integer(row: Any) -> bool:
    """Tell whether the destination is an integer format."""
    return bool(row.destination.is_integer)


def to_float(row: Any) -> bool:
    """Tell whether the destination is a floating format."""
    return not to_integer(row)


def float_to_integer(row: Any) -> bool:
    """Tell whether floating numbers are rounded to integers."""
    return to_integer(row) and not row.source.is_integer


def integer_to_float(row: Any) -> bool:
    """Tell whether integers are rounded to floating numbers."""
    return to_float(row) and bool(row.source.is_integer)


def to_coarser_float(row: Any) -> bool:
    """Tell whether some floating numbers have a single bit more than the codes of a floating destination, and none finer."""
    source, destination = row.source, row.destination
    if source.is_integer or destination.is_integer or source.fraction_bits <= destination.fraction_bits:
        return False
    wider = destination.minimum_exponent < source.minimum_exponent
    return bool(wider or source.fraction_bits == destination.fraction_bits + 1)


def to_wider_integer(row: Any) -> bool:
    """Tell whether some integers of the destination lie where the floating source counts in units of 2^k, k > 0."""
    return float_to_integer(row) and int(row.destination.maximum) >> (row.source.fraction_bits + 2) > 0


def out_of_range(facts: PlainFacts) -> Bool:
    """The number cut toward zero is not in the destination's range."""
    return facts.live & (facts.whole_number != facts.clamped)


WRAP: tuple[Corner, ...] = (
    CornerClass(
        "wrap/low-bits-zero",
        "The number is out of range, and the low bits of its integer part are all zero.",
        lambda f: out_of_range(f) & (f.wrapped == 0),
        BOTH_SIGNS,
    ),
    CornerClass(
        "wrap/low-bits-positive",
        "The number is out of range, and the low bits of its integer part are a number above zero, not the maximum.",
        lambda f: out_of_range(f) & (f.wrapped > 0) & (f.wrapped < f.highest),
        BOTH_SIGNS,
    ),
    CornerClass(
        "wrap/low-bits-negative",
        "The number is out of range, and the low bits of its integer part are a number below zero, not the minimum.",
        lambda f: out_of_range(f) & (f.wrapped < 0) & (f.wrapped > f.lowest),
        BOTH_SIGNS,
    ),
    CornerClass(
        "wrap/far",
        "The magnitude is at least four times the destination's maximum.",
        lambda f: f.live & (f.product.whole_part >= 4 * f.highest),
        ("positive", "negative", "far"),
    ),
)

#: numbers at the ends of what their significands can say: with a single fraction bit, or with none
GRID: tuple[Corner, ...] = (
    CornerClass(
        "tie/one-fraction-bit-even",
        "The magnitude is k + 1/2, k even, and so large that its format has no finer place.",
        lambda f: one_fraction_bit(f) & f.product.even,
        BOTH_SIGNS,
    ),
    CornerClass(
        "tie/one-fraction-bit-odd",
        "The magnitude is k + 1/2, k odd, and so large that its format has no finer place.",
        lambda f: one_fraction_bit(f) & f.product.odd,
        BOTH_SIGNS,
    ),
    CornerClass(
        "wrap/no-fraction-bits",
        "The number is out of range and so large that its format counts it in units of 2^k, k > 0; its low bits and those"
        " of its negative differ.",
        lambda f: out_of_range(f) & (f.product.exponent > 0) & unlike_negative(f),
        BOTH_SIGNS,
    ),
)

INTEGER_PLACES: tuple[Corner, ...] = (
    CornerClass(
        "past-tie/even",
        "The magnitude is more than k + 1/2 and less than k + 1, k even: to nearest it becomes odd.",
        lambda f: f.small & f.product.over_tie & f.product.even,
        BOTH_SIGNS,
    ),
    CornerClass(
        "range/largest-power",
        "The number is the largest power of two in the destination's range.",
        lambda f: f.live & f.product.positive & f.product.whole & (f.product.whole_part == (f.highest + 1) >> 1),
    ),
)

#: integers of which every bit of the significand counts, and which are shifted to the left
SHIFTED: tuple[Corner, ...] = (
    CornerClass(
        "range/odd-multiple",
        "The number is in range and an odd multiple of 2^k, k > 0, the unit in which its format counts there.",
        lambda f: f.live & (f.product.exponent > 0) & (f.product.significand % 2 == 1) & (f.whole_number == f.clamped),
        (*BOTH_SIGNS, "far"),
    ),
)

#: single places round the smallest normal number that tininess turns on: what the magnitude is, and the formula
AROUND_NORMAL: dict[str, tuple[str, Where]] = {
    "above-smallest-normal": (
        "above the smallest normal number, by less than a quantum",
        lambda f: f.float.at(f.row.destination.minimum_exponent) & ~f.float.quanta.whole,
    ),
    "under-half-smallest-normal": (
        "{own} below half of the smallest normal number",
        lambda f: f.float.before(f.row.destination.minimum_exponent - 1) & f.float.quanta.before_integer,
    ),
}

#: numbers that the range rounds up to the smallest normal one; with more range they would round to a number below it up
#: to three quarters of a quantum, where tininess after rounding begins to differ from tininess before it
TININESS: dict[str, tuple[str, Where]] = {
    "before-three-quarters": (
        "more than a half and less than three quarters of a quantum",
        lambda f: f.float.quanta.over_tie & (f.three_quarters < 0),
    ),
    "one-before-three-quarters": (
        "three quarters of a quantum, less {unit},",
        lambda f: f.float.quanta.fine & (f.three_quarters == -4),
    ),
    "three-quarters": ("three quarters of a quantum", lambda f: f.three_quarters == 0),
    "one-past-three-quarters": (
        "three quarters of a quantum and {unit}",
        lambda f: f.float.quanta.fine & (f.three_quarters == 4),
    ),
    "past-three-quarters": ("more than three quarters of a quantum", lambda f: f.three_quarters > 0),
}


#: integers between the codes of a format that may end before there are many of them: what the magnitude is, and the formula
INTEGERS: dict[str, tuple[str, Where]] = {
    "exact-odd": (
        "is an odd code's value, among the normal numbers where integers lie between codes",
        lambda f: f.float.normal & (f.float.quanta.exponent < 0) & f.float.quanta.whole & f.float.odd,
    ),
    "under-tie-odd": (
        "lies less than halfway above an odd code, among the normal numbers",
        lambda f: f.float.normal & f.float.quanta.under_tie & f.float.odd,
    ),
    "past-tie-even": (
        "lies more than halfway above an even code, among the normal numbers",
        lambda f: f.float.normal & f.float.quanta.over_tie & f.float.even,
    ),
    "beyond-halves": (
        "is above the largest finite number, by a quantum or more, where codes would be two integers apart",
        lambda f: f.float.nonzero & (f.float.code > f.float.largest_code) & (f.float.quanta.exponent == -1),
    ),
    "beyond-past-tie": (
        "is above the largest finite number, by a quantum or more, and would lie more than halfway above a code",
        lambda f: f.float.nonzero & (f.float.code > f.float.largest_code) & f.float.quanta.over_tie,
    ),
}


def one_fraction_bit(facts: PlainFacts) -> Bool:
    """The significand has one fraction bit, and it is set."""
    return facts.live & (facts.product.exponent == -1) & facts.product.tie


def unlike_negative(facts: PlainFacts) -> Bool:
    """The low bits of the number cut toward zero are neither all zero nor the top one alone."""
    return (facts.wrapped << 1) % (1 << int(facts.row.destination.code_bits)) != 0


def around_normal() -> Iterator[CornerClass[Any]]:
    """Yield the classes of places round the smallest normal number, of both signs."""
    for sign in ("positive", "negative"):
        for name, (what, where) in AROUND_NORMAL.items():
            yield floating.corner(
                f"tininess/{name}", f"The magnitude is {floating.in_words(what, NUMBER)}", where, sign, ("least",)
            )


def integers() -> Iterator[CornerClass[Any]]:
    """Yield the classes of integers between the codes of a floating destination, of both signs."""
    for sign in ("positive", "negative"):
        for name, (what, where) in INTEGERS.items():
            yield floating.corner(f"integer/{name}", f"The magnitude {what}", where, sign, ("least",))


def coarse() -> Iterator[CornerClass[Any]]:
    """Yield the classes of ties whose source can say nothing finer, of both signs."""
    for sign in ("positive", "negative"):
        for parity in ("even", "odd"):
            yield floating.corner(
                f"coarse/tie-{parity}",
                f"The magnitude lies halfway above an {parity} code, among the normal numbers, and its format has no finer"
                " place there",
                coarse_tie(parity),
                sign,
                ("least",),
            )


def coarse_tie(parity: str) -> Where:
    """Return that the significand has one bit more than the code, and it is set, for codes of a parity."""
    return lambda f: f.float.normal & (f.float.quanta.exponent == -1) & f.float.quanta.tie & getattr(f.float, parity)


def below_normal(where: Where) -> Where:
    """Narrow a formula to what lies between the largest subnormal and the smallest normal number."""
    return lambda f: f.float.at_largest_subnormal & where(f)


def tininess() -> Iterator[CornerClass[Any]]:
    """Yield the classes between the largest subnormal and the smallest normal number, of both signs."""
    for sign in ("positive", "negative"):
        for name, (what, where) in TININESS.items():
            yield floating.corner(
                f"tininess/{name}",
                f"The magnitude is {floating.in_words(what, NUMBER)} above the largest subnormal number,"
                " and below the smallest normal one",
                below_normal(where),
                sign,
                ("least",),
            )


ZERO: Corner = CornerClass("exact/zero", "The number is zero.", lambda f: f.live & f.product.zero, BOTH_SIGNS)

GROUPS: tuple[Group[Any], ...] = (
    *mode_classes(to_float, "another code, among the normal numbers"),
    *mode_classes(float_to_integer, "another integer, neither as large as the maximum"),
    Group(every, (ZERO,)),
    Group(to_float, tuple(floating.classes(NUMBER))),
    Group(to_float, tuple(tininess())),
    Group(to_float, tuple(around_normal())),
    Group(float_to_integer, position(NUMBER, SPREAD, ("least",))),
    Group(to_integer, ends("range", "number", "integer of the destination", "overflow")),
    Group(to_integer, WRAP),
    Group(float_to_integer, GRID),
    *codes.GROUPS,
    Group(every, FLAG),
    Group(float_to_integer, INTEGER_PLACES),
    Group(to_coarser_float, tuple(coarse())),
    Group(to_wider_integer, SHIFTED),
    Group(integer_to_float, tuple(integers())),
    Group(every, digits.some(digits.of_rounding)),
    Group(lambda row: floating.reaches_beyond(row.source, row), tuple(floating.beyond())),
)
