"""What corner classes may say of an operation on a tile: which rule it breaks, its fields, its accumulators, its outputs."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import BV, BVConcat, BVOr, Ite

from halfulp_formal.bits import Bool
from halfulp_formal.case import CallReplay, part
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.interpreter import Lifter
from halfulp_formal.lift.merge import over_choice
from halfulp_formal.lift.values import Choice, Int, Record, fit, symbol, truth_term
from halfulp_formal.properties.numbers import select
from halfulp_formal.properties.pipeline import Fp32
from halfulp_formal.subject import Subject
from halfulp_formal.vectors.algebra import Num
from halfulp_formal.vectors.facts.order import Key
from halfulp_formal.vectors.family import Description
from halfulp_formal.vectors.tiles import GROUP, Shape
from halfulp_model.fpatr_rows import FaultKind, Rule

RULES = tuple(rule.value for rule in Rule)
#: GroupNCode of the shortest groups
SHORT = 1


class TileFacts:
    """One tile's vocabulary. A legal operation has the file's mode, rounding mode and Sat; an illegal one may have any."""

    def __init__(self, subject: Subject, shape: Shape, description: Description) -> None:
        self.subject = subject
        self.shape = shape
        self.lifter = Lifter(subject.package)
        self.tile = subject.module("tile")
        self.rules = subject.module("loader").default_rules()
        self.conversion = subject.module("conversions").conversions()[shape.conversion.name]
        self.reduction = self.rules.reductions[self.conversion.accumulator.name]
        self.fields = {
            field.name: symbol(f"in.{field.name}.{field.bits}", 0, (1 << field.bits) - 1)
            for field in description.inputs
        }
        self.inputs = tuple(each.term for each in self.fields.values())
        word = self.lifter.call(subject.module("fpatr").decode_word, self.rules.fpatr, self.fields["word"])
        self.attributes = word

    @property
    def replays(self) -> tuple[CallReplay, ...]:
        """A replay of every lifted call."""
        return tuple(CallReplay(call) for call in self.lifter.calls)

    def given(self, name: str) -> Num:
        """An input."""
        return Num(self.fields[name])

    def attribute(self, name: str) -> Num:
        """A field of the word."""
        return Num(part(self.attributes, name))

    def value(self, row: int, column: int) -> Num:
        """An accumulator: the number of an S32, the code of an FP32."""
        return Num(self.accumulator(f"value_{row}_{column}"))

    def accumulator(self, name: str) -> Int:
        """An accumulator as the model takes it."""
        code = self.fields[name]
        if self.conversion.accumulator.is_integer and self.conversion.accumulator.signed:
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
        unit = self.subject.module("api_tile").build_unit(self.rules)
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
            "accumulator": self.conversion.accumulator.name,
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
        found = self.lifter.call(
            self.tile.broken_rule, unit, self.attributes, controls, Record(self.tile.Operands, operands),
            Record(self.tile.Words, words),
        )  # fmt: skip

        def place(rule: Any) -> int:
            return len(RULES) if rule is None else RULES.index(rule.value)

        broken = over_choice(found, place) if isinstance(found, Choice) else place(found)
        fixed = self.lifter.call(self.subject.module("fpatr").has_fixed_bits, self.rules.fpatr, self.fields["word"])
        return Num(select(truth_term(fixed), broken, RULES.index(Rule.FIXED_BITS.value)))

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
        row = self.conversion
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
    def elements(self) -> list[tuple[Any, FNode]]:
        """Word and flags of every element of D."""
        element = self.subject.module("postprocess").element
        relu = Num(part(self.attributes, "relu"))
        # the model is asked about assigned codes only
        mode = Int(relu.bits(2), 0, 3)
        found = []
        for row, column in self.shape.places:
            quant = self.fields[f"quant_word_{column}"] if self.conversion.mode.operand == "vector" else 0
            activation = select((relu == 3).term, self.fields[f"relu_word_{column}"], self.scalar("relu"))
            value = self.accumulator(f"value_{row}_{column}")
            call = self.lifter.call(element, self.conversion, value, mode, quant, activation)
            found.append((part(call, "word"), fit(part(call, "flags"), 5)))
        return found

    def maxima(self, row: int, absolute: bool) -> dict[str, list[tuple[FNode, FNode]]]:
        """Value and flags of a row's maximum, without and with RowMaxIn, and of its groups, short and long."""
        model = self.subject.module("reduction")
        values = tuple(self.accumulator(f"value_{row}_{column}") for column in range(self.shape.columns))
        initial = self.accumulator(f"row_max_in_{row}")
        plain = self.lifter.call(model.row_max, self.reduction, absolute, values)
        found = {
            "row": [plain],
            "initial": [self.lifter.call(model.initial_row_max, self.reduction, absolute, values, initial)],
            "short": list(self.lifter.call(model.group_max, self.reduction, absolute, GROUP, values)),
            "long": [plain],
        }
        return {
            name: [(fit(part(each, "value"), 32), fit(part(each, "flags"), 5)) for each in those]
            for name, those in found.items()
        }

    @cached_property
    def outputs(self) -> dict[str, list[FNode]]:
        """D, RowMaxOut, GroupMaxOut and the flags of an operation that is published; 0 for what is not enabled."""
        nothing, no_flags = BV(0, 32), BV(0, 5)
        row_enabled, group_enabled = (self.attribute(name) == 1 for name in ("row_max", "group_max"))
        raised = [flags for _, flags in self.elements]
        rows, groups = [], []
        for row in range(self.shape.rows):
            both = [self.maxima(row, absolute) for absolute in (False, True)]
            absolute = (self.attribute("max_abs") == 1).term

            def chosen(name: str, index: int, piece: int, both: Any = both, absolute: FNode = absolute) -> FNode:
                one, two = (
                    each[name][index][piece] if index < len(each[name]) else (nothing, no_flags)[piece] for each in both
                )
                return Ite(absolute, two, one)

            initial, short = (self.attribute("row_max_init") == 1).term, (self.attribute("group_n") == SHORT).term
            value, flags = (Ite(initial, chosen("initial", 0, piece), chosen("row", 0, piece)) for piece in (0, 1))
            rows.append(Ite(row_enabled.term, value, nothing))
            raised.append(Ite(row_enabled.term, flags, no_flags))
            for group in range(self.shape.groups):
                value, flags = (
                    Ite(short, chosen("short", group, piece), chosen("long", group, piece)) for piece in (0, 1)
                )
                groups.append(Ite(group_enabled.term, value, nothing))
                raised.append(Ite(group_enabled.term, flags, no_flags))
        union = no_flags
        for each in raised:
            union = BVOr(union, each)
        return {"d": self.d, "row_max": rows, "group_max": groups, "flags": [union]}

    @property
    def d(self) -> list[FNode]:
        """The codes of D, or its bytes where they are packed."""
        bits = self.conversion.destination.code_bits
        codes = [fit(word, bits) for word, _ in self.elements]
        if not self.shape.packed:
            return codes
        padded = [*codes, *([BV(0, bits)] * (len(codes) % 2))]
        return [BVConcat(high, low) for low, high in zip(padded[::2], padded[1::2], strict=True)]

    @cached_property
    def codes(self) -> tuple[FNode, ...]:
        """The outputs, at the widths that a file declares."""
        illegal = [
            index
            for index, rule in enumerate(RULES)
            if self.rules.legality[rule].fault.value == FaultKind.ILLEGAL_INSTRUCTION.value
        ]
        refused = Bool.constant(value=False)
        for index in illegal:
            refused = refused | (self.rule == index)
        fault = Ite(self.published.term, BV(0, 2), Ite(refused.term, BV(1, 2), BV(2, 2)))
        every = [term for those in self.outputs.values() for term in those]
        return (fault, *(Ite(self.published.term, term, BV(0, term.bv_width())) for term in every))

    def element_flags(self, row: int, column: int) -> Num:
        """The flags of an element of D."""
        return Num(Int(self.elements[row * self.shape.columns + column][1], 0, 31))

    def element_code(self, row: int, column: int) -> Num:
        """The code of an element of D."""
        bits = self.conversion.destination.code_bits
        return Num(Int(fit(self.elements[row * self.shape.columns + column][0], bits), 0, (1 << bits) - 1))

    def variant(self, _name: str) -> tuple[Bool, list[Key]]:
        """Return what a variant asks for, and the inputs by which its least point is the least, in order."""
        return Bool.constant(value=True), [(name, each.term) for name, each in self.fields.items()]
