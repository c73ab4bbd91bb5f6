"""Which values of its rows a conversion reads: a mutant of any other value changes nothing of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

#: the fields on the way to a value: ("destination", "bias")
Path = tuple[str, ...]


def watched(row: Any, on_read: Callable[[Path], None], path: Path = ()) -> Any:
    """Return a row that tells `on_read` whatever is read of it, itself or through rows inside it."""
    cls = type(row)

    def read(self: Any, name: str) -> Any:
        if name in names:
            on_read((*path, name))
        return object.__getattribute__(self, name)

    names = frozenset(field.name for field in fields(row))
    copy: Any = object.__new__(type(cls.__name__, (cls,), {"__slots__": (), "__getattribute__": read}))
    for name in names:
        value = getattr(row, name)
        object.__setattr__(copy, name, watched(value, on_read, (*path, name)) if is_row(value) else value)
    return copy


def is_row(value: Any) -> bool:
    """Tell whether a value is a row of its own."""
    return is_dataclass(value) and not isinstance(value, type)


def differing(one: Any, other: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the paths of the values in which two rows differ, of this model or of copies of it."""
    if is_row(one) and is_row(other):
        for field in fields(one):
            yield from differing(getattr(one, field.name), getattr(other, field.name), (*path, field.name))
    elif plain(one) != plain(other):
        yield path


def plain(value: Any) -> str:
    """Return what tells two values apart, whichever copy of the model their classes are from."""
    return repr(value)
