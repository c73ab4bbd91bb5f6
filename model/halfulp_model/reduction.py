"""Row and group maximum of raw accumulators, step by step in increasing columns.

Every function takes the reduction of the accumulator's type first. A value is the integer of an S32 or U32 accumulator,
or the 32-bit code of an FP32 one.
"""

from __future__ import annotations

from typing import NamedTuple

from .floats import is_nan, is_signalling
from .formats import order_key
from .fpatr_rows import Reduction


class Reduced(NamedTuple):
    """A reduced accumulator, of the accumulator's own type, and the flags raised on the way."""

    value: int
    flags: int


def absolute(reduction: Reduction, value: int) -> Reduced:
    """Return the absolute value: a NaN loses its sign too, the least S32 becomes the greatest and overflows.

    Source: MatrixReductionAbsoluteWithFlags.
    """
    fmt = reduction.accumulator
    if not fmt.is_integer:
        return Reduced(value % (1 << fmt.sign_bit), 0)
    magnitude = abs(value)
    return Reduced(fmt.maximum, reduction.absolute_overflow) if magnitude > fmt.maximum else Reduced(magnitude, 0)


def maximum(reduction: Reduction, current: int, candidate: int) -> Reduced:
    """Return the greater of two accumulators; -0 is less than +0. Sources: TileIntegerMinMaxValue, and for FP32
    HardwareNumericFloatingMinMax: a NaN gives way to a number, two NaNs become the canonical one.
    """
    fmt = reduction.accumulator
    if fmt.is_integer:
        return Reduced(max(current, candidate), 0)
    first, second = is_nan(fmt, current), is_nan(fmt, candidate)
    signalling = is_signalling(fmt, current) or is_signalling(fmt, candidate)
    flags = reduction.signalling if signalling else 0
    if first and second:
        return Reduced(fmt.canonical_nan, flags)
    if first or second:
        return Reduced(candidate if first else current, flags)
    return Reduced(current if order_key(fmt, current) >= order_key(fmt, candidate) else candidate, 0)


def step(reduction: Reduction, max_abs: bool, current: int, candidate: int) -> Reduced:
    """Return the greater of two accumulators, of their absolute values if asked for, with all flags.

    Source: TileProfileMatrixReductionStepWithFlags.
    """
    if not max_abs:
        return maximum(reduction, current, candidate)
    left, right = absolute(reduction, current), absolute(reduction, candidate)
    greater = maximum(reduction, left.value, right.value)
    return Reduced(greater.value, greater.flags | left.flags | right.flags)


def reduce_columns(reduction: Reduction, max_abs: bool, elements: tuple[int, ...]) -> Reduced:
    """Reduce one or more elements in their order; a first absolute value comes of a step with itself."""
    result = Reduced(elements[0], 0)
    if max_abs:
        result = step(reduction, max_abs, elements[0], elements[0])
    for index in range(1, len(elements)):
        following = step(reduction, max_abs, result.value, elements[index])
        result = Reduced(following.value, result.flags | following.flags)
    return result


def row_max(reduction: Reduction, max_abs: bool, row: tuple[int, ...]) -> Reduced:
    """Return the maximum of a row. Source: MatrixRowMaxResult."""
    return reduce_columns(reduction, max_abs, row)


def initial_row_max(reduction: Reduction, max_abs: bool, row: tuple[int, ...], row_max_in: int) -> Reduced:
    """Return the maximum of a row and of RowMaxIn, which is the left operand of a last step. Source: MatrixRowMaxResult."""
    reduced = row_max(reduction, max_abs, row)
    final = step(reduction, max_abs, row_max_in, reduced.value)
    return Reduced(final.value, reduced.flags | final.flags)


def group_max(reduction: Reduction, max_abs: bool, columns: int, row: tuple[int, ...]) -> tuple[Reduced, ...]:
    """Return the maximum of each group of so many columns; the last group may be shorter. Source: MatrixGroupMaxResult."""
    return tuple(
        reduce_columns(reduction, max_abs, group(row, first, columns)) for first in range(0, len(row), columns)
    )


def group(row: tuple[int, ...], first: int, columns: int) -> tuple[int, ...]:
    """Return the elements of the group that begins at a column."""
    return tuple(row[column] for column in range(first, min(first + columns, len(row))))
