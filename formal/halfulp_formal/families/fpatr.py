"""B.FPATR: the word itself (`fpatr`), B.DATR beside it (`fpatr.datr`), and the preflight of an operation (`fpatr.s32`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import Equals

from halfulp_formal import fpatr_findings
from halfulp_formal.bits import Bits, Bool
from halfulp_formal.case import CallReplay, part
from halfulp_formal.encodings import fpatr as encoding
from halfulp_formal.lift.interpreter import Lifter
from halfulp_formal.lift.merge import over_choice
from halfulp_formal.lift.values import (
    Choice,
    Int,
    Record,
    conjoin,
    disjoin,
    equivalent,
    fit,
    symbol,
    truth_symbol,
    truth_term,
)
from halfulp_formal.properties import fpatr as properties
from halfulp_formal.properties.claim import Claim, Kind
from halfulp_formal.properties.fpatr import VARIABLE, WORD_RULES
from halfulp_formal.properties.numbers import Number, equal
from halfulp_formal.subject import Subject

from .family import Family, Group

WORD, DATR = "fpatr", "fpatr.datr"
#: the preflight by the accumulator's type
OPERATIONS = {"fpatr.fp32": "FP32", "fpatr.s32": "S32", "fpatr.u32": "U32"}

CONTROL_BITS = {"rmode": 3, "sat": 1, "layout": 5, "pad": 2, "cmode": 3, "canonicalize": 1}
#: bits of a count of elements, so that it may be too large; and columns whose words are looked at
COUNT_BITS = 17
COLUMNS = 2


def free(name: str, bits: int) -> Int:
    """Return a free unsigned number."""
    return symbol(name, 0, (1 << bits) - 1)


class FpatrCase:
    """The word, in.word, or fields and controls as symbols, with the model's rows."""

    def __init__(self, subject: Subject, name: str) -> None:
        self.subject = subject
        self.name = name
        self.model = subject.module("fpatr")
        self.rules = subject.module("loader").default_rules()
        self.lifter = Lifter(subject.package)
        self.word = free("in.word", 32)
        self.attributes: Mapping[str, Int] = {
            field: free(f"in.{field}", high - low + 1) for field, (high, low) in VARIABLE.items()
        }
        self.controls: Mapping[str, Int] = {field: free(f"in.{field}", bits) for field, bits in CONTROL_BITS.items()}

    @property
    def replays(self) -> tuple[CallReplay, ...]:
        """A replay of every lifted call."""
        return tuple(CallReplay(call) for call in self.lifter.calls)

    @property
    def inputs(self) -> tuple[FNode, ...]:
        """The free symbols: the word; or PreQuantMode and the controls."""
        if self.name == WORD:
            return (self.word.term,)
        return (self.pre_quant.term, *(each.term for each in self.controls.values()))

    @property
    def attribute_inputs(self) -> tuple[FNode, ...]:
        """The free symbols of the fields."""
        return tuple(each.term for each in self.attributes.values())

    @property
    def pre_quant(self) -> Int:
        """PreQuantMode as a symbol of its own."""
        return self.attributes["pre_quant"]

    @property
    def record(self) -> Record:
        """The free fields in the model's own type."""
        return Record(self.model.Attributes, dict(self.attributes))

    @property
    def datr(self) -> Record:
        """The free controls in the model's own type."""
        return Record(self.model.Controls, dict(self.controls))

    def decode(self, word: Number) -> dict[str, Number]:
        """The fields that the model reads from a word."""
        fields = self.lifter.call(self.model.decode_word, self.rules.fpatr, word)
        return {name: part(fields, name) for name in VARIABLE}

    def encode(self, fields: Mapping[str, Number]) -> Number:
        """The word that the model makes of some fields."""
        record = Record(self.model.Attributes, dict(fields))
        word: Number = self.lifter.call(self.model.encode_word, self.rules.fpatr, record)
        return word

    def as_word(self, word: Number) -> Int:
        """Return a word at its width."""
        return Int(fit(word, 32), 0, (1 << 32) - 1)

    def rule(self, word: Number) -> Number:
        """The place of the rule that a word breaks, the number of rules where it breaks none."""
        return place(self.lifter.call(self.model.word_rule, self.rules.fpatr, word))

    def raises(self, word: Number, fault: str) -> FNode:
        """State that a word raises a fault on its own."""
        found = self.rule(word)
        rows = self.rules.legality
        places = [index for index, name in enumerate(WORD_RULES) if rows[name].fault.value == fault]
        return disjoin(*(equal(found, index) for index in places))

    @cached_property
    def controls_legal(self) -> FNode:
        """State that the model accepts the controls beside the mode."""
        modes = tuple(self.rules.modes.values())
        return is_none(self.lifter.call(self.model.controls_rule, modes, self.pre_quant, self.datr))


