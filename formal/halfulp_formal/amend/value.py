"""A value as C on 64-bit integers: a core of C and a known summand, the interval of what it may be, and its width in bits.

A value of at most 64 bits is kept as its unsigned number. A wider one has an interval of integers that are its value modulo
2^width, and its C is right modulo 2^64; what needs the value itself asks whether it fits.
"""

from __future__ import annotations

from typing import NamedTuple

WORD = 64
LEAST, GREATEST = -(1 << (WORD - 1)), (1 << (WORD - 1)) - 1

#: the core of what is known
NOTHING = "0"


class TooWide(Exception):
    """A value that 64 bits may not hold, or an operator that has no meaning here."""


def mask_of(width: int) -> int:
    """Return the greatest unsigned number of a width."""
    return (1 << width) - 1


def literal(value: int) -> str:
    """Return a number as C, modulo 2^64."""
    return f"{value & mask_of(WORD):#x}ull"


class Value(NamedTuple):
    """What is known of a node of a term.

    core: a C expression that plus `offset`, modulo 2^64, is the value: two that differ by a known number have one core.
    low, high: the interval of the values. width: in bits; 0 is a truth value, 0 or 1.
    """

    core: str
    low: int
    high: int
    width: int
    offset: int = 0

    @property
    def constant(self) -> bool:
        """Tell whether the value is known."""
        return self.low == self.high

    @property
    def text(self) -> str:
        """The value as C."""
        return shifted(self.core, self.offset)

    @property
    def whole_core(self) -> bool:
        """Tell whether the core by itself is a number, not only one modulo 2^64."""
        return self.low >= self.offset and self.high - self.offset <= mask_of(WORD)


def shifted(core: str, offset: int) -> str:
    """Return a core plus a number as C."""
    if core == NOTHING:
        return literal(offset)
    return f"({core} + {literal(offset)})" if offset & mask_of(WORD) else core


def known(value: int, width: int) -> Value:
    """Return a known value."""
    return Value(NOTHING, value, value, width, value)


def exact(core: str, low: int, high: int, width: int, offset: int = 0) -> Value:
    """Return the value of core plus offset, an integer in an interval, reduced to a width. Raises TooWide."""
    if width > WORD:
        base = low - reduced_interval(low, high, width)[0]
    elif low >> width == high >> width:
        base = low >> width << width
    else:
        masked = core if width == WORD else f"({shifted(core, offset & mask_of(width))} & {literal(mask_of(width))})"
        return Value(masked, 0, mask_of(width), width, offset if width == WORD else 0)
    low, high, offset = low - base, high - base, offset - base
    return known(low, width) if low == high else Value(core, low, high, width, offset)


def reduced_interval(low: int, high: int, width: int) -> tuple[int, int]:
    """Return the interval modulo 2^width that is nearest to zero. Raises TooWide where there is no single one."""
    half = 1 << (width - 1)
    base = low >> width << width
    low, high = low - base, high - base
    if low >= half or high > mask_of(width):
        low, high = low - 2 * half, high - 2 * half
    if low < -half or (low < 0 and high >= half):
        raise TooWide
    return low, high


def fitting(value: Value) -> Value:
    """Return a value that its text gives whole, as a signed or an unsigned number. Raises TooWide."""
    if value.width > WORD and (value.low < LEAST or value.high > (GREATEST if value.low < 0 else mask_of(WORD))):
        raise TooWide
    return value


def fitting_signed(value: Value) -> Value:
    """Return a value that its text gives whole as a signed number. Raises TooWide."""
    if value.width > WORD and (value.low < LEAST or value.high > GREATEST):
        raise TooWide
    return value


def unsigned(value: Value) -> Value:
    """Return a value with its interval as an unsigned number. Raises TooWide."""
    if value.low >= 0:
        return value
    if value.high >= 0:
        raise TooWide
    return moved(value, 1 << value.width)


def signed(value: Value) -> Value:
    """Return a value as a two's-complement number of its width. Raises TooWide."""
    half = 1 << (value.width - 1)
    if value.high < half:
        return value
    if value.low >= half:
        return moved(value, -2 * half)
    if value.width > WORD:
        raise TooWide
    if value.width == WORD:
        return value._replace(low=LEAST, high=GREATEST)
    places = WORD - value.width
    core = f"((uint64_t)((int64_t)({value.text} << {places}) >> {places}))"
    return Value(core, -half, half - 1, value.width)


def moved(value: Value, by: int) -> Value:
    """Return a value plus a multiple of 2^width."""
    return value._replace(low=value.low + by, high=value.high + by, offset=value.offset + by)


def common(a: Value, b: Value) -> tuple[Value, Value]:
    """Return two values whose intervals are of numbers of one kind, so that they may be compared. Raises TooWide."""
    if a.width <= WORD or (a.high < 0 and b.high < 0):
        return a, b
    try:
        return signed(a), signed(b)
    except TooWide:
        return unsigned(a), unsigned(b)


def truth(text: str) -> Value:
    """Return a truth value that is not known."""
    return Value(text, 0, 1, 0)


def decided(holds: bool) -> Value:
    """Return a known truth value."""
    return known(int(holds), 0)
