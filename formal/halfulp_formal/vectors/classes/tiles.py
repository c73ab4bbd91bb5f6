"""Corner classes of whole tiles: every rule that can be broken, reductions and their groups, nibbles, columns, flags."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from halfulp_formal.vectors.corner import CornerClass, Group
from halfulp_model.fpatr_rows import Rule
from halfulp_model.loader import default_rules

if TYPE_CHECKING:
    from halfulp_formal.bits import Bool
    from halfulp_formal.vectors.facts.tiles import TileFacts

    Corner = CornerClass[TileFacts]

#: parameter word of the scale 1, and of 2
UNIT, DOUBLE = 0x1FC00 << 13, 0x20000 << 13
LEAST, SIGN = -(1 << 31), 1 << 31
#: GroupNCode of groups of eight and of sixteen
SHORT, LONG = 1, 2


def fault(rule: Rule) -> Corner:
    """The class of operations whose first broken rule is this one."""
    name, sentence = rule.value, default_rules().legality[rule.value].sentence
    return CornerClass(f"fault/{name.replace('_', '-')}", f"Broken first: {sentence}.", lambda f: f.breaks(name))


def asks(f: TileFacts, **fields: int) -> Bool:
    """An operation is published whose enables are these, all others 0."""
    wanted = {"row_max": 0, "group_n": 0, "group_max": 0, "row_max_init": 0, "max_abs": 0, **fields}
    result = f.published
    for name, code in wanted.items():
        result = result & (f.attribute(name) == code)
    return result


def last(f: TileFacts) -> int:
    """The last column, alone in its group where groups are short."""
    return f.shape.columns - 1


def all_places(f: TileFacts, holds: Callable[[int, int], Bool]) -> Bool:
    """Something holds of every accumulator."""
    result = holds(*f.shape.places[0])
    for place in f.shape.places[1:]:
        result = result & holds(*place)
    return result


def is_number(f: TileFacts) -> Bool:
    """The last column is the greatest, and positive."""
    end = last(f)
    others = [f.value(0, column) for column in range(end)]
    result = f.value(0, end) > 0
    for other in others:
        result = result & (other < f.value(0, end))
    return result


FAULTS: tuple[Corner, ...] = tuple(fault(rule) for rule in Rule)

REDUCTIONS: tuple[Corner, ...] = (
    CornerClass("reduce/none", "Nothing is reduced.", lambda f: asks(f) & (f.value(0, 0) != 0)),
    CornerClass("reduce/rows", "RowMaxOut alone.", lambda f: asks(f, row_max=1) & (f.value(0, last(f)) != 0)),
    CornerClass(
        "reduce/groups",
        "GroupMaxOut alone, of groups of eight.",
        lambda f: asks(f, group_max=1, group_n=SHORT) & (f.value(0, 0) != 0),
    ),
    CornerClass(
        "reduce/long-group",
        "GroupMaxOut alone, of a group that is longer than the row.",
        lambda f: asks(f, group_max=1, group_n=LONG) & (f.value(0, last(f)) != 0),
    ),
    CornerClass(
        "reduce/both",
        "RowMaxOut and GroupMaxOut.",
        lambda f: asks(f, row_max=1, group_max=1, group_n=SHORT) & is_number(f),
    ),
    CornerClass(
        "reduce/initial",
        "RowMaxIn is the maximum of the first row.",
        lambda f: (
            asks(f, row_max=1, row_max_init=1) & (f.value(0, 0) > 0) & (f.given("row_max_in_0") == SIGN - 1 - (1 << 24))
        ),
    ),
)

SIGNED: tuple[Corner, ...] = (
    CornerClass(
        "group/all-negative",
        "Every accumulator is negative, so that a zero read behind the last column would be the maximum.",
        lambda f: (
            asks(f, row_max=1, group_max=1, group_n=SHORT) & all_places(f, lambda row, column: f.value(row, column) < 0)
        ),
    ),
    CornerClass(
        "absolute/lone-negative",
        "The last column, alone in its group under MaxAbsEn, is negative and not the least number.",
        lambda f: (
            asks(f, group_max=1, group_n=SHORT, max_abs=1) & (f.value(0, last(f)) < 0) & (f.value(0, last(f)) > LEAST)
        ),
    ),
    CornerClass(
        "absolute/overflow-first-row",
        "The first accumulator alone is the least number, under MaxAbsEn.",
        lambda f: (
            asks(f, row_max=1, max_abs=1)
            & (f.value(0, 0) == LEAST)
            & all_places(f, lambda row, column: (f.value(row, column) > LEAST) if row or column else f.published)
        ),
    ),
    CornerClass(
        "absolute/overflow-group",
        "An accumulator is the least number, under MaxAbsEn, and there is no RowMaxOut.",
        lambda f: asks(f, group_max=1, group_n=SHORT, max_abs=1) & (f.value(0, 0) == LEAST),
    ),
    CornerClass(
        "activation/raw-maxima",
        "ReLU makes a row of D zero whose maximum is negative.",
        lambda f: (
            asks(f, row_max=1, group_max=1, group_n=SHORT)
            & (f.attribute("relu") == 1)
            & all_places(f, lambda row, column: f.value(row, column) < 0)
        ),
    ),
)

FLOATING: tuple[Corner, ...] = (
    CornerClass(
        "nan/lone-signalling",
        "The last column, alone in its group, is a signalling NaN; all others are numbers.",
        lambda f: asks(f, group_max=1, group_n=SHORT) & only_nan(f, last(f)) & ~f.is_quiet(0, last(f)),
    ),
    CornerClass(
        "nan/lone-absolute",
        "The last column, alone in its group under MaxAbsEn, is a negative NaN.",
        lambda f: asks(f, group_max=1, group_n=SHORT, max_abs=1) & only_nan(f, last(f)) & (f.value(0, last(f)) > SIGN),
    ),
    CornerClass(
        "nan/every-column",
        "Every accumulator is a NaN.",
        lambda f: asks(f, row_max=1, group_max=1, group_n=SHORT) & all_places(f, f.is_nan),
    ),
    CornerClass(
        "nan/first-column",
        "The first column alone is a signalling NaN.",
        lambda f: asks(f, row_max=1) & only_nan(f, 0) & ~f.is_quiet(0, 0),
    ),
    CornerClass(
        "zero/both",
        "-0 stands before +0, and every other column is -0.",
        lambda f: (
            asks(f, row_max=1)
            & (f.value(0, 1) == 0)
            & all_places(f, lambda _row, column: f.published if column == 1 else (f.value(0, column) == SIGN))
        ),
    ),
    CornerClass(
        "group/all-negative",
        "Every accumulator is negative, so that a zero read behind the last column would be the maximum.",
        lambda f: (
            asks(f, row_max=1, group_max=1, group_n=SHORT)
            & all_places(f, lambda row, column: (f.value(row, column) > SIGN) & ~f.is_nan(row, column))
        ),
    ),
    CornerClass(
        "activation/raw-maxima",
        "ReLU makes D zero, whose maximum is negative.",
        lambda f: (
            asks(f, row_max=1)
            & (f.attribute("relu") == 1)
            & all_places(f, lambda row, column: (f.value(row, column) > SIGN) & ~f.is_nan(row, column))
        ),
    ),
)


def only_nan(f: TileFacts, place: int) -> Bool:
    """One column of the first row alone is a NaN."""
    return all_places(f, lambda row, column: f.is_nan(row, column) if column == place else ~f.is_nan(row, column))


def alone(f: TileFacts, row: int, column: int) -> Bool:
    """One element of D alone is not zero, under scales of 1."""
    result = asks(f)
    for place in range(f.shape.columns):
        result = result & (f.given(f"quant_word_{place}") == UNIT)
    return result & all_places(
        f,
        lambda line, place: (
            f.element_code(line, place) != 0 if (line, place) == (row, column) else f.value(line, place) == 0
        ),
    )


PACKED: tuple[Corner, ...] = (
    CornerClass("nibble/low", "The first element alone is not zero.", lambda f: alone(f, 0, 0)),
    CornerClass("nibble/high", "The second element alone is not zero.", lambda f: alone(f, 0, 1)),
    CornerClass("nibble/next-row", "The second row's first element alone is not zero.", lambda f: alone(f, 1, 0)),
    CornerClass("nibble/last", "The last element alone is not zero.", lambda f: alone(f, 1, last(f))),
    CornerClass(
        "columns/own-words",
        "Equal accumulators under scales of 1, 2 and 1.",
        lambda f: (
            asks(f)
            & (f.given("quant_word_0") == UNIT)
            & (f.given("quant_word_1") == DOUBLE)
            & (f.given("quant_word_2") == UNIT)
            & all_places(f, lambda row, column: f.value(row, column) == 3)
        ),
    ),
    CornerClass(
        "columns/own-activation",
        "Negative accumulators under one activation word a column, all different.",
        lambda f: (
            asks(f)
            & (f.attribute("relu") == 3)
            & all_places(f, lambda row, column: f.value(row, column) == -4)
            & (f.element_code(0, 0) != f.element_code(0, 1))
            & (f.element_code(0, 0) != f.element_code(0, 2))
            & (f.element_code(0, 1) != f.element_code(0, 2))
        ),
    ),
    CornerClass(
        "flags/first-element",
        "The first element alone overflows.",
        lambda f: (
            asks(f)
            & (f.element_flags(0, 0) == 0x14)
            & all_places(f, lambda row, column: f.element_flags(row, column) == 0 if row or column else f.published)
        ),
    ),
)


def is_short(shape: Any) -> bool:
    """Tell whether a row has a last group of one column."""
    return bool(shape.columns % 8 == 1)


GROUPS: tuple[Group[Any], ...] = (
    Group(lambda _shape: True, FAULTS),
    Group(lambda _shape: True, REDUCTIONS),
    Group(lambda shape: is_short(shape) and shape.conversion.accumulator.is_integer, SIGNED),
    Group(lambda shape: not shape.conversion.accumulator.is_integer, FLOATING),
    Group(lambda shape: shape.packed, PACKED),
)
