"""Whole tiles: `tile.vreq8.rne.sat` and its like on a small tile, and packed elements, `pack.s4x2`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from pysmt.fnode import FNode
from pysmt.shortcuts import Equals

from halfulp_formal.bits import Bits
from halfulp_formal.case import CallReplay, part
from halfulp_formal.encodings import nibbles as encoding
from halfulp_formal.lift.interpreter import Lifter
from halfulp_formal.lift.values import Int, conjoin, fit, symbol
from halfulp_formal.properties import tiles
from halfulp_formal.properties.claim import Claim, Kind
from halfulp_formal.properties.numbers import Number, bit_field, equal
from halfulp_formal.subject import Subject

from .family import Family, Group

#: one conversion of every accumulator, destination and way to a parameter
CONVERSIONS = (
    "noquant.fp32",
    "noquant.s32",
    "noquant.u32",
    "req8.rne.nosat",
    "vreq8.rtm.sat",
    "vreq4.rto.nosat",
    "vshifts322s16",
    "vdeqf16.rna.sat",
    "qf322fp8.rne.nosat",
)
PACKED = "pack.s4x2"

ROWS, COLUMNS, GROUP_COLUMNS = 2, 3, 2
#: ReluMode 2 reads one word a column here, so that every word of both kinds counts
RELU = 2


class Outputs(NamedTuple):
    """What the model publishes."""

    d: tuple[tuple[Number, ...], ...]
    row_max: tuple[Number, ...]
    group_max: tuple[tuple[Number, ...], ...]
    flags: Number


class Alone(NamedTuple):
    """What the model makes of one element."""

    word: Number
    flags: Number


class TileCase:
    """A tile of 2 × 3 with groups of two columns, RowMaxIn, and a parameter and an activation word a column."""

    corners = ((0, 0), (1, 1))

    def __init__(self, subject: Subject, name: str) -> None:
        self.subject = subject
        self.name = name
        self.model = subject.module("tile")
        self.rules = subject.module("loader").default_rules()
        self.conversion = subject.module("conversions").conversions()[name.partition(".")[2]]
        self.lifter = Lifter(subject.package)
        places = [(row, column) for row in range(ROWS) for column in range(COLUMNS)]
        self.free = {place: self.accumulator("in.value{}{}".format(*place)) for place in places}
        self.others = {place: self.accumulator("in.other{}{}".format(*place)) for place in places}
        self.row_max_in = tuple(self.accumulator(f"in.row_max{row}") for row in range(ROWS))
        self.quant_words, self.relu_words = self.words("in.quant_word"), self.words("in.relu_word")
        self.other_words = self.words("in.other_quant_word"), self.words("in.other_relu_word")

    @property
    def accumulator_name(self) -> str:
        """The accumulator's type."""
        name: str = self.conversion.accumulator.name
        return name

    def accumulator(self, name: str) -> Int:
        """Return a free accumulator; the sort is part of the name."""
        if self.accumulator_name == "S32":
            return symbol(f"{name}.s32", -(1 << 31), (1 << 31) - 1)
        return symbol(f"{name}.32", 0, (1 << 32) - 1)

    @staticmethod
    def words(name: str) -> tuple[Int, ...]:
        """Return a free word a column."""
        return tuple(symbol(f"{name}{column}", 0, (1 << 64) - 1) for column in range(COLUMNS))

    @property
    def inputs(self) -> tuple[FNode, ...]:
        """The free symbols of a tile and its operands."""
        every = (*self.free.values(), *self.row_max_in, *self.quant_words, *self.relu_words)
        return tuple(each.term for each in every)

    @property
    def all_inputs(self) -> tuple[FNode, ...]:
        """The free symbols of two tiles."""
        more = (*self.others.values(), *self.other_words[0], *self.other_words[1])
        return (*self.inputs, *(each.term for each in more))

    @property
    def replays(self) -> tuple[CallReplay, ...]:
        """A replay of every lifted call."""
        return tuple(CallReplay(call) for call in self.lifter.calls)

    @property
    def tile(self) -> tuple[tuple[Int, ...], ...]:
        """The accumulators by rows."""
        return tuple(tuple(self.free[row, column] for column in range(COLUMNS)) for row in range(ROWS))

    def operation(self, row_max: bool = True, groups: bool = True) -> Any:
        """An operation that reduces absolute values, with an activation."""
        return self.model.Operation(
            conversion=self.conversion,
            reduction=self.rules.reductions[self.accumulator_name],
            relu=RELU,
            row_max=row_max,
            group_columns=GROUP_COLUMNS if groups else 0,
            max_abs=True,
        )

    @cached_property
    def published(self) -> Outputs:
        """What the model publishes of the tile with all reductions."""
        return self.reducing(row_max=True, groups=True)

    def reducing(self, row_max: bool, groups: bool) -> Outputs:
        """What the model publishes of the tile with some reductions."""
        return self.publish(self.operation(row_max, groups), self.tile, self.quant_words, self.relu_words)

    def publish(
        self,
        operation: Any,
        tile: tuple[tuple[Int, ...], ...],
        quant_words: tuple[Number, ...],
        relu_words: tuple[Number, ...],
    ) -> Outputs:
        """What the model publishes of any tile."""
        call = self.lifter.call(self.model.publish, operation, tile, self.row_max_in, quant_words, relu_words)
        return Outputs(*(part(call, name) for name in Outputs._fields))

    def element(self, value: Int, quant_word: Int, relu_word: Int) -> Alone:
        """What the model makes of one element."""
        element = self.subject.module("postprocess").element
        call = self.lifter.call(element, self.conversion, value, RELU, quant_word, relu_word)
        return Alone(part(call, "word"), part(call, "flags"))

    def elsewhere(self, row: int, column: int) -> Outputs:
        """What is published where everything differs but one accumulator and its column's words."""
        tile = tuple(
            tuple(
                (self.free if (line, place) == (row, column) else self.others)[line, place] for place in range(COLUMNS)
            )
            for line in range(ROWS)
        )
        mine, other = (self.quant_words, self.relu_words), self.other_words
        quant_words, relu_words = (
            tuple((one if place == column else two)[place] for place in range(COLUMNS))
            for one, two in zip(mine, other, strict=True)
        )
        return self.publish(self.operation(), tile, quant_words, relu_words)

    def unconverted(self) -> Outputs:
        """What NoQuant without an activation publishes of the tile."""
        noquant = self.subject.module("conversions").conversions()[f"noquant.{self.accumulator_name.lower()}"]
        operation = self.model.Operation(
            noquant,
            self.rules.reductions[self.accumulator_name],
            0,
            row_max=True,
            group_columns=GROUP_COLUMNS,
            max_abs=True,
        )
        return self.publish(operation, self.tile, (0,) * COLUMNS, (0,) * COLUMNS)

    def every_flag(self, row_max: bool, groups: bool) -> Iterator[Number]:
        """The flags of every element and of every enabled maximum, each by itself."""
        model, reduction = self.subject.module("reduction"), self.operation().reduction
        for row, initial in zip(self.tile, self.row_max_in, strict=True):
            for value, quant_word, relu_word in zip(row, self.quant_words, self.relu_words, strict=True):
                yield self.element(value, quant_word, relu_word).flags
            if row_max:
                yield part(self.lifter.call(model.initial_row_max, reduction, True, row, initial), "flags")
            if groups:
                for group in self.lifter.call(model.group_max, reduction, True, GROUP_COLUMNS, row):
                    yield part(group, "flags")


