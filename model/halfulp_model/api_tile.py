"""The public calls on whole tiles: the B.FPATR word, the post-process with its faults, and packed S4X2 elements."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from .api import RMODE_NONE, accumulator_value
from .arguments import checked_name, checked_sequence, checked_switch
from .conversions import DEFAULT_ROUNDING, NO_CHOICE, PROGRAMMABLE, build_conversion
from .fpatr import Attributes, Controls, decode_word, encode_word, word_rule
from .fpatr_rows import INSTRUCTION_BITS, FaultKind, Rule
from .integers import WORD_BITS, wrap
from .loader import default_rules
from .packing import pack, unpack
from .result import Rejected
from .rows import Format, PreQuantMode, Rules
from .tile import Operands, Operation, Published, Unit, Words, broken_rule, publish

#: widths of the fields of B.DATR
CONTROL_BITS = {"rmode": 3, "sat": 1, "layout": 5, "pad": 2, "cmode": 3, "canonicalize": 1}


class Fault(NamedTuple):
    """A refused operation: nothing is published and no flag is raised.

    `rule` is the first rule broken, in the order of `Rule`; `message` says what it asks.
    """

    kind: FaultKind
    rule: Rule
    message: str


def fpatr_decode(word: int) -> Attributes | Fault:
    """Return the fields of a 32-bit B.FPATR word, or the fault that it raises on its own.

    Raises Rejected for what is not a 32-bit word. Source: asl/block/attributes/B.FPATR.asl.
    """
    check_bits("word", word, INSTRUCTION_BITS)
    layout = default_rules().fpatr
    rule = word_rule(layout, word)
    return decode_word(layout, word) if rule is None else fault(rule)


def fpatr_encode(attributes: Attributes) -> int:
    """Return the 32-bit B.FPATR word of some fields, legal or not. Raises Rejected for a code wider than its field."""
    layout = default_rules().fpatr
    if not isinstance(attributes, Attributes):
        raise Rejected("attributes", f"got {type(attributes).__name__}; expected Attributes or a 32-bit word")
    for name, code in attributes._asdict().items():
        check_bits(name, code, getattr(layout, name).bits)
    return encode_word(layout, attributes)


def controls(rounding: str = RMODE_NONE, *, sat: bool = False) -> Controls:
    """Return B.DATR's controls of a rounding mode's name, or "NONE", and Sat. Raises Rejected."""
    roundings = default_rules().roundings
    name = checked_name("B.DATR.RMode", rounding, [*roundings, RMODE_NONE], "rounding mode")
    saturate = checked_switch("B.DATR.Sat", sat)
    return Controls(rmode=0 if name == RMODE_NONE else roundings[name].code, sat=int(saturate))


def matrix_post_process(
    tile: Sequence[Sequence[int]],
    attributes: Attributes | int,
    accumulator: str,
    *,
    datr: Controls = Controls(),  # noqa: B008  # a named tuple cannot change
    quant_param: int | Sequence[int] | None = None,
    relu_param: int | Sequence[int] | None = None,
    row_max_in: Sequence[int] | None = None,
) -> Published | Fault:
    """Post-process a tile as B.FPATR says, or refuse it whole.

    tile: M rows of N accumulators, as `post_process` takes them; accumulator: "S32", "U32" or "FP32".
    attributes: the fields of B.FPATR, or its 32-bit word; datr: the controls of B.DATR (see `controls`).
    quant_param, relu_param: a 64-bit word for the scalar modes, one word a column for the vector modes, None where none
    is bound; a scalar that is asked for and not bound reads as 0. row_max_in: RowMaxIn, one accumulator a row.

    Returns what is published at once (words of 64 bits, signed integers sign-extended), or the fault. Raises Rejected
    for arguments that no operation can have: rows of unlike lengths, a value or a code wider than its type.
    Sources: asl/tile/model/execution/postprocess.asl, asl/tile/model/legality/matrix-postprocess.asl.
    """
    fields = check_attributes(attributes)
    if isinstance(fields, Fault):
        return fields
    check_controls(datr)
    reductions = default_rules().reductions
    fmt = reductions[checked_name("accumulator", accumulator, reductions, "type of accumulator")].accumulator
    values = check_tile(fmt, tile)
    initial = () if row_max_in is None else check_values(fmt, "row_max_in", row_max_in)
    words = check_words(quant_param, relu_param)
    operands = Operands(
        accumulator=fmt.name,
        rows=len(values),
        columns=len(values[0]) if values else 0,
        row_max_in=len(initial),
        quant_scalar=isinstance(quant_param, int),
        quant_columns=len(words.quant_columns),
        relu_scalar=isinstance(relu_param, int),
        relu_columns=len(words.relu_columns),
    )
    rule = broken_rule(legality_unit(), fields, datr, operands, words)
    if rule is not None:
        return fault(rule)
    return publish(operation(fields, datr, fmt.name), values, initial, *words_of_columns(words, operands.columns))


def pack_s4x2(elements: Sequence[int]) -> bytes:
    """Return the bytes of signed four-bit elements: the first one in the low nibble; the last high nibble may be free.

    Elements are -8 to 7, or 64-bit words as D has them. Raises Rejected.
    """
    row = default_rules().formats["S4X2"]
    lane = default_rules().formats["S4"]
    for element in checked_sequence("elements", elements, None, "elements"):
        word = element - (1 << WORD_BITS) if type(element) is int and element > lane.maximum else element
        if type(element) is not int or not lane.minimum <= word <= lane.maximum:
            raise Rejected("element", f"{element!r} is not a signed four-bit element; expected -8 to 7")
    return bytes(pack(row, tuple(elements)))


def unpack_s4x2(data: bytes, count: int | None = None) -> tuple[int, ...]:
    """Return the first `count` signed four-bit elements of some bytes, or all of them. Raises Rejected."""
    row, lane = default_rules().formats["S4X2"], default_rules().formats["S4"]
    if not isinstance(data, bytes | bytearray):
        raise Rejected("data", f"got {type(data).__name__}; expected bytes")
    codes = unpack(row, tuple(data))
    wanted = len(codes) if count is None else count
    if type(wanted) is not int or not 0 <= wanted <= len(codes):
        raise Rejected("count", f"{wanted!r} is not a number of the elements given; expected 0 to {len(codes)}")
    return tuple(wrap(code, lane) for code in codes[:wanted])


def fault(rule: Rule) -> Fault:
    """Return the fault that breaking a rule raises."""
    row = default_rules().legality[rule.value]
    return Fault(row.fault, rule, f"{rule.value}: {row.sentence}")


@cache
def legality_unit() -> Unit:
    """Return the rows that a legality check reads."""
    return build_unit(default_rules())


def build_unit(rules: Rules) -> Unit:
    """Return the rows that a legality check reads."""
    return Unit(rules.fpatr, tuple(rules.modes.values()), rules.parameter_word, rules.formats["FP19"])


@cache
def operation(attributes: Attributes, datr: Controls, accumulator: str) -> Operation:
    """Return the operation of legal fields and controls."""
    return build_operation(default_rules(), attributes, datr, accumulator)


def build_operation(rules: Rules, attributes: Attributes, datr: Controls, accumulator: str) -> Operation:
    """Resolve the rows of a legal operation."""
    mode = next(mode for mode in rules.modes.values() if mode.code == attributes.pre_quant)
    rounding = effective_rounding(rules, mode, datr.rmode)
    return Operation(
        conversion=build_conversion(rules, mode, accumulator, rounding, datr.sat == 1),
        reduction=rules.reductions[accumulator],
        relu=attributes.relu,
        row_max=attributes.row_max == 1,
        group_columns=rules.fpatr.group_columns[attributes.group_n],
        max_abs=attributes.max_abs == 1,
    )


def effective_rounding(rules: Rules, mode: PreQuantMode, rmode: int) -> str:
    """Return the rounding mode in force. Source: MatrixFPATREffectiveControl."""
    if mode.rounding not in (PROGRAMMABLE, NO_CHOICE):
        return mode.rounding
    return next((name for name, row in rules.roundings.items() if row.code == rmode), DEFAULT_ROUNDING)


def words_of_columns(words: Words, columns: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the parameter and the activation word of every column."""
    return (
        words.quant_columns or (words.quant_scalar,) * columns,
        words.relu_columns or (words.relu_scalar,) * columns,
    )


