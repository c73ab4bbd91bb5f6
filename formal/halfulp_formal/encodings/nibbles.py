"""Four-bit elements in bytes: wires only."""

from __future__ import annotations

from collections.abc import Sequence

from halfulp_formal.bits import Bits


def pack(elements: Sequence[Bits]) -> list[Bits]:
    """Bytes of four-bit elements: the even ones in bits 3:0, the odd ones in bits 7:4, zeros behind the last."""
    padded = [*elements, *([Bits.constant(0, 4)] * (len(elements) % 2))]
    return [high.concat(low) for low, high in zip(padded[::2], padded[1::2], strict=True)]


def unpack(carriers: Sequence[Bits]) -> list[Bits]:
    """The elements of bytes."""
    return [part for carrier in carriers for part in (carrier.extract(3, 0), carrier.extract(7, 4))]
