"""JSON on stdout, whatever characters it has and whichever of them stdout can take."""

from __future__ import annotations

import json
import sys
from typing import Any


def encodable(value: Any, **how: Any) -> str:
    """Return JSON text that stdout can take: where it lacks a character, all that are not ASCII are escaped.

    So a text is repeated as it was, a lone half of a character included. how: of json.dumps. Raises
    ValueError for a number that JSON has not.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, **how)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, **how)
    return text
