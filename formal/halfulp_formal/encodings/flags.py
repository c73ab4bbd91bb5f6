"""The five sticky status flags."""

from __future__ import annotations

from halfulp_formal.bits import Bits, Bool, select

INVALID = 0x01
INEXACT = 0x10
#: Overflow and underflow are inexact too.
OVERFLOW = 0x14
UNDERFLOW = 0x18


def flags_of(*cases: tuple[Bool, int]) -> Bits:
    """The flags of the first condition that holds, none where none does."""
    coded = [(condition, Bits.constant(code, 5)) for condition, code in cases]
    return select(*coded, otherwise=Bits.constant(0, 5))
