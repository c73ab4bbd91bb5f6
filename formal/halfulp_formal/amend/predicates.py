"""Declared predicates on a conversion's inputs, each with its words: what a region of difference is described by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from pysmt.fnode import FNode
from pysmt.shortcuts import TRUE

from halfulp_formal.case import Case, magnitude, part
from halfulp_formal.families import fpatr
from halfulp_formal.families.blocks import BlockCase
from halfulp_formal.families.plain import PlainCase
from halfulp_formal.families.scales import ScaleCase
from halfulp_formal.findings import rounds_up_to_normal
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import Int, Record, conjoin, disjoin, negate, truth_term
from halfulp_formal.properties import floating, plain, scales
from halfulp_formal.properties.floating import Neighbourhood, Target, Value, below, neighbourhood, same
from halfulp_formal.properties.fpatr import WORD_RULES
from halfulp_formal.properties.layouts import LAYOUTS
from halfulp_formal.properties.numbers import (
    Magnitude,
    Number,
    between,
    bit_field,
    equal,
    is_whole,
    is_zero,
    less,
    odd,
)

from .compare import Pair


@dataclass(frozen=True)
class Predicate:
    """A predicate: a key, its words after "where", and its term over the inputs."""

    key: str
    words: str
    term: FNode


def predicates_of(versions: Pair) -> list[Predicate]:
    """Return the predicates that are declared of a conversion's family, the plainest first; none that are constant."""
    case = versions.base.case
    for kind, declare in DECLARED.items():
        if isinstance(case, kind):
            found = {each.key: each for each in declare(versions) if not each.term.is_constant()}
            return list(found.values())
    return []


@dataclass(frozen=True)
class Landing:
    """A finite value and where it lands in a floating destination; the findings' view of a rounded value."""

    target: Target
    mode: str
    negative: FNode
    exact: Value
    code: Number
    around: Neighbourhood


def landing(target: Target, mode: str, number: Magnitude, code: Number) -> Landing:
    """Return where a number lands, given the magnitude code that the base makes of it."""
    exact = Value(number.significand, number.exponent)
    return Landing(target, mode, truth_term(number.negative), exact, code, neighbourhood(target, code))


def of_landing(at: Landing, finite: FNode) -> Iterator[Predicate]:
    """Yield predicates of a value in a floating destination; all but the first imply that it is finite and not zero."""
    edge = neighbourhood(at.target, at.target.largest)
    exact, around = at.exact, at.around
    nonzero = conjoin(finite, negate(equal(exact.significand, 0)))
    normal = Value(1, 1 - at.target.bias if at.target.exponent_bits else -15)

    def on_numbers(key: str, words: str, term: FNode) -> Predicate:
        return Predicate(key, words, conjoin(nonzero, term))

    yield on_numbers("above_largest", "the magnitude exceeds the largest finite number", below(edge.value, exact))
    yield on_numbers("to_middle", "it is at most the midpoint to the next one", negate(below(edge.middle_above, exact)))
    yield on_numbers("under_middle", "it is below the midpoint to the next one", below(exact, edge.middle_above))
    yield on_numbers("below_normal", "the magnitude is below the smallest normal number", below(exact, normal))
    with suppress(KeyError):  # a rounding mode that the specification does not have
        up = rounds_up_to_normal(cast(Any, at))
        yield on_numbers("to_normal", "it rounds to the smallest normal number with an unbounded exponent", up)
    tie = disjoin(same(exact, around.middle_below), same(exact, around.middle_above))
    yield on_numbers("code_tie", "the value is half-way between two codes", tie)
    yield on_numbers("inexact", "the value is no code's", negate(same(exact, around.value)))
    yield on_numbers("to_zero", "the value rounds to zero", equal(at.code, 0))
    yield on_numbers("negative_value", "the value is negative", at.negative)
    yield on_numbers("positive_value", "the value is positive", negate(at.negative))
    yield Predicate("finite", "the input is finite", finite)


def of_element(versions: Pair) -> Iterator[Predicate]:
    """Yield the predicates of a conversion of the post-processing."""
    case: Case = versions.base.case
    mode = case.conversion.mode
    special = case.special
    product = magnitude(case.product)
    if mode.parameter.value != "shift" and not (mode.destination is None and case.accumulator != "FP32"):
        if case.conversion.destination.is_integer:
            yield from of_stages(versions, product, negate(special))
        else:
            yield from of_floating_element(case, product, negate(special))
    yield Predicate("special", "the accumulator is an infinity or a NaN", special)
    relu = case.relu
    yield Predicate("no_activation", "no activation is selected", equal(relu, 0))
    yield Predicate("activation", "an activation is selected", negate(equal(relu, 0)))
    yield Predicate("relu_zero", "ReluMode is 1", equal(relu, 1))
    negative = truth_term(case.lifter.call(case.model.source_negative, case.conversion, case.value))
    yield Predicate("negative_accumulator", "the accumulator is negative", negative)
    yield Predicate("other_accumulator", "the accumulator is not negative", negate(negative))


