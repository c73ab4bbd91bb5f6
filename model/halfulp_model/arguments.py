"""Checks that public calls share: a value of the wrong type is refused like a wrong value, naming the rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .result import Rejected


def checked_name(rule: str, value: object, names: Iterable[str], noun: str) -> str:
    """Return a name that is one of some names, or raise Rejected."""
    known = list(names)
    if type(value) is not str or value not in known:
        expected = ", ".join(known[:-1]) + f" or {known[-1]}" if len(known) > 1 else known[0]
        raise Rejected(rule, f"{value!r} is not a {noun}; expected {expected}")
    return value


def checked_switch(rule: str, value: object) -> bool:
    """Return Sat, a bool or an integer 0 or 1, or raise Rejected."""
    if type(value) not in (bool, int) or value not in (0, 1):
        raise Rejected(rule, f"{value!r} is not a Sat value; expected False or True")
    return bool(value)


def checked_sequence(rule: str, value: Any, count: int | None, noun: str) -> Sequence[Any]:
    """Return a sequence of so many members, or of any number, or raise Rejected."""
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        raise Rejected(
            rule, f"got {type(value).__name__}; expected {'a sequence of' if count is None else count} {noun}"
        )
    if count is not None and len(value) != count:
        raise Rejected(rule, f"got {len(value)} {noun}; expected {count}")
    return value


def looked_up(cached: Any, *arguments: Any) -> Any:
    """Call a function that `lru_cache` remembers; without its memory where an argument cannot be a key, a list, say."""
    try:
        return cached(*arguments)
    except TypeError:
        # which argument it is, and its rule, the function itself says
        return cached.__wrapped__(*arguments)
