"""IEEE-shaped destinations: align to the fraction or the subnormal unit, round, pack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from halfulp_formal.bits import Bits, Bool, ite, or_reduce
from halfulp_formal.encodings.align import Product, align
from halfulp_formal.encodings.flags import INEXACT, OVERFLOW, UNDERFLOW, flags_of

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Layout:
    """Field widths and bias of a binary format, and what it does at the ends of its range."""

    exponent_bits: int
    fraction_bits: int
    bias: int
    #: The greatest finite fraction under the all-ones exponent, where that exponent is not infinity's. Overflow is
    #: then decided on the exact value against that largest finite one, else on the rounded exponent.
    top_fraction: int | None = None
    #: A value that rounds to zero keeps its sign.
    signed_underflow: bool = True


LAYOUTS: Mapping[str, Layout] = {
    "fp32": Layout(8, 23, 127),
    "fp16": Layout(5, 10, 15),
    "bf16": Layout(8, 7, 127),
    "e4m3": Layout(4, 3, 7, top_fraction=6, signed_underflow=False),
}


@dataclass(frozen=True, slots=True)
class Packed:
    """The finite code a rounding chose, valid unless it overflowed, and the flags."""

    code: Bits
    overflow: Bool
    flags: Bits


def pack(product: Product, layout: Layout, rounding: str) -> Packed:
    """Round a nonzero product into the layout (ReferenceFP32FiniteEncoding, ReferenceBinary16Encoding, E4M3 of FP8).

    Below the smallest normal exponent the significand is cut at the subnormal unit; a carry out of the fraction is
    the exponent's. An inexact value below the smallest normal one underflows even where it rounds up to it.
    """
    fraction_bits, top = layout.fraction_bits, (1 << layout.exponent_bits) - 1
    exponent = product.leading_exponent()
    least = Bits.constant(1 - layout.bias, exponent.width)
    tiny = exponent.bvslt(least)
    aligned = align(product, ite(tiny, least, exponent), fraction_bits)
    biased = exponent + layout.bias
    field = ite(tiny, Bits.constant(0, layout.exponent_bits), biased.extract(layout.exponent_bits - 1, 0))
    truncated = field.concat(aligned.magnitude.extract(fraction_bits - 1, 0))
    magnitude = truncated + aligned.increment(rounding, product.negative).zero_extend(truncated.width)
    if layout.top_fraction is None:
        rounded_field = magnitude.extract(magnitude.width - 1, fraction_bits)
        overflow = biased.bvsge(top) | (rounded_field == top)
    else:
        fraction = aligned.magnitude.extract(fraction_bits - 1, 0)
        over = fraction.bvugt(layout.top_fraction) | ((fraction == layout.top_fraction) & aligned.inexact)
        overflow = biased.bvsgt(top) | ((biased == top) & over)
    negative = product.negative if layout.signed_underflow else product.negative & or_reduce(magnitude)
    inexact = aligned.inexact
    return Packed(
        code=negative.bits().concat(magnitude),
        overflow=overflow,
        flags=flags_of((overflow, OVERFLOW), (inexact & tiny, UNDERFLOW), (inexact, INEXACT)),
    )
