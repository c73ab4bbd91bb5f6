"""What does not fit a schema, in words: what was given, what was expected, and which name may have been meant."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from jsonschema.exceptions import ValidationError

from halfulp_formal.nearest import nearest
from halfulp_formal.subject import shipped_document
from halfulp_model.loader import Place

#: what a JSON type is to people who write YAML
TYPES = {
    "object": "a mapping",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "nothing",
}


def told(error: ValidationError) -> str:
    """Return what was given and what was expected."""
    limit: Any = error.validator_value
    given: Any = error.instance
    match error.validator:
        case "enum":
            expected = one_of([shown(each) for each in limit])
        case "const":
            expected = shown(limit)
        case "type":
            expected = one_of([TYPES.get(each, each) for each in ([limit] if isinstance(limit, str) else limit)])
        case "minimum":
            expected = f"at least {limit}"
        case "maximum":
            expected = f"at most {limit}"
        case "minLength" | "minItems" | "minProperties":
            expected = f"at least {limit} of them" if limit > 1 else "something"
        case "required":
            missing = next(key for key in limit if key not in given)
            return f"has no {missing}, which it needs"
        case "uniqueItems":
            expected = "nothing twice"
        case _:
            return error.message
    return f"given {shown(given)}, expected {expected}"


def one_of(choices: list[str]) -> str:
    """Return choices as a phrase."""
    return " or ".join([", ".join(choices[:-1]), choices[-1]] if len(choices) > 1 else choices)


def shown(value: Any) -> str:
    """Return a value as it stands in YAML, on one line."""
    return json.dumps(value, ensure_ascii=False)


def no_such(what: str, given: str, known: list[str]) -> str:
    """Return the message for a name that is not known, with the nearest one."""
    near = nearest(given, known)
    return f"no {what} is called {given!r}" + (
        f"; did you mean {near!r}?" if near else f"; expected {', '.join(known)}"
    )


def misfit(error: ValidationError) -> tuple[Place, str]:
    """Return place and message of a mistake in the amended rule data."""
    place: Place = tuple(error.absolute_path)
    base, given = base_at(place), dict(error.instance) if isinstance(error.instance, dict) else {}
    if error.validator == "additionalProperties":
        known = list(schema_of(error).get("properties", {}))
        unknown = [key for key in given if key not in (known or base or {})]
        key = unknown[0] if unknown else next(iter(given))
        return (*place, key), no_such("field" if known else "row", key, known or list(base or {}))
    if error.validator == "required" and base is None and place:
        missing = [key for key in schema_of(error)["required"] if key not in given]
        near = nearest(str(place[-1]), list(base_at(place[:-1]) or {}))
        meant = f" (did you mean {near!r}?)" if near else ""
        return place, f"no row is called {place[-1]!r}{meant}; a new row needs {', '.join(missing)} as well"
    return place, told(error)


def schema_of(error: ValidationError) -> Mapping[str, Any]:
    """Return the schema that a value does not fit."""
    assert isinstance(error.schema, Mapping)
    return error.schema


def base_at(place: Place) -> Any:
    """Return what the shipped rule data has at a place, None where it has nothing."""
    node: Any = shipped_document()[0]
    for key in place:
        try:
            node = node[key]
        except (KeyError, IndexError, TypeError):
            return None
    return node
