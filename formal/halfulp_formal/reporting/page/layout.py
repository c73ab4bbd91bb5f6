"""Where a conversion stands on the map: its card, the line inside it, and the column of its variant."""

from __future__ import annotations

from typing import NamedTuple

from halfulp_model.loader import default_rules

SATURATIONS = ("sat", "nosat")


class Place(NamedTuple):
    """A place on the map; `line` and `column` are empty where the card has only one."""

    card: str
    line: str
    column: str


def place_of(conversion: str) -> Place:
    """Return the place of a conversion, by its name alone, so that new families need no entry here.

    Rounding mode and Sat at the end of a name are its column; without them it is what follows the card.
    """
    parts = conversion.split(".")
    variants = {*map(str.lower, default_rules().roundings), *SATURATIONS}
    stem = len(parts)
    while stem > 1 and parts[stem - 1] in variants:
        stem -= 1
    if stem < len(parts):
        head = max(1, stem - 1) if stem > 2 else 1
        return Place(".".join(parts[:head]), ".".join(parts[head:stem]), ".".join(parts[stem:]))
    head = 1 if len(parts) < 3 else 2
    return Place(".".join(parts[:head]), "", ".".join(parts[head:]))
