"""Corner classes of operations with one thing wrong and all else in order: bits of the word, B.DATR, operands, words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import TYPE_CHECKING

from halfulp_formal.vectors.corner import CornerClass, all_of
from halfulp_model.fpatr import Attributes, encode_word
from halfulp_model.fpatr_rows import Rule
from halfulp_model.loader import default_rules
from halfulp_model.rows import Parameter, PreQuantMode

if TYPE_CHECKING:
    from halfulp_formal.bits import Bool
    from halfulp_formal.vectors.facts.tiles import TileFacts
    from halfulp_formal.vectors.tile_shapes import Shape

    Corner = CornerClass[TileFacts]

#: FP19 codes of a factor at the ends of what is legal, with what each is called
FACTORS = {
    0x1FC00: "1",
    0x00400: "the smallest normal number",
    0x3FBFF: "the largest finite number",
    0x003FF: "the largest subnormal number",
    0x00001: "the smallest subnormal number",
    0x3FC00: "an infinity",
    0x3FC01: "a NaN",
    0x7FC00: "a negative infinity",
    0x5FC00: "-1",
    0x40000: "-0",
}
UNIT = 0x1FC00
#: where the factor is in a parameter word; in an activation word it is at bit 0
SCALE_LOW = 13
#: what an operand asks of ReluMode
RELU_SCALAR, RELU_VECTOR = 2, 3


def setting(f: TileFacts, **given: int) -> Bool:
    """The inputs that are named have these values; of the word, B.DATR and the operands all others are in order.

    mode: the PreQuantMode, the file's where it is not given. Fields of the word are named as `Attributes` has them.
    """
    own = f.shape.conversion
    fields = {name: given.pop(name) for name in Attributes._fields if name in given}
    code = fields.setdefault("pre_quant", own.mode.code)
    mode = next((mode for mode in default_rules().modes.values() if mode.code == code), own.mode)
    wrong = given.pop("wrong_bits", 0)
    wanted = {
        "word": encode_word(default_rules().fpatr, Attributes(**fields)) ^ wrong,
        "rmode": own.rounding.code if mode is own.mode and own.mode.destination is not None else 0,
        "sat": int(own.saturate and mode is own.mode),
        "pad": 0,
        "row_max_in_rows": f.shape.rows * fields.get("row_max_init", 0),
        **operand(f, "quant", mode.operand, unit_word(mode)),
        **operand(f, "relu", {RELU_SCALAR: "scalar", RELU_VECTOR: "vector"}.get(fields.get("relu", 0), "none"), UNIT),
    }
    return all_of(f.given(name) == value for name, value in {**wanted, **given}.items())


def operand(f: TileFacts, kind: str, bound: str, word: int) -> dict[str, int]:
    """Return the inputs of an operand: a legal word as a scalar, one a column, or none."""
    columns = f.shape.columns
    found = {f"{kind}_scalar_bound": int(bound == "scalar"), f"{kind}_columns": columns * (bound == "vector")}
    if bound == "scalar":
        found[f"{kind}_scalar"] = word
    if bound == "vector":
        found |= {f"{kind}_word_{column}": word for column in range(columns)}
    return found


def unit_word(mode: PreQuantMode) -> int:
    """Return a legal parameter word of a mode: the scale 1, or a shift by one place."""
    return UNIT << SCALE_LOW if mode.parameter is Parameter.SCALE else 0


def refused(f: TileFacts, rule: Rule, given: dict[str, int]) -> Bool:
    """Some inputs are wrong, everything else is in order, and the rule that is broken is this one."""
    return f.breaks(rule.value) & setting(f, **given)


def published(f: TileFacts, given: dict[str, int]) -> Bool:
    """Some inputs are given, everything else is in order, and the operation is published."""
    return f.published & setting(f, **given) & (f.value(0, 0) != 0)


def wrong(name: str, sentence: str, rule: Rule, **given: int) -> Corner:
    """Return the class of operations that are refused."""
    return CornerClass(f"wrong/{name}", f"{sentence}; all else is in order.", partial(refused, rule=rule, given=given))


def right(name: str, sentence: str, **given: int) -> Corner:
    """Return the class of operations that are published."""
    return CornerClass(f"right/{name}", f"{sentence}.", partial(published, given=given))


@cache
def classes(shape: Shape) -> tuple[Corner, ...]:
    """Return the classes of a tile's legality."""
    return (*words(), *controls(shape), *operands(shape), *factors(shape), *shifts(shape), *columns(shape))