def of_stages(versions: Pair, product: Magnitude, finite: FNode) -> Iterator[Predicate]:
    """Yield predicates of an integer destination's stages; words speak of the base unless they name both versions."""
    case, other = versions.base.case, versions.amended.case
    width, destination = case.conversion.mode.offset_bits, case.conversion.destination
    whole = is_whole(product)
    twice = is_whole(product._replace(exponent=arithmetic.add(product.exponent, 1)))
    base, amended = case.stages(case.product, case.offset), other.stages(other.product, other.offset)
    kept = [equal(part(each, "rounded"), part(each, "intermediate")) for each in (base, amended)]
    apart = negate(equal(part(base, "intermediate"), part(amended, "intermediate")))
    total = part(base, "total"), part(amended, "total")
    fits = [between(destination.minimum, each, destination.maximum) for each in total]
    offset = case.offset
    yield Predicate("tie", "the product is half-way between two integers", conjoin(finite, twice, negate(whole)))
    yield Predicate("inexact", "the product is no integer", conjoin(finite, negate(whole)))
    negative, zero = truth_term(product.negative), is_zero(product)
    yield Predicate("negative_product", "the product is negative", conjoin(finite, negative, negate(zero)))
    yield Predicate("positive_product", "the product is positive", conjoin(finite, negate(negative), negate(zero)))
    if width:
        yield Predicate("saturates", f"the rounded product does not fit S{width}", conjoin(finite, negate(kept[0])))
        words = f"the rounded product fits S{width} in one of the versions"
        yield Predicate("intermediate_fits", words, conjoin(finite, disjoin(*kept)))
        yield Predicate("intermediate_fits_base", f"the rounded product fits S{width}", conjoin(finite, kept[0]))
    words = f"the total fits {destination.name} in one of the versions"
    yield Predicate("total_fits", words, conjoin(finite, disjoin(*fits)))
    yield Predicate("total_fits_base", f"the total fits {destination.name}", conjoin(finite, fits[0]))
    yield Predicate("total_out", f"the total does not fit {destination.name}", conjoin(finite, negate(fits[0])))
    if width:
        words = f"the intermediates differ or the total fits {destination.name}"
        yield Predicate("intermediates_differ", words, conjoin(finite, disjoin(apart, *fits)))
    yield Predicate("totals_differ", "the totals differ", conjoin(finite, negate(equal(*total))))
    if width:
        yield Predicate("offset", "the offset is not 0", conjoin(finite, negate(equal(offset, 0))))
        against = disjoin(conjoin(less(offset, 0), negate(negative)), conjoin(less(0, offset), negative))
        yield Predicate("offset_against", "the offset has the other sign than the product", conjoin(finite, against))
    yield Predicate("finite", "the accumulator is finite", finite)


def of_floating_element(case: Case, product: Magnitude, finite: FNode) -> Iterator[Predicate]:
    """Yield predicates of a floating destination."""
    name = floating.destination_of(case.name)
    if name is None:
        return
    target = floating.TARGETS[name]
    word = Int(case.word(case.element), 0, (1 << 64) - 1)
    code = bit_field(word, target.bits - 1, 0)
    yield from of_landing(landing(target, case.conversion.rounding.name.lower(), product, code), finite)


def of_plain(versions: Pair) -> Iterator[Predicate]:
    """Yield the predicates of a plain conversion."""
    case: PlainCase = versions.base.case
    _, source, destination, mode, _ = case.name.split(".")
    number, finite, named = plain_number(case, source)
    yield from named
    if destination in plain.TARGETS:
        target, low = plain.TARGETS[destination], plain.LOW_BITS.get(destination, 0)
        word = Int(case.code(case.result), 0, (1 << case.conversion.destination.lane_bits) - 1)
        code = bit_field(word, low + target.bits - 1, low)
        yield from of_landing(landing(target, mode, number, code), finite)
        return
    whole = is_whole(number)
    twice = is_whole(number._replace(exponent=arithmetic.add(number.exponent, 1)))
    yield Predicate("tie", "the value is half-way between two integers", conjoin(finite, twice, negate(whole)))
    yield Predicate("inexact", "the value is no integer", conjoin(finite, negate(whole)))
    yield Predicate("negative_value", "the value is negative", conjoin(finite, truth_term(number.negative)))
    yield Predicate("positive_value", "the value is not negative", conjoin(finite, negate(truth_term(number.negative))))
    yield Predicate("finite", "the input is finite", finite)


def plain_number(case: PlainCase, source: str) -> tuple[Magnitude, FNode, list[Predicate]]:
    """Return the value of a source code by the judge, whether it is finite, and predicates of what is not."""
    if source in LAYOUTS:
        reading = LAYOUTS[source].read(case.bits)
        return (
            reading.number,
            reading.finite,
            [Predicate("nan", "the input is a NaN", reading.nan), Predicate("zero", "the input is zero", reading.zero)],
        )
    row = case.conversion.source
    half = 1 << (row.lane_bits - 1)
    value = Int(case.bits.term, -half, half - 1) if row.signed else case.bits
    number = Magnitude(arithmetic.less(value, 0), arithmetic.absolute(value), 0)
    return number, TRUE(), []


