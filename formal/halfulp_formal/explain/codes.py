"""Conversions from one code to another, `cvt.*`, `e8m0.*` and `scale.*`: one input, and the stages as the model ran."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from halfulp_formal.subject import Subject

from .fields import Fields
from .literals import read_code
from .numerals import (
    decimal_text,
    exact_argument,
    exact_text,
    hex_text,
    machine_value,
    read_exact,
    value_text,
)
from .stages import Explanation, Stage, command_for, flags_text
from .trace import Call, trace
from .witness import free_number


@dataclass(frozen=True)
class Table:
    """Where a group of conversions is in the model: module and function of its names, module and function that converts."""

    module: str
    names: str
    runner: tuple[str, str]


TABLES = (
    Table("convert", "plain_conversions", ("convert", "convert_code")),
    Table("api_e8m0", "e8m0_conversions", ("e8m0", "to_scale")),
    Table("api_e8m0", "scale_conversions", ("e8m0", "to_scale")),
)


@dataclass(frozen=True)
class Case:
    """One code of a conversion's source, or an exact number in its place, and the model's function that converts it."""

    conversion: Any
    given: Any
    runner: tuple[str, str]

    @property
    def is_code(self) -> bool:
        """Tell whether a code is given."""
        return isinstance(self.given, int)


#: the model's function that converts an exact number, by the one that converts a code
NUMBER_RUNNER = {("convert", "convert_code"): ("convert", "convert_number")}


@cache
def names(subject: Subject) -> dict[str, tuple[Any, tuple[str, str]]]:
    """Return the conversions of this family, there are thousands, by name, each with the function that carries it out."""
    found: dict[str, tuple[Any, tuple[str, str]]] = {}
    for table in TABLES:
        every = getattr(subject.module(table.module), table.names)()
        found |= {name: (conversion, table.runner) for name, conversion in every.items()}
    return found


def read(subject: Subject, name: str, given: Mapping[str, Any]) -> Case:
    """Read a case. Raises FieldError."""
    conversion, runner = names(subject)[name]
    from_number = NUMBER_RUNNER.get(runner)
    fields = Fields(given, ("in", "number") if from_number else ("in",), {"bits": "in", "value": "in", "code": "in"})
    if from_number and "number" in fields:
        fields.refuse(["in"], "in or number, not both")
        return Case(conversion, read_exact(subject, "number", fields.get("number")), from_number)
    raw = fields.require("in", f"a code of {conversion.source.name} such as in=0x1, or a number")
    return Case(conversion, read_code(subject, fields.spelt("in"), raw, conversion.source), runner)


def witness(subject: Subject, name: str, values: Mapping[str, int]) -> Case | None:
    """Return the case that a solver's witness stands for, None where it has more inputs than one code or number."""
    inputs = [value for key, value in values.items() if key.startswith("in.")]
    conversion, runner = names(subject)[name]
    number = free_number(subject, values)
    if number is not None and runner in NUMBER_RUNNER:
        return Case(conversion, number, NUMBER_RUNNER[runner])
    return Case(conversion, inputs[0] % (1 << conversion.source.code_bits), runner) if len(inputs) == 1 else None


def run(subject: Subject, case: Case) -> Any:
    """Run the model on a case."""
    module, function = case.runner
    return getattr(subject.module(module), function)(case.conversion, case.given)


def outcome(subject: Subject, conversion: Any, result: Any) -> dict[str, Any]:
    """Return a result as JSON values: `out` the destination's code, its `flags` by name and its `value`."""
    flags = subject.module("loader").default_rules().flags
    return {
        "out": hex_text(result.word, conversion.destination.code_bits),
        "flags": flags_text(flags, result.flags),
        "value": machine_value(subject, conversion.destination, result.word),
    }


def evaluate(subject: Subject, case: Case) -> dict[str, Any]:
    """Run the model on a case; the result as JSON values."""
    return outcome(subject, case.conversion, run(subject, case))


def explain(subject: Subject, case: Case) -> Explanation:
    """Run the model on a case and tell its stages."""
    conversion = case.conversion
    source, destination = conversion.source, conversion.destination
    if case.is_code:
        value, exact = value_text(subject, source, case.given)
        digits = hex_text(case.given, source.code_bits)
        stages, argument = [Stage("in", value, digits, source.name, exact)], f"in={digits}"
    else:
        value, exact = decimal_text(case.given), exact_text(case.given)
        stages, argument = [Stage("number", value, exact=exact, note="given")], f"number={exact_argument(case.given)}"
    ran = trace(subject.package, lambda: run(subject, case))
    for call in ran.calls:
        show = SHOWN.get((call.function, call.caller))
        if show is not None and call.result is not None:
            stages += show(subject, conversion, call)
    result: dict[str, Any] = {}
    if not ran.failure:
        result = outcome(subject, conversion, ran.result)
        given, exact = value_text(subject, destination, ran.result.word)
        stages.append(Stage("out", given, result["out"], destination.name, exact))
        stages.append(Stage("flags", result["flags"], hex_text(ran.result.flags, 5)))
    saturate = f", Sat {int(conversion.saturate)}" if not conversion.name.startswith("scale.") else ""
    return Explanation(
        conversion=conversion.name,
        summary=f"{source.name} → {destination.name}, {conversion.rounding.name}{saturate}",
        command=command_for(conversion.name, [argument]),
        stages=tuple(stages),
        outcome=result,
        failure=ran.failure,
    )


def show_rounded(subject: Subject, conversion: Any, call: Call) -> Iterator[Stage]:
    """A number rounded to an integer."""
    whole = subject.module("exact").is_integer(call.arguments["value"])
    yield Stage("rounded", str(call.result), note=f"{conversion.rounding.name}, {'exact' if whole else 'inexact'}")


def show_narrowed(_subject: Subject, conversion: Any, call: Call) -> Iterator[Stage]:
    """An integer brought into the destination's range."""
    if call.result != call.arguments["value"]:
        note = f"does not fit {conversion.destination.name}: {'clamped' if conversion.saturate else 'wrapped'}"
        yield Stage("narrowed", str(call.result), note=note)


def show_quanta(_subject: Subject, conversion: Any, call: Call) -> Iterator[Stage]:
    """The number in units in the last place of the destination, and the code that it rounds to."""
    quanta, start = call.arguments["value"], call.arguments.get("start", 0)
    yield Stage(
        "in last places", decimal_text(quanta), exact=exact_text(quanta), note=f"above code {start:#x}" if start else ""
    )
    yield Stage(
        "rounded", str(call.result - start), note=f"{conversion.rounding.name}: code {call.result:#x}, without a sign"
    )


def show_ratio(_subject: Subject, _conversion: Any, call: Call) -> Iterator[Stage]:
    """A number between two powers of two."""
    ratio = call.result
    yield Stage("binade", str(ratio.exponent), note=f"2^{ratio.exponent} · {ratio.numerator}/{ratio.denominator}")


def show_exponent(_subject: Subject, conversion: Any, call: Call) -> Iterator[Stage]:
    """The exponent that was chosen."""
    yield Stage("exponent", str(call.result), note=conversion.rounding.name)


#: how a call of the model becomes stages: by function and caller
SHOWN: dict[tuple[str, str], Callable[[Subject, Any, Call], Iterator[Stage]]] = {
    ("round_to_integer", "convert_number"): show_rounded,
    ("narrowed", "convert_number"): show_narrowed,
    ("round_magnitude", "encode"): show_quanta,
    ("divide", "to_scale"): show_ratio,
    ("choose_exponent", "finite_result"): show_exponent,
}