def words() -> Iterator[Corner]:
    """Yield the classes of the B.FPATR word: every bit of its fixed parts, fields that contradict each other, codes."""
    for part in sorted(default_rules().fpatr.fixed, key=lambda part: part.low):
        for bit in range(part.low, part.low + part.bits):
            yield wrong(f"bit-{bit}", f"Bit {bit} of the word, in {part.name}", Rule.FIXED_BITS, wrong_bits=1 << bit)
    yield right("transposed-a", "TransA alone is set", trans_a=1)
    yield right("transposed-b", "TransB alone is set", trans_b=1)
    for code in range(4, 8):
        yield wrong(f"relu-mode-{code}", f"ReluMode is {code}", Rule.RELU_MODE, relu=code)
    for code in range(1, 10):
        yield right(f"group-code-{code}", f"GroupNCode is {code}", group_n=code, group_max=1)
    for code in range(10, 16):
        yield wrong(f"group-code-{code}", f"GroupNCode is {code}", Rule.GROUP_N_CODE, group_n=code, group_max=1)
    yield wrong("init-without-rows", "RowMaxInit is set, and RowMaxEn is not", Rule.ROW_MAX_INIT, row_max_init=1)
    yield wrong("groups-without-code", "GroupMaxEn is set, and GroupNCode is 0", Rule.GROUP_MAX, group_max=1)
    yield wrong("code-without-groups", "GroupNCode is 1, and GroupMaxEn is not set", Rule.GROUP_MAX, group_n=1)
    yield wrong("absolute-of-nothing", "MaxAbsEn is set, and nothing is reduced", Rule.MAX_ABS, max_abs=1)
    groups = {"group_max": 1, "group_n": 1}
    yield wrong(
        "init-of-groups", "RowMaxInit is set with GroupMaxEn alone", Rule.ROW_MAX_INIT, row_max_init=1, **groups
    )
    clash = ", and GroupMaxEn contradicts GroupNCode"
    yield wrong("reserved-mode-first", f"PreQuantMode is 63{clash}", Rule.PRE_QUANT_MODE, pre_quant=63, group_max=1)
    yield wrong("reserved-relu-first", f"ReluMode is 4{clash}", Rule.RELU_MODE, relu=4, group_max=1)
    yield wrong("reserved-group-first", f"GroupNCode is 10{clash}", Rule.GROUP_N_CODE, group_n=10)
    yield right("absolute-rows", "MaxAbsEn is set with RowMaxEn", max_abs=1, row_max=1)
    yield right("absolute-groups", "MaxAbsEn is set with GroupMaxEn", max_abs=1, group_n=1, group_max=1)


def controls(shape: Shape) -> Iterator[Corner]:
    """Yield the classes of B.DATR: for the file's mode, and for another one that takes the same accumulators."""
    mode, type_name = shape.conversion.mode, shape.conversion.accumulator.name
    for pad in range(1, 4):
        yield wrong(f"pad-{pad}", f"PadValueOrByteId is {pad}", Rule.DATR_FIELDS, pad=pad)
    others = [each for each in default_rules().modes.values() if type_name in each.accumulators]
    fixed = [each for each in others if each.rounding not in ("programmable", "none")][:1]
    for each in [mode, *fixed] if mode.rounding != "programmable" else fixed:
        name = f"rounding-of-{each.name.lower()}"
        yield wrong(name, f"RMode is given to {each.name}", Rule.ROUNDING, pre_quant=each.code, rmode=1)
    shifts = [each for each in others if each.parameter is Parameter.SHIFT]
    for each in [mode, *shifts] if mode.saturate != "programmable" else shifts:
        yield wrong(
            f"saturation-of-{each.name.lower()}", f"Sat is given to {each.name}", Rule.SATURATION,
            pre_quant=each.code, sat=1,
        )  # fmt: skip


def operands(shape: Shape) -> Iterator[Corner]:
    """Yield the classes of operands that are bound and not asked for, or the reverse, or of the wrong length."""
    rule, all_columns = Rule.OPERANDS, shape.columns
    yield wrong(
        "row-max-in-unasked", "RowMaxIn is bound without RowMaxInit", rule, row_max=1, row_max_in_rows=shape.rows
    )
    yield wrong("row-max-in-missing", "RowMaxIn is not bound", rule, row_max=1, row_max_init=1, row_max_in_rows=0)
    if shape.rows > 1:
        yield wrong(
            "row-max-in-short", "RowMaxIn has one element", Rule.ROW_MAX_SHAPE, row_max=1, row_max_init=1,
            row_max_in_rows=1,
        )  # fmt: skip
    asked = {"quant": {}, "relu": {"relu": RELU_VECTOR}}
    shapes = {"quant": Rule.QUANT_SHAPE, "relu": Rule.RELU_SHAPE}
    called = {"quant": "parameter", "relu": "activation"}
    for kind, given in asked.items():
        words_of = f"{called[kind]} words"
        if kind == "quant" and shape.conversion.mode.operand != "vector":
            continue
        missing = {f"{kind}_columns": 0}
        yield wrong(f"{kind}-words-missing", f"There are no {words_of}", rule, **given, **missing)
        for count in (1, all_columns - 1):
            short = {f"{kind}_columns": count}
            name, sentence = f"{kind}-words-{count}", f"There are {words_of} for {count} of the columns"
            yield wrong(name, sentence, shapes[kind], **given, **short)
    plain = next(mode.code for mode in default_rules().modes.values() if mode.operand == "none")
    for count in (1, all_columns):
        sentence = f"of {count} of the columns, which nothing asks for"
        yield wrong(f"relu-words-unasked-{count}", f"There are activation words {sentence}", rule, relu_columns=count)
        yield wrong(
            f"quant-words-unasked-{count}", f"There are parameter words {sentence}", rule, pre_quant=plain,
            quant_columns=count,
        )  # fmt: skip
    yield wrong("quant-scalar-of-none", "A scalar parameter word is bound, and no parameter is read", rule,
                pre_quant=plain, quant_scalar_bound=1)  # fmt: skip
    yield wrong("relu-words-with-scalar", "There are activation words under ReluMode 2", rule, relu=RELU_SCALAR,
                relu_scalar_bound=0, relu_columns=all_columns)  # fmt: skip
    yield wrong("quant-scalar-unasked", "A scalar parameter word is bound", rule, quant_scalar_bound=1, quant_columns=0)
    yield wrong("relu-scalar-unasked", "A scalar activation word is bound", rule, relu_scalar_bound=1)
    yield right("relu-scalar-unbound", "No scalar activation word is bound, which reads as 0", relu=RELU_SCALAR,
                relu_scalar_bound=0, relu_scalar=UNIT)  # fmt: skip


