"""Floating destinations: the rounded code against the exact value, by the values and midpoints of the codes around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from pysmt.fnode import FNode
from pysmt.shortcuts import Equals

from halfulp_formal.case import Case, FreeProduct, free_product
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import Int, bounds, choose, conjoin, disjoin, fit, negate, truth_term

from .claim import Claim, Kind
from .integer import INEXACT, OVERFLOW, saturates
from .numbers import Number, bit_field, equal, implies, is_zero, odd, select
from .rounding import mode_of

UNDERFLOW = 0x18


@dataclass(frozen=True)
class Target:
    """A floating destination as the specification has it; codes are magnitudes, without the sign bit.

    infinity is what an overflow without Sat gives, with the sign of the value if infinity_signed.
    """

    exponent_bits: int
    fraction_bits: int
    bias: int
    largest: int
    infinity: int
    infinity_signed: bool = True
    #: an overflow is decided before rounding, and an underflow to zero loses its sign
    scanned: bool = False

    @property
    def bits(self) -> int:
        """Width of a magnitude code."""
        return self.exponent_bits + self.fraction_bits


TARGETS = {
    "fp16": Target(5, 10, 15, 0x7BFF, 0x7C00),
    "bf16": Target(8, 7, 127, 0x7F7F, 0x7F80),
    "fp32": Target(8, 23, 127, 0x7F7FFFFF, 0x7F800000),
    "e4m3": Target(4, 3, 7, 0x7E, 0x7F, infinity_signed=False, scanned=True),
    "hif8": Target(0, 7, 0, 0x6E, 0x6F, scanned=True),
}

#: destination by mode: ADR 0085, Decision 179
DESTINATIONS = {
    "f322f16": "fp16",
    "deqf16": "fp16",
    "qf322f16": "fp16",
    "f322bf16": "bf16",
    "qf322bf16": "bf16",
    "qs322bf16": "bf16",
    "qf322f32": "fp32",
    "noquant.fp32": "fp32",
    "qf322fp8": "e4m3",
    "qf322hif8": "hif8",
}


class Value(NamedTuple):
    """The exact magnitude significand · 2^exponent."""

    significand: Number
    exponent: Number


def destination_of(name: str) -> str | None:
    """Return the floating destination of a conversion, None for an integer one."""
    mode = name.split(".", maxsplit=1)[0]
    return DESTINATIONS.get(name, DESTINATIONS.get(mode, DESTINATIONS.get(mode.removeprefix("v"))))


def is_floating(name: str) -> bool:
    """Tell whether a conversion rounds into a floating destination."""
    return destination_of(name) is not None


def compare(left: Value, right: Value) -> tuple[FNode, FNode]:
    """State left < right and left = right.

    Only the difference of the exponents counts, and only up to the widths of the significands: beyond them a nonzero
    significand decides, and the clamped difference says the same.
    """
    left_bits, right_bits = (bounds(value.significand)[1].bit_length() for value in (left, right))
    difference = arithmetic.subtract(left.exponent, right.exponent)
    limited = arithmetic.maximum(arithmetic.minimum(difference, right_bits + 1), -(left_bits + 1))
    up, down = arithmetic.maximum(limited, 0), arithmetic.maximum(arithmetic.minus(limited), 0)
    one, two = arithmetic.shift_left(left.significand, up), arithmetic.shift_left(right.significand, down)
    return truth_term(arithmetic.less(one, two)), truth_term(arithmetic.equal(one, two))


def below(left: Value, right: Value) -> FNode:
    """State left < right."""
    return compare(left, right)[0]


def same(left: Value, right: Value) -> FNode:
    """State left = right."""
    return compare(left, right)[1]


class Neighbourhood(NamedTuple):
    """A magnitude code's value, and in units of it the values and midpoints on either side."""

    value: Value
    previous: Value
    following: Value
    middle_below: Value
    middle_above: Value


def neighbourhood(target: Target, code: Number) -> Neighbourhood:
    """Return what surrounds a magnitude code; the largest one is followed as if the exponent were unbounded."""
    return tapered_neighbourhood(code) if target.exponent_bits == 0 else binary_neighbourhood(target, code)


