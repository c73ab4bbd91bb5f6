"""Row and group maximum, `reduce.s32` and its like: every step in the order of the columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from halfulp_formal.subject import Subject

from .fields import Fields
from .lists import numbered, read_list
from .numerals import FieldError, hex_text, machine_value, shown, value_text
from .postprocess import read_accumulator
from .stages import Explanation, Stage, command_for, flags_text
from .trace import Call, trace
from .witness import signed

#: how a name says that absolute values are reduced
ABSOLUTE = ".maxabs"


@dataclass(frozen=True)
class Case:
    """A row of accumulators as the model takes them; RowMaxIn, if there is one; columns of a group, 0 for no groups."""

    name: str
    reduction: Any
    max_abs: bool
    row: tuple[int, ...]
    initial: int | None = None
    group: int = 0


@dataclass
class Reduction:
    """One maximum as the model went about it: of a row (group None), or of one of its groups."""

    row: int
    group: int | None
    call: Call
    steps: list[Call] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What the maximum is called."""
        return "row" if self.group is None else f"group {self.group}"


def names(subject: Subject) -> dict[str, tuple[Any, bool]]:
    """Return the reductions by name: the row of the accumulator's type, and whether absolute values are reduced."""
    rows = subject.module("loader").default_rules().reductions
    return {f"reduce.{name.lower()}{end}": (row, bool(end)) for name, row in rows.items() for end in ("", ABSOLUTE)}


def read(subject: Subject, name: str, given: Mapping[str, Any]) -> Case:
    """Read a case: the row's accumulators, RowMaxIn, and the columns of a group. Raises FieldError."""
    reduction, max_abs = names(subject)[name]
    fmt = reduction.accumulator
    fields = Fields(numbered(given, "value_", "row"), ("row", "row_max_in", "group"), {"in": "row", "values": "row"})
    expected = f"{fmt.name} accumulators, separated by commas"
    words = read_list(fields.spelt("row"), fields.require("row", expected), expected)
    row = tuple(read_accumulator(subject, fields.spelt("row", k), word, fmt) for k, word in enumerate(words))
    initial = read_accumulator(subject, "row_max_in", fields.get("row_max_in"), fmt) if "row_max_in" in fields else None
    group = fields.integer("group", 0, 0, 1 << 16)
    allowed = subject.module("loader").default_rules().fpatr.group_columns
    if group not in allowed:
        raise FieldError("group", shown(fields.get("group")), f"one of {', '.join(map(str, allowed))} columns")
    return Case(name, reduction, max_abs, row, initial, group)


def witness(subject: Subject, name: str, values: Mapping[str, int]) -> Case | None:
    """Return the row that a solver's witness stands for, None where it has other inputs."""
    reduction, max_abs = names(subject)[name]
    elements = [value for key, value in values.items() if key.startswith("in.element")]
    initial = [value for key, value in values.items() if key.startswith("in.initial")]
    if not elements or len(elements) + len(initial) != len(values):
        return None
    fmt = reduction.accumulator
    is_signed = fmt.is_integer and fmt.signed
    row, more = (
        [signed(value, fmt.code_bits) if is_signed else value for value in each] for each in (elements, initial)
    )
    return Case(name, reduction, max_abs, tuple(row), more[0] if more else None)


def run(subject: Subject, case: Case) -> tuple[Any, tuple[Any, ...]]:
    """Run the model on a case: the row's maximum, and those of its groups."""
    model, rules = subject.module("reduction"), (case.reduction, case.max_abs)
    initial = () if case.initial is None else (case.initial,)
    whole = (model.initial_row_max if initial else model.row_max)(*rules, case.row, *initial)
    return whole, model.group_max(*rules, case.group, case.row) if case.group else ()


