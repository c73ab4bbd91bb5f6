"""The public calls of block floating point: arguments checked, then the conversion, matrix multiply or addition."""

from __future__ import annotations

from collections.abc import Sequence

from .adder import Adder, add, adders
from .arguments import checked_name, checked_sequence, of_bits
from .bfp16 import V64_BLOCKS, mantissa_value, pack_v64, unpack_v64
from .block_rows import BlockFormat
from .blocks import Block, BlockConversion, block_conversions, encode_block, open_question
from .exact import Exact
from .floats import is_infinite, is_nan
from .loader import default_rules
from .matmul import Lane, MatrixUnit, accumulate, fold_blocks, matrix_unit, multiply_blocks
from .mxint8 import join_blocks, split_block
from .result import Rejected, Result, Uncharacterised
from .rows import Format


def bfp16_encode(block: Sequence[int], rounding: str | int = "floor") -> Block | Uncharacterised:
    """Convert eight FP32 codes to a bfp16ebs8 block as the hardware does.

    rounding: a crrnd mode by name or code; the register holds floor (0) at kernel entry. Subnormals count as zero;
    infinities and NaNs give the exponent 255. Raises Rejected. Source: virtio-accel pull request 161, probes P0 to P3.
    """
    conversion = pick_conversion(rounding)
    encoding = encode_block(conversion, check_members(conversion, block))
    question = open_question(encoding)
    return encoding.block if question is None else uncharacterised(question)


def bfp16_decode(block: Block) -> tuple[Exact, ...]:
    """Return the exact member values m · 2^(e - 133) of a block of eight; Rejected for e = 255 (infinities, NaNs)."""
    row = default_rules().blocks["BFP16"]
    checked = check_finite_block(row, "block", block)
    return tuple(mantissa_value(row, checked.exponent, mantissa) for mantissa in checked.mantissas)


def v64_pack(blocks: Sequence[Block]) -> bytes:
    """Return the 72 bytes of eight blocks: the 64-byte mantissa plane, then the 8-byte exponent plane."""
    row = default_rules().blocks["BFP16"]
    return bytes(pack_v64(row, check_blocks(row, blocks, V64_BLOCKS)))


def v64_unpack(data: bytes) -> tuple[Block, ...]:
    """Return the eight blocks of a v64 of 72 bytes."""
    row = default_rules().blocks["BFP16"]
    expected = V64_BLOCKS * (row.size + 1)
    if not isinstance(data, bytes | bytearray):
        raise Rejected("v64", f"got {type(data).__name__}; expected {expected} bytes")
    if len(data) != expected:
        raise Rejected("v64", f"got a length of {len(data)}; expected {expected} bytes")
    return unpack_v64(row, tuple(data))


def mxint8_quantize(block: Sequence[int]) -> Block:
    """Quantise 32 finite FP32 codes to MXINT8: the E8M0 scale and signed mantissas of six fraction bits.

    Raises Rejected; infinities and NaNs are outside the format. Source: OCP Microscaling Formats 1.0.
    """
    conversion = block_conversions()["mxint8"]
    members = check_members(conversion, block)
    for index, bits in enumerate(members):
        if is_nan(conversion.member, bits) or is_infinite(conversion.member, bits):
            raise Rejected("member", f"member {index} is {bits:#010x}; MXINT8 takes finite numbers")
    return encode_block(conversion, members).block


def mxint8_split(block: Block) -> tuple[Block, ...]:
    """Return the four blocks of eight that a block of 32 decomposes into, bit-exactly."""
    rows = default_rules().blocks
    return split_block(check_finite_block(rows["MXINT8"], "block", block), rows["BFP16"].size)


