"""The inputs of a post-processing conversion as people and solvers give them, and its results as they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from halfulp_formal.subject import Subject
from halfulp_model.arguments import of_bits, with_article

from .fields import Fields
from .literals import is_code, read_code, read_whole
from .numerals import (
    FieldError,
    exact_argument,
    hex_text,
    machine_value,
    read_exact,
    read_integer,
    shown,
)
from .stages import flags_text
from .witness import free_number, signed

FIELDS = (
    "acc",
    "relu",
    "scale",
    "offset",
    "shift",
    "shift_code",
    "quant_word",
    "activation",
    "relu_word",
    "product",
)
ALIASES = {"value": "acc", "accumulator": "acc", "quant_param": "quant_word", "relu_param": "relu_word"}
PARTS = ("scale", "offset", "shift", "shift_code")
WORD = (1 << 64) - 1


@dataclass(frozen=True)
class Element:
    """The inputs of one element: the accumulator as the model takes it, ReluMode and both 64-bit words."""

    conversion: Any
    value: int
    relu: int
    quant_word: int
    relu_word: int


@dataclass(frozen=True)
class Product:
    """A case that starts in the middle: an exact product and the offset that is added to it."""

    conversion: Any
    product: Any
    offset: int


Case = Element | Product


def names(subject: Subject) -> Mapping[str, Any]:
    """Return the conversions of this family by name."""
    found: Mapping[str, Any] = subject.module("conversions").conversions()
    return found


def read(subject: Subject, name: str, given: Mapping[str, Any]) -> Case:
    """Read a case. FieldError: a field that is unknown, missing or malformed. Rejected: an operation that is illegal."""
    conversion = subject.module("conversions").conversions()[name]
    fields = Fields(given, FIELDS, ALIASES)
    if "product" in fields:
        return read_product(subject, conversion, fields)
    accumulator = conversion.accumulator
    example = "300" if accumulator.is_integer else "1.5"
    raw = fields.require("acc", with_article(f"{accumulator.name} accumulator such as acc={example}"))
    value = read_accumulator(subject, fields.spelt("acc"), raw, accumulator)
    relu = fields.integer("relu", 0, 0, 3)
    quant_word = read_quant_word(subject, conversion.mode, fields)
    relu_word = read_relu_word(subject, fields, relu)
    try:
        subject.module("api").check_words(conversion, relu, quant_word, relu_word)
    except subject.module("result").Rejected as error:
        word = ALIASES.get(error.rule, error.rule)
        if word == "relu_word" and "activation" in fields:
            expected = f"0.0 or {positive_normal(fp19(subject))}"
            raise FieldError("activation", shown(fields.get("activation")), expected) from error
        if word not in fields:
            raise
        raise FieldError(fields.spelt(word), shown(fields.get(word)), str(error).rpartition("expected ")[2]) from error
    return Element(conversion, value, relu, quant_word, relu_word)


def read_accumulator(subject: Subject, field: str, given: object, fmt: Any) -> int:
    """Read an accumulator as the model takes it: the integer of S32 and U32, the code of FP32. Raises FieldError.

    A code of S32 may be sign-extended to 64 bits; a number must lie in the format's range.
    """
    if not fmt.is_integer:
        return read_code(subject, field, given, fmt)
    if not is_code(given):
        return read_whole(field, given, fmt)
    try:
        return int(subject.module("api").accumulator_value(fmt, read_integer(field, given)))
    except subject.module("result").Rejected as error:
        raise FieldError(field, shown(given), of_bits(fmt.carrier_bits, f"{fmt.name} accumulator")) from error


def read_product(subject: Subject, conversion: Any, fields: Fields) -> Product:
    """Read a case that gives the product itself."""
    fields.refuse([key for key in FIELDS if key not in ("product", "offset")], "product and offset alone")
    if conversion.mode.parameter.value == "shift":
        raise FieldError("product", str(fields.get("product")), f"acc, as {conversion.mode.name} multiplies nothing")
    limit = 1 << conversion.mode.offset_bits >> 1
    offset = fields.integer("offset", 0, -limit, max(limit - 1, 0))
    return Product(conversion, read_exact(subject, "product", fields.get("product")), offset)


def read_quant_word(subject: Subject, mode: Any, fields: Fields) -> int:
    """Read a mode's parameter word: whole as quant_word, or made of scale and offset, or of shift or shift_code."""
    api = subject.module("api")
    if "quant_word" in fields:
        fields.refuse(PARTS, "quant_word or its parts, not both")
        return fields.integer("quant_word", 0, 0, WORD)
    parameter = mode.parameter.value
    usable = {"scale": ("scale", "offset"), "shift": ("shift", "shift_code"), "none": ()}[parameter]
    wanted = " or ".join(usable) or "no parameter"
    for part in PARTS:
        if part not in usable:
            fields.refuse([part], f"no {part}, as {mode.name} takes {wanted}")
    if parameter == "scale":
        raw = fields.require("scale", "an FP19 factor such as scale=1.0 or scale=0x1fc00, or the whole quant_word=0x…")
        offset = read_integer("offset", fields.get("offset")) if "offset" in fields else 0
        factor = read_code(subject, "scale", raw, fp19(subject))
        try:
            return int(api.quant_param(factor, offset, mode=mode.name))
        except subject.module("result").Rejected as error:
            if error.rule != "scale":
                raise
            raise FieldError("scale", shown(raw), positive_normal(fp19(subject))) from error
    if parameter == "shift":
        if "shift_code" in fields:
            fields.refuse(["shift"], "shift or shift_code, not both")
            return int(api.shift_param(read_integer("shift_code", fields.get("shift_code"))))
        fields.require("shift", "1 to 16 places, or shift_code=0 to 15, or the whole quant_word=0x…")
        return int(api.shift_param(fields.integer("shift", 1, 1, 16) - 1))
    return 0