def binary_neighbourhood(target: Target, code: Number) -> Neighbourhood:
    """Read a code of a binary format. The spacing below a power of two is half the one above."""
    fraction_bits = target.fraction_bits
    fraction = arithmetic.modulo(code, 1 << fraction_bits)
    field = arithmetic.floor_divide(code, 1 << fraction_bits)
    subnormal = equal(field, 0)
    significand = select(subnormal, fraction, arithmetic.add(fraction, 1 << fraction_bits))
    exponent = arithmetic.subtract(arithmetic.maximum(field, 1), target.bias + fraction_bits)
    narrow_below = conjoin(equal(fraction, 0), negate(equal(field, 0)), negate(equal(field, 1)))
    quarter = arithmetic.subtract(exponent, 2)
    quarters = arithmetic.shift_left(significand, 2)

    def moved(step: int) -> Number:
        return arithmetic.add(quarters, step)

    return Neighbourhood(
        Value(significand, exponent),
        Value(select(narrow_below, moved(-2), moved(-4)), quarter),
        Value(moved(4), quarter),
        Value(select(narrow_below, moved(-1), moved(-2)), quarter),
        Value(moved(2), quarter),
    )


def tapered_neighbourhood(code: Number) -> Neighbourhood:
    """Read a HiF8 magnitude code from the table of its values, in units of 2^-24."""
    values = hif8_values()
    order = sorted(values, key=values.__getitem__)
    rows: list[tuple[int, ...]] = []
    for place, at in enumerate(order):
        value = values[at]
        before = values[order[place - 1]] if place else 0
        after = values[order[place + 1]] if place + 1 < len(order) else 3 * value // 2
        rows.append((at, value, before, after, (value + before) // 2, (value + after) // 2))
    parts: list[Value] = []
    for column in range(1, 6):
        chosen: Number = rows[-1][column]
        for row in rows[:-1]:
            chosen = select(equal(code, row[0]), row[column], chosen)
        parts.append(Value(chosen, -24))
    return Neighbourhood(*parts)


def hif8_values() -> dict[int, int]:
    """Return the value of every finite HiF8 magnitude code in units of 2^-24, by the table of its dot field."""
    values = {0: 0} | {code: 1 << (code - 23 + 24) for code in range(1, 8)}
    for code in range(8, 0x6F):
        values[code] = hif8_value(code)
    for code in range(0x70, 0x80):
        values[code] = hif8_value(code)
    return values


def hif8_value(code: int) -> int:
    """Return the value of a HiF8 magnitude code from D0 on, in units of 2^-24."""
    if code < 0x10:
        return (8 + code % 8) << 21
    if code < 0x20:
        exponent, fraction, width = 1, code % 8, 3
        negative = code & 0x08
    elif code < 0x40:
        exponent, fraction, width = 2 + (code >> 3) % 2, code % 8, 3
        negative = code & 0x10
    elif code < 0x60:
        exponent, fraction, width = 4 + (code >> 2) % 4, code % 4, 2
        negative = code & 0x10
    else:
        exponent, fraction, width = 8 + (code >> 1) % 8, code % 2, 1
        negative = code & 0x10
    return ((1 << width) + fraction) << (24 - width + (-exponent if negative else exponent))


def must_overflow(target: Target, mode: str, negative: FNode, exact: Value) -> FNode:
    """State that a value overflows: rounded with an unbounded exponent it exceeds the largest finite number.

    E4M3 and HiF8 of the post-processing look at the value itself before any rounding.
    """
    edge = neighbourhood(target, target.largest)
    beyond = below(edge.value, exact)
    if target.scanned:
        return beyond
    at_middle, after_middle = negate(below(exact, edge.middle_above)), below(edge.middle_above, exact)
    at_next = negate(below(exact, edge.following))
    tie_overflows = target.largest % 2 == 1
    return {
        "rne": at_middle if tie_overflows else after_middle,
        "rna": at_middle,
        "rhb": choose(negative, after_middle, at_middle),
        "rtz": at_next,
        "rto": at_next if tie_overflows else beyond,
        "rtm": choose(negative, beyond, at_next),
        "rtp": choose(negative, at_next, beyond),
    }[mode]


class Rounding(NamedTuple):
    """What a rounding rule speaks of: the mode, the value's sign and magnitude, the magnitude code and its surroundings."""

    mode: str
    negative: FNode
    exact: Value
    magnitude: Number
    around: Neighbourhood


def code_rule(rounding: Rounding) -> FNode:
    """State that a magnitude code is the one that its mode's rule names."""
    exact, around, negative = rounding.exact, rounding.around, rounding.negative
    even, inexact = negate(odd(rounding.magnitude)), negate(same(exact, around.value))
    down = conjoin(negate(below(exact, around.value)), below(exact, around.following))
    up = conjoin(below(around.previous, exact), negate(below(around.value, exact)))
    at_least, at_most = negate(below(exact, around.middle_below)), negate(below(around.middle_above, exact))
    tie_below, tie_above = same(exact, around.middle_below), same(exact, around.middle_above)
    first = equal(rounding.magnitude, 0)
    near = conjoin(disjoin(first, at_least), at_most)
    tie_up, tie_down = conjoin(negate(first), tie_below), tie_above
    between = conjoin(odd(rounding.magnitude), below(around.previous, exact), below(exact, around.following))
    return {
        "rne": conjoin(near, implies(disjoin(tie_up, tie_down), even)),
        "rna": conjoin(near, negate(tie_down)),
        "rhb": conjoin(near, implies(tie_up, negate(negative)), implies(tie_down, negative)),
        "rtz": down,
        "rtm": choose(negative, up, down),
        "rtp": choose(negative, down, up),
        "rto": disjoin(negate(inexact), between),
    }[rounding.mode]


class Rounded:
    """A free value, the code that the model gives it, and what surrounds that code."""

    def __init__(self, case: Case) -> None:
        self.target = TARGETS[destination_of(case.name) or ""]
        self.mode = mode_of(case.name)
        self.free: FreeProduct = free_product(case)
        self.negative = truth_term(self.free.number.negative)
        self.exact = Value(self.free.number.significand, self.free.number.exponent)
        result: Any = case.encode(self.free.record)
        self.word, self.flags = case.word(result), case.flags(result)
        whole = Int(self.word, 0, (1 << 64) - 1)
        self.magnitude = bit_field(whole, self.target.bits - 1, 0)
        self.sign = equal(bit_field(whole, self.target.bits, self.target.bits), 1)
        self.around = neighbourhood(self.target, self.magnitude)
        self.overflow = must_overflow(self.target, self.mode, self.negative, self.exact)
        self.possible = conjoin(self.free.possible, negate(is_zero(self.free.number)))


def rounding(case: Case) -> Claim:
    """A value that does not overflow gets the code that its mode's rule names, and its sign."""
    rounded = Rounded(case)
    rule = code_rule(Rounding(rounded.mode, rounded.negative, rounded.exact, rounded.magnitude, rounded.around))
    first = equal(rounded.magnitude, 0)
    signed = choose(first, negate(rounded.sign), same_truth(rounded)) if rounded.target.scanned else same_truth(rounded)
    inside = equal(bit_field(Int(rounded.word, 0, (1 << 64) - 1), 63, rounded.target.bits + 1), 0)
    claim = conjoin(rule, signed, inside)
    return Claim(claim, rounded.free.inputs, conjoin(rounded.possible, negate(rounded.overflow)), rounded.free.cubes)


def same_truth(rounded: Rounded) -> FNode:
    """State that the code has the value's sign."""
    return choose(rounded.negative, rounded.sign, negate(rounded.sign))


def overflow(case: Case) -> Claim:
    """An overflow gives the largest finite number (Sat = 1) or the infinity, E4M3 its NaN, with OF and NX."""
    rounded = Rounded(case)
    target = rounded.target
    code = target.largest if saturates(case.name) else target.infinity
    signed = saturates(case.name) or target.infinity_signed
    expected = select(conjoin(rounded.negative, truth_term(signed)), code + (1 << target.bits), code)
    claim = conjoin(Equals(rounded.word, fit(expected, 64)), Equals(rounded.flags, fit(OVERFLOW, 5)))
    return Claim(claim, rounded.free.inputs, conjoin(rounded.possible, rounded.overflow), rounded.free.cubes)


def flags(case: Case) -> Claim:
    """Without an overflow NX is raised if and only if the result is inexact, and UF with it if the value is tiny.

    Tiny is a magnitude below the smallest normal number, before any rounding.
    """
    rounded = Rounded(case)
    target = rounded.target
    normal = Value(1, 1 - target.bias if target.exponent_bits else -15)
    inexact = negate(same(rounded.exact, rounded.around.value))
    tiny = below(rounded.exact, normal)
    expected = select(inexact, select(tiny, UNDERFLOW, INEXACT), 0)
    claim = Equals(rounded.flags, fit(expected, 5))
    return Claim(claim, rounded.free.inputs, conjoin(rounded.possible, negate(rounded.overflow)), rounded.free.cubes)


def as_nosat(case: Case) -> Claim:
    """Sat = 1 gives what Sat = 0 gives wherever that does not overflow."""
    free = free_product(case)
    other = Case(case.subject, case.name.removesuffix(".sat") + ".nosat")
    result, plain = case.encode(free.record), other.encode(free.record)
    raised = other.flags(plain)
    claim = conjoin(Equals(case.word(result), other.word(plain)), Equals(case.flags(result), raised))
    return Claim(claim, free.inputs, conjoin(free.possible, negate(Equals(raised, fit(OVERFLOW, 5)))))


def floating_nosat(name: str) -> bool:
    """Tell whether a conversion has a floating destination and Sat 0."""
    return is_floating(name) and not saturates(name)


def zero(case: Case) -> Claim:
    """A product of zero gives +0 and raises nothing."""
    free = free_product(case)
    result = case.encode(free.record)
    claim = conjoin(Equals(case.word(result), fit(0, 64)), Equals(case.flags(result), fit(0, 5)))
    return Claim(claim, free.inputs, conjoin(free.possible, is_zero(free.number)), free.cubes)


ENCODING = "asl/arch/profile/matrix-quantization.asl, ReferenceMatrixFloatingEncoding"

KINDS = (
    Kind(
        "code",
        "RNE, RNA and RHB: the nearest code and their tie rule; RTM, RTP, RTZ: the neighbour in their direction; RTO: the "
        "odd code unless exact. The sign is kept, but for an E4M3 or HiF8 underflow to zero.",
        ENCODING,
        floating_nosat,
        rounding,
        ("nearest_reversed", "sticky_dropped", "wrong_bias", "flushed_subnormal", "sign_lost", "tie_even_is_odd"),
    ),
    Kind(
        "overflow",
        "Sat=1 returns the largest finite value with the input sign; Sat=0 returns signed infinity where the destination "
        "format has infinity, or the canonical quiet NaN for finite-only E4M3. Overflow and inexact are recorded.",
        f"ADR 0085, Decision 180; {ENCODING}",
        is_floating,
        overflow,
        ("early_overflow_lost", "overflow_sign_lost", "carry_lost"),
    ),
    Kind(
        "inexact",
        "NX for an inexact result; UF and NX where the exact magnitude is below the smallest normal number.",
        ENCODING,
        floating_nosat,
        flags,
        ("tiny_after_rounding", "tiny_never"),
    ),
    Kind(
        "as_nosat",
        "Sat decides what a floating overflow returns, and nothing else.",
        "ADR 0085, Decision 180",
        lambda name: is_floating(name) and saturates(name),
        as_nosat,
        ("saturation_is_exact",),
    ),
    Kind("zero", "v = 0 gives +0, no flags.", ENCODING, is_floating, zero, ("zero_raises_inexact",)),
)
