"""Addition of two codes of a binary format, correctly rounded, with the status flags of IEEE 754."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from .encode import encode
from .exact import Exact
from .floats import exact_value, fields, is_infinite, is_nan, is_signalling, with_sign
from .loader import default_rules
from .result import Result
from .rows import Choice, Encoder, Flags, Format, Rounding, Rules


@dataclass(frozen=True, slots=True)
class Adder:
    """One addition, every rule resolved to its row: what `fp32_add.rne` means."""

    name: str
    fmt: Format
    rounding: Rounding
    encoder: Encoder
    flags: Flags


@cache
def adders() -> dict[str, Adder]:
    """Return every adder of the shipped rules by name: `fp32_add.rne` and its four companions."""
    return {adder.name: adder for adder in build_adders(default_rules())}


def build_adders(rules: Rules) -> Iterator[Adder]:
    """Yield every adder that the rules define."""
    for name, row in rules.adders.items():
        for rounding in row.roundings:
            yield build_adder(rules, name, rounding)


def build_adder(rules: Rules, fmt: str, rounding: str) -> Adder:
    """Resolve the rows of one adder."""
    encoder = rules.encoders[rules.adders[fmt].encoder][fmt]
    name = f"{fmt.lower()}_add.{rounding.lower()}"
    return Adder(name, rules.formats[fmt], rules.roundings[rounding], encoder, rules.flags)


def add(adder: Adder, left: int, right: int) -> Result:
    """Add two codes. Source: IEEE 754-2019, 5.4.1 addition.

    A signalling NaN, and infinities of opposite signs, raise NV; every NaN result is the canonical quiet one.
    """
    fmt = adder.fmt
    if is_nan(fmt, left) or is_nan(fmt, right):
        signalling = is_signalling(fmt, left) or is_signalling(fmt, right)
        return Result(fmt.canonical_nan, adder.flags.nv if signalling else 0)
    if is_infinite(fmt, left) or is_infinite(fmt, right):
        return add_infinity(adder, left, right)
    total = add_exact(exact_value(fmt, left), exact_value(fmt, right))
    if total.significand == 0:
        return Result(with_sign(fmt, 0, zero_is_negative(adder.rounding, left, right, fmt)), 0)
    return encode(total, fmt, adder.rounding, False, adder.encoder, adder.flags)


def add_infinity(adder: Adder, left: int, right: int) -> Result:
    """Add an infinity to a number or to an infinity."""
    both = is_infinite(adder.fmt, left) and is_infinite(adder.fmt, right)
    if both and left != right:
        return Result(adder.fmt.canonical_nan, adder.flags.nv)
    return Result(left if is_infinite(adder.fmt, left) else right, 0)


def add_exact(left: Exact, right: Exact) -> Exact:
    """Return the exact sum, on the smaller of the two exponents; a zero has the sign of one of them."""
    exponent = min(left.exponent, right.exponent)
    one = left.significand << (left.exponent - exponent)
    two = right.significand << (right.exponent - exponent)
    if left.negative == right.negative:
        return Exact(left.negative, one + two, exponent)
    difference = one - two
    if difference > 0:
        return Exact(left.negative, difference, exponent)
    return Exact(right.negative, -difference, exponent)


def zero_is_negative(rounding: Rounding, left: int, right: int, fmt: Format) -> bool:
    """Tell whether a sum of zero is -0: where both terms are -0, and toward -infinity unless both are +0.

    Source: IEEE 754-2019, 6.3.
    """
    negative = fields(fmt, left).negative
    if negative == fields(fmt, right).negative:
        return negative
    return not rounding.nearest and rounding.choice is Choice.FLOOR