def outcome(subject: Subject, case: Case, result: tuple[Any, tuple[Any, ...]]) -> dict[str, Any]:
    """Return the maxima as JSON values: `out` the row's code, its `value`, `group_max` codes, all `flags` by name."""
    whole, groups = result
    fmt, rules = case.reduction.accumulator, subject.module("loader").default_rules()
    raised = whole.flags
    for each in groups:
        raised |= each.flags
    found = {
        "out": hex_text(whole.value, fmt.code_bits),
        "flags": flags_text(rules.flags, raised),
        "value": machine_value(subject, fmt, whole.value),
    }
    return found | ({"group_max": [hex_text(each.value, fmt.code_bits) for each in groups]} if groups else {})


def evaluate(subject: Subject, case: Case) -> dict[str, Any]:
    """Run the model on a case; the maxima as JSON values."""
    return outcome(subject, case, run(subject, case))


def explain(subject: Subject, case: Case) -> Explanation:
    """Tell the row, every step of every maximum, and the flags."""
    fmt = case.reduction.accumulator
    ran = trace(subject.package, lambda: run(subject, case))
    stages = [element_stage(subject, fmt, f"column {k}", value) for k, value in enumerate(case.row)]
    if case.initial is not None:
        stages.append(element_stage(subject, fmt, "RowMaxIn", case.initial))
    for reduction in reductions_of(ran.calls):
        stages += reduction_stages(subject, fmt, reduction, f"{reduction.name} ")
    result: dict[str, Any] = {}
    if not ran.failure:
        result = outcome(subject, case, ran.result)
        whole, groups = ran.result
        stages.append(Stage("flags", result["flags"], hex_text(union(whole, *groups), 5)))
    digits = ",".join(hex_text(value, fmt.code_bits) for value in case.row)
    words = [f"row={digits}"]
    words += [] if case.initial is None else [f"row_max_in={hex_text(case.initial, fmt.code_bits)}"]
    words += [f"group={case.group}"] if case.group else []
    return Explanation(
        conversion=case.name,
        summary=f"maximum of {fmt.name} accumulators" + (", absolute" if case.max_abs else ""),
        command=command_for(case.name, words),
        stages=tuple(stages),
        outcome=result,
        failure=ran.failure,
    )


def union(*results: Any) -> int:
    """Return the flags that any of some results raises."""
    raised = 0
    for result in results:
        raised |= int(result.flags)
    return raised


def element_stage(subject: Subject, fmt: Any, name: str, value: int, note: str = "") -> Stage:
    """Return the stage of an accumulator."""
    text, exact = value_text(subject, fmt, value)
    return Stage(name, text, hex_text(value, fmt.code_bits), fmt.name, exact, note)


def reductions_of(calls: Iterable[Call]) -> list[Reduction]:
    """Return the maxima that some calls of the model went through, each with its steps."""
    found: list[Reduction] = []
    row = group = -1
    for call in calls:
        if call.function == "initial_row_max" or (call.function == "row_max" and call.caller != "initial_row_max"):
            row += 1
            found.append(Reduction(row, None, call))
        elif call.function == "group_max":
            # groups follow all rows' maxima, or the maximum of the one row that there is
            row, group = (0 if group < 0 else row + 1), 0
        elif call.function == "reduce_columns" and call.caller != "row_max":
            found.append(Reduction(row, group, call))
            group += 1
        elif call.function == "step" and found:
            found[-1].steps.append(call)
    return found


def reduction_stages(subject: Subject, fmt: Any, reduction: Reduction, prefix: str) -> Iterator[Stage]:
    """Yield the steps of a maximum, each with its operands and flags, then the maximum."""
    flags = subject.module("loader").default_rules().flags
    for number, call in enumerate(reduction.steps):
        if call.result is None:
            continue
        bars = "|" if call.arguments["max_abs"] else ""
        operands = (value_text(subject, fmt, call.arguments[key])[0] for key in ("current", "candidate"))
        note = f"of {' and '.join(f'{bars}{text}{bars}' for text in operands)}"
        raised = f"; {flags_text(flags, call.result.flags)}" if call.result.flags else ""
        yield element_stage(subject, fmt, f"{prefix}step {number + 1}", call.result.value, note + raised)
    if reduction.call.result is not None:
        yield element_stage(subject, fmt, f"{prefix}maximum", reduction.call.result.value)
