"""Elements of a packed format in their carriers, the first one in the lowest bits: S4X2 has two in a byte."""

from __future__ import annotations

from .formats import lanes
from .rows import Format


def pack_carrier(fmt: Format, codes: tuple[int, ...]) -> int:
    """Return the carrier of as many elements as it has lanes, or fewer: each code modulo its width, the rest zero."""
    width = fmt.code_bits
    return sum(codes[lane] % (1 << width) << lane * width for lane in range(len(codes)))


def pack(fmt: Format, codes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the carriers of elements in their order; lanes behind the last element are zero."""
    return tuple(
        pack_carrier(fmt, tuple(codes[index] for index in range(first, min(first + fmt.lanes, len(codes)))))
        for first in range(0, len(codes), fmt.lanes)
    )


def unpack(fmt: Format, carriers: tuple[int, ...]) -> tuple[int, ...]:
    """Return the codes of all lanes of carriers, in the elements' order."""
    codes: tuple[int, ...] = ()
    for carrier in carriers:
        codes += lanes(fmt, carrier)
    return codes
