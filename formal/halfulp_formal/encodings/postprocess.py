"""One element through the whole of B.FPATR post-processing (MatrixPostQuantBaseWithFlags)."""

from __future__ import annotations

from halfulp_formal.bits import Bits, Bool, ite, normalise, or_reduce
from halfulp_formal.encodings.flags import flags_of
from halfulp_formal.encodings.float_pack import LAYOUTS, Normalised, Packed, pack
from halfulp_formal.encodings.hif8 import pack_hif8
from halfulp_formal.encodings.modes import Conversion, conversion_named
from halfulp_formal.encodings.multiplier import (
    EXPONENT_BITS,
    Multiplier,
    fp32_product,
    s32_product,
    select_multiplier,
)
from halfulp_formal.encodings.parameters import offset_field, shift_field
from halfulp_formal.encodings.requantize import Product, affine, shift_and_saturate, wrap_to_signed
from halfulp_formal.encodings.specials import FLOAT_CODES, overflowed, special_float, special_integer
from halfulp_formal.encodings.unpack import unpack_fp32

_WORD = 64
_INTEGER_BITS = {"s4": 4, "s8": 8, "s16": 16, "s32": 32, "u32": 32}


def postprocess(
    conversion: str, value: Bits, relu: Bits, quant_word: Bits, relu_word: Bits
) -> tuple[Bits, Bits]:
    """The destination element as a 64-bit word and the five flags.

    `value` is the 32-bit accumulator, `relu` the 3-bit ReluMode, the words are 64 bits wide. Meaningful where
    `legal` holds. Signed integers are sign-extended, all else is zero-extended. Raises ValueError for an
    unknown conversion.
    """
    chosen = conversion_named(conversion)
    mode = chosen.mode
    if mode.parameter == "shift":
        element, flags = shift_and_saturate(value, shift_field(quant_word), _INTEGER_BITS[mode.destination])
        return element.sign_extend(_WORD), flags
    if mode.source == "u32":
        return value.zero_extend(_WORD), Bits.constant(0, 5)
    negative = value.bit(31) & ~(_is_nan(value) if mode.source == "fp32" else Bool.constant(False))
    multiplier = select_multiplier(mode, negative, relu, quant_word, relu_word)
    product = (fp32_product if mode.source == "fp32" else s32_product)(value, multiplier)
    if mode.destination in FLOAT_CODES:
        element, flags = _to_float(chosen, value, multiplier, product)
    else:
        element, flags = _to_integer(chosen, value, multiplier, product, quant_word)
    if mode.code == 0:
        unchanged = ~or_reduce(relu)
        element, flags = ite(unchanged, value, element), ite(unchanged, Bits.constant(0, 5), flags)
    signed = mode.destination not in FLOAT_CODES
    return (element.sign_extend(_WORD) if signed else element.zero_extend(_WORD)), flags


def _is_nan(value: Bits) -> Bool:
    return unpack_fp32(value).nan


def _is_special(value: Bits, multiplier: Multiplier) -> Bool:
    """NaN or infinite, but for -∞ times zero, which counts as zero."""
    source = unpack_fp32(value)
    return source.nan | (source.infinity & ~(source.negative & ~or_reduce(multiplier.significand)))


def _to_integer(
    chosen: Conversion, value: Bits, multiplier: Multiplier, product: Product, quant_word: Bits
) -> tuple[Bits, Bits]:
    mode, width = chosen.mode, _INTEGER_BITS[chosen.mode.destination]
    if not mode.offset_bits:
        return wrap_to_signed(product, width, chosen.rounding)
    offset = offset_field(quant_word, mode.offset_bits)
    element, flags = affine(product, offset, width, chosen.rounding, saturating=chosen.saturating)
    if mode.source != "fp32":
        return element, flags
    special = _is_special(value, multiplier)
    special_element, special_flags = special_integer(unpack_fp32(value), width, saturating=chosen.saturating)
    return ite(special, special_element, element), ite(special, special_flags, flags)


def _to_float(chosen: Conversion, value: Bits, multiplier: Multiplier, product: Product) -> tuple[Bits, Bits]:
    codes = FLOAT_CODES[chosen.mode.destination]
    packed = _pack(chosen, product)
    beyond = overflowed(codes, product.negative, saturating=chosen.saturating)
    element, flags = ite(packed.overflow, beyond, packed.code), packed.flags
    zero, no_flags = Bits.constant(0, codes.width), flags_of()
    empty = ~or_reduce(product.significand)
    element, flags = ite(empty, zero, element), ite(empty, no_flags, flags)
    if chosen.mode.source != "fp32":
        return element, flags
    source = unpack_fp32(value)
    keeps_sign = source.zero & source.negative & or_reduce(multiplier.significand)
    element = ite(keeps_sign, Bits.constant(codes.negative_zero, codes.width), element)
    special = _is_special(value, multiplier)
    special_element, special_flags = special_float(source, codes, saturating=chosen.saturating)
    return ite(special, special_element, element), ite(special, special_flags, flags)


def _pack(chosen: Conversion, product: Product) -> Packed:
    """Normalise the product and round it into the destination; meaningless for a zero product."""
    significand, zeros = normalise(product.significand)
    exponent = product.exponent + (significand.width - 1) - zeros.zero_extend(EXPONENT_BITS)
    value = Normalised(product.negative, exponent, significand)
    if chosen.mode.destination == "hif8":
        return pack_hif8(value, chosen.rounding)
    return pack(value, LAYOUTS[chosen.mode.destination], chosen.rounding)
