"""Integer stages: saturation, wrapping and the 64-bit carrier of an element."""

from __future__ import annotations

from .rows import Format

#: every element travels in a 64-bit word
WORD_BITS = 64


def saturate_signed(value: int, bits: int) -> int:
    """Clamp to the two's-complement range of `bits` bits: [-2^(bits-1), 2^(bits-1) - 1]."""
    limit = 1 << (bits - 1)
    return min(max(value, -limit), limit - 1)


def clamp(value: int, fmt: Format) -> int:
    """Clamp to the range of an integer format."""
    return min(max(value, fmt.minimum), fmt.maximum)


def wrap(value: int, fmt: Format) -> int:
    """Reduce modulo 2^N into the range of an N-bit integer format."""
    return (value - fmt.minimum) % (1 << fmt.code_bits) + fmt.minimum


def in_range(value: int, fmt: Format) -> bool:
    """Tell whether the format holds the value."""
    return fmt.minimum <= value <= fmt.maximum


def to_word(value: int) -> int:
    """Return the 64-bit carrier of an integer element: sign-extended two's complement."""
    return value % (1 << WORD_BITS)
