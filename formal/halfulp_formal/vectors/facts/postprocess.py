"""What corner classes may say of a conversion of the post-processing: its inputs, its factor, its stages, its result."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import BVExtract

from halfulp_formal.bits import Bool
from halfulp_formal.case import CallReplay, Case, magnitude, part
from halfulp_formal.lift.merge import merge
from halfulp_formal.lift.values import Int, Record, fit
from halfulp_formal.properties.numbers import clamped
from halfulp_formal.properties.pipeline import Fp32
from halfulp_formal.vectors.algebra import Num, choose
from halfulp_formal.vectors.facts import order
from halfulp_formal.vectors.facts.floating import FloatPosition, binary_position, tapered_position
from halfulp_formal.vectors.facts.position import Position
from halfulp_model.postprocess import Conversion
from halfulp_model.rows import Kind, Parameter

Key = tuple[str, FNode]


class Facts:
    """One conversion's vocabulary. What a conversion does not have, such as a scale, must not be asked for."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.row: Conversion = case.conversion
        self.value = Num(case.value)
        self.relu = Num(case.relu)
        self.quant_word = Num(case.quant_word)
        self.relu_word = Num(case.relu_word)
        self.legal = Bool(case.legal)

    @property
    def inputs(self) -> tuple[FNode, ...]:
        """The symbols of a case's inputs, in the file's order: a mode without parameter does not read the word."""
        value, relu, quant_word, relu_word = self.case.inputs
        if self.row.mode.parameter is Parameter.NONE:
            return value, relu, relu_word
        return value, relu, quant_word, relu_word

    @property
    def replays(self) -> tuple[CallReplay, ...]:
        """A replay of every lifted call."""
        return self.case.replays

    @cached_property
    def outputs(self) -> tuple[FNode, FNode]:
        """The 64-bit word and the five flags."""
        return self.case.word(self.case.element), self.case.flags(self.case.element)

    @cached_property
    def codes(self) -> tuple[FNode, FNode]:
        """The element's code and the flags, at the widths that a file declares."""
        word, flags = self.outputs
        return BVExtract(word, 0, self.row.destination.code_bits - 1), flags

    @cached_property
    def flags(self) -> Num:
        """The flags of the result."""
        return Num(Int(self.outputs[1], 0, 31))

    # The accumulator.

    @cached_property
    def source(self) -> Fp32:
        """An FP32 accumulator, read by the judge."""
        return Fp32(self.case.value)

    @cached_property
    def nan(self) -> Bool:
        """The accumulator is a NaN."""
        return Bool(self.source.nan)

    @cached_property
    def quiet(self) -> Bool:
        """The top fraction bit is set."""
        return Bool(self.source.quiet)

    @cached_property
    def infinite(self) -> Bool:
        """The accumulator is an infinity."""
        return Bool(self.source.infinite)

    @cached_property
    def sign(self) -> Bool:
        """The accumulator's sign bit is set, or the integer is negative."""
        if self.row.accumulator.is_integer:
            return self.value < 0
        return Bool(self.source.sign)

    @cached_property
    def negative_source(self) -> Bool:
        """The accumulator takes the negative path: -0 and -infinity do, a NaN does not."""
        return self.sign if self.row.accumulator.is_integer else self.sign & ~self.nan

    @cached_property
    def pattern(self) -> Num:
        """The accumulator's 32 bits, unsigned."""
        return Num(Int(self.value.bits(32), 0, (1 << 32) - 1))

    @cached_property
    def magnitude_code(self) -> Num:
        """Bits 30:0 of an FP32 accumulator."""
        return self.value.field(30, 0)

    # The parameter words.

    @cached_property
    def scale_exponent(self) -> Num:
        """The exponent field of the scale."""
        low = self.row.layout.scale.low + self.row.fp19.fraction_bits
        return self.quant_word.field(low + self.row.fp19.exponent_bits - 1, low)

    @cached_property
    def scale_fraction(self) -> Num:
        """The fraction field of the scale."""
        low = self.row.layout.scale.low
        return self.quant_word.field(low + self.row.fp19.fraction_bits - 1, low)

    @cached_property
    def offset(self) -> Num:
        """The signed offset."""
        low = self.row.layout.offset.low
        return self.quant_word.signed_field(low + self.row.mode.offset_bits - 1, low)

    @cached_property
    def shift(self) -> Num:
        """The number of places of a shift mode, 1 to 16."""
        field = self.row.layout.shift
        return self.quant_word.field(field.low + field.bits - 1, field.low) + 1

    @cached_property
    def shift_unit(self) -> Num:
        """2^shift."""
        return Num(1) << self.shift

    @cached_property
    def shifted(self) -> Num:
        """The accumulator shifted right, cut downwards."""
        return self.value >> self.shift

    @cached_property
    def lost(self) -> Num:
        """The bits shifted out."""
        return self.value % self.shift_unit

    @cached_property
    def shift_fits(self) -> Bool:
        """The shifted accumulator is in the destination's range."""
        return (self.shifted >= self.row.destination.minimum) & (self.shifted <= self.row.destination.maximum)

    @cached_property
    def activation_exponent(self) -> Num:
        """The exponent field of the activation factor."""
        low = self.row.fp19.fraction_bits
        return self.relu_word.field(low + self.row.fp19.exponent_bits - 1, low)

    @cached_property
    def activation_fraction(self) -> Num:
        """The fraction field of the activation factor."""
        return self.relu_word.field(self.row.fp19.fraction_bits - 1, 0)

    @cached_property
    def activation_read(self) -> Bool:
        """ReluMode makes the activation word count, whether or not this element uses it."""
        return self.relu >= 2

    @cached_property
    def activated(self) -> Bool:
        """The activation factor is in the place of the scale."""
        return self.activation_read & self.negative_source

    @cached_property
    def factor_zero(self) -> Bool:
        """The factor is zero: by ReLU, or by an activation factor of +0."""
        return Num(magnitude(self.case.multiplier).significand) == 0

    # The product and where it is rounded.

    @cached_property
    def live(self) -> Bool:
        """The inputs are legal, and the element is neither passed through nor a NaN or an infinity of its own."""
        rounds = self.relu != 0 if self.row.mode.destination is None else Bool.constant(value=True)
        return self.legal & rounds & ~Bool(self.case.special)

    @cached_property
    def number(self) -> Any:
        """The exact product in the model's type; where the factor is 1 for want of a scale, the accumulator itself.

        So "one last place" of an unscaled number is one of the accumulator's.
        """
        product = self.case.product
        if self.row.mode.parameter is Parameter.SCALE:
            return product
        one = self.case.subject.module("floats").one(self.row.fp19)
        places = -one.exponent
        significand = Num(part(product, "significand")) >> places
        exponent = Num(part(product, "exponent")) + places
        plain = Record(
            type(one),
            {"negative": part(product, "negative"), "significand": significand.number, "exponent": exponent.number},
        )
        return merge(self.activated.term, product, plain)

    @cached_property
    def product(self) -> Position:
        """The exact product."""
        return Position(magnitude(self.number))

    @cached_property
    def float(self) -> FloatPosition:
        """The exact product between the codes of a floating destination."""
        return self._float_position(self.number)

    def _float_position(self, product: Any) -> FloatPosition:
        fmt = self.row.destination
        if fmt.kind is Kind.TAPERED:
            return tapered_position(magnitude(product), product, fmt, self.case.subject, self.case.lifter)
        return binary_position(magnitude(product), fmt)

    @cached_property
    def small(self) -> Bool:
        """The product and its neighbours survive every later stage, unless an offset moves them."""
        return self.live & (self.product.whole_part < self.row.destination.maximum)

    @cached_property
    def visible(self) -> Bool:
        """The product survives every stage, unless an offset moves it, and is not lost below 1 or among subnormals."""
        return self.live & self._shows(self.case.product)

    @cached_property
    def would_show(self) -> Bool:
        """Without an activation the product would be visible."""
        words = (0, self.case.quant_word, self.case.relu_word)
        plain = self.case.lifter.call(self.case.model.select_multiplier, self.row, self.case.value, *words)
        return self._shows(self.case.lifter.call(self.case.model.exact_product, self.row, self.case.value, plain))

    def _shows(self, product: Any) -> Bool:
        if self.row.destination.is_integer:
            whole_part = Position(magnitude(product)).whole_part
            return (whole_part > 0) & (whole_part <= self.row.destination.maximum)
        return self._float_position(product).normal

    # The stages after the rounding. A whole product is what every rounding mode makes of it, so that classes of whole
    # products, named `exact_…` here, are the same under all of them.

    @cached_property
    def rounded(self) -> Num:
        """The product rounded to an integer, as the model does it."""
        return Num(part(self._stages, "rounded"))

    @cached_property
    def total(self) -> Num:
        """The intermediate with the offset, as the model does it."""
        return Num(part(self._stages, "total"))

    @cached_property
    def _stages(self) -> Any:
        return self.case.stages(self.case.product, self.offset.number if self.row.mode.offset_bits else 0)

    @property
    def highest(self) -> int:
        """The largest intermediate."""
        return (1 << (self.row.mode.offset_bits - 1)) - 1

    @property
    def lowest(self) -> int:
        """The least intermediate."""
        return -self.highest - 1

    @cached_property
    def exact(self) -> Bool:
        """The product is a whole number."""
        return self.live & self.product.whole

    @cached_property
    def exact_product(self) -> Num:
        """The whole product."""
        return choose(self.product.negative, -self.product.whole_part, self.product.whole_part)

    @cached_property
    def exact_total(self) -> Num:
        """The intermediate of a whole product with the offset."""
        return Num(clamped(self.exact_product.number, self.lowest, self.highest)) + self.offset

    @cached_property
    def exact_over(self) -> Bool:
        """The product is a whole number above the intermediate's range."""
        return self.exact & (self.exact_product > self.highest)

    @cached_property
    def exact_under(self) -> Bool:
        """The product is a whole number below the intermediate's range."""
        return self.exact & (self.exact_product < self.lowest)

    @cached_property
    def exact_inside(self) -> Bool:
        """The product is a whole number of the intermediate's range."""
        return self.exact & (self.exact_product <= self.highest) & (self.exact_product >= self.lowest)

    @cached_property
    def total_over(self) -> Bool:
        """The total of a whole product is above the destination's range."""
        return self.exact_total > self.row.destination.maximum

    @cached_property
    def total_under(self) -> Bool:
        """The total of a whole product is below the destination's range."""
        return self.exact_total < self.row.destination.minimum

    @cached_property
    def total_inside(self) -> Bool:
        """The total of a whole product is in the destination's range."""
        return ~self.total_over & ~self.total_under

    @cached_property
    def fits(self) -> Bool:
        """The product is whole and not zero, and neither stage overflows."""
        return self.exact_inside & self.total_inside & ~self.product.zero

    @cached_property
    def order_shows(self) -> Bool:
        """Adding the offset to a whole product before the intermediate saturation would give another result."""
        moved = (self.exact_product + self.offset).number
        early = Num(clamped(moved, self.lowest, self.highest))
        return self.final(self.exact_total) != self.final(early)

    def final(self, total: Num) -> Num:
        """The destination's value of a total: clamped with Sat = 1, else its low bits."""
        low, high = self.row.destination.minimum, self.row.destination.maximum
        if self.row.saturate:
            return Num(clamped(total.number, low, high))
        return Num(Int(fit(total.number, self.row.destination.code_bits), low, high))

    def differs_under(self, rounding: str) -> Bool:
        """Another rounding mode rounds the product otherwise, and it shows."""
        rules = self.case.subject.module("loader").default_rules()
        pair = sorted([self.row.rounding.name, rounding])
        if self.row.destination.is_integer:
            one, two = (self._rounded_under(rules.roundings[name]) for name in pair)
            return (self.product.whole_part + 1 < self.row.destination.maximum) & (one != two)
        one, two = (self._word_under(rules.roundings[name]) for name in pair)
        return self.float.normal & (one != two)

    def _rounded_under(self, rounding: Any) -> Num:
        module = self.case.subject.module("rounding")
        return Num(self.case.lifter.call(module.round_to_integer, self.case.product, rounding))

    def _word_under(self, rounding: Any) -> Num:
        row = replace(self.row, name=f"{self.row.name} under {rounding.name}", rounding=rounding)
        return Num(part(self.case.lifter.call(self.case.model.encode_product, row, self.case.product), "word"))

    def variant(self, name: str) -> tuple[Bool, list[Key]]:
        """Return what a variant asks for, and the numbers by which its least point is the least, in order."""
        return order.variant(self, name)