class PackingCase:
    """Five S4X2 elements, in.element0 to in.element4, and three bytes, in.byte0 to in.byte2."""

    def __init__(self, subject: Subject, name: str) -> None:
        self.subject = subject
        self.name = name
        self.model = subject.module("packing")
        self.row = subject.module("loader").default_rules().formats["S4X2"]
        self.lifter = Lifter(subject.package)
        self.elements = tuple(symbol(f"in.nibble{index}", -8, 7) for index in range(5))
        self.carriers = tuple(symbol(f"in.byte{index}", 0, 255) for index in range(3))

    @property
    def inputs(self) -> tuple[FNode, ...]:
        """The free symbols of elements and bytes."""
        return tuple(each.term for each in (*self.elements, *self.carriers))

    @property
    def replays(self) -> tuple[CallReplay, ...]:
        """A replay of every lifted call."""
        return tuple(CallReplay(call) for call in self.lifter.calls)

    def pack(self, elements: tuple[Number, ...]) -> tuple[Number, ...]:
        """The bytes that the model makes of elements."""
        carriers: tuple[Number, ...] = self.lifter.call(self.model.pack, self.row, elements)
        return carriers

    def unpack(self, carriers: tuple[Number, ...]) -> tuple[Number, ...]:
        """The codes that the model finds in bytes."""
        codes: tuple[Number, ...] = self.lifter.call(self.model.unpack, self.row, carriers)
        return codes