def place(found: Any) -> Number:
    """Return the place of a rule among the word's, one past the last for none."""

    def index(rule: Any) -> int:
        return len(WORD_RULES) if rule is None else WORD_RULES.index(rule.value)

    if isinstance(found, Choice):
        number: Number = over_choice(found, index)
        return number
    return index(found)


def is_none(found: Any) -> FNode:
    """State that no rule is broken."""
    return truth_term(over_choice(found, lambda rule: rule is None) if isinstance(found, Choice) else found is None)


def as_fields(fields: Mapping[str, Number]) -> encoding.Fields:
    """Return fields as the encoding takes them."""
    bits = {name: Bits(fit(fields[name], high - low + 1)) for name, (high, low) in VARIABLE.items()}
    return encoding.Fields(**bits)


def as_datr(controls: Mapping[str, Int]) -> encoding.Datr:
    """Return controls as the encoding takes them."""
    return encoding.Datr(**{name: Bits(each.term) for name, each in controls.items()})


def word_equivalent(case: FpatrCase) -> Claim:
    """Fields and refusal of model and encoding agree for all 2^32 words, and so do the words of any fields."""
    bits = Bits(case.word.term)
    mine, theirs = encoding.decode(bits), case.decode(case.word)
    fields = [
        Equals(getattr(mine, name).term, fit(theirs[name], high - low + 1)) for name, (high, low) in VARIABLE.items()
    ]
    # the encoding counts refusals from 1, in the same order
    refusal = encoding.refusal(bits) - 1
    rule = Equals(fit(case.rule(case.word), encoding.REFUSAL_BITS), refusal.term)
    written = Equals(fit(case.encode(case.attributes), 32), encoding.encode(as_fields(case.attributes)).term)
    claim = conjoin(case.lifter.total(), rule, written, *fields)
    return Claim(claim, (*case.inputs, *case.attribute_inputs))


def fields_legal(case: FpatrCase) -> Claim:
    """Model and encoding refuse the same fields, for the same reason, over all values of all fields."""
    found = place(case.lifter.call(case.model.fields_rule, case.rules.fpatr, case.record))
    refusal = encoding.field_refusal(as_fields(case.attributes)) - 1
    agree = Equals(fit(found, encoding.REFUSAL_BITS), refusal.term)
    return Claim(conjoin(case.lifter.total(), agree), case.attribute_inputs)


def datr_equivalent(case: FpatrCase) -> Claim:
    """Model and encoding accept the same controls beside every assigned mode."""
    accepted = encoding.controls_legal(Bits(case.pre_quant.term), as_datr(case.controls))
    claim = conjoin(case.lifter.total(), equivalent(case.controls_legal, accepted.term))
    return Claim(claim, case.inputs, properties.is_assigned_mode(case.pre_quant))