def mxint8_join(blocks: Sequence[Block]) -> Block:
    """Return the block of 32 that four blocks of eight with one exponent make up."""
    rows = default_rules().blocks
    small = rows["BFP16"]
    checked = check_blocks(small, blocks, rows["MXINT8"].size // small.size)
    for index, block in enumerate(checked):
        check_finite(small, f"block {index}", block)
    exponents = [block.exponent for block in checked]
    if len(set(exponents)) > 1:
        raise Rejected("exponent", f"the blocks have the exponents {exponents}; expected one for all")
    return join_blocks(checked)


def bfp16_matmul(
    a: Sequence[Block], b: Sequence[Block], accumulator: Sequence[int] | None = None
) -> tuple[int | Uncharacterised, ...]:
    """Multiply 8×8 operands: without accumulator `mul`, with one `mac`. Returns 64 FP32 codes, lane 8·i + j.

    a: the eight rows i of A, blocks over k; b: the eight rows j of B transposed; accumulator: 64 FP32 codes.
    A lane is Uncharacterised where its block sum is not exact in FP32. Raises Rejected, for e = 255 too.
    Source: virtio-accel pull request 161, probes P4 and P5.
    """
    unit = matrix_unit()
    rows = check_operand(unit, "a", a, unit.block.size)
    columns = check_operand(unit, "b", b, unit.block.size)
    count = unit.block.size**2
    pairs = [(left, right) for left in rows for right in columns]
    if accumulator is None:
        return tuple(lane_result(multiply_blocks(unit, left, right)) for left, right in pairs)
    codes = checked_sequence("accumulator", accumulator, count, "lanes")
    lanes = [Lane(check_code(unit.adder.fmt, "accumulator", bits), characterised=True) for bits in codes]
    return tuple(
        lane_result(accumulate(unit, lane, left, right)) for lane, (left, right) in zip(lanes, pairs, strict=True)
    )


def fold(a: Sequence[Block], b: Sequence[Block], accumulator: int = 0) -> int | Uncharacterised:
    """Return one output lane, an FP32 code: block sums of a row of A and a row of B transposed, in ascending order.

    acc = rne32(acc + block) at each block. Uncharacterised where a block sum is not exact in FP32. Raises Rejected.
    """
    unit = matrix_unit()
    if len(checked_sequence("a", a, None, "blocks")) != len(checked_sequence("b", b, None, "blocks")):
        raise Rejected("blocks", f"{len(a)} in a and {len(b)} in b; expected as many in both")
    left = check_operand(unit, "a", a, len(a))
    right = check_operand(unit, "b", b, len(b))
    start = Lane(check_code(unit.adder.fmt, "accumulator", accumulator), characterised=True)
    return lane_result(fold_blocks(unit, start, left, right))


def fp32_add(left: int, right: int, rounding: str = "RNE") -> Result:
    """Add two FP32 codes under RNE, RTZ, RTM, RTP or RNA; returns the FP32 code and the five status flags.

    A NaN result is 0x7fc00000. Raises Rejected. Source: IEEE 754-2019, 5.4.1.
    """
    adder = pick_adder(rounding)
    return add(adder, check_code(adder.fmt, "left", left), check_code(adder.fmt, "right", right))


def pick_conversion(rounding: str | int) -> BlockConversion:
    """Return the bfp16ebs8 conversion of a crrnd mode, by name or code."""
    for conversion in block_conversions().values():
        if (
            conversion.block.name == "BFP16"
            and type(rounding) in (int, str)
            and rounding in (conversion.rounding.name, conversion.rounding.code)
        ):
            return conversion
    modes = ", ".join(f"{mode.name} ({mode.code})" for mode in default_rules().crrnd.values())
    raise Rejected("crrnd", f"{rounding!r} is not a rounding mode; expected {modes}")


def pick_adder(rounding: str) -> Adder:
    """Return the FP32 adder of a rounding mode."""
    by_mode = {adder.rounding.name: adder for adder in adders().values()}
    return by_mode[checked_name("rounding", rounding, by_mode, "rounding mode of the adder")]


def lane_result(lane: Lane) -> int | Uncharacterised:
    """Return a lane as a caller sees it."""
    return lane.code if lane.characterised else uncharacterised("inexact_block_sum")


def uncharacterised(question: str) -> Uncharacterised:
    """Return the result of an open question."""
    return Uncharacterised(question, default_rules().open_questions[question].text)


def check_code(fmt: Format, name: str, bits: int) -> int:
    """Return a code of a format, or raise Rejected."""
    if type(bits) is not int or not 0 <= bits < 1 << fmt.carrier_bits:
        raise Rejected(name, f"{bits!r} is not {of_bits(fmt.carrier_bits, f'{fmt.name} code')}")
    return bits


def check_members(conversion: BlockConversion, block: Sequence[int]) -> tuple[int, ...]:
    """Return the codes of a whole block."""
    members = checked_sequence("block", block, conversion.block.size, "members")
    return tuple(check_code(conversion.member, "member", bits) for bits in members)


def check_block(row: BlockFormat, name: str, block: Block) -> Block:
    """Return a block whose exponent and mantissas are in range."""
    exponent, mantissas = checked_sequence(name, block, len(Block._fields), "fields, exponent and mantissas")
    if type(exponent) is not int or not 0 <= exponent <= row.exponent_mask:
        raise Rejected(name, f"exponent {exponent!r} is not in 0 to {row.exponent_mask}")
    for mantissa in checked_sequence(name, mantissas, row.size, "mantissas"):
        if type(mantissa) is not int or not -row.largest - 1 <= mantissa <= row.largest:
            raise Rejected(name, f"mantissa {mantissa!r} is not in {-row.largest - 1} to {row.largest}")
    return Block(exponent, tuple(mantissas))


def check_finite(row: BlockFormat, name: str, block: Block) -> None:
    """Raise Rejected for a block of infinities and NaNs."""
    if block.exponent == row.exponent_mask:
        raise Rejected(name, f"exponent {block.exponent} holds infinities and NaNs; expected 0 to {block.exponent - 1}")


def check_finite_block(row: BlockFormat, name: str, block: Block) -> Block:
    """Return a block that stands for numbers."""
    checked = check_block(row, name, block)
    check_finite(row, name, checked)
    return checked


def check_blocks(row: BlockFormat, blocks: Sequence[Block], count: int) -> tuple[Block, ...]:
    """Return so many blocks, each in range."""
    given = checked_sequence("blocks", blocks, count, "blocks")
    return tuple(check_block(row, f"block {index}", block) for index, block in enumerate(given))


def check_operand(unit: MatrixUnit, name: str, blocks: Sequence[Block], count: int) -> tuple[Block, ...]:
    """Return the blocks of a matrix operand, each of which stands for numbers."""
    given = checked_sequence(name, blocks, count, "blocks")
    return tuple(check_finite_block(unit.block, f"{name}[{index}]", block) for index, block in enumerate(given))
