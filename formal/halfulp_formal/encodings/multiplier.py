"""The accumulator as sign and magnitude, the multiplier its sign selects, and their exact product."""

from __future__ import annotations

from dataclasses import dataclass

from halfulp_formal.bits import Bits, Bool, ite, or_reduce, select
from halfulp_formal.encodings.align import Product
from halfulp_formal.encodings.modes import Mode
from halfulp_formal.encodings.parameters import activation_field, scale_field
from halfulp_formal.encodings.unpack import Unpacked, unpack_fp19

#: Exponents of products: FP32 · FP19 spans 2^-285 to 2^221.
EXPONENT_BITS = 10


@dataclass(frozen=True, slots=True)
class Multiplier:
    """significand · 2^(exponent - 137), the significand zero or 11 bits with its top bit set."""

    significand: Bits
    exponent: Bits

    @property
    def zero(self) -> Bool:
        """Whether it is zero."""
        return ~or_reduce(self.significand)


def select_multiplier(mode: Mode, negative: Bool, relu: Bits, quant_word: Bits, relu_word: Bits) -> Multiplier:
    """The scale, or for a negative accumulator what ReluMode puts in its place (MatrixSelectedMultiplier).

    ReluMode 0 keeps the scale, 1 takes zero, 2 and 3 the activation parameter; a mode without a parameter has
    scale 1. The words are legal, so a zero exponent field means zero.
    """
    one = Bits.constant(127 << 10, 19)
    scale = unpack_fp19(scale_field(quant_word) if mode.parameter == "scale" else one)
    activation = unpack_fp19(activation_field(relu_word))
    scaled = ~negative | (relu == 0)
    return Multiplier(
        significand=select(
            (scaled, scale.significand), (relu == 1, Bits.constant(0, 11)), otherwise=activation.significand
        ),
        exponent=ite(scaled, scale.exponent, activation.exponent),
    )


def fp32_product(source: Unpacked, multiplier: Multiplier) -> Product:
    """A finite FP32 accumulator times the multiplier: 24 by 11 bits."""
    exponent = source.exponent.zero_extend(EXPONENT_BITS) + multiplier.exponent.zero_extend(EXPONENT_BITS)
    return Product(source.negative, _times(source.significand, multiplier), exponent - (150 + 137))


def s32_product(value: Bits, multiplier: Multiplier) -> Product:
    """An S32 accumulator times the multiplier: 32 by 11 bits; the magnitude of -2^31 just fits."""
    negative = value.bit(31)
    exponent = multiplier.exponent.zero_extend(EXPONENT_BITS)
    return Product(negative, _times(ite(negative, -value, value), multiplier), exponent - 137)


def _times(significand: Bits, multiplier: Multiplier) -> Bits:
    width = significand.width + multiplier.significand.width
    return significand.zero_extend(width) * multiplier.significand.zero_extend(width)
