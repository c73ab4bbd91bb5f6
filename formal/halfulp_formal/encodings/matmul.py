"""The matrix unit: a block product as an integer tree, scaled into FP32 without rounding, and the fold that sums them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from halfulp_formal.bits import Bits, Bool, ite, normalise, or_reduce, shift_right_jam
from halfulp_formal.encodings.fp32_add import Sum, fp32_add

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Exponents as wide as the biased ones of block products need, and more: -139 to 388 for blocks of eight.
_EXPONENT_BITS = 11
#: Bias of the sum of two block exponents under mantissas with six fraction bits each.
_PRODUCT_BIAS = 266


@dataclass(frozen=True, slots=True)
class BlockProduct:
    """The integer sum of the mantissas' products, and the FP32 code of that sum at its scale.

    The code is exact where `in_range` holds and means nothing elsewhere. The sum of no products is +0.
    """

    total: Bits
    code: Bits
    in_range: Bool


def integer_dot(left: Sequence[Bits], right: Sequence[Bits]) -> Bits:
    """The sum of the products of two rows of int8, in two's complement: 16 bits and one more for each level of the tree.

    ValueError: the rows are empty or differ in length.
    """
    if len(left) != len(right) or not left:
        raise ValueError(f"a block product needs two rows of one length; given {len(left)} and {len(right)} mantissas")
    level = [a.sign_extend(16) * b.sign_extend(16) for a, b in zip(left, right, strict=True)]
    while len(level) > 1:
        width = level[0].width + 1
        wide = [value.sign_extend(width) for value in level]
        pairs = [a + b for a, b in zip(wide[::2], wide[1::2], strict=False)]
        level = pairs + wide[len(pairs) * 2 :]
    return level[0]


def exact_fp32(total: Bits, exponent_sum: Bits) -> tuple[Bits, Bool]:
    """The FP32 code of total · 2^(exponent_sum - 266), and whether FP32 has that value.

    `total` is in two's complement, not its type's smallest value, and has at most 25 bits; `exponent_sum` is unsigned.
    """
    negative = total.bit(total.width - 1)
    digits, zeros = normalise(ite(negative, -total, total).extract(total.width - 2, 0))
    top = 127 - _PRODUCT_BIAS + digits.width - 1
    biased = exponent_sum.zero_extend(_EXPONENT_BITS) + top - zeros.zero_extend(_EXPONENT_BITS)
    tiny, huge = biased.bvslt(1), biased.bvsgt(254)
    window = digits.concat(Bits.constant(0, 25 - digits.width))
    window = shift_right_jam(window, ite(tiny, Bits.constant(1, _EXPONENT_BITS) - biased, 0).extract(7, 0))
    field = ite(window.bit(24), biased.extract(7, 0), 0)
    code = negative.bits().concat(field, window.extract(23, 1))
    return code, ~or_reduce(total) | ~(huge | window.bit(0))


def block_product(
    left: Sequence[Bits], left_exponent: Bits, right: Sequence[Bits], right_exponent: Bits
) -> BlockProduct:
    """One multiply of two blocks: the sum of m_a · m_b, times 2^(e_a + e_b - 266).

    An exponent of 255 counts as any other; whether a block that has it may come here is not asked.
    ValueError: the rows are empty or differ in length.
    """
    total = integer_dot(left, right)
    code, in_range = exact_fp32(total, left_exponent.zero_extend(9) + right_exponent.zero_extend(9))
    return BlockProduct(total, code, in_range)


def accumulate(accumulator: Bits, product: BlockProduct) -> Sum:
    """One step of a fold: an FP32 accumulator and a block product in range, added and rounded to nearest even."""
    return fp32_add(accumulator, product.code, "rne")


def fold(accumulator: Bits, products: Sequence[BlockProduct]) -> Bits:
    """The FP32 code of the accumulator after all the products, in the given order."""
    for product in products:
        accumulator = accumulate(accumulator, product).code
    return accumulator
