"""Seeded mistakes in block conversions, the matrix multiply and the adder."""

from __future__ import annotations

from halfulp_formal.mistake import Mistake, rule, source
from halfulp_formal.subject import RulePatch

CHANGED_TIES = {"conv_even": "odd", "conv_odd": "even", "sym_inf": "zero", "sym_zero": "away"}

BLOCK_MISTAKES: dict[str, Mistake] = {
    "block_saturates": rule("a block saturates instead of renormalising", "blocks/BFP16/overflow", "clamp"),
    "exponent_after_rounding": source(
        "the shared exponent is that of the rounded members",
        "blocks",
        "return max(fields(conversion.member, bits).exponent for bits in members)",
        "return max(fields(conversion.member, bits + (1 << 16)).exponent for bits in members)",
    ),
    "rounded_mantissas_halved": source(
        "renormalising halves the rounded mantissas and rounds them again",
        "blocks",
        "again = quantise(conversion, members, exponent + 1)",
        "again = tuple(round_to_integer(Exact(each < 0, abs(each), -1), conversion.rounding) for each in mantissas)",
    ),
    "shifted_twice": source(
        "renormalising shifts what the first shift left of the members, and rounds once",
        "blocks",
        "again = quantise(conversion, members, exponent + 1)",
        "again = quantise(conversion, tuple(bits >> 16 << 16 for bits in members), exponent + 1)",
    ),
    "renormalised_by_two": source(
        "renormalising shifts by two places",
        "blocks",
        "again = quantise(conversion, members, exponent + 1)",
        "again = quantise(conversion, members, exponent + 2)",
    ),
    "conv_even_is_floor": Mistake(
        "floor is done where conv_even is asked",
        (RulePatch(("crrnd", "conv_even", "nearest"), False), RulePatch(("crrnd", "conv_even", "choice"), "floor")),
    ),
    "block_tie_reversed": Mistake(
        "ties go to the other neighbour",
        tuple(RulePatch(("crrnd", mode, "choice"), choice) for mode, choice in CHANGED_TIES.items()),
    ),
    "sym_ceil_is_ceil": rule("sym_ceil rounds toward +infinity", "crrnd/sym_ceil/choice", "ceiling"),
    "ceil_is_sym_ceil": rule("ceil rounds away from zero", "crrnd/ceil/choice", "away"),
    "sign_decides_exponent": source(
        "a negative member has the exponent of the next code",
        "blocks",
        "return max(fields(conversion.member, bits).exponent for bits in members)",
        "return max(fields(conversion.member, bits % (1 << 31) + (bits >> 31)).exponent for bits in members)",
    ),
    "overflow_off_by_one": source(
        "128 is emitted",
        "blocks",
        "return mantissa > conversion.block.largest",
        "return mantissa > conversion.block.largest + 1",
    ),
    "minimum_always_emitted": rule("every mode emits -128", "blocks/BFP16/minimum", "fits_int8"),
    "minimum_never_emitted": rule("floor renormalises where it rounds to -128", "blocks/BFP16/minimum", "never"),
    "subnormals_kept": rule("subnormal members count", "blocks/BFP16/subnormals", "kept"),
    "zero_block_biased": source(
        "a flushed member counts as the smallest subnormal",
        "blocks",
        "return Exact(value.negative, 0, 0)",
        "return Exact(value.negative, 1, -200)",
    ),
    "specials_flushed": source(
        "infinities and NaNs are flushed like subnormals",
        "blocks",
        "fields(conversion.member, bits).exponent == 0:",
        "fields(conversion.member, bits).exponent in (0, 255):",
    ),
    "stops_at_254": source(
        "the exponent 254 is never renormalised",
        "blocks",
        "    if not any(overflows(conversion, mantissa) for mantissa in mantissas):",
        "    if exponent == conversion.block.exponent_mask - 1 or not any(\n"
        "        overflows(conversion, mantissa) for mantissa in mantissas\n"
        "    ):",
    ),
    "open_block_settled": source(
        "a renormalisation of 254 is called characterised",
        "blocks",
        "finite = exponent + 1 < conversion.block.exponent_mask",
        "finite = exponent + 1 <= conversion.block.exponent_mask",
    ),
    "open_nan_settled": source(
        "a NaN that reaches 128 is called characterised",
        "blocks",
        "settled = all(abs(mantissa) <= conversion.block.largest for mantissa in mantissas)",
        "settled = all(abs(mantissa) <= conversion.block.largest + 1 for mantissa in mantissas)",
    ),
    "scale_stops_early": source(
        "the scale stops at 2^-126",
        "blocks",
        "return max(magnitude_exponent(exact_value(conversion.member, largest)), -bias) + bias",
        "return max(magnitude_exponent(exact_value(conversion.member, largest)), 1 - bias) + bias",
    ),
    "scale_doubled": source(
        "the scale is twice as large",
        "blocks",
        "return max(magnitude_exponent(exact_value(conversion.member, largest)), -bias) + bias",
        "return max(magnitude_exponent(exact_value(conversion.member, largest)) + 1, -bias) + bias",
    ),
    "elements_flushed": rule("OCP's procedure flushes subnormal members", "blocks/MXINT8/subnormals", "flushed"),
    "elements_renormalise": rule("OCP's procedure renormalises", "blocks/MXINT8/overflow", "renormalise"),
    "clamps_to_minus_128": source(
        "clamping keeps -128",
        "blocks",
        "min(max(mantissa, -block.largest), block.largest)",
        "min(max(mantissa, -block.largest - 1), block.largest)",
    ),
    "sum_of_magnitudes": source(
        "magnitudes of unlike signs are added", "adder", "difference = one - two", "difference = one + two"
    ),
    "addend_sign_lost": source(
        "a sum has the sign of its left operand",
        "adder",
        "return Exact(right.negative, -difference, exponent)",
        "return Exact(left.negative, -difference, exponent)",
    ),
    "zero_sum_positive": source(
        "an exact zero sum is +0 in every mode",
        "adder",
        "return not rounding.nearest and rounding.choice is Choice.FLOOR",
        "return False",
    ),
    "unlike_infinities_valid": source(
        "the difference of infinities raises nothing",
        "adder",
        "        return Result(adder.fmt.canonical_nan, adder.flags.nv)\n",
        "        return Result(adder.fmt.canonical_nan, 0)\n",
    ),
    "last_product_twice": source(
        "the last product counts twice",
        "matmul",
        "return sum(products(left, right))",
        "return sum(products(left, right)) + products(left, right)[-1]",
    ),
    "product_bias_once": source(
        "the scale of one operand is forgotten", "matmul", "- 2 * unit.block.scale_bits", "- unit.block.scale_bits"
    ),
    "open_sum_settled": source(
        "a block sum that FP32 does not hold is called characterised",
        "matmul",
        "result.flags == 0",
        "result.flags >= 0",
    ),
    "larger_exponent_counts_twice": source(
        "the larger exponent stands for both",
        "matmul",
        "mantissa_sum(left, right), left.exponent + right.exponent)",
        "mantissa_sum(left, right), 2 * max(left.exponent, right.exponent))",
    ),
    "split_repeats_first": source(
        "every part of a block is its first one", "mxint8", "members(block, start, size)", "members(block, 0, size)"
    ),
    "plane_transposed": source(
        "the mantissa plane holds member after member",
        "bfp16",
        "blocks[k // block.size].mantissas[k % block.size]",
        "blocks[k % block.size].mantissas[k // block.size]",
    ),
    "fold_descending": source(
        "a fold starts with the last block",
        "matmul",
        "for k in range(len(left)):\n        lane =",
        "for k in range(len(left) - 1, -1, -1):\n        lane =",
    ),
}