def check_attributes(attributes: Attributes | int) -> Attributes | Fault:
    """Return the fields of B.FPATR, given as such or as a word."""
    return fpatr_decode(attributes if isinstance(attributes, int) else fpatr_encode(attributes))


def check_controls(datr: Controls) -> None:
    """Raise Rejected for what are no controls of B.DATR."""
    if not isinstance(datr, Controls):
        raise Rejected("datr", f"got {type(datr).__name__}; expected Controls")
    for name, code in datr._asdict().items():
        check_bits(f"B.DATR.{name}", code, CONTROL_BITS[name])


def check_values(fmt: Format, name: str, values: Sequence[int]) -> tuple[int, ...]:
    """Return accumulators."""
    return tuple(accumulator_value(fmt, value) for value in checked_sequence(name, values, None, "accumulators"))


def check_tile(fmt: Format, tile: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Return the accumulators of a tile; its rows have one length."""
    values = tuple(check_values(fmt, "tile", row) for row in checked_sequence("tile", tile, None, "rows"))
    lengths = sorted({len(row) for row in values})
    if len(lengths) > 1:
        raise Rejected("tile", f"rows of {' and '.join(map(str, lengths))} columns; expected one length")
    return values


def check_words(quant_param: int | Sequence[int] | None, relu_param: int | Sequence[int] | None) -> Words:
    """Return the parameter and activation words as they are bound."""
    found: list[tuple[int, tuple[int, ...]]] = []
    for name, given in (("quant_param", quant_param), ("relu_param", relu_param)):
        scalar = given if isinstance(given, int) else 0
        plain = given is None or isinstance(given, int)
        columns = () if plain else tuple(checked_sequence(name, given, None, "words"))
        for word in (scalar, *columns):
            check_bits(name, word, WORD_BITS)
        found.append((scalar, columns))
    return Words(*found[0], *found[1])


def check_bits(name: str, value: object, bits: int) -> None:
    """Raise Rejected for what is not an unsigned number of so many bits."""
    if not isinstance(value, int) or not 0 <= value < 1 << bits:
        raise Rejected(name, f"{value!r} is not a number of {bits} {'bit' if bits == 1 else 'bits'}")
