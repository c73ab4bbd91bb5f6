"""bfp16ebs8 blocks, MXINT8 quantisation and the FP32 fold, as characterised on silicon and in OCP MX v1.0."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

from oracle import formats
from oracle.ieee_ocp import encode
from oracle.rounding import floor_log2, power_of_two, to_integer

# crrnd codes
ROUNDINGS = {
    "floor": 0,
    "ceil": 1,
    "sym_floor": 2,
    "sym_ceil": 3,
    "neg_inf": 8,
    "pos_inf": 9,
    "sym_zero": 10,
    "sym_inf": 11,
    "conv_even": 12,
    "conv_odd": 13,
}
HALF = Fraction(1, 2)

Block = tuple[tuple[int, ...], int]
"""Eight (or, for MXINT8, 32) signed mantissas and the shared exponent byte."""


def round_mantissa(value: Fraction, rounding: str) -> int:
    """A signed mantissa rounded to an integer by a crrnd mode."""
    lower, upper = floor(value), ceil(value)
    if lower == upper:
        return lower
    toward_zero, away = (lower, upper) if value > 0 else (upper, lower)
    directed = {"floor": lower, "ceil": upper, "sym_floor": toward_zero, "sym_ceil": away}
    if rounding in directed:
        return directed[rounding]
    if value - lower != HALF:
        return lower if value - lower < HALF else upper
    even, odd = (lower, upper) if lower % 2 == 0 else (upper, lower)
    ties = {
        "neg_inf": lower,
        "pos_inf": upper,
        "sym_zero": toward_zero,
        "sym_inf": away,
        "conv_even": even,
        "conv_odd": odd,
    }
    return ties[rounding]


def exact_mantissa(bits: int, shared: int) -> Fraction:
    """The signed 1.fraction significand at a shared exponent, in units of the sixth fraction bit.

    A subnormal member counts as zero.
    """
    field, fraction = bits >> 23 & 0xFF, bits & 0x7FFFFF
    if field == 0:
        return Fraction(0)
    magnitude = Fraction(0x800000 + fraction, 0x800000) * 64 * power_of_two(field - shared)
    return -magnitude if bits >> 31 & 1 else magnitude


def encode_block(block: Sequence[int], rounding: str, *, fits_int8: bool = False) -> Block | None:
    """FP32 x 8 to bfp16ebs8; None where the evidence does not settle the result.

    A magnitude of 128 renormalises the block, except -128 under floor. `fits_int8` is the other reading of
    the evidence: -128 fits, whatever the mode.
    """
    shared = max(bits >> 23 & 0xFF for bits in block)
    if shared == 0:
        return (0,) * len(block), 0
    special = shared == 255
    lowest = -128 if (fits_int8 or rounding == "floor") and not special else -127
    while True:
        mantissas = tuple(round_mantissa(exact_mantissa(bits, shared), rounding) for bits in block)
        if all(lowest <= mantissa <= 127 for mantissa in mantissas):
            return mantissas, shared
        if shared >= 254:
            return None
        shared += 1


def decode_block(block: Block) -> tuple[Fraction, ...]:
    """The exact values m * 2^(e - 133)."""
    mantissas, exponent = block
    return tuple(mantissa * power_of_two(exponent - 133) for mantissa in mantissas)


def pack_v64(blocks: Sequence[Block]) -> bytes:
    """Eight blocks as 72 bytes: the mantissa plane, then the exponent plane."""
    plane = bytes(mantissa & 0xFF for mantissas, _ in blocks for mantissa in mantissas)
    return plane + bytes(exponent for _, exponent in blocks)


def unpack_v64(data: bytes) -> tuple[Block, ...]:
    """The eight blocks of a 72-byte v64."""
    signed_plane = [byte - 256 if byte >= 128 else byte for byte in data[:64]]
    return tuple((tuple(signed_plane[8 * row : 8 * row + 8]), data[64 + row]) for row in range(8))


def mxint8_quantize(block: Sequence[int]) -> Block | None:
    """OCP MXINT8 of finite FP32 members: floor of log2 of the largest, nearest even, clamped to +-127/64.

    Subnormal members count; the scale stops at 2^-127. None for a block with an infinity or a NaN.
    """
    values = [formats.value("FP32", bits) for bits in block]
    finite = [value for value in values if value is not None]
    if len(finite) != len(values):
        return None
    largest = max(abs(value) for value in finite)
    if largest == 0:
        return (0,) * len(block), 0
    shared = max(floor_log2(largest), -127)
    rounded = [to_integer(value / power_of_two(shared) * 64, "RNE") for value in finite]
    return tuple(min(max(mantissa, -127), 127) for mantissa in rounded), shared + 127


def mxint8_split(block: Block) -> tuple[Block, ...]:
    """A block of 32 as four blocks of eight with the same exponent."""
    mantissas, exponent = block
    return tuple((mantissas[first : first + 8], exponent) for first in range(0, len(mantissas), 8))


def dot(left: Block, right: Block) -> Fraction:
    """The exact sum of one block multiply-accumulate: the sum of m_a m_b, times 2^(e_a + e_b - 266)."""
    total = sum(a * b for a, b in zip(left[0], right[0], strict=True))
    return total * power_of_two(left[1] + right[1] - 266)


def fold(pairs: Sequence[tuple[Block, Block]], accumulator: int = 0) -> int:
    """FP32 accumulation of block products in ascending order, one rounding to nearest even a block.

    `accumulator` and the result are FP32 encodings; an infinity stays, and any NaN gives the quiet one.
    """
    for left, right in pairs:
        block = dot(left, right)
        kept = formats.value("FP32", accumulator)
        if kept is None:
            return 0x7FC00000 if accumulator & 0x007FFFFF else accumulator
        exact = kept + block
        accumulator = encode(exact, "FP32", "RNE", False)[0]
    return accumulator


def matmul(left: Sequence[Sequence[Block]], right: Sequence[Sequence[Block]]) -> tuple[int, ...]:
    """The 64 lanes of an 8 x 8 product: row i of the left and row j of the transposed right give lane 8i+j."""
    return tuple(fold(list(zip(row, column, strict=True))) for row in left for column in right)
