"""`halfulp eval`: the golden model as a filter, one JSON request a line in, one JSON answer a line out."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, Self

import typer

from .failures import USAGE, Interrupted, number_of, stopped
from .printing import encodable

if TYPE_CHECKING:
    from halfulp_model import Rejected
    from halfulp_model.rows import Rounding, Rules

#: the arguments of `post_process`: JSON types and what is expected, and the integers
CONTROLS: dict[str, tuple[tuple[type, ...], str]] = {
    "mode": ((int, str), "a PreQuantMode code or name"),
    "rounding": ((str,), "a rounding mode's name"),
    "sat": ((bool,), "true or false"),
    "accumulator": ((str, type(None)), "S32, U32 or FP32"),
}
INTEGERS = {
    "value": "the accumulator, a number or 0x…",
    "relu": "0 to 3",
    "quant_param": "a 64-bit word",
    "relu_param": "a 64-bit word",
}

#: the fields that name a conversion between formats: default and what is expected
FORMAT_FIELDS: dict[str, tuple[str | None, str]] = {
    "source": (None, "a format's name"),
    "destination": (None, "a format's name"),
    "rounding": ("RNE", "a rounding mode, or of a scale RTM (floor), RTP (ceil), RNE (even) or RTP (rceil.e4m3)"),
    "saturation": ("nonsat", "sat, nosat or nonsat, or wrap for an integer destination"),
    "in": (None, "a code of the source"),
}
SATURATIONS = {"sat": "sat", "nosat": "nosat", "nonsat": "nosat", "wrap": "nosat"}
#: what a list of known cases says beside the request
PASSED_OVER = ("from", "fault", "wrong", "right", "flags", "note")

#: a field of a request, by the rule that refuses it
FIELD_OF_RULE = {
    "B.FPATR.PreQuantMode": "mode",
    "B.DATR.RMode": "rounding",
    "B.DATR.Sat": "sat",
    "B.FPATR.ReluMode": "relu",
    "shift code": "shift_code",
}


#: where a refusal of the model says what is legal, the surest first: "5 does not fit a 32-bit word"
LEGAL = tuple(re.compile(f"{mark} (.*?)(?:; got .*)?$") for mark in ("expected", "requires", "is not", "does not fit"))


class Malformed(ValueError):
    """A line that is no request: which field, what was given, what was expected."""

    def __init__(self, field: str, given: object, expected: str) -> None:
        super().__init__(f"{field}: expected {expected}")
        self.field, self.given, self.expected = field, given, expected


def evaluate_lines(
    strict: bool = typer.Option(False, "--strict", help="Stop at the first line that is refused."),
) -> int:
    """Answer JSON requests from stdin, one a line, with the golden model; exit 2 if any was refused.

    {"conversion": "req8.rne.nosat", "acc": 300, "scale": "0x1fc00", "offset": 1} takes the fields of `halfulp explain`;
    {"mode": "REQ8", "value": 300, "quant_param": "0x…"} those of `post_process`; {"source": "FP32", "destination":
    "E4M3", "in": "0x3f880001"} is a plain conversion. The last two round by "rounding", which is RNE where it is not
    given; they saturate where a mode has "sat": true, or formats "saturation": "sat". An answer has the 64-bit `word`,
    the `flags`, the destination's code `out` and its `value`, and the request's `id` if it had one. Blank lines are skipped.
    """
    refused, number = 0, 0
    try:
        for number, line in enumerate(sys.stdin.buffer, start=1):
            if not line.strip():
                continue
            answered = answer(number, line)
            refused += "error" in answered
            print(encodable(answered), flush=True)
            if refused and strict:
                break
    except KeyboardInterrupt as error:
        raise Interrupted(f"{stopped(error)} after line {number}", number_of(error)) from error
    return USAGE if refused else 0


def answer(number: int, line: bytes) -> dict[str, Any]:
    """Answer one line: a result, or an error that names line, field, what was given and what was expected."""
    from halfulp_formal.explain import FieldError, UnknownConversion
    from halfulp_model import Rejected

    request: dict[str, Any] = {}
    try:
        request = parse(line)
        result = evaluate(request)
    except (Malformed, FieldError) as error:
        result = {"error": refusal(number, error.field, error.given, error.expected, error)}
    except UnknownConversion as error:
        field = "conversion" if "conversion" in request else "destination"
        expected = "a conversion's name" if field == "conversion" else "formats between which there is a conversion"
        result = {"error": refusal(number, field, request.get(field), expected, error)}
    except Rejected as error:
        field = FIELD_OF_RULE.get(error.rule, error.rule)
        result = {"error": refusal(number, field, request.get(field), legal(error), error)}
    return ({"id": request["id"]} if "id" in request else {}) | result


def legal(error: Rejected) -> str:
    """Return what the model would have taken, in the words of its refusal; of a mode it does not list them all."""
    from halfulp_model.loader import default_rules

    if FIELD_OF_RULE.get(error.rule) == "mode":
        return f"one of {', '.join(f'{row.name} ({row.code})' for row in default_rules().modes.values())}"
    said = str(error).partition(": ")[2]
    found = next(filter(None, (mark.search(said) for mark in LEGAL)), None)
    return found[1] if found else said


def refusal(number: int, field: str, given: object, expected: str, error: Exception) -> dict[str, Any]:
    """Return an error object; what has a number beyond a double is given as text, with the digits."""
    from halfulp_formal.explain.numerals import shown

    given = given if is_writable(given) else shown(given)
    return {"line": number, "field": field, "given": given, "expected": expected, "message": str(error)}


def is_writable(value: object) -> bool:
    """Tell whether JSON has the numbers of a value: one beyond a double would be written as Infinity."""
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        return False
    return True


class Literal(float):
    """A JSON number with the digits that were given: what a double makes of them would be rounded a second time."""

    def __new__(cls, text: str) -> Self:
        """Keep the digits."""
        number = super().__new__(cls, text)
        number.text = text
        return number

    text: str

    def __repr__(self) -> str:
        return self.text


def parse(line: bytes) -> dict[str, Any]:
    """Read a line as a JSON object whose keys differ. Raises Malformed."""
    try:
        request = json.loads(
            line.decode("utf-8"),
            object_pairs_hook=distinct,
            parse_float=Literal,
            parse_int=whole,
            parse_constant=refuse_constant,
        )
    except (ValueError, RecursionError) as error:
        if isinstance(error, Malformed):
            raise
        text = line.decode("utf-8", errors="replace").strip()
        raise Malformed("request", text[:80], "one JSON object") from error
    if not isinstance(request, dict):
        raise Malformed("request", request, "one JSON object")
    if "id" in request:
        if not is_writable(request["id"]):
            raise Malformed("id", request["id"], "numbers that a double holds, as the answer repeats it")
        # the answer repeats numbers as numbers, -0 too
        request["id"] = json.loads(line)["id"]
    return request


def refuse_constant(name: str) -> NoReturn:
    """Raise Malformed for NaN, Infinity or -Infinity as a number, which Python reads and JSON has not."""
    text = {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}[name]
    raise Malformed("request", name, f'one JSON object, in which {name} is written "{text}"')


def whole(text: str) -> int | str:
    """Return a JSON integer; -0 as its text, as an integer has no sign of zero and a floating field asks for it."""
    return text if text == "-0" else int(text)


def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return pairs as an object. Raises Malformed for a key that occurs twice."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise Malformed(key, value, "the field once")
        found[key] = value
    return found


def by_conversion(request: dict[str, Any]) -> dict[str, Any]:
    """Answer a request that names a conversion, with the fields of `halfulp explain`."""
    from halfulp_formal.explain import evaluate

    name = request.pop("conversion")
    if not isinstance(name, str):
        raise Malformed("conversion", name, "a conversion's name")
    return evaluate(name, request)


def by_mode(request: dict[str, Any]) -> dict[str, Any]:
    """Answer a request with the arguments of `post_process`."""
    from halfulp_formal.explain.postprocess import outcome
    from halfulp_formal.subject import base_subject
    from halfulp_model import post_process
    from halfulp_model.api import resolve

    refuse_both(request, "sat")
    refuse_unknown(request)
    mode, rounding = control(request, "mode", None), control(request, "rounding", "RNE")
    sat, accumulator = control(request, "sat", False), control(request, "accumulator", None)
    result = post_process(
        integer(request, "value", None),
        mode,
        rounding=rounding,
        sat=sat,
        relu=integer(request, "relu", 0),
        quant_param=integer(request, "quant_param", 0),
        relu_param=integer(request, "relu_param", 0),
        accumulator=accumulator,
    )
    return outcome(base_subject(), resolve(mode, rounding, sat, accumulator), result)


def refuse_both(request: dict[str, Any], own: str) -> None:
    """Raise Malformed for sat and saturation in one request: each of its shapes has one of them, here `own`."""
    if "sat" in request and "saturation" in request:
        other = "saturation" if own == "sat" else "sat"
        raise Malformed(other, request[other], f"{own} alone, not both sat and saturation")


def refuse_unknown(request: dict[str, Any]) -> None:
    """Raise Malformed for a field that `post_process` does not take."""
    known = (*CONTROLS, *INTEGERS)
    for field, given in request.items():
        if field not in known:
            raise Malformed(field, given, f"one of {', '.join(known)}")


def control(request: dict[str, Any], field: str, default: Any) -> Any:
    """Return a control of the operation. Raises Malformed."""
    types, expected = CONTROLS[field]
    value = request.get(field, default)
    if type(value) not in types:
        raise Malformed(field, value, expected)
    return value


def integer(request: dict[str, Any], field: str, default: int | None) -> int:
    """Return an integer argument, a JSON number or text. Raises FieldError or Malformed."""
    from halfulp_formal.explain.numerals import read_integer

    if field not in request and default is None:
        raise Malformed(field, None, INTEGERS[field])
    return read_integer(field, request.get(field, default))


def by_formats(request: dict[str, Any]) -> dict[str, Any]:
    """Answer a request that names source and destination formats: the plain conversion, or the choice of an E8M0 scale."""
    from halfulp_formal.explain import evaluate

    refuse_both(request, "saturation")
    for field, given in request.items():
        if field not in FORMAT_FIELDS and field not in PASSED_OVER:
            raise Malformed(field, given, f"one of {', '.join(FORMAT_FIELDS)}")
    texts: dict[str, Any] = {field: request.get(field, default) for field, (default, _) in FORMAT_FIELDS.items()}
    for field, text in texts.items():
        if not isinstance(text, str) and field != "in":
            raise Malformed(field, text, FORMAT_FIELDS[field][1])
    return evaluate(plain_name(texts), {"in": texts["in"]} if texts["in"] is not None else {})


def plain_name(texts: dict[str, str]) -> str:
    """Return the conversion that source, destination, rounding and saturation name. Raises Malformed."""
    from halfulp_model.loader import default_rules

    rules = default_rules()
    source, destination = texts["source"].lower(), texts["destination"].lower()
    saturation = texts["saturation"].partition(" ")[0].lower()
    if source not in map(str.lower, rules.formats):
        raise Malformed("source", texts["source"], FORMAT_FIELDS["source"][1])
    floating = [name.lower() for name, row in rules.formats.items() if not row.is_integer]
    if saturation not in SATURATIONS or (saturation == "wrap" and destination in floating):
        raise Malformed("saturation", texts["saturation"], FORMAT_FIELDS["saturation"][1])
    rounding, _, rule = texts["rounding"].partition(" ")
    if rounding.upper() not in rules.roundings:
        raise Malformed("rounding", texts["rounding"], FORMAT_FIELDS["rounding"][1])
    if rule:
        if destination != "e8m0":
            raise Malformed("destination", texts["destination"], f"E8M0 under rounding {texts['rounding']!r}")
        return f"scale.{source}.{scale_rule(rules, texts['rounding'])}"
    family = "e8m0" if destination == "e8m0" else f"cvt.{source}"
    return f"{family}.{source if family == 'e8m0' else destination}.{rounding.lower()}.{SATURATIONS[saturation]}"


def scale_rule(rules: Rules, text: str) -> str:
    """Return the rule of an E8M0 scale, with its element, that "RTM (floor)" names. Raises Malformed.

    The rounding mode and the rule must choose alike between the two powers of two around a positive number.
    """
    mode, _, rest = text.partition(" ")
    name, _, element = rest.strip("()").lower().partition(".")
    rule = rules.scale_rules.get(name)
    if rule is None or not alike_above_zero(rules.roundings[mode.upper()], rule.rounding):
        raise Malformed("rounding", text, FORMAT_FIELDS["rounding"][1])
    return f"{name}.{element}" if element else name


def alike_above_zero(one: Rounding, other: Rounding) -> bool:
    """Tell whether two rounding modes are the same for positive numbers, for which zero lies below."""
    from halfulp_model.rows import Choice

    choices = [Choice.FLOOR if each.choice is Choice.ZERO else each.choice for each in (one, other)]
    return one.nearest == other.nearest and choices[0] is choices[1]


#: how a request is answered, by the field that tells its shape
SHAPES: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "conversion": by_conversion,
    "mode": by_mode,
    "source": by_formats,
}


def evaluate(request: dict[str, Any]) -> dict[str, Any]:
    """Answer a request by its shape. Raises Malformed, or what the shape's own reader raises."""
    for field, respond in SHAPES.items():
        if field in request:
            return respond({key: value for key, value in request.items() if key != "id"})
    raise Malformed("request", sorted(request), f"a field named {' or '.join(SHAPES)}")