def factors(shape: Shape) -> Iterator[Corner]:
    """Yield the classes of words at the ends of what is legal: scalars, the last column's, and of a scalar mode."""
    end, mode = shape.columns - 1, shape.conversion.mode
    kinds = {
        "relu-scalar": (Rule.SCALAR_RELU_WORD, "relu_scalar", {"relu": RELU_SCALAR}, 0),
        "relu-column": (Rule.RELU_WORDS, f"relu_word_{end}", {"relu": RELU_VECTOR}, 0),
    }
    if mode.operand == "vector":
        kinds["quant-column"] = (Rule.QUANT_WORDS, f"quant_word_{end}", {}, SCALE_LOW)
    scalar = scalar_mode(shape)
    kinds["quant-scalar"] = (Rule.SCALAR_QUANT_WORD, "quant_scalar", {"pre_quant": scalar.code}, SCALE_LOW)
    for kind, (rule, name, given, low) in kinds.items():
        read = (
            {19, 63}
            if low == 0
            else {0, low - 1, 32, 36, 37 + (scalar if name == "quant_scalar" else mode).offset_bits, 63}
        )
        for code, called in {**FACTORS, 0: "0"}.items():
            legal = 0x400 <= code < 0x3FC00 or (code == 0 and low == 0)
            word = {name: code << low}
            if not legal:
                yield wrong(f"{kind}-{code:x}", f"The factor is {called}", rule, **given, **word)
            elif name != "quant_scalar":
                yield right(f"{kind}-{code:x}", f"The factor is {called}", **given, **word)
        for bit in sorted(read):
            word = {name: UNIT << low | 1 << bit}
            yield wrong(f"{kind}-bit-{bit}", f"Bit {bit} of the word is set, which no field has", rule, **given, **word)


def shifts(shape: Shape) -> Iterator[Corner]:
    """Yield the classes of illegal words of the modes that shift the file's accumulators."""
    accumulator, end = shape.conversion.accumulator.name, shape.columns - 1
    words = {"bit-0": 1, "bit-31": 1 << 31, "bit-36": 1 << 36, "bit-63": 1 << 63, "scale": UNIT << SCALE_LOW}
    for mode in default_rules().modes.values():
        if mode.parameter is Parameter.SHIFT and accumulator in mode.accumulators:
            scalar = mode.operand == "scalar"
            rule, name = (Rule.SCALAR_QUANT_WORD, "quant_scalar") if scalar else (Rule.QUANT_WORDS, f"quant_word_{end}")
            for called, word in words.items():
                given = {"pre_quant": mode.code, name: word}
                sentence = f"The parameter word of {mode.name} is {word:#x}"
                yield wrong(f"{mode.name.lower()}-{called}", sentence, rule, **given)


def scalar_mode(shape: Shape) -> PreQuantMode:
    """Return the first mode with a scalar scale that takes the file's accumulators."""
    accumulator = shape.conversion.accumulator.name
    return next(
        mode
        for mode in default_rules().modes.values()
        if mode.operand == "scalar" and mode.parameter is Parameter.SCALE and accumulator in mode.accumulators
    )


def columns(shape: Shape) -> Iterator[Corner]:
    """Yield the classes of tiles of which one column has an illegal word."""
    kinds = {"relu": (Rule.RELU_WORDS, {"relu": RELU_VECTOR})}
    if shape.conversion.mode.operand == "vector":
        kinds["quant"] = (Rule.QUANT_WORDS, {})
    for kind, (rule, given) in kinds.items():
        for column in range(shape.columns):
            word = {f"{kind}_word_{column}": 1}
            yield wrong(f"{kind}-word-of-{column}", f"Column {column} alone has an illegal word", rule, **given, **word)
