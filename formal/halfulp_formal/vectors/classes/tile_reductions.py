"""Corner classes of the reductions of a tile: which column, row or operand decides a maximum, and which raises a flag."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING

from halfulp_formal.vectors.corner import CornerClass

from .tiles import LEAST, SHORT, SIGN, all_places, asks

if TYPE_CHECKING:
    from halfulp_formal.bits import Bool
    from halfulp_formal.vectors.facts.tiles import TileFacts
    from halfulp_formal.vectors.tile_shapes import Shape

    Corner = CornerClass[TileFacts]

    #: accumulators by place, RowMaxIn by row
    Given = Mapping[tuple[int, int] | int, int]

#: enables of both reductions, of one alone
BOTH = {"row_max": 1, "group_max": 1, "group_n": SHORT}
ROWS = {"row_max": 1}
GROUPS = {"group_max": 1, "group_n": SHORT}
INITIAL = {"row_max": 1, "row_max_init": 1}
ABSOLUTE = {"max_abs": 1}

#: accumulators of an integer tile and of one of FP32: a small one and a greater one, each with its negative
INTEGERS = {"low": 5, "high": 7, "minus-low": -5, "minus-high": -7}
FLOATS = {"low": 0x3F800000, "high": 0x40000000, "minus-low": 0xBF800000, "minus-high": 0xC0000000}

#: codes of FP32 that are no numbers, and what each is called
SPECIALS = {
    "infinity": (0x7F800000, "infinity"),
    "negative-infinity": (0xFF800000, "-infinity"),
    "quiet": (0x7FC00001, "a quiet NaN"),
    "negative-quiet": (0xFFFFFFFF, "a negative quiet NaN"),
    "signalling": (0x7F800001, "a signalling NaN"),
    "negative-signalling": (0xFFBFFFFF, "a negative signalling NaN"),
    "half-signalling": (0x7FA00000, "a signalling NaN with the second fraction bit alone"),
    "subnormal": (0x00000001, "the smallest subnormal number"),
    "largest-subnormal": (0x007FFFFF, "the largest subnormal number"),
    "negative-zero": (SIGN, "-0"),
}


def filled(f: TileFacts, enables: Mapping[str, int], other: int, given: Given) -> Bool:
    """An operation with some enables; the accumulators and RowMaxIn are the ones given, all others this one."""
    result = asks(f, **enables)
    if enables.get("row_max_init"):
        for row in range(f.shape.rows):
            result = result & (f.row_max_in(row) == given.get(row, other))
    return result & all_places(f, lambda row, column: f.value(row, column) == given.get((row, column), other))


def reduced(name: str, sentence: str, enables: Mapping[str, int], other: int, given: Given) -> Corner:
    """Return the class of tiles whose accumulators are these."""
    return CornerClass(f"reduced/{name}", f"{sentence}.", partial(filled, enables=enables, other=other, given=given))


@cache
def classes(shape: Shape) -> tuple[Corner, ...]:
    """Return the classes of a tile's reductions."""
    integer = shape.conversion.accumulator.is_integer
    return (*orders(shape, INTEGERS if integer else FLOATS), *(overflows(shape) if integer else specials(shape)))


def orders(shape: Shape, of: Mapping[str, int]) -> Iterator[Corner]:
    """Yield the classes of the place of a maximum."""
    for row, column in shape.places:
        place = f"row {row}, column {column}"
        greatest: Given = {(row, column): of["high"]}
        largest: Given = {(row, column): of["minus-high"]}
        yield reduced(f"greatest-{row}-{column}", f"The greatest is in {place}", BOTH, of["low"], greatest)
        yield reduced(f"least-{row}-{column}", f"The one in {place} is negative", BOTH, of["low"], largest)
        yield reduced(
            f"largest-{row}-{column}", f"The largest magnitude is in {place}, and negative, under MaxAbsEn",
            {**BOTH, **ABSOLUTE}, of["low"], largest,
        )  # fmt: skip
    yield reduced(
        "all-negative-absolute",
        "Every accumulator is negative, under MaxAbsEn",
        {**BOTH, **ABSOLUTE},
        of["minus-low"],
        {},
    )
    yield reduced("all-negative", "Every accumulator is negative", BOTH, of["minus-low"], {})
    for row in range(shape.rows):
        for name, value in of.items():
            for absolute, suffix, under in ((0, "", ""), (1, "-absolute", ", under MaxAbsEn")):
                yield reduced(
                    f"initial-{name}-{row}{suffix}", f"RowMaxIn of row {row} is {value:#x} among {of['low']:#x}{under}",
                    {**INITIAL, "max_abs": absolute}, of["low"], {row: value},
                )  # fmt: skip


