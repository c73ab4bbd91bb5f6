"""Exact integer arithmetic on intervals and bit-vectors: every result is wide enough, so nothing ever wraps."""

from __future__ import annotations

from collections.abc import Callable

from pysmt.fnode import FNode
from pysmt.shortcuts import (
    BV,
    BVSLE,
    BVSLT,
    BVULE,
    BVULT,
    BVAdd,
    BVAnd,
    BVAShr,
    BVConcat,
    BVExtract,
    BVLShl,
    BVLShr,
    BVMul,
    BVNeg,
    BVOr,
    BVSub,
    BVUDiv,
    BVURem,
    BVXor,
    Equals,
)

from .values import Int, LiftError, Truth, bounds, choose, fit, make_int, make_truth, truth_term, width_of

#: a wider term is a sign of a missing bound in the source, not something to give to a solver
WIDEST = 4096

Number = Int | int


def result(low: int, high: int, build: Callable[[int], FNode]) -> Number:
    """Return the integer of an interval whose term is built at the interval's own width."""
    if low == high:
        return low
    width = width_of(low, high)
    if width > WIDEST:
        raise LiftError(f"an integer of up to {width} bits is wider than {WIDEST}; narrow it with an assert or an if")
    return make_int(build(width), low, high)


def add(left: Number, right: Number) -> Number:
    """Return left + right."""
    (low1, high1), (low2, high2) = bounds(left), bounds(right)
    return result(low1 + low2, high1 + high2, lambda width: BVAdd(fit(left, width), fit(right, width)))


def subtract(left: Number, right: Number) -> Number:
    """Return left - right."""
    (low1, high1), (low2, high2) = bounds(left), bounds(right)
    return result(low1 - high2, high1 - low2, lambda width: BVSub(fit(left, width), fit(right, width)))


def multiply(left: Number, right: Number) -> Number:
    """Return left · right."""
    corners = [one * two for one in bounds(left) for two in bounds(right)]
    return result(min(corners), max(corners), lambda width: BVMul(fit(left, width), fit(right, width)))


def minus(value: Number) -> Number:
    """Return -value."""
    low, high = bounds(value)
    return result(-high, -low, lambda width: BVNeg(fit(value, width)))


def invert(value: Number) -> Number:
    """Return the bitwise complement, -value - 1."""
    return subtract(minus(value), 1)


def absolute(value: Number) -> Number:
    """Return |value|."""
    if isinstance(value, int):
        return abs(value)
    if value.low >= 0:
        return value
    if value.high <= 0:
        return minus(value)
    negative = truth_term(less(value, 0))
    high = max(-value.low, value.high)
    return result(0, high, lambda width: choose(negative, fit(minus(value), width), fit(value, width)))


def shift_left(value: Number, places: Number) -> Number:
    """Return value << places for places >= 0, which the caller proves; a negative shift has no meaning."""
    (low, high), (fewest, most) = bounds(value), bounds(places)
    fewest, most = max(fewest, 0), max(most, 0)
    check_places(most)
    low, high = min(low << fewest, low << most), max(high << fewest, high << most)
    if isinstance(places, int):
        return result(low, high, lambda width: shift_left_constant(value, most, width))
    shifted = result(low, high, lambda width: shift_by(BVLShl, value, places, width, width))
    if value == 1 and isinstance(shifted, Int):
        return Int(shifted.term, shifted.low, shifted.high, power=places)
    return shifted


def check_places(most: int) -> None:
    """Refuse a shift whose result could not be given to a solver."""
    if most > WIDEST:
        raise LiftError(f"a shift by up to {most} places is wider than {WIDEST}; narrow it with an assert or an if")


def shift_left_constant(value: Number, places: int, width: int) -> FNode:
    """Return value << places as a term of a width that holds it."""
    if places == 0:
        return fit(value, width)
    return BVConcat(fit(value, width - places), BV(0, places)) if width > places else BV(0, width)


def shift_by(operator: Callable[[FNode, FNode], FNode], value: Number, places: Int, inner: int, width: int) -> FNode:
    """Apply a shift at a width that holds both the value and the number of places, and cut to the result."""
    _, most = bounds(places)
    inner = max(inner, most.bit_length())
    # only the low bits of the places count: under the caller's side condition they are not negative
    shifted = operator(fit(value, inner), fit(places, inner))
    return shifted if inner == width else BVExtract(shifted, 0, width - 1)