def read_relu_word(subject: Subject, fields: Fields, relu: int) -> int:
    """Read the activation word: whole as relu_word, or made of an activation factor."""
    if "relu_word" in fields:
        fields.refuse(["activation"], "activation or relu_word, not both")
        return fields.integer("relu_word", 0, 0, WORD)
    if relu < 2:
        fields.refuse(["activation"], "relu=2 or relu=3 beside it")
        return 0
    raw = fields.require("activation", "an FP19 factor such as activation=0.5, or the whole relu_word=0x…")
    layout = subject.module("loader").default_rules().parameter_word
    return read_code(subject, "activation", raw, fp19(subject)) << int(layout.activation.low)


def positive_normal(fmt: Any) -> str:
    """Return what a factor has to be."""
    low, high = (hex_text(code, fmt.code_bits) for code in (1 << fmt.fraction_bits, fmt.largest_finite))
    return f"a positive normal {fmt.name} such as 1.0, a code from {low} to {high}"


def fp19(subject: Subject) -> Any:
    """Return the row of the format of factors."""
    return subject.module("loader").default_rules().formats["FP19"]


def evaluate(subject: Subject, case: Case) -> dict[str, Any]:
    """Run the model on a case; the result as JSON values."""
    return outcome(subject, case.conversion, run(subject, case))


def run(subject: Subject, case: Case) -> Any:
    """Run the model on a case."""
    model = subject.module("postprocess")
    conversion = case.conversion
    if isinstance(case, Element):
        return model.element(conversion, case.value, case.relu, case.quant_word, case.relu_word)
    if conversion.destination.is_integer:
        stages = model.integer_stages(conversion, case.product, case.offset)
        return subject.module("result").Result(stages.word, stages.flags)
    return model.encode_product(conversion, case.product)


def outcome(subject: Subject, conversion: Any, result: Any) -> dict[str, Any]:
    """Return a result as JSON values: `word` 64 bits, `flags` by name, `out` the destination's code, `value` its value."""
    destination = conversion.destination
    code = result.word % (1 << destination.code_bits)
    return {
        "word": hex_text(result.word, 64),
        "flags": flags_text(conversion.flags, result.flags),
        "out": hex_text(result.word, destination.code_bits),
        "value": machine_value(subject, destination, code),
    }


def witness(subject: Subject, name: str, values: Mapping[str, int]) -> Case | None:
    """Return the case that a solver's witness stands for, None where it gives no inputs of this family."""
    conversion = subject.module("conversions").conversions()[name]
    product = free_number(subject, values)
    if product is not None:
        width = conversion.mode.offset_bits
        return Product(conversion, product, signed(values.get(f"offset.{width}", 0), width))
    if not any(key.startswith("in.") for key in values):
        return None
    value = values.get("in.value", 0)
    return Element(
        conversion,
        signed(value, 32) if conversion.accumulator.signed and conversion.accumulator.is_integer else value,
        values.get("in.relu", 0),
        values.get("in.quant_word", 0),
        values.get("in.relu_word", 0),
    )


def arguments(subject: Subject, case: Case) -> dict[str, str]:
    """Return the fields that name a case exactly."""
    conversion = case.conversion
    if isinstance(case, Product):
        offset = {"offset": str(case.offset)} if case.offset else {}
        return {"product": exact_argument(case.product)} | offset
    if conversion.accumulator.is_integer:
        named = {"acc": str(case.value)}
    else:
        named = {"acc": hex_text(case.value, conversion.accumulator.code_bits)}
    if case.relu:
        named["relu"] = str(case.relu)
    named |= quant_arguments(subject, case)
    if case.relu >= 2:
        named["relu_word"] = f"{case.relu_word:#x}"
    return named


def quant_arguments(subject: Subject, case: Element) -> dict[str, str]:
    """Return the parameter word as its parts where they give the same word, else whole."""
    conversion, word = case.conversion, case.quant_word
    parameters, mode = subject.module("parameters"), conversion.mode
    if mode.parameter.value == "none":
        return {}
    if not parameters.quant_word_legal(conversion.layout, mode, conversion.fp19, word):
        return {"quant_word": f"{word:#x}"}
    if mode.parameter.value == "shift":
        return {"shift": str(parameters.shift_places(conversion.layout, word))}
    named = {"scale": hex_text(parameters.scale_bits(conversion.layout, word), conversion.fp19.code_bits)}
    offset = parameters.offset_value(conversion.layout, mode, word)
    return named | ({"offset": str(offset)} if offset else {})
