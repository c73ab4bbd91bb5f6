"""A whole tile through the matrix post-processing, element by element: faults, D, RowMaxOut, GroupMaxOut and flags."""

from collections.abc import Sequence
from dataclasses import dataclass

from oracle import pto
from oracle.pto import FP32, S32, U32
from oracle.reductions import group_max, row_max

ILLEGAL_INSTRUCTION, TILE_LEGALITY = "illegal_instruction", "tile_legality"
RMODES = ("NONE", "RNE", "RTZ", "RTM", "RTP", "RNA", "RTO", "RHB")


@dataclass(frozen=True)
class Fields:
    """The fields of a B.FPATR word that are not fixed."""

    mode: int
    relu: int
    group: int
    row_max: bool
    group_max: bool
    row_init: bool
    max_abs: bool
    trans_a: bool
    trans_b: bool


@dataclass(frozen=True)
class Result:
    """What is published: words of 64 bits, empty where an output is not enabled."""

    d: tuple[tuple[int, ...], ...]
    row_max: tuple[int, ...]
    group_max: tuple[tuple[int, ...], ...]
    flags: int


def decode(word: int) -> Fields | None:
    """Read a word from its 32 binary digits, bit 31 first; None for what is no B.FPATR or has a reserved code."""
    digits = f"{word:032b}"
    if digits[17:23] != "010000" or digits[25:] != "0100011":
        return None
    row, group, init, absolute = (digit == "1" for digit in digits[13:17])
    fields = Fields(
        int(digits[:6], 2),
        int(digits[6:9], 2),
        int(digits[9:13], 2),
        row,
        group,
        init,
        absolute,
        digits[24] == "1",
        digits[23] == "1",
    )
    if fields.mode not in pto.MODES or fields.relu > 3 or fields.group > 9:
        return None
    return fields


def process(
    tile: Sequence[Sequence[int]],
    word: int,
    accumulator: str,
    rmode: int,
    sat: bool,
    quant: int | Sequence[int] | None,
    relu: int | Sequence[int] | None,
    row_max_in: Sequence[int] | None,
) -> Result | str:
    """The outcome of an operation, or the kind of its fault. The other fields of B.DATR are zero."""
    fields = decode(word)
    if fields is None:
        return ILLEGAL_INSTRUCTION
    quant_words = bound_words(pto.MODES[fields.mode][3], quant, len(tile[0]) if tile else 0)
    relu_words = bound_words(("none", "none", "scalar", "vector")[fields.relu], relu, len(tile[0]) if tile else 0)
    if (
        not tile
        or not tile[0]
        or quant_words is None
        or relu_words is None
        or not is_legal(fields, accumulator, RMODES[rmode], sat, quant_words, relu_words)
        or (len(row_max_in) if row_max_in else 0) != (len(tile) if fields.row_init else 0)
    ):
        return TILE_LEGALITY
    flags = 0
    d = []
    for row in tile:
        words = []
        for value, quant_word, relu_word in zip(row, quant_words, relu_words, strict=True):
            element, raised = pto.post_process(
                value, fields.mode, RMODES[rmode], sat, fields.relu, quant_word, relu_word, accumulator
            )
            words.append(element)
            flags |= raised
        d.append(tuple(words))
    maxima, groups = [], []
    for number, row in enumerate(tile):
        if fields.row_max:
            initial = row_max_in[number] if row_max_in else None
            maximum, raised = row_max(row, accumulator, fields.max_abs, initial)
            maxima.append(maximum)
            flags |= raised
        if fields.group_max:
            reduced, raised = group_max(row, fields.group, accumulator, fields.max_abs)
            groups.append(reduced)
            flags |= raised
    return Result(tuple(d), tuple(maxima), tuple(groups), flags)


def bound_words(operand: str, given: int | Sequence[int] | None, columns: int) -> list[int] | None:
    """One word a column, zeros where none is read; None where another operand is bound than the mode takes."""
    if operand == "vector":
        return list(given) if given is not None and not isinstance(given, int) and len(given) == columns else None
    if operand == "scalar":
        # a scalar that is not bound reads as the zero register
        return [given or 0] * columns if given is None or isinstance(given, int) else None
    return [0] * columns if given is None else None


def is_legal(
    fields: Fields, accumulator: str, rounding: str, sat: bool, quant_words: list[int], relu_words: list[int]
) -> bool:
    """Whether fields, controls, accumulator and words go together."""
    return (
        pto.fields_legal(
            fields.mode,
            fields.relu,
            fields.group,
            fields.row_max,
            fields.group_max,
            fields.row_init,
            fields.max_abs,
        )
        and accumulator in (FP32, S32, U32)
        and all(
            pto.legal(fields.mode, rounding, sat, fields.relu, quant_word, relu_word, accumulator)
            for quant_word, relu_word in zip(quant_words, relu_words, strict=True)
        )
    )


def nibbles(elements: Sequence[int]) -> bytes:
    """S4X2 elements as bytes, written as hex digits: the second one of a pair stands first."""
    digits = [f"{element & 15:x}" for element in elements]
    if len(digits) % 2:
        digits.append("0")
    return bytes.fromhex("".join(high + low for low, high in zip(digits[::2], digits[1::2], strict=True)))