def shift_right(value: Number, places: Number) -> Number:
    """Return value >> places, the floor, for places >= 0 (the caller proves it)."""
    (low, high), (fewest, most) = bounds(value), bounds(places)
    fewest, most = max(fewest, 0), max(most, 0)
    new_low, new_high = min(low >> fewest, low >> most), max(high >> fewest, high >> most)
    operator = BVLShr if low >= 0 else BVAShr
    inner = width_of(low, high)
    if isinstance(places, int):
        if most == 0:
            return value
        return result(new_low, new_high, lambda width: shift_right_constant(value, most, width))
    return result(new_low, new_high, lambda width: shift_by(operator, value, places, inner, width))


def shift_right_constant(value: Number, places: int, width: int) -> FNode:
    """Return value >> places as a term."""
    return BVExtract(fit(value, places + width), places, places + width - 1)


def floor_divide(value: Number, divisor: Number) -> Number:
    """Return value // divisor for a divisor that is a power of two, or positive with a value that is not negative.

    The caller proves that the divisor is not zero.
    """
    if isinstance(divisor, Int) and divisor.power is not None:
        return shift_right(value, divisor.power)
    if isinstance(divisor, int) and divisor > 0 and divisor & (divisor - 1) == 0:
        return shift_right(value, divisor.bit_length() - 1)
    divisor = not_zero(divisor)
    low, high = bounds(value)
    least, most = bounds(divisor)
    if low < 0 or least <= 0:
        raise LiftError("// needs a power of two, or a positive divisor of a value that is not negative")
    inner = max(width_of(low, high), width_of(least, most))
    return result(
        low // most,
        high // least,
        lambda width: fit(Int(BVUDiv(fit(value, inner), fit(divisor, inner)), 0, (1 << inner) - 1), width),
    )


def not_zero(divisor: Number) -> Number:
    """Return a divisor that is not negative under the knowledge that it is not zero."""
    low, high = bounds(divisor)
    return narrow(divisor, 1, high) if low == 0 else divisor


def modulo(value: Number, divisor: Number) -> Number:
    """Return value % divisor, never negative, under the same conditions as `floor_divide`."""
    divisor = not_zero(divisor)
    low, high = bounds(value)
    least, most = bounds(divisor)
    top = min(most - 1, high) if low >= 0 else most - 1
    if isinstance(divisor, Int) and divisor.power is not None:
        mask = subtract(divisor, 1)
        return result(0, top, lambda width: BVAnd(fit(value, width), fit(mask, width)))
    if isinstance(divisor, int) and divisor > 0 and divisor & (divisor - 1) == 0:
        if low >= 0 and high < divisor:
            return value
        return result(0, divisor - 1, lambda width: fit(value, width))
    if low < 0 or least <= 0:
        raise LiftError("% needs a power of two, or a positive divisor of a value that is not negative")
    inner = max(width_of(low, high), width_of(least, most))
    return result(
        0,
        top,
        lambda width: fit(Int(BVURem(fit(value, inner), fit(divisor, inner)), 0, (1 << inner) - 1), width),
    )


def bitwise(operator: Callable[[FNode, FNode], FNode], left: Number, right: Number) -> Number:
    """Return a bitwise operation of two integers."""
    (low1, high1), (low2, high2) = bounds(left), bounds(right)
    if low1 >= 0 and low2 >= 0:
        low, top = 0, (1 << max(high1.bit_length(), high2.bit_length())) - 1
        if operator is BVAnd:
            top = min(high1, high2)
    elif operator is BVAnd and (low1 >= 0 or low2 >= 0):
        low, top = 0, high1 if low1 >= 0 else high2
    else:
        width = width_of(min(low1, low2, -1), max(high1, high2))
        low, top = -1 << (width - 1), (1 << (width - 1)) - 1
    return result(low, top, lambda width: operator(fit(left, width), fit(right, width)))


def bitwise_and(left: Number, right: Number) -> Number:
    """Return left & right."""
    return bitwise(BVAnd, left, right)


