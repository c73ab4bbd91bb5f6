"""The matrix multiply, `bfp16_matmul`, and the fold of a lane, `bfp16_fold`: products, block sums, every accumulation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from halfulp_formal.subject import Subject
from halfulp_formal.wording import counted
from halfulp_model.arguments import with_article

from .adder import code_stage, sum_stages
from .fields import Fields
from .lists import BLOCK, ROWS, Parts, block_bytes, numbered, read_block, read_list, read_rows
from .literals import read_code
from .numerals import FieldError, decimal_text, exact_text, hex_text, machine_value, part_error, shown
from .stages import Explanation, Stage, command_for
from .trace import Call, trace
from .witness import signed

MATMUL, FOLD = "bfp16_matmul", "bfp16_fold"

#: the question that a block sum meets which FP32 does not hold
QUESTION = "inexact_block_sum"


@dataclass(frozen=True)
class Case:
    """Blocks of both operands, in the model's own type, and FP32 accumulators, one a lane.

    accumulators: empty for a product without one. Of a matrix multiply the lanes are all pairs of a row of A and a row of
    B transposed; a fold has one.
    """

    name: str
    left: tuple[Any, ...]
    right: tuple[Any, ...]
    accumulators: tuple[int, ...]

    @property
    def lanes(self) -> list[tuple[str, tuple[Any, ...], tuple[Any, ...]]]:
        """The lanes: the prefix of their stages, and the blocks that are multiplied."""
        if self.name == FOLD:
            return [("", self.left, self.right)]
        pairs = [(i, j) for i in range(len(self.left)) for j in range(len(self.right))]
        alone = len(pairs) == 1
        return [("" if alone else f"{i},{j} ", (self.left[i],), (self.right[j],)) for i, j in pairs]


def names(subject: Subject) -> dict[str, Any]:
    """Return both names, with the matrix unit's rows."""
    unit = subject.module("matmul").matrix_unit()
    return {MATMUL: unit, FOLD: unit}


def read(subject: Subject, name: str, given: Mapping[str, Any]) -> Case:
    """Read a case: the blocks of a and b, and an accumulator a lane. Raises FieldError."""
    unit = names(subject)[name]
    for side in ("a", "b"):
        given = with_block(given, side)
    fields = Fields(given, ("a", "b", "accumulator"), {"acc": "accumulator"})
    left, right = (read_operand(subject, fields, side, unit.block) for side in ("a", "b"))
    size = unit.block.size
    if name == FOLD and len(left) != len(right):
        raise part_error("b", counted(len(right), "block"), f"{len(left)}, as a has")
    if name == MATMUL and {len(left), len(right)} not in ({1}, {size}):
        told = f"{counted(len(left), 'block')} beside {len(right)} of b"
        raise part_error("a", told, f"one of each, or {size} of each")
    count = 1 if name == FOLD else len(left) * len(right)
    return Case(name, left, right, read_accumulators(subject, fields, unit.adder.fmt, count, name))


def with_block(given: Mapping[str, Any], side: str) -> dict[str, Any]:
    """Return fields with the parts of a block, a_exponent and a_0 to a_7, put together as the operand."""
    fields = numbered(given, f"{side}_", f"{side}_mantissas")
    parts = {part: f"{side}_{part}" for part in ("exponent", "mantissas")}
    if not any(key in fields for key in parts.values()):
        return fields
    if side in fields:
        raise FieldError(side, shown(fields[side]), f"{side} or {side}_exponent and {side}_0 …, not both")
    missing = next((key for key in parts.values() if key not in fields), None)
    if missing is not None:
        raise FieldError(missing, "", "both parts of a block, its exponent and its mantissas")
    return {key: value for key, value in fields.items() if key not in parts.values()} | {
        side: [Parts(side, {part: fields[key] for part, key in parts.items()})]
    }


