"""RowMax and GroupMax over raw accumulators, step by step in increasing column order."""

from collections.abc import Sequence

from oracle import formats
from oracle.pto import FP32, GROUP_COLUMNS, S32, word_of
from oracle.rounding import NV, OF, signed

NANS = ("quiet_nan", "signaling_nan")
ZEROS = ("positive_zero", "negative_zero")


def absolute(word: int, accumulator: str) -> tuple[int, int]:
    """The absolute value of one accumulator element, in its carrier, with its flags."""
    if accumulator == FP32:
        return word & 0x7FFFFFFF, 0
    if accumulator != S32:
        return word_of(accumulator, word), 0
    number = signed(word, 32)
    if number == -(1 << 31):
        return 0x7FFFFFFF, OF
    return abs(number), 0


def maximum(current: int, candidate: int, accumulator: str) -> tuple[int, int]:
    """max(current, candidate) by the accumulator's order; a tie keeps `current`."""
    if accumulator != FP32:
        left, right = formats.value(accumulator, current), formats.value(accumulator, candidate)
        assert left is not None
        assert right is not None
        return word_of(accumulator, current if left >= right else candidate), 0
    kinds = formats.classify(FP32, current), formats.classify(FP32, candidate)
    flags = NV if "signaling_nan" in kinds else 0
    if kinds[0] in NANS and kinds[1] in NANS:
        return 0x7FC00000, flags
    if kinds[0] in NANS:
        return candidate, flags
    if kinds[1] in NANS:
        return current, flags
    if kinds[0] in ZEROS and kinds[1] in ZEROS:
        return (current if kinds == ("negative_zero", "negative_zero") else 0), 0
    return (current if _order(current) >= _order(candidate) else candidate), 0


def _order(bits: int) -> tuple[int, int]:
    """A finite or infinite FP32 as a pair that orders by value; zeros are settled before."""
    magnitude = bits & 0x7FFFFFFF
    return (-1, -magnitude) if bits >> 31 & 1 else (1, magnitude)


def step(current: int, candidate: int, max_abs: bool, accumulator: str) -> tuple[int, int]:
    """One reduction step: both operands made absolute when asked, then the maximum, flags ORed."""
    flags = 0
    if max_abs:
        current, left_flags = absolute(current, accumulator)
        candidate, right_flags = absolute(candidate, accumulator)
        flags = left_flags | right_flags
    selected, step_flags = maximum(current, candidate, accumulator)
    return selected, flags | step_flags


def row_max(
    row: Sequence[int], accumulator: str, max_abs: bool = False, row_max_in: int | None = None
) -> tuple[int, int]:
    """RowMaxOut of one row: `row_max_in` is the last step's `current`."""
    result = word_of(accumulator, row[0])
    flags = 0
    if max_abs:
        result, flags = step(result, result, True, accumulator)
    for element in row[1:]:
        result, step_flags = step(result, word_of(accumulator, element), max_abs, accumulator)
        flags |= step_flags
    if row_max_in is not None:
        result, step_flags = step(word_of(accumulator, row_max_in), result, max_abs, accumulator)
        flags |= step_flags
    return result, flags


def group_max(
    row: Sequence[int], group_code: int, accumulator: str, max_abs: bool = False
) -> tuple[tuple[int, ...], int]:
    """GroupMaxOut of one row, a shorter last group included, with the flags of all groups together."""
    columns = GROUP_COLUMNS[group_code]
    groups = [row[first : first + columns] for first in range(0, len(row), columns)]
    results = [row_max(group, accumulator, max_abs) for group in groups]
    flags = 0
    for _, group_flags in results:
        flags |= group_flags
    return tuple(word for word, _ in results), flags
