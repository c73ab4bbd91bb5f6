"""Seeded mistakes in row and group maximum, in what a tile publishes, and in packed elements."""

from __future__ import annotations

from halfulp_formal.mistake import Mistake, rule, source
from halfulp_formal.subject import SourcePatch

GROUP = "return tuple(row[column] for column in range(first, min(first + columns, len(row))))"

REDUCTION_MISTAKES: dict[str, Mistake] = {
    "reduce_skips_second_column": source(
        "the second column of a row is left out", "reduction", "range(1, len(elements))", "range(2, len(elements))"
    ),
    "reduce_first_not_absolute": source(
        "the first element of a row is not made absolute",
        "reduction",
        "    if max_abs:\n        result = step(",
        "    if max_abs and len(elements) == 0:\n        result = step(",
    ),
    "reduce_lone_steps": source(
        "the first element always makes a step with itself",
        "reduction",
        "    if max_abs:\n        result = step(",
        "    if len(elements) > 0:\n        result = step(",
    ),
    "reduce_nan_wins": source(
        "a NaN wins over a number",
        "reduction",
        "Reduced(candidate if first else current, flags)",
        "Reduced(current if first else candidate, flags)",
    ),
    "reduce_nan_keeps_current": source(
        "a NaN of either operand leaves the left one",
        "reduction",
        "Reduced(candidate if first else current, flags)",
        "Reduced(current, flags)",
    ),
    "reduce_second_nan_kept": source(
        "of two NaNs the left one is kept",
        "reduction",
        "Reduced(fmt.canonical_nan, flags)",
        "Reduced(current, flags)",
    ),
    "reduce_zeros_keep_current": source(
        "of two zeros the left one is kept",
        "reduction",
        "current if order_key(fmt, current) >= order_key(fmt, candidate) else candidate",
        "current if order_key(fmt, current) >= order_key(fmt, candidate) or current % 2**31 + candidate % 2**31 == 0 "
        "else candidate",
    ),
    "reduce_quiet_nan_invalid": source(
        "a quiet NaN raises NV",
        "reduction",
        "signalling = is_signalling(fmt, current) or is_signalling(fmt, candidate)",
        "signalling = first or second",
    ),
    "reduce_flags_of_last_step": source(
        "the flags of earlier steps are lost", "reduction", "result.flags | following.flags", "following.flags"
    ),
    "reduce_absolute_forgets_flags": source(
        "the left absolute value's flag is lost",
        "reduction",
        "greater.flags | left.flags | right.flags",
        "greater.flags | right.flags",
    ),
    "reduce_absolute_overflow_inexact": rule(
        "the absolute value of the least S32 raises NX too", "reductions/absolute_overflow", ("OF", "NX")
    ),
    "reduce_absolute_wraps": source(
        "the absolute value of the least S32 is itself",
        "reduction",
        "Reduced(fmt.maximum, reduction.absolute_overflow) if magnitude > fmt.maximum",
        "Reduced(fmt.minimum, reduction.absolute_overflow) if magnitude > fmt.maximum",
    ),
    "reduce_unsigned_is_signed": source(
        "U32 accumulators are compared as signed numbers",
        "reduction",
        "return Reduced(max(current, candidate), 0)",
        "if (current >= 1 << 31) != (candidate >= 1 << 31):\n"
        "            return Reduced(min(current, candidate), 0)\n"
        "        return Reduced(max(current, candidate), 0)",
    ),
    "reduce_initial_skipped": source(
        "RowMaxIn is left out", "reduction", "step(reduction, max_abs, row_max_in, reduced.value)", "reduced"
    ),
    "group_tail_reads_zeros": source(
        "a last group reads zeros behind the row's end",
        "reduction",
        GROUP,
        "return tuple(row[column] if column < len(row) else 0 for column in range(first, first + columns))",
    ),
    "group_tail_dropped": source(
        "a last group that is shorter is left out",
        "reduction",
        "for first in range(0, len(row), columns)",
        "for first in range(0, len(row) - columns + 1, columns)",
    ),
    "tile_reduces_converted": Mistake(
        "maxima are taken of what is converted",
        (
            SourcePatch("tile", "from .integers import to_word\n", "from .integers import to_word, wrap\n"),
            SourcePatch(
                "tile",
                "    maxima = row_maxima(operation, tile, row_max_in)\n",
                "    tile = tuple(\n"
                "        tuple(wrap(result.word, operation.conversion.accumulator) for result in converted)\n"
                "        for converted in d\n"
                "    )\n"
                "    maxima = row_maxima(operation, tile, row_max_in)\n",
            ),
        ),
    ),
    "tile_flags_of_last_element": source(
        "an element's flags replace those before it",
        "tile",
        "        raised |= result.flags\n",
        "        raised = result.flags\n",
    ),
    "tile_group_flags_lost": source(
        "the flags of group maxima are lost", "tile", "        raised |= union(reduced)\n", "        raised |= 0\n"
    ),
    "tile_words_reversed": source(
        "columns take their parameter words in reverse",
        "tile",
        "zip(row, quant_words, relu_words, strict=True)",
        "zip(row, reversed(quant_words), relu_words, strict=True)",
    ),
    "tile_first_activation": source(
        "every column takes the first activation word",
        "tile",
        "element(operation.conversion, value, operation.relu, quant_word, relu_word)",
        "element(operation.conversion, value, operation.relu, quant_word, relu_words[0])",
    ),
    "nibbles_swapped": source(
        "the first element goes to the high nibble",
        "packing",
        "<< lane * width",
        "<< (fmt.lanes - 1 - lane) * width",
    ),
    "last_nibble_repeated": source(
        "a free high nibble repeats the low one",
        "packing",
        "for lane in range(len(codes)))",
        "for lane in range(len(codes))) + (codes[0] % (1 << width) << width if len(codes) == 1 else 0)",
    ),
}
