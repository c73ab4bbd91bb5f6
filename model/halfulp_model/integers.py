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
    """Reduce modulo 2^N into the range of an N-bit integer format; of a code, the integer it stands for."""
    return (value - fmt.minimum) % (1 << fmt.code_bits) + fmt.minimum


def narrowed(value: int, fmt: Format, saturate: bool) -> int:
    """Bring an integer into the range of a format: clamped or wrapped. Source: ADR 0085, Decision 178."""
    return clamp(value, fmt) if saturate else wrap(value, fmt)


def stands_for(fmt: Format, nan: bool, negative: bool, saturate: bool) -> int:
    """Return the integer that stands for a NaN or an infinity: with Sat the nearest thing to it, else the least integer."""
    if not saturate:
        return fmt.minimum
    if nan:
        return 0
    return fmt.minimum if negative else fmt.maximum


def in_range(value: int, fmt: Format) -> bool:
    """Tell whether the format holds the value."""
    return fmt.minimum <= value <= fmt.maximum


def to_word(value: int) -> int:
    """Return the 64-bit carrier of an integer element: sign-extended two's complement."""
    return value % (1 << WORD_BITS)
