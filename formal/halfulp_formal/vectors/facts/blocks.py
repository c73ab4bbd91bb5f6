"""What corner classes may say of a block: its members, their exact mantissas, what rounds to 128, what is emitted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Any

from pysmt.fnode import FNode

from halfulp_formal.bits import Bool
from halfulp_formal.case import CallReplay
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import Record, fit
from halfulp_formal.properties import mxint8, quantised
from halfulp_formal.properties.quantised import DROPPED, REACHES, Member
from halfulp_formal.vectors.algebra import Num, choose, zigzag
from halfulp_formal.vectors.corner import all_of, any_of
from halfulp_model.block_rows import Selection

if TYPE_CHECKING:
    from halfulp_formal.families.blocks import BlockCase

Key = tuple[str, FNode]

#: so far below the exponent no bit of a member is left above the sticky one
FAR = 31

#: exponent field of 1
EXPONENT_OF_ONE = 127

#: exponents of the pattern: this one and the next three, so that a few low bits make any of them the largest
PATTERN_EXPONENT = 120


def pattern(lane: int) -> int:
    """Return the member that fills a lane where nothing else is asked for: no two alike, of either sign, not exact."""
    return (lane & 1) << 31 | (PATTERN_EXPONENT + lane % 4) << 23 | (0x2B5A35 + 0x1357B * lane) & 0x7FFFFF


@dataclass(frozen=True)
class Lane:
    """A member as it lies under the block's first exponent: its magnitude is significand / 2^places mantissa units."""

    word: Num
    negative: Bool
    exponent: Num
    fraction: Num
    significand: Num
    distance: Num
    raised: int = 0  #: how much the exponent is raised by renormalising

    @property
    def renormalised(self) -> Lane:
        """The same member under the next exponent."""
        values = (self.word, self.negative, self.exponent, self.fraction, self.significand, self.distance)
        return Lane(*values, raised=1)

    @property
    def positive(self) -> Bool:
        """The sign bit is clear."""
        return ~self.negative

    @property
    def places(self) -> Num:
        """The number of fraction bits of the exact mantissa, no more than matter."""
        return Num(arithmetic.minimum(self.distance.number, FAR)) + (DROPPED + self.raised)

    @property
    def nonzero(self) -> Bool:
        """The member counts: it is neither zero nor flushed."""
        return self.significand > 0

    @cached_property
    def unit(self) -> Num:
        """One mantissa unit, in last places of the significand."""
        return Num(1) << self.places

    @cached_property
    def whole_part(self) -> Num:
        """The exact mantissa's magnitude without its fraction."""
        return self.significand >> self.places

    @cached_property
    def rest(self) -> Num:
        """The fraction, in last places of the significand."""
        return self.significand % self.unit

    @property
    def whole(self) -> Bool:
        """The exact mantissa is an integer."""
        return self.rest == 0

    @property
    def tie(self) -> Bool:
        """The exact mantissa is half-way between integers."""
        return (self.rest << 1) == self.unit

    @property
    def before_tie(self) -> Bool:
        """The magnitude is one last place below a tie."""
        return ((self.rest + 1) << 1) == self.unit

    @property
    def after_tie(self) -> Bool:
        """The magnitude is one last place above a tie."""
        return (self.rest << 1) == self.unit + 2

    @property
    def before_integer(self) -> Bool:
        """The magnitude is one last place below an integer."""
        return self.rest + 1 == self.unit

    @property
    def after_integer(self) -> Bool:
        """The magnitude is one last place above an integer."""
        return self.rest == 1

    @property
    def odd(self) -> Bool:
        """The magnitude without its fraction is odd."""
        return self.whole_part % 2 == 1

    @property
    def near(self) -> Bool:
        """The member is a normal number below the leader, and keeps two integer digits or more."""
        return (self.exponent > 0) & (self.distance >= 1) & (self.distance <= 4)