def read_operand(subject: Subject, fields: Fields, side: str, row: Any) -> tuple[Any, ...]:
    """Read the blocks of an operand in the model's own type."""
    given = fields.require(side, f"{BLOCK}; more than one with {ROWS} between")
    blocks = [given] if isinstance(given, Mapping) else read_rows(side, given, BLOCK)
    block = subject.module("blocks").Block
    where = [fields.spelt(side, k) for k in range(len(blocks))] if len(blocks) > 1 else [side]
    return tuple(block(*read_block(field, each, row)) for field, each in zip(where, blocks, strict=True))


def read_accumulators(subject: Subject, fields: Fields, fmt: Any, count: int, name: str) -> tuple[int, ...]:
    """Read one accumulator a lane; without any a fold starts from zero, and a matrix multiply adds to none."""
    if "accumulator" not in fields:
        return (0,) if name == FOLD else ()
    given, said = fields.get("accumulator"), fields.spelt("accumulator")
    expected = f"{count} {fmt.name} codes or numbers" if count > 1 else with_article(f"{fmt.name} code or number")
    words = [given] if count == 1 and not isinstance(given, list) else read_list(said, given, expected, count)
    where = [fields.spelt("accumulator", lane) if count > 1 else said for lane in range(count)]
    return tuple(read_code(subject, field, word, fmt) for field, word in zip(where, words, strict=True))


def witness(subject: Subject, name: str, values: Mapping[str, int]) -> Case | None:
    """Return the two blocks that a solver's witness stands for, None where it has other inputs."""
    unit = names(subject)[name]
    size, bits = unit.block.size, unit.block.mantissa_bits
    keys = {side: [f"in.{side}{k}" for k in range(size)] for side in ("a", "b")}
    if name != MATMUL or set(values) != {key for side in keys for key in (*keys[side], f"in.{side}_exponent")}:
        return None
    block = subject.module("blocks").Block
    left, right = (
        block(values[f"in.{side}_exponent"], tuple(signed(values[key], bits) for key in keys[side])) for side in keys
    )
    return Case(name, (left,), (right,), ())


def run(subject: Subject, case: Case, lane: int) -> Any:
    """Run the model on one lane."""
    model, unit = subject.module("matmul"), names(subject)[case.name]
    _, left, right = case.lanes[lane]
    if not case.accumulators:
        return model.multiply_blocks(unit, left[0], right[0])
    return model.fold_blocks(unit, model.Lane(case.accumulators[lane], characterised=True), left, right)


def outcome(subject: Subject, case: Case, lanes: list[Any]) -> dict[str, Any]:
    """Return lanes as JSON values, a list of each where there are several: `out` codes, `value`; an open question as such."""
    fmt = names(subject)[case.name].adder.fmt
    text = subject.module("loader").default_rules().open_questions[QUESTION].text
    found: list[dict[str, Any]] = [
        {"out": hex_text(lane.code, fmt.code_bits), "value": machine_value(subject, fmt, lane.code)}
        if lane.characterised
        else {"open": QUESTION, "text": text}
        for lane in lanes
    ]
    return found[0] if len(found) == 1 else {"lanes": found}


def evaluate(subject: Subject, case: Case) -> dict[str, Any]:
    """Run the model on every lane; the results as JSON values."""
    return outcome(subject, case, [run(subject, case, lane) for lane in range(len(case.lanes))])


