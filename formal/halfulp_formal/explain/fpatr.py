"""The B.FPATR word, `fpatr`, and B.DATR's controls beside a mode, `fpatr.datr`: field by field, and what is illegal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from halfulp_formal.subject import Subject

from .fields import Fields
from .numerals import FieldError, hex_text, read_integer, shown
from .pipeline import relu_text
from .stages import Explanation, Stage, command_for
from .trace import told

WORD, DATR = "fpatr", "fpatr.datr"
#: the type of the word's stage
TYPE = "B.FPATR"

#: the fields of the word that vary, and those of B.DATR, as cases give them
WORD_PARTS = (
    "pre_quant", "relu", "group_n", "row_max", "group_max", "row_max_init", "max_abs", "trans_a", "trans_b",
)  # fmt: skip
CONTROLS = ("rmode", "sat", "layout", "pad", "cmode", "canonicalize")


@dataclass(frozen=True)
class Case:
    """A word; or PreQuantMode and the controls in the model's own type, beside no word."""

    name: str
    word: int = 0
    pre_quant: int = 0
    controls: Any = None


def names(subject: Subject) -> dict[str, Any]:
    """Return both names, each with the row of the word."""
    layout = subject.module("loader").default_rules().fpatr
    return {WORD: layout, DATR: layout}


def read(subject: Subject, name: str, given: Mapping[str, Any]) -> Case:
    """Read a case: the word, whole or by its fields; or PreQuantMode and B.DATR's fields. Raises FieldError."""
    if name == WORD:
        return Case(name, read_word(subject, Fields(given, ("word", *WORD_PARTS), {"in": "word"}), None))
    found = Fields(given, ("pre_quant", *CONTROLS), {"mode": "pre_quant"})
    found.require("pre_quant", "a PreQuantMode, its code or its name, such as pre_quant=REQ8")
    return Case(name, pre_quant=read_mode(subject, found), controls=read_controls(subject, found, {}))


def read_word(subject: Subject, given: Fields, pre_quant: int | None) -> int:
    """Read the word: whole, or by its fields; PreQuantMode may be known already. Raises FieldError."""
    layout, model = names(subject)[WORD], subject.module("fpatr")
    if "word" in given:
        given.refuse(WORD_PARTS, "word or its fields, not both")
        return given.integer("word", 0, 0, (1 << subject.module("fpatr_rows").INSTRUCTION_BITS) - 1)
    if pre_quant is None and not any(part in given for part in WORD_PARTS):
        given.require("word", "a 32-bit word 0x…, or its fields, such as pre_quant=REQ8 relu=1 row_max=1")
    codes = {part: given.integer(part, 0, 0, (1 << getattr(layout, part).bits) - 1) for part in WORD_PARTS[1:]}
    mode = read_mode(subject, given) if "pre_quant" in given or pre_quant is None else pre_quant
    return int(model.encode_word(layout, model.Attributes(pre_quant=mode, **codes)))


def read_mode(subject: Subject, given: Fields) -> int:
    """Read PreQuantMode: any code of six bits, or a mode's name. Raises FieldError."""
    raw = given.get("pre_quant") if "pre_quant" in given else 0
    layout, field = names(subject)[WORD], given.spelt("pre_quant")
    try:
        code = read_integer(field, raw)
    except FieldError:
        try:
            return int(subject.module("api").find_mode(raw).code)
        except subject.module("result").Rejected as error:
            raise FieldError(field, shown(raw), "a mode's name, such as REQ8, or its code") from error
    if not 0 <= code < 1 << layout.pre_quant.bits:
        raise FieldError(field, shown(raw), f"0 to {(1 << layout.pre_quant.bits) - 1}, or a mode's name")
    return code


def read_controls(subject: Subject, given: Fields, defaults: Mapping[str, int]) -> Any:
    """Read B.DATR's fields, RMode by code or name, in the model's own type. Raises FieldError."""
    bits = subject.module("api_tile").CONTROL_BITS
    codes = {
        name: given.integer(name, defaults.get(name, 0), 0, (1 << bits[name]) - 1)
        for name in CONTROLS
        if name != "rmode"
    }
    raw = given.get("rmode") if "rmode" in given else defaults.get("rmode", 0)
    by_name = {"NONE": 0} | {name: row.code for name, row in roundings(subject).items()}
    if isinstance(raw, str) and raw.upper() in by_name:
        codes["rmode"] = by_name[raw.upper()]
    else:
        codes["rmode"] = read_integer("rmode", raw) if not isinstance(raw, str) or raw[:1].isdecimal() else -1
        if not 0 <= codes["rmode"] < 1 << bits["rmode"]:
            raise FieldError("rmode", shown(raw), f"0 to {(1 << bits['rmode']) - 1}, or {', '.join(by_name)}")
    return subject.module("fpatr").Controls(**codes)


def roundings(subject: Subject) -> Mapping[str, Any]:
    """Return the rows of the rounding modes by name."""
    found: Mapping[str, Any] = subject.module("loader").default_rules().roundings
    return found


def witness(subject: Subject, name: str, values: Mapping[str, int]) -> Case | None:
    """Return the word or the controls that a solver's witness stands for, None where it has other inputs."""
    codes = {key.removeprefix("in."): value for key, value in values.items()}
    if name == WORD:
        return Case(name, codes["word"]) if set(codes) == {"word"} else None
    if set(codes) != {"pre_quant", *CONTROLS}:
        return None
    pre_quant = codes.pop("pre_quant")
    return Case(name, pre_quant=pre_quant, controls=subject.module("fpatr").Controls(**codes))