class Facts:
    """One block conversion's vocabulary."""

    def __init__(self, case: BlockCase) -> None:
        self.case = case
        self.row: Any = case.conversion
        self.size: int = self.row.block.size
        self.by_field = self.row.block.selection.value == Selection.EXPONENT_FIELD.value
        self.words = [Num(word) for word in case.members]

    @property
    def inputs(self) -> tuple[FNode, ...]:
        """The symbols of the members."""
        return self.case.inputs

    @property
    def replays(self) -> tuple[CallReplay, ...]:
        """A replay of every lifted call."""
        return self.case.replays

    @cached_property
    def codes(self) -> tuple[FNode, ...]:
        """The exponent and the mantissas, each a byte."""
        block = self.case.convert(self.case.members)
        return tuple(fit(number, 8) for number in (block.exponent, *block.mantissas))

    @cached_property
    def shared(self) -> Num:
        """The largest exponent field."""
        return Num(reduce(arithmetic.maximum, (word.field(30, 23).number for word in self.words)))

    @cached_property
    def lanes(self) -> list[Lane]:
        """The members."""
        read = quantised.read if self.by_field else mxint8.read
        return [self._lane(word, read(member)) for word, member in zip(self.words, self.case.members, strict=True)]

    def _lane(self, word: Num, member: Member) -> Lane:
        exponent = Num(member.exponent)
        distance = Num(arithmetic.maximum((self.shared - exponent).number, -1 if not self.by_field else 0))
        return Lane(word, Bool(member.negative), exponent, Num(member.fraction), Num(member.significand), distance)

    @cached_property
    def legal(self) -> Bool:
        """The block is characterised; of a conversion that takes the largest magnitude, it is finite."""
        if not self.by_field:
            return self.shared < 255
        at_254 = (self.shared == 254) & self.renormalises
        at_255 = (self.shared == 255) & any_of(self.reaches(lane) for lane in self.lanes)
        return ~(at_254 | at_255)

    def leads(self, lane: Lane) -> Bool:
        """A member is normal and has the largest exponent."""
        return (lane.exponent == self.shared) & (self.shared > 0) & lane.nonzero

    def alone(self, place: int) -> Bool:
        """One member's exponent field is larger than all others'."""
        others = (lane.exponent < self.shared for index, lane in enumerate(self.lanes) if index != place)
        return self.leads(self.lanes[place]) & all_of(others)

    def reaches(self, lane: Lane) -> Bool:
        """A member's magnitude rounds to 128."""
        limits = REACHES[self.row.rounding.name]
        positive, negative = (
            Bool.constant(value=False) if least is None else lane.significand >= least for least in limits
        )
        return self.leads(lane) & ((lane.negative & negative) | (lane.positive & positive))

    def moves(self, lane: Lane) -> Bool:
        """A member's mantissa must not be emitted."""
        return Bool.constant(value=False) if self.row.rounding.name == "floor" else self.reaches(lane)

    @cached_property
    def renormalises(self) -> Bool:
        """A mantissa of the block must not be emitted."""
        return any_of(self.moves(lane) for lane in self.lanes)

    @cached_property
    def moved(self) -> Bool:
        """The block is quantised a second time, and its exponent is characterised."""
        return self.renormalises & (self.shared < 254)

    def mantissa(self, place: int) -> Num:
        """The emitted mantissa of a member."""
        return Num(self.case.convert(self.case.members).mantissas[place])

    def second_pass(self, place: int) -> tuple[Num, Num, Num]:
        """A member rounded under the next exponent: from the exact value, from the rounded one, from its top bits."""
        follow, model = self.case.lifter.follow, self.case.model
        exact_type = self.case.subject.module("exact").Exact
        word, next_exponent = self.case.members[place], (Num(arithmetic.narrow(self.shared.number, 0, 254)) + 1).number
        once = follow(model.round_member, (self.row, word, next_exponent), {})
        first = follow(model.round_member, (self.row, word, self.shared.number), {})
        rounding = self.case.subject.module("rounding").round_to_integer
        parts = (arithmetic.less(first, 0), arithmetic.absolute(first), -1)
        half = Record(exact_type, dict(zip(exact_type._fields, parts, strict=True)))
        twice = follow(rounding, (half, self.row.rounding), {})
        cut = arithmetic.shift_left(arithmetic.shift_right(word, 16), 16)
        from_top = follow(model.round_member, (self.row, cut, next_exponent), {})
        return Num(once), Num(twice), Num(from_top)

    def variant(self, name: str) -> tuple[Bool, list[Key]]:
        """Return what a variant asks for, and the numbers by which its least point is the least, in order.

        least: members that are zero, or else near 1 with short fractions. filled: members near a pattern of unlike ones.
        """
        keys: list[Key] = []
        for place, word in enumerate(self.words):
            if name == "filled":
                keys.append((f"from_pattern{place}", Num(arithmetic.bitwise_xor(word.number, pattern(place))).bits(32)))
                continue
            distance = zigzag(word.field(30, 23) - EXPONENT_OF_ONE)
            keys += [
                (f"nonzero{place}", choose(word == 0, 0, 1).bits(1)),
                (f"exponent{place}", choose(word == 0, 0, distance).bits(9)),
                (f"fraction{place}", word.field(22, 0).bits(23)),
                (f"sign{place}", word.field(31, 31).bits(1)),
            ]
        return Bool.constant(value=True), keys