def explain(subject: Subject, case: Case) -> Explanation:
    """Tell the blocks, then of every lane the products, the block sums and the accumulation."""
    unit, failure, lanes = names(subject)[case.name], "", []
    row, fmt = unit.block, unit.adder.fmt
    stages = [
        block_stage(row, f"{side} {k}" if len(blocks) > 1 else side, each)
        for side, blocks in (("a", case.left), ("b", case.right))
        for k, each in enumerate(blocks)
    ]
    for lane, (prefix, left, _) in enumerate(case.lanes):
        if case.accumulators:
            stages.append(code_stage(subject, fmt, f"{prefix}accumulator", case.accumulators[lane]))
        ran = trace(subject.package, lambda lane=lane: run(subject, case, lane))  # type: ignore[misc]  # bound now
        stages += lane_stages(subject, unit, prefix, ran.calls, several=len(left) > 1)
        if ran.failure:
            failure = ran.failure
            break
        lanes.append(ran.result)
        stages.append(result_stage(subject, fmt, f"{prefix}out", ran.result))
    kind = "fold of block sums" if case.name == FOLD else "matrix multiply" if len(case.lanes) > 1 else "one lane"
    return Explanation(
        conversion=case.name,
        summary=f"{row.name} × {row.name} → {fmt.name}, {kind}, {unit.adder.rounding.name}",
        command=command_for(case.name, arguments(row, fmt, case)),
        stages=tuple(stages),
        outcome={} if failure else outcome(subject, case, lanes),
        failure=failure,
    )


def arguments(row: Any, fmt: Any, case: Case) -> Iterator[str]:
    """Yield the fields that name a case exactly."""
    for side, blocks in (("a", case.left), ("b", case.right)):
        yield f"{side}={ROWS.join(block_bytes(row, each.exponent, each.mantissas) for each in blocks)}"
    if case.accumulators:
        yield f"accumulator={','.join(hex_text(code, fmt.code_bits) for code in case.accumulators)}"


def block_stage(row: Any, name: str, block: Any) -> Stage:
    """Return the stage of a block."""
    unit = block.exponent - row.scale_bits
    mantissas = " ".join(map(str, block.mantissas))
    note = f"exponent {block.exponent}, mantissas in units of 2^{unit}"
    return Stage(name, mantissas, block_bytes(row, block.exponent, block.mantissas), row.name, note=note)


def lane_stages(subject: Subject, unit: Any, prefix: str, calls: list[Call], *, several: bool) -> Iterator[Stage]:
    """Yield the stages of one lane, block after block: what is multiplied, summed, brought to FP32, and added."""
    starts = [place for place, call in enumerate(calls) if call.function == "multiply_blocks"]
    for k, start in enumerate(starts):
        head = f"{prefix}block {k} " if several else prefix
        end = starts[k + 1] if k + 1 < len(starts) else len(calls)
        for call in calls[start:end]:
            yield from block_stages(subject, unit, head, call)
        additions = [call for call in calls[start:end] if call.function == "add"]
        if not additions or additions[0].result is None:
            continue
        place = calls.index(additions[0])
        yield from sum_stages(subject, unit.adder, calls[place:end], head)
        if several:
            yield code_stage(subject, unit.adder.fmt, f"{head}accumulator", additions[0].result.word)


def block_stages(subject: Subject, unit: Any, head: str, call: Call) -> Iterator[Stage]:
    """Yield what a call of the model did on the way to one block sum."""
    if call.result is None:
        return
    if call.function == "products":
        yield Stage(f"{head}products", " ".join(map(str, call.result)))
    elif call.function == "scaled_sum":
        yield Stage(f"{head}sum of products", str(call.arguments["total"]))
        note = f"in units of 2^({call.arguments['exponents']} - {2 * unit.block.scale_bits})"
        yield Stage(f"{head}scaled", decimal_text(call.result), exact=exact_text(call.result), note=note)
    elif call.function == "as_lane":
        held = "exact" if call.result.characterised else "not exact, so not characterised"
        yield code_stage(subject, unit.adder.fmt, f"{head}as {unit.adder.fmt.name}", call.result.code, held)


def result_stage(subject: Subject, fmt: Any, name: str, lane: Any) -> Stage:
    """Return the stage of a lane's result, or the open question that it meets."""
    if lane.characterised:
        return code_stage(subject, fmt, name, lane.code)
    text = subject.module("loader").default_rules().open_questions[QUESTION].text
    return Stage(name, "not characterised", note=f"open question {QUESTION}: {text}")
