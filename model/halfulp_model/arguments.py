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


#: capitals whose names begin with a vowel: an FP32, an S8
VOWEL_NAMES = "AEFHILMNORSX"


def with_article(noun: str) -> str:
    """Return a noun with the article that goes with it as it is read: a BF16 code, an FP32 code, an 8-bit code."""
    head = noun.split(maxsplit=1)[0]
    if head[0].isdigit():
        # eight, eighteen and eighty begin with a vowel, and so does eleven
        vowel = head[0] == "8" or head.split("-")[0] in ("11", "18")
    else:
        vowel = head[0] in (VOWEL_NAMES if head[:2].isupper() or head[1:2].isdigit() else "AEIOaeio")
    return f"{'an' if vowel else 'a'} {noun}"


def of_bits(bits: int, noun: str) -> str:
    """Return a noun with its width and its article: a 16-bit word, an 8-bit code."""
    return with_article(f"{bits}-bit {noun}")
