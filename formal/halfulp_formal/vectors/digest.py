"""The digest of the rule data that a conversion reads: a file's header says for which rules its cases hold."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from enum import Enum
from typing import Any


def digest(row: Any) -> str:
    """Return the SHA-256 of the rows that a conversion reads, as canonical JSON; what rows merely claim does not count.

    row: a frozen dataclass of the rule data, with other rows as fields.
    """
    rules = unclaimed(asdict(row))
    text = json.dumps(rules, sort_keys=True, separators=(",", ":"), default=plain)
    return hashlib.sha256(text.encode()).hexdigest()


def unclaimed(value: Any) -> Any:
    """Return rows, as plain values, without what any of them claims."""
    if isinstance(value, dict):
        return {key: unclaimed(each) for key, each in value.items() if key != "claims"}
    return [unclaimed(each) for each in value] if isinstance(value, list | tuple) else value


def plain(value: Any) -> Any:
    """Return what JSON shows of a value that it does not know."""
    assert isinstance(value, Enum)
    return value.value