def packing_equivalent(case: PackingCase) -> Claim:
    """Model and encoding pack five elements and unpack three bytes alike."""
    packed = encoding.pack([Bits(element.term) for element in case.elements])
    found = encoding.unpack([Bits(carrier.term) for carrier in case.carriers])
    claims = [Equals(fit(one, 8), two.term) for one, two in zip(case.pack(case.elements), packed, strict=True)]
    claims += [Equals(fit(one, 4), two.term) for one, two in zip(case.unpack(case.carriers), found, strict=True)]
    return Claim(conjoin(case.lifter.total(), *claims), case.inputs)


def packing_inverse(case: PackingCase) -> Claim:
    """Packed elements unpack to themselves, and bytes pack to themselves."""
    codes = case.unpack(case.pack(case.elements))
    there = [Equals(fit(one, 4), fit(two, 4)) for one, two in zip(codes, case.elements, strict=False)]
    carriers = case.pack(case.unpack(case.carriers))
    back = [equal(one, two) for one, two in zip(carriers, case.carriers, strict=True)]
    return Claim(conjoin(equal(codes[-1], 0), *there, *back), case.inputs)


def nibble_order(case: PackingCase) -> Claim:
    """Logical element 0 is in the low nibble, 1 in the high nibble, and so on; a high nibble without an element is 0."""
    claims = []
    for index, carrier in enumerate(case.pack(case.elements)):
        assert isinstance(carrier, Int)
        low, high = bit_field(carrier, 3, 0), bit_field(carrier, 7, 4)
        claims.append(Equals(fit(low, 4), case.elements[2 * index].term))
        odd = 2 * index + 1
        claims.append(Equals(fit(high, 4), fit(case.elements[odd] if odd < len(case.elements) else 0, 4)))
    return Claim(conjoin(*claims), case.inputs)


PACKING_SOURCE = "ADR 0085, Decision 181; asl/tile/model/definedness/packed-boundary.asl"
PACKING_KINDS = (
    Kind(
        "equivalent",
        "Each S4X2 logical element occupies one nibble, and adjacent logical elements use the packed-memory nibble order.",
        PACKING_SOURCE,
        tiles.every,
        packing_equivalent,
        ("nibbles_swapped", "last_nibble_repeated"),
    ),
    Kind(
        "inverse",
        "What is packed is found again.",
        PACKING_SOURCE,
        tiles.every,
        packing_inverse,
        ("nibbles_swapped", "last_nibble_repeated"),
    ),
    Kind(
        "order",
        "Logical element 0 is in the low nibble, 1 in the high nibble, and so on.",
        PACKING_SOURCE,
        tiles.every,
        nibble_order,
        ("nibbles_swapped", "last_nibble_repeated"),
    ),
)


def kinds_of(conversion: str) -> Iterator[Kind]:
    """Yield the kinds of obligation."""
    yield from PACKING_KINDS if conversion == PACKED else tiles.KINDS


def make_case(subject: Subject, name: str) -> TileCase | PackingCase:
    """Return the case of a name."""
    return PackingCase(subject, name) if name == PACKED else TileCase(subject, name)


FAMILY = Family(
    "tiles", Group.DEFAULT, lambda: [*(f"tile.{name}" for name in CONVERSIONS), PACKED], kinds_of, make_case
)
