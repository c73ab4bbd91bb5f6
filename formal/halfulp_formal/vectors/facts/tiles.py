"""What corner classes may say of an operation on a tile: which rule it breaks, its fields, its accumulators, its outputs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from typing import Any, NamedTuple

from pysmt.fnode import FNode
from pysmt.shortcuts import BV, Ite

from halfulp_formal.bits import Bool
from halfulp_formal.case import part
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.interpreter import Lifter
from halfulp_formal.lift.merge import over_choice
from halfulp_formal.lift.values import Choice, Int, Record, conjoin, fit, symbol
from halfulp_formal.properties.numbers import select
from halfulp_formal.properties.pipeline import Fp32
from halfulp_formal.subject import Subject
from halfulp_formal.vectors.algebra import Num
from halfulp_formal.vectors.corner import all_of, any_of
from halfulp_formal.vectors.facts.order import Key
from halfulp_formal.vectors.facts.tile_element import Element
from halfulp_formal.vectors.facts.tile_replay import TileReplay, tile_points
from halfulp_formal.vectors.tile_shapes import shapes
from halfulp_formal.vectors.tiles import description, rows_of
from halfulp_model.fpatr_rows import FaultKind, Rule

RULES = tuple(rule.value for rule in Rule)


class Enables(NamedTuple):
    """The enables of the reductions that a legal word can have together, but for those of groups."""

    row_max: bool
    row_max_init: bool
    max_abs: bool


ENABLES = tuple(
    Enables(*row, max_abs) for row in ((False, False), (True, False), (True, True)) for max_abs in (False, True)
)


class Published(NamedTuple):
    """What is published where `guard` holds: the outputs of a file but the fault, at their widths."""

    guard: FNode
    outputs: tuple[FNode, ...]


def place(rule: Any) -> Int | int:
    """Return the place of a rule, or of a choice of rules, one past the last for none."""

    def of(one: Any) -> int:
        return len(RULES) if one is None else RULES.index(one.value)

    return over_choice(rule, of) if isinstance(rule, Choice) else of(rule)


def padded(values: tuple[Int | int, ...], count: int) -> list[FNode]:
    """Return so many words of 32 bits; 0 stands for what there is not."""
    return [fit(value, 32) for value in (*values, *(0,) * (count - len(values)))]


class TileFacts:
    """One tile's vocabulary. A legal operation has the file's mode, rounding mode and Sat; an illegal one may have any."""

    def __init__(self, subject: Subject, name: str) -> None:
        self.subject = subject
        self.name = name
        self.shape = shapes()[name]
        self.lifter = Lifter(subject.package)
        self.tile = subject.module("tile")
        #: the rows of the model, which the model with other rows may have otherwise
        self.conversion: Any = rows_of(subject.package, name)
        self.fields = {
            field.name: symbol(f"in.{field.name}.{field.bits}", 0, (1 << field.bits) - 1)
            for field in description(name).inputs
        }
        self.inputs = tuple(each.term for each in self.fields.values())

    @property
    def case(self) -> TileFacts:
        """What mutants are compared on."""
        return self

    @cached_property
    def attributes(self) -> Any:
        """The fields of the word."""
        decode = self.subject.module("fpatr").decode_word
        return self.lifter.call(decode, self.conversion.unit.word, self.fields["word"])

    @property
    def replays(self) -> tuple[TileReplay, ...]:
        """A replay of the whole operation."""
        return (TileReplay(self, partial(tile_points, self.name)),)

    @property
    def sound(self) -> FNode:
        """No side condition of what is lifted fails."""
        return self.lifter.total()

    def given(self, name: str) -> Num:
        """An input."""
        return Num(self.fields[name])

    def attribute(self, name: str) -> Num:
        """A field of the word."""
        return Num(part(self.attributes, name))

    def value(self, row: int, column: int) -> Num:
        """An accumulator: the number of an S32, the code of an FP32."""
        return Num(self.accumulator(f"value_{row}_{column}"))

    def row_max_in(self, row: int) -> Num:
        """An element of RowMaxIn: the number of an S32, the code of an FP32."""
        return Num(self.accumulator(f"row_max_in_{row}"))

    def accumulator(self, name: str) -> Int:
        """An accumulator as the model takes it."""
        code = self.fields[name]
        fmt = self.shape.conversion.accumulator
        if fmt.is_integer and fmt.signed:
            return Int(code.term, -(1 << 31), (1 << 31) - 1)
        return code

    def is_nan(self, row: int, column: int) -> Bool:
        """An FP32 accumulator is a NaN."""
        return Bool(Fp32(self.fields[f"value_{row}_{column}"]).nan)

    def is_quiet(self, row: int, column: int) -> Bool:
        """The top fraction bit of an FP32 accumulator is set."""
        return Bool(Fp32(self.fields[f"value_{row}_{column}"]).quiet)

    @cached_property
    def rule(self) -> Num:
        """The place of the rule that is broken, one past the last for none."""
        unit = self.conversion.unit
        controls = Record(
            self.subject.module("fpatr").Controls,
            {
                "rmode": self.fields["rmode"],
                "sat": self.fields["sat"],
                "layout": 0,
                "pad": self.fields["pad"],
                "cmode": 0,
                "canonicalize": 0,
            },
        )
        operands = {
            "accumulator": self.shape.conversion.accumulator.name,
            "rows": self.shape.rows,
            "columns": self.shape.columns,
            "row_max_in": self.fields["row_max_in_rows"],
        }
        words: dict[str, Any] = {}
        for kind in ("quant", "relu"):
            operands[f"{kind}_scalar"] = arithmetic.equal(self.fields[f"{kind}_scalar_bound"], 1)
            operands[f"{kind}_columns"] = self.fields[f"{kind}_columns"]
            # a scalar that is not bound reads as 0
            words[f"{kind}_scalar"] = self.scalar(kind)
            words[f"{kind}_columns"] = self.columns(kind)
        word = self.lifter.call(self.subject.module("fpatr").word_rule, unit.word, self.fields["word"])
        found = self.lifter.call(
            self.tile.broken_rule, unit, self.attributes, controls, Record(self.tile.Operands, operands),
            Record(self.tile.Words, words),
        )  # fmt: skip
        return Num(select((Num(place(word)) == len(RULES)).term, place(found), place(word)))

    def scalar(self, kind: str) -> Any:
        """The scalar word as it is read."""
        return select((self.given(f"{kind}_scalar_bound") == 1).term, self.fields[f"{kind}_scalar"], 0)

    def columns(self, kind: str) -> tuple[Int, ...]:
        """The words of the columns."""
        return tuple(self.fields[f"{kind}_word_{column}"] for column in range(self.shape.columns))

    @cached_property
    def published(self) -> Bool:
        """No rule is broken."""
        return self.rule == len(RULES)

    def breaks(self, rule: str) -> Bool:
        """A rule is the first one broken."""
        return self.rule == RULES.index(rule)

    @cached_property
    def legal(self) -> Bool:
        """A case that can be run: what is bound is bound once, no count is too large, a legal operation is the file's."""
        row = self.shape.conversion
        possible = self.given("row_max_in_rows") <= self.shape.rows
        for kind in ("quant", "relu"):
            count = self.given(f"{kind}_columns")
            possible = (
                possible & (count <= self.shape.columns) & ((count == 0) | (self.given(f"{kind}_scalar_bound") == 0))
            )
        rounding = self.given("rmode") == (row.rounding.code if row.mode.destination is not None else 0)
        own = (self.attribute("pre_quant") == row.mode.code) & rounding & (self.given("sat") == int(row.saturate))
        accepted: Bool = possible & (~self.published | own)
        return accepted

    @cached_property
    def relu(self) -> Int:
        """ReluMode; the model converts under assigned codes only."""
        return Int(self.attribute("relu").bits(2), 0, 3)

    @cached_property
    def words_of_columns(self) -> tuple[tuple[Int | int, ...], ...]:
        """The parameter and the activation word that each column is converted under."""
        columns = range(self.shape.columns)
        vector = self.shape.conversion.mode.operand == "vector"
        own, scalar = (Num(self.relu) == 3).term, self.scalar("relu")
        return (
            tuple(self.fields[f"quant_word_{column}"] if vector else 0 for column in columns),
            tuple(select(own, self.fields[f"relu_word_{column}"], scalar) for column in columns),
        )

    @cached_property
    def values(self) -> tuple[tuple[Int, ...], ...]:
        """The accumulators by rows."""
        return tuple(
            tuple(self.accumulator(f"value_{row}_{column}") for column in range(self.shape.columns))
            for row in range(self.shape.rows)
        )

    @cached_property
    def elements(self) -> list[tuple[Any, FNode]]:
        """Word and flags of every element of D."""
        element = self.subject.module("postprocess").element
        found = []
        for row, column in self.shape.places:
            words = [each[column] for each in self.words_of_columns]
            call = self.lifter.call(element, self.conversion.conversion, self.values[row][column], self.relu, *words)
            found.append((part(call, "word"), fit(part(call, "flags"), 5)))
        return found

    @cached_property
    def operations(self) -> tuple[Published, ...]:
        """What is published under every choice of enables that some legal word makes."""
        with self.lifter.remembering():
            return tuple(
                self.publish(enables, group)
                for enables in ENABLES
                for group in range(len(self.conversion.unit.word.group_columns))
                if enables.row_max or group or not enables.max_abs
            )

    def publish(self, enables: Enables, group: int) -> Published:
        """What is published under some enables and a GroupNCode."""
        row = self.conversion
        chosen = {
            "conversion": row.conversion,
            "reduction": row.reduction,
            "relu": self.relu,
            "row_max": enables.row_max,
            "group_columns": row.unit.word.group_columns[group],
            "max_abs": enables.max_abs,
        }
        initial = tuple(self.accumulator(f"row_max_in_{row}") for row in range(self.shape.rows))
        found = self.lifter.call(
            self.tile.publish, Record(self.tile.Operation, chosen), self.values,
            initial if enables.row_max_init else (), *self.words_of_columns,
        )  # fmt: skip
        codes = {"row_max": enables.row_max, "row_max_init": enables.row_max_init, "max_abs": enables.max_abs}
        guard = all_of(self.attribute(name) == int(code) for name, code in {**codes, "group_n": group}.items())
        groups = part(found, "group_max") or ((),) * self.shape.rows
        return Published(
            guard.term,
            (
                *self.bytes_of(part(found, "d")),
                *padded(part(found, "row_max"), self.shape.rows),
                *(term for each in groups for term in padded(each, self.shape.groups)),
                fit(part(found, "flags"), 5),
            ),
        )

    def bytes_of(self, d: tuple[tuple[Int | int, ...], ...]) -> Iterator[FNode]:
        """Yield the codes of D, or its bytes where they are packed."""
        bits = self.shape.conversion.destination.code_bits
        words = tuple(word for row in d for word in row)
        if not self.shape.packed:
            yield from (fit(word, bits) for word in words)
            return
        pack = self.subject.module("packing").pack
        yield from (fit(each, 8) for each in self.lifter.call(pack, self.conversion.packed, words))

    @cached_property
    def fault(self) -> FNode:
        """The fault, two bits: 0 for an operation that is published."""
        illegal = [
            index
            for index, rule in enumerate(self.conversion.legality)
            if rule.fault.value == FaultKind.ILLEGAL_INSTRUCTION.value
        ]
        refused = any_of(self.rule == index for index in illegal) if illegal else Bool.constant(value=False)
        return Ite(self.published.term, BV(0, 2), Ite(refused.term, BV(1, 2), BV(2, 2)))

    @cached_property
    def codes(self) -> tuple[FNode, ...]:
        """The outputs, at the widths that a file declares: with a fault all else is 0."""
        outputs = [BV(0, term.bv_width()) for term in self.operations[0].outputs]
        for operation in self.operations:
            here = conjoin(self.published.term, operation.guard)
            outputs = [Ite(here, term, other) for term, other in zip(operation.outputs, outputs, strict=True)]
        return self.fault, *outputs

    def element(self, row: int, column: int) -> Element:
        """An element of D."""
        words = (each[column] for each in self.words_of_columns)
        return Element(self.name, (self.values[row][column], self.relu, *words))

    def element_flags(self, row: int, column: int) -> Num:
        """The flags of an element of D."""
        return Num(Int(self.elements[row * self.shape.columns + column][1], 0, 31))

    def element_code(self, row: int, column: int) -> Num:
        """The code of an element of D."""
        bits = self.shape.conversion.destination.code_bits
        return Num(Int(fit(self.elements[row * self.shape.columns + column][0], bits), 0, (1 << bits) - 1))

    def variant(self, name: str) -> tuple[Bool, list[Key]]:
        """Return what a variant asks for, and the inputs by which its least point is the least, in order.

        A variant of an element of D is named `far@1.2` for row 1, column 2.
        """
        inputs = [(name, each.term) for name, each in self.fields.items()]
        own, _, place = name.partition("@")
        if not place:
            return Bool.constant(value=True), inputs
        asked, keys = self.element(*map(int, place.split("."))).variant(own)
        return asked, [*keys, *inputs]
