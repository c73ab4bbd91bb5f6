"""An FP32 adder with guard, round and sticky bits, in the five rounding modes of IEEE 754."""

from __future__ import annotations

from dataclasses import dataclass

from halfulp_formal.bits import Bits, Bool, ite, normalise, or_reduce, select, shift_right_jam
from halfulp_formal.encodings.flags import INEXACT, INVALID, OVERFLOW, flags_of
from halfulp_formal.encodings.rounding import increment
from halfulp_formal.encodings.unpack import Unpacked, unpack_fp32

#: The five directions of IEEE 754 section 4.3.
IEEE_ROUNDINGS = ("rne", "rna", "rtz", "rtp", "rtm")

#: From this difference of exponents on, nothing is left of the smaller operand but the sticky bit.
FAR = 26

_QUIET_NAN = 0x7FC00000
_INFINITY = 0x7F800000
_LARGEST = 0x7F7FFFFF


@dataclass(frozen=True, slots=True)
class Sum:
    """The FP32 code and the five flags."""

    code: Bits
    flags: Bits


@dataclass(frozen=True, slots=True)
class _Rounded:
    magnitude: Bits
    overflow: Bool
    inexact: Bool


def _total(large: Unpacked, small: Unpacked) -> Bits:
    """The sum or difference of the significands: a carry, 24 digits, and guard, round and sticky bits."""
    window = small.significand.concat(Bits.constant(0, 3))
    distance = large.exponent - small.exponent
    clamped = ite(or_reduce(distance.extract(7, 5)), Bits.constant(31, 5), distance.extract(4, 0))
    addend = shift_right_jam(window, clamped).zero_extend(28)
    base = large.significand.concat(Bits.constant(0, 3)).zero_extend(28)
    return ite(large.negative ^ small.negative, base - addend, base + addend)


def _round(total: Bits, exponent: Bits, negative: Bool, rounding: str) -> _Rounded:
    """A total whose carry has the place of exponent + 1; the exponent stops at that of the subnormals."""
    _, zeros = normalise(total)
    amount = ite(zeros.zero_extend(8).bvult(exponent), zeros.zero_extend(8), exponent)
    window = total << amount.zero_extend(total.width)
    digits, guard, sticky = window.extract(27, 4), window.bit(3), or_reduce(window.extract(2, 0))
    biased = exponent.zero_extend(9) + 1 - amount.zero_extend(9)
    field = ite(digits.bit(23), biased, 0)
    up = increment(rounding, negative=negative, lsb=digits.bit(0), guard=guard, sticky=sticky)
    magnitude = field.concat(digits.extract(22, 0)) + up.bits().zero_extend(32)
    return _Rounded(magnitude.extract(30, 0), magnitude.extract(31, 23).bvuge(255), guard | sticky)


def _end_of_range(negative: Bool, rounding: str) -> Bits:
    """The magnitude of an overflow: infinity, or the largest finite one where the direction is inward (IEEE 754, 7.4)."""
    infinity, largest = Bits.constant(_INFINITY, 31), Bits.constant(_LARGEST, 31)
    inward = {"rtz": Bool.constant(True), "rtp": negative, "rtm": ~negative}.get(rounding, Bool.constant(False))
    return ite(inward, largest, infinity)


def fp32_add(left: Bits, right: Bits, rounding: str) -> Sum:
    """The sum of two FP32 words (IEEE 754, 5.4.1, 6.1 to 6.3 and 7.2 to 7.6).

    Every NaN is 7fc00000; a signalling one and the difference of infinities are invalid. An exact zero sum of operands
    of unlike sign is +0, under rtm -0. No sum underflows: below the smallest normal number it is exact.
    ValueError: the mode is not one of `IEEE_ROUNDINGS`.
    """
    if rounding not in IEEE_ROUNDINGS:
        raise ValueError(f"unknown rounding {rounding} of an FP32 sum; expected one of {', '.join(IEEE_ROUNDINGS)}")
    swap = left.extract(30, 0).bvult(right.extract(30, 0))
    larger = ite(swap, right, left)
    large, small = unpack_fp32(larger), unpack_fp32(ite(swap, left, right))
    unlike = large.negative ^ small.negative
    total = _total(large, small)
    rounded = _round(total, large.exponent, large.negative, rounding)
    cancelled = unlike & ~or_reduce(total)
    negative = ite(cancelled, Bool.constant(rounding == "rtm"), large.negative)
    finite = ite(rounded.overflow, _end_of_range(large.negative, rounding), rounded.magnitude)
    difference = large.infinity & small.infinity & unlike
    return Sum(
        code=select(
            (large.nan | difference, Bits.constant(_QUIET_NAN, 32)),
            (large.infinity, larger),
            otherwise=negative.bits().concat(finite),
        ),
        flags=flags_of(
            (large.signalling | small.signalling | difference, INVALID),
            (large.nan | large.infinity, 0),
            (rounded.overflow, OVERFLOW),
            (rounded.inexact, INEXACT),
        ),
    )


def left_is_below(left: Bits, right: Bits) -> Bool:
    """Whether the left operand has the smaller exponent; a subnormal has that of the smallest normal number."""
    return unpack_fp32(left).exponent.bvult(unpack_fp32(right).exponent)


def _difference(left: Bits, right: Bits) -> Bits:
    """How far the exponents are apart, 0 to 254."""
    one, other = unpack_fp32(left).exponent, unpack_fp32(right).exponent
    return ite(one.bvult(other), other - one, one - other)


def exponent_difference_is(left: Bits, right: Bits, difference: int) -> Bool:
    """Whether the exponents are that far apart, 0 to 254, whichever is the larger."""
    return _difference(left, right) == difference


def same_sign(left: Bits, right: Bits) -> Bool:
    """Whether the sign bits agree, so that magnitudes are added."""
    return left.bit(31) == right.bit(31)


def cubes(left: Bits, right: Bits, far: int = FAR) -> tuple[Bool, ...]:
    """Cases that cover all operands: each exponent difference below `far`, then the rest; signs alike, then not.

    With `far` 255 every difference is a case of its own, and the rest is empty.
    """
    alike = same_sign(left, right)
    differences = [exponent_difference_is(left, right, k) for k in range(far)]
    rest = _difference(left, right).bvuge(far)
    return tuple(case & sign for case in (*differences, rest) for sign in (alike, ~alike))
