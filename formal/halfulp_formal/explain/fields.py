"""The KEY=VALUE fields of a case: known keys only, one spelling inside, each read at most once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from halfulp_model.arguments import of_bits

from .lists import Numbered
from .numerals import FieldError, read_integer, shown


class Fields:
    """The fields that a case was given, under their first spelling; one without a key is `in`, or what that stands for."""

    def __init__(self, given: Mapping[str, Any], known: Iterable[str], aliases: Mapping[str, str]) -> None:
        known = tuple(known)
        self.given: dict[str, Any] = {}
        self.spellings: dict[str, str] = {}
        for key, value in given.items():
            name = aliases.get(key or "in", key or "in")
            if not key and name not in known:
                example = f"KEY=VALUE, such as {known[0]}=…"
                raise FieldError(shown(value), "", example, f"{shown(value)}: expected {example}")
            if name not in known:
                near = get_close_matches(key, [*known, *aliases], n=1)
                every = f"one of {', '.join(known)}"
                hint = f"did you mean {near[0]}?" if near else f"expected {every}"
                raise FieldError(shown(key), shown(value), every, f"{shown(key)}: no such field; {hint}")
            if name in self.given:
                first, said = self.spelt(name), key or name
                expected = f"{first} once" if first == said else f"{first} or {said}, not both"
                raise FieldError(shown(said), shown(value), expected)
            self.given[name] = value
            self.spellings[name] = key or name

    def __contains__(self, name: str) -> bool:
        return name in self.given

    def spelt(self, name: str, *places: int) -> str:
        """Return what a field was called where it was given, or the value at some places of it: member3, block[3].

        One that was given without a key, or not at all, has its own name.
        """
        said, value = self.spellings.get(name, name), self.given.get(name)
        if isinstance(value, Numbered) and not places:
            return f"{value.stem}0"
        for place in places:
            said = f"{value.stem}{place}" if isinstance(value, Numbered) else f"{said}[{place}]"
            value = value[place] if isinstance(value, list) else None
        return said

    def get(self, name: str) -> Any:
        """Return a field that is there."""
        return self.given[name]

    def require(self, name: str, what: str) -> Any:
        """Return a field; FieldError, saying what it is, where it is not there."""
        if name not in self.given:
            raise FieldError(name, "", what)
        return self.given[name]

    def integer(self, name: str, default: int, low: int, high: int) -> int:
        """Return an integer field from a range."""
        if name not in self.given:
            return default
        value = read_integer(self.spelt(name), self.given[name])
        if not low <= value <= high:
            expected = f"{low} to {high}" if high < 1 << 20 else of_bits(high.bit_length(), "word")
            raise FieldError(self.spelt(name), shown(self.given[name]), expected)
        return value

    def refuse(self, names: Iterable[str], reason: str) -> None:
        """Raise FieldError if any of the fields was given."""
        for name in names:
            if name in self.given:
                value = self.given[name]
                raise FieldError(self.spelt(name), shown(value[0] if isinstance(value, Numbered) else value), reason)
