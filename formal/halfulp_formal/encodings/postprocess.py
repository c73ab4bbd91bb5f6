"""One element through the whole of B.FPATR post-processing (MatrixPostQuantBaseWithFlags)."""

from __future__ import annotations

from halfulp_formal.bits import Bits, Bool, ite, or_reduce, select
from halfulp_formal.encodings.align import Product
from halfulp_formal.encodings.flags import flags_of
from halfulp_formal.encodings.float_pack import LAYOUTS, pack
from halfulp_formal.encodings.hif8 import pack_hif8
from halfulp_formal.encodings.modes import Conversion, Mode, conversion_named
from halfulp_formal.encodings.multiplier import (
    Multiplier,
    fp32_product,
    s32_product,
    select_multiplier,
)
from halfulp_formal.encodings.parameters import offset_field, shift_field
from halfulp_formal.encodings.requantize import affine, shift_and_saturate, wrap_to_signed
from halfulp_formal.encodings.specials import FLOAT_CODES, overflowed, special_float, special_integer
from halfulp_formal.encodings.unpack import Unpacked, unpack_fp32

_WORD = 64
_INTEGER_BITS = {"s4": 4, "s8": 8, "s16": 16, "s32": 32, "u32": 32}


def postprocess(conversion: str, value: Bits, relu: Bits, quant_word: Bits, relu_word: Bits) -> tuple[Bits, Bits]:
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
        return value.zero_extend(_WORD), flags_of()
    source, multiplier, product = _operands(mode, value, relu, quant_word, relu_word)
    if mode.destination in FLOAT_CODES:
        element, flags = _to_float(chosen, source, multiplier, product)
    else:
        element, flags = _to_integer(chosen, source, multiplier, product, quant_word)
    if mode.code == 0:
        unchanged = relu == 0
        element, flags = ite(unchanged, value, element), ite(unchanged, flags_of(), flags)
    signed = mode.destination not in FLOAT_CODES
    return (element.sign_extend(_WORD) if signed else element.zero_extend(_WORD)), flags


def product_exponent(conversion: str, value: Bits, relu: Bits, quant_word: Bits, relu_word: Bits) -> Bits:
    """The exponent of the product that is rounded, in two's complement; of a conversion that multiplies.

    Meaningful for a finite accumulator and a factor that is not zero. Raises ValueError for an unknown conversion.
    """
    _, _, product = _operands(conversion_named(conversion).mode, value, relu, quant_word, relu_word)
    return product.exponent


def _operands(
    mode: Mode, value: Bits, relu: Bits, quant_word: Bits, relu_word: Bits
) -> tuple[Unpacked | None, Multiplier, Product]:
    """The accumulator taken apart if it is FP32, its factor, and their product."""
    source = unpack_fp32(value) if mode.source == "fp32" else None
    negative = value.bit(31) & ~source.nan if source is not None else value.bit(31)
    multiplier = select_multiplier(mode, negative, relu, quant_word, relu_word)
    product = fp32_product(source, multiplier) if source is not None else s32_product(value, multiplier)
    return source, multiplier, product


def _is_special(source: Unpacked, multiplier: Multiplier) -> Bool:
    """NaN or infinite, but for -∞ times zero, which counts as zero."""
    return source.nan | (source.infinity & ~(source.negative & multiplier.zero))


def _to_integer(
    chosen: Conversion, source: Unpacked | None, multiplier: Multiplier, product: Product, quant_word: Bits
) -> tuple[Bits, Bits]:
    mode, width = chosen.mode, _INTEGER_BITS[chosen.mode.destination]
    if not mode.offset_bits:
        return wrap_to_signed(product, width, chosen.rounding)
    offset = offset_field(quant_word, mode.offset_bits)
    element, flags = affine(product, offset, width, chosen.rounding, saturating=chosen.saturating)
    if source is None:
        return element, flags
    special = _is_special(source, multiplier)
    special_element, special_flags = special_integer(source, width, saturating=chosen.saturating)
    return ite(special, special_element, element), ite(special, special_flags, flags)


def _to_float(
    chosen: Conversion, source: Unpacked | None, multiplier: Multiplier, product: Product
) -> tuple[Bits, Bits]:
    destination = chosen.mode.destination
    codes = FLOAT_CODES[destination]
    layout = LAYOUTS.get(destination)
    packed = pack(product, layout, chosen.rounding) if layout else pack_hif8(product, chosen.rounding)
    beyond = overflowed(codes, product.negative, saturating=chosen.saturating)
    zero = ~or_reduce(product.significand)
    element = select((zero, Bits.constant(0, codes.width)), (packed.overflow, beyond), otherwise=packed.code)
    flags = ite(zero, flags_of(), packed.flags)
    if source is None:
        return element, flags
    keeps_sign = source.zero & source.negative & ~multiplier.zero
    element = ite(keeps_sign, Bits.constant(codes.negative_zero, codes.width), element)
    special = _is_special(source, multiplier)
    special_element, special_flags = special_float(source, codes, saturating=chosen.saturating)
    return ite(special, special_element, element), ite(special, special_flags, flags)
