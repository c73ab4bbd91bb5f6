"""Mathematics for claims: exact integers as terms, and the pieces that the specification's sentences are made of."""

from __future__ import annotations

from typing import Any, NamedTuple

from pysmt.fnode import FNode
from pysmt.shortcuts import BVExtract

from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.merge import merge
from halfulp_formal.lift.values import (
    Int,
    Truth,
    bounds,
    conjoin,
    disjoin,
    equivalent,
    fit,
    make_int,
    negate,
    truth_term,
)

Number = Int | int


class Magnitude(NamedTuple):
    """A judge's own exact number: (-1)^negative · significand · 2^exponent."""

    negative: Truth | bool
    significand: Number
    exponent: Number


def bit_field(word: Int, high: int, low: int) -> Number:
    """Return bits high:low of an unsigned word, as an unsigned number."""
    return make_int(BVExtract(fit(word, high + 1), low, high), 0, (1 << (high - low + 1)) - 1)


def signed_field(word: Int, high: int, low: int) -> Number:
    """Return bits high:low of an unsigned word, as a two's-complement number."""
    half = 1 << (high - low)
    return make_int(BVExtract(fit(word, high + 1), low, high), -half, half - 1)


def equal(left: Number, right: Number) -> FNode:
    """State left = right."""
    return truth_term(arithmetic.equal(left, right))


def less(left: Number, right: Number) -> FNode:
    """State left < right."""
    return truth_term(arithmetic.less(left, right))


def at_most(left: Number, right: Number) -> FNode:
    """State left <= right."""
    return truth_term(arithmetic.less_equal(left, right))


def between(low: Number, value: Number, high: Number) -> FNode:
    """State low <= value <= high."""
    return conjoin(at_most(low, value), at_most(value, high))


def implies(condition: FNode, claim: FNode) -> FNode:
    """State that the condition implies the claim."""
    return disjoin(negate(condition), claim)


def iff(left: FNode, right: FNode) -> FNode:
    """State that two claims are equivalent."""
    return equivalent(left, right)


def select(condition: FNode, then: Any, other: Any) -> Any:
    """Return one of two numbers."""
    return merge(condition, then, other)


def select_magnitude(condition: FNode, then: Magnitude, other: Magnitude) -> Magnitude:
    """Return one of two exact numbers."""
    return Magnitude(*(select(condition, one, two) for one, two in zip(then, other, strict=True)))


def clamped(value: Number, low: int, high: int) -> Number:
    """Return the value moved into [low, high]."""
    number: Number = select(less(value, low), low, select(less(high, value), high, value))
    return number


def odd(value: Number) -> FNode:
    """State that a number is odd."""
    return equal(arithmetic.modulo(value, 2), 1)


def signed(negative: Truth | bool, magnitude: Number) -> Number:
    """Return the number of a sign and a magnitude."""
    number: Number = select(truth_term(negative), arithmetic.minus(magnitude), magnitude)
    return number


class Scaled(NamedTuple):
    """A number with a fraction beside an integer candidate, both counted in the number's last place, 1/unit."""

    value: Number
    candidate: Number
    unit: Number


def has_fraction_bits(number: Magnitude) -> FNode:
    """State that an exact number's exponent is negative."""
    return less(number.exponent, 0)


def shifted(number: Magnitude) -> Number:
    """Return the integer that an exact number is where its exponent is not negative."""
    low, high = bounds(number.exponent)
    exponent = arithmetic.narrow(number.exponent, max(low, 0), high)
    return signed(number.negative, arithmetic.shift_left(number.significand, exponent))


def in_last_places(number: Magnitude, candidate: Number) -> Scaled:
    """Bring a number whose exponent is negative and a candidate no greater than its significand to a common scale."""
    low, high = bounds(number.exponent)
    places = arithmetic.minus(arithmetic.narrow(number.exponent, low, min(high, -1)))
    most = bounds(number.significand)[1]
    unit = arithmetic.shift_left(1, places)
    near = arithmetic.narrow(candidate, -most, most)
    return Scaled(signed(number.negative, number.significand), arithmetic.shift_left(near, places), unit)


def is_whole(number: Magnitude) -> FNode:
    """State that an exact number is an integer."""
    unit = arithmetic.shift_left(1, arithmetic.maximum(arithmetic.minus(number.exponent), 0))
    return equal(arithmetic.modulo(number.significand, unit), 0)


def is_zero(number: Magnitude) -> FNode:
    """State that an exact number is zero."""
    return equal(number.significand, 0)


def same_number(left: Magnitude, right: Magnitude) -> FNode:
    """State that two exact numbers in one representation are the same: equal parts, or both zero."""
    parts = conjoin(
        equal(left.significand, right.significand),
        equal(left.exponent, right.exponent),
        iff(truth_term(left.negative), truth_term(right.negative)),
    )
    return disjoin(parts, conjoin(is_zero(left), is_zero(right)))