def bitwise_or(left: Number, right: Number) -> Number:
    """Return left | right."""
    return bitwise(BVOr, left, right)


def bitwise_xor(left: Number, right: Number) -> Number:
    """Return left ^ right."""
    return bitwise(BVXor, left, right)


def bit_length(value: Number) -> Number:
    """Return the number of bits of |value| without leading zeros, as int.bit_length does."""
    if isinstance(value, int):
        return value.bit_length()
    magnitude = absolute(value)
    if isinstance(magnitude, int):
        return magnitude.bit_length()
    return result(
        magnitude.low.bit_length(),
        magnitude.high.bit_length(),
        lambda width: length_term(magnitude.term, magnitude.width, width),
    )


def length_term(term: FNode, size: int, width: int) -> FNode:
    """Return the bit length of an unsigned term by halving: the upper half's if it is not zero, else the lower's."""
    if size == 1:
        return choose(Equals(term, BV(1, 1)), BV(1, width), BV(0, width))
    half = 1 << ((size - 1).bit_length() - 1)
    upper, lower = BVExtract(term, half, size - 1), BVExtract(term, 0, half - 1)
    in_upper = BVAdd(length_term(upper, size - half, width), BV(half, width))
    return choose(Equals(upper, BV(0, size - half)), length_term(lower, half, width), in_upper)


def minimum(left: Number, right: Number) -> Number:
    """Return the smaller one."""
    (low1, high1), (low2, high2) = bounds(left), bounds(right)
    if high1 <= low2:
        return left
    if high2 <= low1:
        return right
    smaller = truth_term(less(left, right))
    return result(
        min(low1, low2), min(high1, high2), lambda width: choose(smaller, fit(left, width), fit(right, width))
    )


def maximum(left: Number, right: Number) -> Number:
    """Return the greater one."""
    (low1, high1), (low2, high2) = bounds(left), bounds(right)
    if high1 <= low2:
        return right
    if high2 <= low1:
        return left
    smaller = truth_term(less(left, right))
    return result(
        max(low1, low2), max(high1, high2), lambda width: choose(smaller, fit(right, width), fit(left, width))
    )


def less(left: Number, right: Number) -> Truth | bool:
    """Return left < right."""
    (low1, high1), (low2, high2) = bounds(left), bounds(right)
    if high1 < low2:
        return True
    if low1 >= high2:
        return False
    return compare(BVULT, BVSLT, left, right)


def less_equal(left: Number, right: Number) -> Truth | bool:
    """Return left <= right."""
    (low1, high1), (low2, high2) = bounds(left), bounds(right)
    if high1 <= low2:
        return True
    if low1 > high2:
        return False
    return compare(BVULE, BVSLE, left, right)


def equal(left: Number, right: Number) -> Truth | bool:
    """Return left == right."""
    (low1, high1), (low2, high2) = bounds(left), bounds(right)
    if high1 < low2 or high2 < low1:
        return False
    if low1 == high1 == low2 == high2:
        return True
    return compare(Equals, Equals, left, right)


def compare(
    unsigned: Callable[[FNode, FNode], FNode],
    signed: Callable[[FNode, FNode], FNode],
    left: Number,
    right: Number,
) -> Truth | bool:
    """Compare two integers at the width that holds both."""
    (low1, high1), (low2, high2) = bounds(left), bounds(right)
    width = width_of(min(low1, low2), max(high1, high2))
    operator = unsigned if low1 >= 0 and low2 >= 0 else signed
    return make_truth(operator(fit(left, width), fit(right, width)))


def from_truth(value: Truth | bool) -> Number:
    """Return 1 for true and 0 for false."""
    if isinstance(value, bool):
        return int(value)
    return make_int(choose(value.term, BV(1, 1), BV(0, 1)), 0, 1)


def narrow(value: Number, low: int, high: int) -> Number:
    """Return the same integer under the knowledge that it lies in [low, high]; meaningless where it does not."""
    low1, high1 = bounds(value)
    low, high = max(low, low1), min(high, high1)
    if isinstance(value, int) or low > high or (low, high) == (low1, high1):
        return value
    power = value.power
    return make_int(fit(value, width_of(low, high)), low, high, power)