def broken(subject: Subject, case: Case) -> Any:
    """Return the first rule that the model finds broken, None for what is legal."""
    model, rules = subject.module("fpatr"), subject.module("loader").default_rules()
    if case.name == WORD:
        return model.word_rule(rules.fpatr, case.word)
    return model.controls_rule(tuple(rules.modes.values()), case.pre_quant, case.controls)


def fault_record(subject: Subject, rule: Any) -> dict[str, Any]:
    """Return a fault as JSON values: its kind, the rule that is broken, and what that asks; or that there is none."""
    if rule is None:
        return {"fault": None}
    row = subject.module("loader").default_rules().legality[rule.value]
    return {"fault": row.fault.value, "rule": rule.value, "message": row.sentence}


def fault_stage(subject: Subject, rule: Any) -> Stage:
    """Return the stage of the verdict: legal, or the fault with the rule's sentence and where it stands."""
    if rule is None:
        return Stage("legal", "yes")
    row = subject.module("loader").default_rules().legality[rule.value]
    kind = row.fault.value.replace("_", " ")
    return Stage("legal", "no", note=f"{kind}, {rule.value}: {row.sentence} ({row.source})")


def evaluate(subject: Subject, case: Case) -> dict[str, Any]:
    """Decode a word, or judge controls; the result as JSON values."""
    fault = fault_record(subject, broken(subject, case))
    if case.name == DATR:
        return fault
    layout = names(subject)[WORD]
    codes = subject.module("fpatr").decode_word(layout, case.word)._asdict()
    return {"word": hex_text(case.word, 32), **codes, **fault}


def explain(subject: Subject, case: Case) -> Explanation:
    """Tell every field from the highest bit down, what it means, and the rule that is broken first."""
    fields_of = word_stages if case.name == WORD else control_stages
    stages, found, failure = told(
        lambda: ([*fields_of(subject, case), fault_stage(subject, broken(subject, case))], evaluate(subject, case))
    )
    words = [f"word={hex_text(case.word, 32)}"]
    if case.name == DATR:
        words = [f"pre_quant={case.pre_quant}"]
        words += [f"{name}={code}" for name, code in case.controls._asdict().items() if code]
    return Explanation(
        conversion=case.name,
        summary="the word of B.FPATR" if case.name == WORD else "B.DATR beside B.FPATR",
        command=command_for(case.name, words),
        stages=stages,
        outcome=found,
        failure=failure,
    )


def word_stages(subject: Subject, case: Case) -> Iterator[Stage]:
    """Yield the word and its fields."""
    layout, model = names(subject)[WORD], subject.module("fpatr")
    yield Stage("word", "", hex_text(case.word, 32), TYPE)
    varying = {each.name: getattr(layout, each.name) for each in fields(layout) if each.name in WORD_PARTS}
    parts = [*((name, part) for name, part in varying.items()), *(("", part) for part in layout.fixed)]
    for name, part in sorted(parts, key=lambda each: -each[1].low):
        code = model.value_of(part, case.word)
        high, low = part.low + part.bits - 1, part.low
        place = f"bits {high}:{low}" if high > low else f"bit {low}"
        note = field_text(subject, name, part, code)
        yield Stage(part.name, str(code), hex_text(code, part.bits), note=f"{place}; {note}" if note else place)


def field_text(subject: Subject, name: str, part: Any, code: int) -> str:
    """Say what a field's code means: nothing of an enable."""
    if not name:
        wanted = part.assigned[0]
        return "as it must be" if code == wanted else f"must be {wanted}"
    if code not in part.assigned:
        return "reserved"
    if name == "pre_quant":
        return mode_text(subject, code)
    if name == "relu":
        return relu_text(code)
    if name == "group_n":
        columns = names(subject)[WORD].group_columns[code]
        return f"groups of {columns} columns" if columns else "no groups"
    return ""


def mode_with(subject: Subject, code: int) -> Any:
    """Return the row of a PreQuantMode by its code, None for a reserved one."""
    modes = subject.module("loader").default_rules().modes.values()
    return next((mode for mode in modes if mode.code == code), None)


def mode_text(subject: Subject, code: int) -> str:
    """Return the name of a PreQuantMode."""
    mode = mode_with(subject, code)
    return mode.name if mode else "reserved"


def control_stages(subject: Subject, case: Case) -> Iterator[Stage]:
    """Yield PreQuantMode and B.DATR's fields."""
    yield Stage(
        "PreQuantMode", str(case.pre_quant), hex_text(case.pre_quant, 6), note=mode_text(subject, case.pre_quant)
    )
    bits = subject.module("api_tile").CONTROL_BITS
    by_code = {0: "NONE"} | {row.code: name for name, row in roundings(subject).items()}
    for name, code in case.controls._asdict().items():
        note = by_code.get(code, "") if name == "rmode" else ""
        yield Stage(CONTROL_NAMES[name], str(code), hex_text(code, bits[name]), note=note)


#: the fields of B.DATR by their names in the specification
CONTROL_NAMES = {
    "rmode": "RMode",
    "sat": "Sat",
    "layout": "Layout",
    "pad": "PadValueOrByteId",
    "cmode": "CMode",
    "canonicalize": "Canonicalize",
}
