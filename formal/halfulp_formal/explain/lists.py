"""Fields of many values: lists as people write them, blocks, and the numbered fields that vector files have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from .numerals import FieldError, part_error, read_integer, shown
from .witness import signed

#: what separates the rows of a tile and the blocks of an operand
ROWS = "/"

#: BFP16 as `bfp16.*` prints it, or in parts
BLOCK = "a block such as 127:64,0,0,0,0,0,0,0, its exponent and its mantissas, or as bfp16.* prints it, 0x…"


class Numbered(list[Any]):
    """Values that were given in fields of their own, `stem`0, `stem`1 and so on."""

    def __init__(self, stem: str, values: Iterable[Any]) -> None:
        super().__init__(values)
        self.stem = stem

    def wrong_count(self, count: int) -> FieldError:
        """Return the error of a number of fields that is not `count`: the first that is missing, or is too many."""
        every = (
            f"{self.stem}0" if count == 1 else f"{self.stem}0 {'and' if count == 2 else 'to'} {self.stem}{count - 1}"
        )
        if len(self) > count:
            return FieldError(f"{self.stem}{count}", shown(self[count]), f"{every} alone")
        return FieldError(f"{self.stem}{len(self)}", "", f"a value, as {every} are needed")


class Parts(dict[str, Any]):
    """A block whose exponent and mantissas were given in fields of their own, `side`_exponent and `side`_0 and so on."""

    def __init__(self, side: str, parts: Mapping[str, Any]) -> None:
        super().__init__(parts)
        self.side = side


def numbered(given: Mapping[str, Any], stem: str, name: str) -> dict[str, Any]:
    """Return fields with STEM0, STEM1 … put into one list called `name`. Raises FieldError for a gap, or for both."""
    pattern = re.compile(re.escape(stem) + r"(0|[1-9][0-9]{0,5})")
    found = {int(match[1]): key for key in given if (match := pattern.fullmatch(key))}
    if not found:
        return dict(given)
    rest = {key: value for key, value in given.items() if key not in found.values()}
    if name in rest:
        raise FieldError(name, shown(rest[name]), f"{name} or {stem}0, {stem}1 …, not both")
    missing = next((place for place in range(max(found)) if place not in found), None)
    if missing is not None:
        raise FieldError(f"{stem}{missing}", "", f"a value, as {stem}{max(found)} has one")
    return rest | {name: Numbered(stem, (given[found[place]] for place in sorted(found)))}


def numbered_rows(given: Mapping[str, Any], stem: str, name: str) -> dict[str, Any]:
    """Return fields with STEM0_0, STEM0_1 …, STEM1_0 … put into one list of rows called `name`."""
    pattern = re.compile(re.escape(stem) + r"(0|[1-9][0-9]{0,5})_[0-9]+")
    fields = dict(given)
    for row in sorted({match[1] for key in given if (match := pattern.fullmatch(key))}):
        fields = numbered(fields, f"{stem}{row}_", f"{stem}{row}")
    return numbered(fields, stem, name)


def read_list(field: str, given: object, expected: str, count: int | None = None) -> list[Any]:
    """Return the values of a list: JSON's, or text with commas or spaces between, or one number. Raises FieldError."""
    words = given.replace(",", " ").split() if isinstance(given, str) else given
    if type(words) is int or isinstance(words, float):
        words = [words]
    if isinstance(words, Numbered) and count is not None and len(words) != count:
        raise words.wrong_count(count)
    if not isinstance(words, list) or not words or (count is not None and len(words) != count):
        raise FieldError(field, shown(given), expected)
    return words


def read_rows(field: str, given: object, expected: str) -> list[Any]:
    """Return the rows of a list of lists: JSON's, or text with / between them. Raises FieldError."""
    rows = given.split(ROWS) if isinstance(given, str) else given
    if not isinstance(rows, list) or not rows:
        raise FieldError(field, shown(given), expected)
    return rows


def read_block(field: str, given: object, row: Any, *, finite: bool = True) -> tuple[int, tuple[int, ...]]:
    """Read the exponent byte and the mantissas of a block. Raises FieldError.

    row: the block's format. finite: whether infinities and NaNs, all ones as exponent, are refused.
    given: EXPONENT:MANTISSA,…; the bytes that a conversion prints, in hex, mantissas first; or a JSON object with exponent
    and mantissas.
    """
    size = row.size
    if isinstance(given, str) and re.fullmatch(rf"(0[xX])?[0-9a-fA-F]{{{2 * (size + 1)}}}", given):
        *plane, exponent = bytes.fromhex(given[-2 * (size + 1) :])
        mantissas = tuple(signed(byte, row.mantissa_bits) for byte in plane)
        return read_exponent(field, exponent, row, finite=finite), mantissas
    if isinstance(given, Mapping):
        parts: tuple[object, object] = (given.get("exponent"), given.get("mantissas"))
    else:
        head, colon, rest = given.partition(":") if isinstance(given, str) else ("", "", "")
        parts = (head.strip(), rest) if colon else (None, None)
    if None in parts:
        raise FieldError(field, shown(given), BLOCK)
    words = read_list(field, parts[1], f"{size} mantissas", size)
    own = f"{given.side}_" if isinstance(given, Parts) else ""
    mantissas = tuple(read_mantissa(field, word, row, own and f"{own}{k}") for k, word in enumerate(words))
    return read_exponent(field, parts[0], row, own and f"{own}exponent", finite=finite), mantissas


def read_exponent(field: str, given: object, row: Any, own: str = "", *, finite: bool) -> int:
    """Read an exponent byte; `own` is its own field where it has one. Raises FieldError."""
    exponent, largest = whole_number(given), row.exponent_mask - int(finite)
    if exponent is None or not 0 <= exponent <= largest:
        why = (
            f", as {row.exponent_mask} is the exponent of infinities and NaNs" if exponent == row.exponent_mask else ""
        )
        raise part_of_block(field, own, "exponent", given, f"0 to {largest}{why}")
    return exponent


def read_mantissa(field: str, given: object, row: Any, own: str = "") -> int:
    """Read a mantissa: a signed number, or its byte in two's complement as 0x…. Raises FieldError like `read_exponent`."""
    mantissa = whole_number(given)
    is_code = isinstance(given, str) and given[:2] in ("0x", "0X")
    if is_code and mantissa is not None and 0 <= mantissa < 1 << row.mantissa_bits:
        return signed(mantissa, row.mantissa_bits)
    if mantissa is None or is_code or not -row.largest - 1 <= mantissa <= row.largest:
        raise part_of_block(field, own, "mantissa", given, f"{-row.largest - 1} to {row.largest}")
    return mantissa


def whole_number(given: object) -> int | None:
    """Return a whole number, None for what is none."""
    try:
        return read_integer("", given)
    except FieldError:
        return None


def part_of_block(field: str, own: str, what: str, given: object, expected: str) -> FieldError:
    """Return the error of an exponent or a mantissa, in its own field or as part of the block's."""
    return FieldError(own, shown(given), expected) if own else part_error(field, f"{what} {shown(given)}", expected)


def block_bytes(row: Any, exponent: int, mantissas: tuple[int, ...]) -> str:
    """Return a block as a conversion prints it: the mantissas' bytes, then the exponent's."""
    limit = 1 << row.mantissa_bits
    return "0x" + "".join(f"{number % limit:02x}" for number in (*mantissas, exponent))