class OperationCase(FpatrCase):
    """An operation with fields, controls, counts and words as symbols, for one type of accumulator."""

    def __init__(self, subject: Subject, name: str) -> None:
        super().__init__(subject, name)
        self.tile = subject.module("tile")
        self.accumulator = OPERATIONS[name]
        names = ("rows", "columns", "row_max_in", "quant_columns", "relu_columns")
        self.counts = {each: free(f"in.{each}", COUNT_BITS) for each in names}
        self.scalars = {each: truth_symbol(f"in.{each}") for each in ("quant_scalar", "relu_scalar")}
        scalars = ("quant_word", "relu_word")
        columns = [f"{each}.column{column}" for each in scalars for column in range(COLUMNS)]
        self.words = {each: free(f"in.{each}", 64) for each in (*scalars, *columns)}

    @property
    def inputs(self) -> tuple[FNode, ...]:
        """The free symbols of the operation."""
        every = (self.attributes, self.controls, self.counts, self.scalars, self.words)
        return tuple(each.term for group in every for each in group.values())

    def columns(self, name: str) -> tuple[Int, ...]:
        """The words of the columns."""
        return tuple(self.words[f"{name}.column{column}"] for column in range(COLUMNS))

    @cached_property
    def legal(self) -> FNode:
        """State that the model refuses nothing."""
        unit = self.subject.module("api_tile").build_unit(self.rules)
        operands = Record(
            self.tile.Operands,
            {
                "accumulator": self.accumulator,
                "rows": self.counts["rows"],
                "columns": self.counts["columns"],
                "row_max_in": self.counts["row_max_in"],
                "quant_scalar": self.scalars["quant_scalar"],
                "quant_columns": self.counts["quant_columns"],
                "relu_scalar": self.scalars["relu_scalar"],
                "relu_columns": self.counts["relu_columns"],
            },
        )
        words = Record(
            self.tile.Words,
            {
                "quant_scalar": self.words["quant_word"],
                "quant_columns": self.columns("quant_word"),
                "relu_scalar": self.words["relu_word"],
                "relu_columns": self.columns("relu_word"),
            },
        )
        found = self.lifter.call(self.tile.broken_rule, unit, self.record, self.datr, operands, words)
        return is_none(found)

    @property
    def bound(self) -> encoding.Bound:
        """The operands as the encoding takes them."""
        counts = {name: Bits(each.term) for name, each in self.counts.items()}
        return encoding.Bound(
            rows=counts["rows"],
            columns=counts["columns"],
            row_max_in=counts["row_max_in"],
            quant_scalar=Bool(self.scalars["quant_scalar"].term),
            quant_columns=counts["quant_columns"],
            relu_scalar=Bool(self.scalars["relu_scalar"].term),
            relu_columns=counts["relu_columns"],
            quant_word=Bits(self.words["quant_word"].term),
            quant_words=[Bits(word.term) for word in self.columns("quant_word")],
            relu_word=Bits(self.words["relu_word"].term),
            relu_words=[Bits(word.term) for word in self.columns("relu_word")],
        )


def operation_equivalent(case: OperationCase) -> Claim:
    """Model and encoding accept the same operations: fields, controls, operands, shapes and words."""
    accepted = encoding.operation_legal(
        case.accumulator.lower(), as_fields(case.attributes), as_datr(case.controls), case.bound
    )
    return Claim(conjoin(case.lifter.total(), equivalent(case.legal, accepted.term)), case.inputs)


KINDS: Mapping[str, tuple[Kind, ...]] = {
    WORD: (
        Kind(
            "equivalent",
            "Bits 10:9 and every other reserved mode value MUST reject before descriptor state or effects.",
            "PTO-B-FPATR-MATRIX-POSTPROCESS-001",
            lambda _name: True,
            word_equivalent,
            ("fpatr_reserved_bits_ignored", "fpatr_enables_swapped", "fpatr_encode_forgets_transpose"),
        ),
        Kind(
            "legal",
            "Header-local field checks happen before the descriptor becomes visible.",
            "asl/block/model/schema/attributes.asl, SetBundleFixedPointAttributeState",
            lambda _name: True,
            fields_legal,
            ("fpatr_relu_four", "fpatr_absolute_alone"),
        ),
        *properties.WORD_KINDS,
        *fpatr_findings.KINDS,
    ),
    DATR: (
        Kind(
            "equivalent",
            "Matrix B.DATR supplies only destination conversion controls when B.FPATR is present.",
            f"{properties.SOURCE}, legality",
            lambda _name: True,
            datr_equivalent,
            ("datr_fixed_mode_rounds", "datr_pad_ignored"),
        ),
        *properties.CONTROL_KINDS,
    ),
}
OPERATION_KINDS = (
    Kind(
        "equivalent",
        "Complete field, B.DATR, operand-schema, alias, shape, and allocation preflight precedes every source consumption "
        "and destination effect.",
        f"{properties.SOURCE}, ordering",
        lambda _name: True,
        operation_equivalent,
        ("preflight_skips_row_max_in", "preflight_first_column_only", "preflight_any_accumulator"),
    ),
)


def kinds_of(conversion: str) -> Iterator[Kind]:
    """Yield the kinds of obligation."""
    yield from KINDS.get(conversion, OPERATION_KINDS)


def make_case(subject: Subject, name: str) -> FpatrCase:
    """Return the case of a name."""
    return OperationCase(subject, name) if name in OPERATIONS else FpatrCase(subject, name)


FAMILY = Family("B.FPATR", Group.DEFAULT, lambda: [WORD, DATR, *OPERATIONS], kinds_of, make_case)
