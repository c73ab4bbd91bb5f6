"""Binary floating-point formats as rows, and a code taken apart by its row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from halfulp_formal.bits import Bits, Bool, and_reduce
from halfulp_formal.encodings.unpack import Unpacked, unpack

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class BinaryFormat:
    """Sign, biased exponent, fraction, and `padding` zero bits to the right of them.

    Exponent field 0 is subnormal. With an infinity, the all-ones exponent is infinity and NaNs (IEEE 754, 3.4);
    with a NaN alone, only the code of all ones below the sign is special (OCP 8-bit E4M3).
    """

    exponent_bits: int
    fraction_bits: int
    has_infinity: bool = True
    has_nan: bool = True
    padding: int = 0
    #: The ASL counts a zero exponent field with a nonzero fraction as subnormal; the four-bit formats have none.
    has_subnormal: bool = True

    @property
    def bias(self) -> int:
        """2^(exponent bits - 1) - 1, or 1 for a single exponent bit."""
        return max((1 << (self.exponent_bits - 1)) - 1, 1)

    @property
    def body_bits(self) -> int:
        """Bits of exponent and fraction."""
        return self.exponent_bits + self.fraction_bits

    @property
    def width(self) -> int:
        """Bits of a code, padding included."""
        return 1 + self.body_bits + self.padding

    @property
    def largest(self) -> int:
        """The body of the largest finite value."""
        if self.has_infinity:
            return self.infinity - 1
        return (1 << self.body_bits) - (2 if self.has_nan else 1)

    @property
    def infinity(self) -> int:
        """The body under the all-ones exponent with a zero fraction."""
        return ((1 << self.exponent_bits) - 1) << self.fraction_bits

    @property
    def least_exponent(self) -> int:
        """The exponent of the smallest normal value."""
        return 1 - self.bias


#: Fields and specials: the PTO data types, which are those of IEEE 754 and OCP where these define the format.
BINARY_FORMATS: Mapping[str, BinaryFormat] = {
    "fp64": BinaryFormat(11, 52),
    "fp32": BinaryFormat(8, 23),
    "tf32": BinaryFormat(8, 10, padding=13),
    "hf32": BinaryFormat(8, 11, padding=12),
    "fp19": BinaryFormat(8, 10),
    "fp16": BinaryFormat(5, 10),
    "bf16": BinaryFormat(8, 7),
    "e5m2": BinaryFormat(5, 2),
    "e4m3": BinaryFormat(4, 3, has_infinity=False),
    "e3m2": BinaryFormat(3, 2, has_infinity=False, has_nan=False),
    "e2m3": BinaryFormat(2, 3, has_infinity=False, has_nan=False),
    "e2m1": BinaryFormat(2, 1, has_infinity=False, has_nan=False, has_subnormal=False),
    "e1m2": BinaryFormat(1, 2, has_infinity=False, has_nan=False, has_subnormal=False),
}


def take_apart(row: BinaryFormat, code: Bits) -> Unpacked:
    """Fields and class of a code of `row.width` bits; its padding is not looked at.

    The significand has the hidden bit and `fraction_bits` more. ValueError: the code has another width.
    """
    if code.width != row.width:
        raise ValueError(f"code has {code.width} bits; expected {row.width}")
    word = code.extract(row.width - 1, row.padding)
    unpacked = unpack(word, row.exponent_bits)
    if row.has_infinity:
        return unpacked
    top = and_reduce(word.extract(row.body_bits - 1, 0)) if row.has_nan else Bool.constant(False)
    return replace(unpacked, infinity=Bool.constant(False), nan=top, signalling=Bool.constant(False))


def padding_is_zero(code: Bits, padding: int) -> Bool:
    """That many bits at the right end of a code are zero."""
    return code.extract(padding - 1, 0) == 0 if padding else Bool.constant(True)
