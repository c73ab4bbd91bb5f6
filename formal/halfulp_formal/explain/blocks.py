"""Block conversions, `bfp16.*` and `mxint8`: a block of FP32 members, its shared exponent, and every mantissa twice over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from halfulp_formal.subject import Subject

from .fields import Fields
from .lists import block_bytes, numbered, read_list
from .literals import read_code
from .numerals import FieldError, decimal_text, hex_text, shown, value_text
from .stages import Explanation, Stage, command_for
from .trace import Call, trace


@dataclass(frozen=True)
class Case:
    """The codes of a block, and the conversion that they are put to."""

    conversion: Any
    members: tuple[int, ...]


def names(subject: Subject) -> dict[str, Any]:
    """Return the block conversions by name."""
    found: dict[str, Any] = subject.module("blocks").block_conversions()
    return found


def read(subject: Subject, name: str, given: Mapping[str, Any]) -> Case:
    """Read a case: all members in one field, as a JSON list or separated by commas or spaces. Raises FieldError."""
    case, given_as = read_members(subject, name, given)
    check_settled(subject, case, name, given_as)
    return case


def read_members(subject: Subject, name: str, given: Mapping[str, Any]) -> tuple[Case, list[tuple[str, object]]]:
    """Read a case like `read`, whatever members it has, and what each was called and given as. Raises FieldError."""
    conversion = names(subject)[name]
    size = conversion.block.size
    expected = f"{size} {conversion.member.name} codes or numbers, separated by commas"
    fields = Fields(numbered(given, "member", "block"), ("block",), {"in": "block", "members": "block"})
    words = read_list(fields.spelt("block"), fields.require("block", expected), expected, size)
    given_as = [(fields.spelt("block", k), word) for k, word in enumerate(words)]
    return Case(conversion, tuple(read_code(subject, *each, conversion.member) for each in given_as)), given_as


def check_settled(subject: Subject, case: Case, name: str, given_as: Sequence[tuple[str, object]]) -> None:
    """Raise FieldError for the first member, called and given so, that the conversion of that name does not take."""
    for code, (field, word) in zip(case.members, given_as, strict=True):
        if not settled(subject, case.conversion, code):
            raise FieldError(field, shown(word), f"a finite number, as {name} takes no other")


def settled(subject: Subject, conversion: Any, code: int) -> bool:
    """Tell whether a conversion takes a code: one that takes the largest magnitude has no place for infinities and NaNs."""
    by_field = conversion.block.selection.value == "exponent_field"
    return by_field or bool(subject.module("formats").is_finite(conversion.member, code))


def witness(subject: Subject, name: str, values: Mapping[str, int]) -> Case | None:
    """Return the block that a solver's witness stands for, None where it has other inputs."""
    members = tuple(value for key, value in values.items() if key.startswith("in.member"))
    conversion = names(subject)[name]
    return Case(conversion, members) if len(members) == conversion.block.size else None


def run(subject: Subject, case: Case) -> Any:
    """Run the model on a block."""
    return subject.module("blocks").encode_block(case.conversion, case.members)


def outcome(subject: Subject, conversion: Any, encoding: Any) -> dict[str, Any]:
    """Return a block as JSON values, `out` the mantissas' bytes and the exponent's; or the open question that it meets."""
    question = subject.module("blocks").open_question(encoding)
    if question is not None:
        return {"open": question, "text": subject.module("loader").default_rules().open_questions[question].text}
    block = encoding.block
    out = block_bytes(conversion.block, block.exponent, block.mantissas)
    return {"exponent": block.exponent, "mantissas": list(block.mantissas), "out": out}


def evaluate(subject: Subject, case: Case) -> dict[str, Any]:
    """Run the model on a block; the result as JSON values."""
    return outcome(subject, case.conversion, run(subject, case))


def explain(subject: Subject, case: Case) -> Explanation:
    """Tell a block's exponent, every exact and rounded mantissa, and what renormalising makes of them."""
    conversion, digits = case.conversion, [hex_text(code, 32) for code in case.members]
    ran = trace(subject.package, lambda: run(subject, case))
    stages = [*member_stages(subject, case), *steps(conversion, ran.calls)]
    result: dict[str, Any] = {}
    if not ran.failure:
        result = outcome(subject, conversion, ran.result)
        stages += result_stages(result)
    overflow = "clamped" if conversion.block.overflow.value == "clamp" else "renormalised"
    source, size = conversion.member.name, conversion.block.size
    return Explanation(
        conversion=conversion.name,
        summary=f"{source} × {size} → {conversion.block.name}, {conversion.rounding.name}, {overflow} beyond 127",
        command=command_for(conversion.name, [f"block={','.join(digits)}"]),
        stages=tuple(stages),
        outcome=result,
        failure=ran.failure,
    )


def member_stages(subject: Subject, case: Case) -> Iterator[Stage]:
    """Yield the members as they are given."""
    row = case.conversion.member
    for k, code in enumerate(case.members):
        value, exact = value_text(subject, row, code)
        yield Stage(f"member {k}", value, hex_text(code, row.code_bits), row.name, exact)


#: what the shared exponent is, by the rule that selects it
SELECTIONS = {
    "exponent_field": "the largest exponent field",
    "largest_magnitude": "floor(log2) of the largest magnitude",
}


def steps(conversion: Any, calls: list[Call]) -> Iterator[Stage]:
    """Yield what the model did: the exponent, then each pass over the members."""
    passes = member = 0
    for place, call in enumerate(calls):
        if call.function == "shared_exponent":
            note = SELECTIONS[conversion.block.selection.value]
            yield Stage("exponent", str(call.result), hex_text(call.result, 8), note=note)
        elif call.function == "quantise":
            passes, member = passes + 1, 0
            if passes > 1:
                exponent = call.arguments["exponent"]
                note = "128 is reached: the whole block again under it"
                yield Stage("renormalised", str(exponent), hex_text(exponent, 8), note=note)
        elif call.function == "round_member":
            exact = next(each for each in calls[place:] if each.function == "exact_mantissa").result
            flushed = exact.significand == 0 and call.arguments["bits"] % (1 << conversion.member.sign_bit) != 0
            yield mantissa_stage(conversion, member, exact, call.result, flushed=flushed)
            member += 1


def mantissa_stage(conversion: Any, member: int, exact: Any, mantissa: int, *, flushed: bool) -> Stage:
    """Return the stage of one mantissa: rounded, and what it was before."""
    how = "a subnormal member is flushed" if flushed else f"from {decimal_text(exact)} by {conversion.rounding.name}"
    fits = -conversion.block.largest - 1 <= mantissa <= conversion.block.largest
    return Stage(f"mantissa {member}", str(mantissa), hex_text(mantissa, 8) if fits else "", note=how)


def result_stages(result: Mapping[str, Any]) -> Iterator[Stage]:
    """Yield the emitted block, or why there is none."""
    if "open" in result:
        yield Stage("out", "not characterised", note=f"open question {result['open']}: {result['text']}")
        return
    values = " ".join(str(mantissa) for mantissa in result["mantissas"])
    yield Stage("out", values, result["out"], note=f"mantissas, then the exponent {result['exponent']}")
