"""FP32 addition, `fp32_add.rne` and its companions: the exact sum, how it is rounded, and what every mode makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from halfulp_formal.subject import Subject

from .codes import show_quanta
from .fields import Fields
from .literals import read_code
from .numerals import decimal_text, exact_text, hex_text, machine_value, value_text
from .stages import Explanation, Stage, command_for, flags_text
from .trace import Call, trace


@dataclass(frozen=True)
class Case:
    """An adder and the codes of its two operands."""

    adder: Any
    left: int
    right: int


def names(subject: Subject) -> dict[str, Any]:
    """Return the adders by name."""
    found: dict[str, Any] = subject.module("adder").adders()
    return found


def read(subject: Subject, name: str, given: Mapping[str, Any]) -> Case:
    """Read a case: two codes, or numbers rounded to them. Raises FieldError."""
    adder = names(subject)[name]
    fields = Fields(given, ("left", "right"), {"a": "left", "b": "right"})
    expected = f"a code of {adder.fmt.name} such as 0x3f800000, or a number"
    left, right = (
        read_code(subject, fields.spelt(side), fields.require(side, expected), adder.fmt) for side in ("left", "right")
    )
    return Case(adder, left, right)


def witness(subject: Subject, name: str, values: Mapping[str, int]) -> Case | None:
    """Return the operands that a solver's witness stands for, None where it has other inputs."""
    if set(values) != {"in.left", "in.right"}:
        return None
    return Case(names(subject)[name], values["in.left"], values["in.right"])


def run(subject: Subject, case: Case) -> Any:
    """Run the model on a case."""
    return subject.module("adder").add(case.adder, case.left, case.right)


def outcome(subject: Subject, adder: Any, result: Any) -> dict[str, Any]:
    """Return a sum as JSON values: `out` its code, its `flags` by name and its `value`."""
    return {
        "out": hex_text(result.word, adder.fmt.code_bits),
        "flags": flags_text(adder.flags, result.flags),
        "value": machine_value(subject, adder.fmt, result.word),
    }


def evaluate(subject: Subject, case: Case) -> dict[str, Any]:
    """Run the model on a case; the sum as JSON values."""
    return outcome(subject, case.adder, run(subject, case))


def explain(subject: Subject, case: Case) -> Explanation:
    """Tell the exact sum, its rounding, and the sum under every mode."""
    fmt, rounding = case.adder.fmt, case.adder.rounding.name
    ran = trace(subject.package, lambda: run(subject, case))
    stages = [code_stage(subject, fmt, name, code) for name, code in (("left", case.left), ("right", case.right))]
    stages += sum_stages(subject, case.adder, ran.calls)
    result: dict[str, Any] = {}
    if not ran.failure:
        result = outcome(subject, case.adder, ran.result)
        stages.append(code_stage(subject, fmt, "out", ran.result.word))
        stages.append(Stage("flags", result["flags"], hex_text(ran.result.flags, 5)))
        stages += mode_stages(subject, case)
    digits = (hex_text(code, fmt.code_bits) for code in (case.left, case.right))
    words = [f"{side}={text}" for side, text in zip(("left", "right"), digits, strict=True)]
    return Explanation(
        conversion=case.adder.name,
        summary=f"{fmt.name} + {fmt.name}, {rounding}",
        command=command_for(case.adder.name, words),
        stages=tuple(stages),
        outcome=result,
        failure=ran.failure,
    )


def code_stage(subject: Subject, fmt: Any, name: str, code: int, note: str = "") -> Stage:
    """Return the stage of a code."""
    value, exact = value_text(subject, fmt, code)
    return Stage(name, value, hex_text(code, fmt.code_bits), fmt.name, exact, note)


def sum_stages(subject: Subject, adder: Any, calls: Iterable[Call], prefix: str = "") -> Iterator[Stage]:
    """Yield what the model did between the operands of one addition and its result."""
    for call in calls:
        if call.result is None:
            continue
        if call.function == "add_exact":
            zero = "" if call.result.significand else "zero, whose sign the rounding mode decides"
            exact = exact_text(call.result)
            yield Stage(f"{prefix}exact sum", decimal_text(call.result), exact=exact, note=zero)
        elif call.function == "add_infinity":
            invalid = call.result.flags and "infinities of opposite signs have no sum"
            yield Stage(f"{prefix}infinity", "yes", note=invalid or "it is the sum")
        elif call.function == "round_magnitude" and call.caller == "encode":
            for stage in show_quanta(subject, adder, call):
                yield Stage(f"{prefix}{stage.name}", stage.value, exact=stage.exact, note=stage.note)


def mode_stages(subject: Subject, case: Case) -> Iterator[Stage]:
    """Yield the sum under each of the adder's rounding modes, the case's own among them."""
    for adder in names(subject).values():
        if adder.fmt.name == case.adder.fmt.name:
            result = run(subject, Case(adder, case.left, case.right))
            raised = flags_text(adder.flags, result.flags)
            yield code_stage(subject, adder.fmt, f"under {adder.rounding.name}", result.word, raised)