def of_scale(versions: Pair) -> Iterator[Predicate]:
    """Yield the predicates of a conversion to a power-of-two scale; lower is the power of two below the value."""
    case: ScaleCase = versions.base.case
    converted = scales.Converted(case)
    value, positive = converted.value, converted.positive
    lower = power_below(case, value)
    root = scales.above(scales.squared(value), scales.power(arithmetic.add(arithmetic.shift_left(lower, 1), 1)))
    middle = Value(3, arithmetic.subtract(lower, 1))
    exact = same(value, scales.power(lower))
    beyond, at = scales.above(value, middle), same(value, middle)
    between_them = "the value is above 2^0.5 times the power of two below it"
    yield Predicate("at_middle", "the value is 1.5 times the power of two below it", conjoin(positive, at))
    yield Predicate("past_root", between_them, conjoin(positive, root))
    yield Predicate("under_middle", "it is below 1.5 times that power", conjoin(positive, negate(beyond), negate(at)))
    yield Predicate("to_middle", "it is at most 1.5 times that power", conjoin(positive, negate(beyond)))
    even = disjoin(negate(disjoin(beyond, at)), conjoin(at, negate(odd(lower))))
    yield Predicate(
        "to_even", "it is below 1.5 times that power, or at it under an even exponent", conjoin(positive, even)
    )
    away = disjoin(negate(disjoin(beyond, at)), conjoin(at, less(lower, 0)))
    words = "it is below 1.5 times that power, or at it under a negative exponent"
    yield Predicate("to_away", words, conjoin(positive, away))
    yield Predicate("no_power", "the value is no power of two", conjoin(positive, negate(exact)))
    inside = conjoin(positive, negate(scales.too_small(value)), negate(scales.too_large(value)))
    yield Predicate("in_range", "the value is from 2^-127 to 2^127", inside)
    reached = negate(below(value, scales.power(-128)))
    yield Predicate("from_edge", "the value is at least 2^-128", conjoin(positive, reached))
    yield Predicate("too_large", "the value is above 2^127", conjoin(positive, scales.too_large(value)))
    yield Predicate("too_small", "the value is below 2^-127", conjoin(positive, scales.too_small(value)))
    yield Predicate("positive", "the value is positive and finite", positive)
    yield Predicate("zero", "the input is zero", converted.reading.zero)
    yield Predicate("nan", "the input is a NaN", converted.reading.nan)


def power_below(case: ScaleCase, value: Value) -> Number:
    """Return the exponent of the greatest power of two that is not above a value, with the model's own function."""
    exact = case.subject.module("exact")
    parts = {"negative": False, "significand": value.significand, "exponent": value.exponent}
    number: Number = case.lifter.follow(exact.magnitude_exponent, (Record(exact.Exact, parts),), {})
    return number


def of_block(versions: Pair) -> Iterator[Predicate]:
    """Yield the predicates of a block conversion."""
    case: BlockCase = versions.base.case
    found = case.convert(case.members)
    minimum = case.conversion.block.largest + 1
    yield Predicate("renormalised", "a rounded mantissa moves the shared exponent up", found.renormalised)
    yield Predicate("characterised", "the block is characterised", found.characterised)
    yield Predicate("uncharacterised", "the block is not characterised", negate(found.characterised))
    beyond = disjoin(found.renormalised, negate(found.characterised))
    yield Predicate("beyond", "a rounded mantissa is beyond the largest one that may be emitted", beyond)
    emitted = disjoin(*(equal(each, -minimum) for each in found.mantissas))
    yield Predicate("minimum", f"a mantissa is -{minimum}", emitted)


def of_fpatr(versions: Pair) -> Iterator[Predicate]:
    """Yield the predicates of a B.FPATR word, or of controls or an operation beside its fields."""
    base, amended = versions.base, versions.amended
    before, after = ({row.code: row for row in side.case.rules.modes.values()} for side in (base, amended))
    codes = sorted(code for code in before.keys() | after.keys() if repr(before.get(code)) != repr(after.get(code)))
    is_word = base.case.name == fpatr.WORD
    mode = base.case.decode(base.case.word)["pre_quant"] if is_word else base.case.pre_quant
    words = f"PreQuantMode is {' or '.join(map(str, codes))}"
    yield Predicate("mode", words, disjoin(*(equal(mode, code) for code in codes)))
    if is_word:
        accepted = [equal(side.case.rule(side.case.word), len(WORD_RULES)) for side in (base, amended)]
    else:
        accepted = [side.outputs[0][1] for side in (base, amended)]
    yield Predicate("accepted", "the amended version accepts it", accepted[1])
    yield Predicate("accepted_base", "the base accepts it", accepted[0])
    if is_word:
        fixed = WORD_RULES.index(base.case.subject.module("fpatr_rows").Rule.FIXED_BITS.value)
        rule = base.case.rule(base.case.word)
        yield Predicate("fixed", "the fixed bits are those of B.FPATR", negate(equal(rule, fixed)))


DECLARED: dict[type, Callable[[Pair], Iterator[Predicate]]] = {
    Case: of_element,
    PlainCase: of_plain,
    ScaleCase: of_scale,
    BlockCase: of_block,
    fpatr.FpatrCase: of_fpatr,
}
