"""Complete tie sets: every FP32 number halfway between two neighbouring numbers of a format, and its two neighbours.

They are shipped as a recipe and the digest of the text that it gives.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from halfulp_model import encode_exact
from halfulp_model.api_convert import resolve
from halfulp_model.api_formats import find_format
from halfulp_model.convert import convert_number
from halfulp_model.exact import Exact
from halfulp_model.formats import finite_value, is_finite

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SCHEMA = "halfulp-ties/1"
ROUNDINGS = ("RNE", "RTZ", "RTM", "RTP", "RNA", "RTO", "RHB")
ORDER = "ties by magnitude, positive before negative; of each the code less one, the code, the code plus one"
LINE = "source code, then for each rounding mode destination code:flags, all in hexadecimal"


class MalformedTies(ValueError):
    """A tie file does not say what a tie file says; the message is one line without the file's name."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that the text of a tie set depends on, in the names of `halfulp_model.convert`."""

    source: str
    destination: str
    rules: str
    sat: bool = False
    roundings: tuple[str, ...] = ROUNDINGS
    order: str = ORDER
    line: str = LINE

    @property
    def name(self) -> str:
        """The conversion, without the rounding mode and Sat that end the name of a conversion: `cvt.fp32.fp16`."""
        return f"cvt.{self.source.lower()}.{self.destination.lower()}"


#: every tie set that is shipped, by name
RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe("FP32", "FP16", "ieee-ocp"),
        Recipe("FP32", "BF16", "ieee-ocp"),
        Recipe("FP32", "E4M3", "ieee-ocp"),
        Recipe("FP32", "E5M2", "ieee-ocp"),
        Recipe("FP32", "HiF8", "pto"),
    )
}


def ties(source: str, destination: str) -> Iterator[int]:
    """Yield the source's code of every tie of the destination: by magnitude, the positive one before the negative one.

    Counted are, for each sign, the midpoints between neighbouring finite numbers of the destination from zero on, and
    the one between the largest finite number and the number that its next code would be, were it neither an infinity
    nor a NaN (FP16 65,520, E4M3 464, HiF8 40,960). That last one is where rounding to nearest starts to overflow, under
    rules that decide overflow after rounding; elsewhere it is an overflow like its neighbours. So there are twice as
    many ties as finite codes of positive sign, zero among them: FP16 2 · 31,744 = 63,488, BF16 2 · 32,640 = 65,280,
    E4M3 2 · 127 = 254, E5M2 2 · 124 = 248, HiF8 2 · 127 = 254.

    None is missing. A number is halfway between two neighbours only if it is their midpoint, every gap has one
    midpoint, and a number other than zero has one code in a binary format. Each midpoint is a number of the source, or
    Rejected is raised.
    """
    for low, high in pairwise(neighbours(destination)):
        for negative in (False, True):
            yield encode_exact(source, negative, *midpoint(low, high))


def neighbours(destination: str) -> list[Exact]:
    """The finite numbers of a format from zero on, in order, and the number that the next code would be."""
    row = find_format(destination)
    beyond = row.largest_finite + 1
    codes = [code for code in range(1 << row.sign_bit) if is_finite(row, code) or code == beyond]
    values = [finite_value(row, code) for code in codes]
    least = min(value.exponent for value in values)
    return sorted(values, key=lambda value: value.significand << (value.exponent - least))


def midpoint(low: Exact, high: Exact) -> tuple[int, int]:
    """Significand and exponent of the number halfway between two that are not negative."""
    least = min(low.exponent, high.exponent)
    total = (low.significand << (low.exponent - least)) + (high.significand << (high.exponent - least))
    return total, least - 1


def lines(recipe: Recipe) -> Iterator[str]:
    """Yield the text of a tie set, line by line."""
    return lines_of(recipe, ties(recipe.source, recipe.destination))


def lines_of(recipe: Recipe, found: Iterable[int]) -> Iterator[str]:
    """Yield three lines a tie: for it and its two neighbours, what each becomes, and the flags."""
    source = find_format(recipe.source)
    digits = -(-source.code_bits // 4)
    wide = -(-find_format(recipe.destination).code_bits // 4)
    conversions = [
        resolve(recipe.source, recipe.destination, rounding, recipe.sat, recipe.rules) for rounding in recipe.roundings
    ]
    for tie in found:
        # Codes of one sign are in the order of the magnitudes, so the codes beside a tie are the numbers beside it.
        for code in (tie - 1, tie, tie + 1):
            value = finite_value(source, code)
            results = [convert_number(conversion, value) for conversion in conversions]
            columns = " ".join(f"{word:0{wide}x}:{flags:02x}" for word, flags in results)
            yield f"{code:0{digits}x} {columns}\n"


def digest(recipe: Recipe) -> dict[str, Any]:
    """What is shipped of a tie set: its recipe, the number of ties (each is three lines) and the digest of the text."""
    text, count = sha256(), 0
    for line in lines(recipe):
        text.update(line.encode())
        count += 1
    return {
        "schema": SCHEMA,
        "name": recipe.name,
        "command": f"halfulp ties print {recipe.name}",
        "recipe": asdict(recipe) | {"roundings": list(recipe.roundings)},
        "count": count // 3,
        "sha256": text.hexdigest(),
    }


def as_json(record: dict[str, Any]) -> str:
    """The text of a tie file."""
    return json.dumps(record, indent=2) + "\n"


def read(text: str) -> dict[str, Any]:
    """The record in a tie file's text. Raises MalformedTies where a member is missing, unknown or of another kind."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedTies(f"not JSON: {error}") from error
    if not isinstance(record, dict):
        raise MalformedTies(f"expected an object; got {type(record).__name__}")
    kinds: dict[str, type] = {"schema": str, "name": str, "command": str, "recipe": dict, "count": int, "sha256": str}
    if set(record) != set(kinds):
        raise MalformedTies(f"expected the members {', '.join(kinds)}; got {', '.join(map(str, record)) or 'none'}")
    for member, kind in kinds.items():
        if type(record[member]) is not kind:
            raise MalformedTies(f"{member} is {record[member]!r}; expected {kind.__name__}")
    if record["schema"] != SCHEMA:
        raise MalformedTies(f"schema is {record['schema']!r}; expected {SCHEMA!r}")
    return record
