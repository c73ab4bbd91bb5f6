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
    """An exact number beside an integer candidate, both in units of 2^-places: `value` and `candidate · unit`."""

    value: Number
    candidate: Number
    unit: Number


def on_common_scale(number: Magnitude, candidate: Number) -> Scaled:
    """Bring an exact number and an integer to a common scale on which both are integers.

    The scale is 2^-places with places the number of fraction bits, so the number's own significand stands unshifted where
    it has a fraction.
    """
    places = arithmetic.maximum(arithmetic.minus(number.exponent), 0)
    left = arithmetic.maximum(number.exponent, 0)
    value = arithmetic.shift_left(signed(number.negative, number.significand), left)
    unit = arithmetic.shift_left(1, places)
    return Scaled(value, arithmetic.shift_left(candidate, places), unit)


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


def exponent_range(number: Magnitude) -> tuple[int, int]:
    """Return the interval of an exact number's exponent."""
    return bounds(number.exponent)