def overflows(shape: Shape) -> Iterator[Corner]:
    """Yield the classes of absolute values that overflow: which accumulators are the least number."""
    end = shape.columns - 1
    for column in sorted({0, 1, end}):
        for called, enables in (("rows", ROWS), ("groups", GROUPS)):
            yield reduced(
                f"overflow-{column}-{called}", f"The accumulator in column {column} of row 0 alone overflows, of {called}",
                {**enables, **ABSOLUTE}, 5, {(0, column): LEAST},
            )  # fmt: skip
    last_row = shape.rows - 1
    pairs: dict[str, Given] = {
        "two-columns": {(0, 0): LEAST, (0, end): LEAST},
        "neighbours": {(0, 1): LEAST, (0, 2): LEAST},
        "initial": {0: LEAST},
        "initial-and-column": {0: LEAST, (0, 1): LEAST},
        "column-before-initial": {(0, 1): LEAST},
        "last-row-initial": {last_row: LEAST},
    }
    for name, given in pairs.items():
        enables = INITIAL if "initial" in name else ROWS
        places = " and ".join(
            f"RowMaxIn of row {each}" if isinstance(each, int) else f"column {each[1]}" for each in given
        )
        yield reduced(
            f"overflow-{name}", f"There overflow, under MaxAbsEn: {places}", {**enables, **ABSOLUTE}, 5, given
        )
    for name, value in {"least": LEAST, "largest": -LEAST - 1, "negative-largest": LEAST + 1}.items():
        yield reduced(
            f"relu-of-{name}", f"The accumulator in column 0 of row 0 is {value}, under MaxAbsEn and ReLU",
            {**ROWS, **ABSOLUTE, "relu": 1}, -5, {(0, 0): value},
        )  # fmt: skip
    yield reduced("least", "The least number is no overflow without MaxAbsEn", BOTH, 5, {(0, 0): LEAST})


def specials(shape: Shape) -> Iterator[Corner]:
    """Yield the classes of what is no ordinary number: in a column, in RowMaxIn, in both."""
    end, low = shape.columns - 1, FLOATS["minus-low"]
    for name, (code, called) in SPECIALS.items():
        for column in (0, 1, end):
            for absolute, suffix, under in ((0, "", ""), (1, "-absolute", ", under MaxAbsEn")):
                yield reduced(
                    f"{name}-{column}{suffix}", f"Column {column} is {called}, every other one -1{under}",
                    {**BOTH, "max_abs": absolute}, low, {(0, column): code},
                )  # fmt: skip
        yield reduced(f"{name}-initial", f"RowMaxIn is {called}, every column -1", INITIAL, low, {0: code})
        yield reduced(f"every-{name}", f"Every accumulator is {called}", BOTH, code, {})
        yield reduced(
            f"{name}-among-nans", f"Column 1 is {called}, every other one a quiet NaN", ROWS, SPECIALS["quiet"][0],
            {(0, 1): code},
        )  # fmt: skip
        yield reduced(
            f"{name}-initial-of-signalling", f"RowMaxIn is {called}, and column 0 a signalling NaN", INITIAL, low,
            {0: code, (0, 0): SPECIALS["signalling"][0]},
        )  # fmt: skip
    signalling = SPECIALS["signalling"][0]
    yield reduced(
        "two-signalling", "Columns 1 and 3 are signalling NaNs", ROWS, low, {(0, 1): signalling, (0, 3): signalling}
    )
    yield reduced(
        "zeros", "A +0 stands before a -0, and every other column is -1", ROWS, low, {(0, 0): 0, (0, 1): SIGN}
    )
    yield reduced(
        "zeros-reversed", "A -0 stands before a +0, and every other column is -1", ROWS, low, {(0, 0): SIGN, (0, 1): 0}
    )
    yield reduced("zeros-initial", "RowMaxIn is -0, column 0 +0", INITIAL, low, {0: SIGN, (0, 0): 0})
    yield reduced("zeros-initial-reversed", "RowMaxIn is +0, column 0 -0", INITIAL, low, {0: 0, (0, 0): SIGN})
