"""Corner classes of a format's codes: what a code stands for, the ends of each class, and single bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from halfulp_formal.vectors.corner import CornerClass, Group
from halfulp_model.formats import ValueClass

if TYPE_CHECKING:
    from halfulp_formal.vectors.facts.formats import FormatFacts

    Corner = CornerClass[FormatFacts]

#: a format whose codes have more bits has too many of them for a table
TABLE_BITS = 8

#: the widest code of any format
WIDEST = 64

ENDS = ("least", "far")


def has_table(row: Any) -> bool:
    """Tell whether every code of a format is a case."""
    return bool(row.code_bits <= TABLE_BITS)


def is_wide(row: Any) -> bool:
    """Tell whether a format's codes are too many for a table."""
    return not has_table(row)


def is_wide_binary(row: Any) -> bool:
    """Tell whether a format has too many codes for a table, and sign, exponent and fraction fields."""
    return is_wide(row) and not row.is_integer


def value_class(which: ValueClass, *, every: bool) -> Corner:
    """Return the corner class of a value class: all its codes, or its ends."""
    words = which.value.replace("_", " ").replace("normal", "normal number")
    article = "an" if words[0] in "aeiou" else "a"
    return CornerClass(
        f"value/{which.value.replace('_', '-')}",
        f"The code is {article} {words}."
        if every
        else f"The code is the least or the greatest code of {article} {words}.",
        lambda f: f.value_class == f.place(which),
        ENDS,
        every,
    )


def bit(number: int) -> Group[FormatFacts]:
    """Return the classes of one bit of a code, and of its absence."""
    return Group(
        lambda row: is_wide(row) and number < row.code_bits,
        (
            CornerClass(
                f"bit/only-{number:02}",
                f"Bit {number} of the code is set and no other.",
                lambda f: f.code == 1 << number,
            ),
            CornerClass(
                f"bit/all-but-{number:02}",
                f"Every bit of the code is set but bit {number}.",
                lambda f: f.code == (1 << f.row.code_bits) - 1 - (1 << number),
            ),
        ),
    )


def number_class(name: str, sentence: str, beside: int) -> Corner:
    """Return the class of one of the numbers about 1, both signs."""
    return CornerClass(
        f"number/{name}",
        f"The magnitude is {sentence}.",
        lambda f: f.magnitude_code == f.code_of_one + (beside << f.row.low_zero_bits),
        ENDS,
    )


TABLE: tuple[Corner, ...] = tuple(value_class(which, every=True) for which in ValueClass)
EXTREMES: tuple[Corner, ...] = tuple(value_class(which, every=False) for which in ValueClass)
ABOUT_ONE: tuple[Corner, ...] = (
    number_class("one", "1", 0),
    number_class("below-one", "the greatest number below 1", -1),
    number_class("above-one", "the least number above 1", 1),
)

GROUPS: tuple[Group[FormatFacts], ...] = (
    Group(has_table, TABLE),
    Group(is_wide, EXTREMES),
    Group(is_wide_binary, ABOUT_ONE),
    *(bit(number) for number in range(WIDEST)),
)
