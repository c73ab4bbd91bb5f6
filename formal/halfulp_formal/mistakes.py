"""Seeded mistakes: small wrong changes of the model or of its rule data, each of which a proof must refuse."""

from __future__ import annotations

from halfulp_formal.block_mistakes import BLOCK_MISTAKES
from halfulp_formal.format_mistakes import FORMAT_MISTAKES
from halfulp_formal.fpatr_mistakes import FPATR_MISTAKES
from halfulp_formal.mistake import Mistake, rule, source
from halfulp_formal.reduction_mistakes import REDUCTION_MISTAKES
from halfulp_formal.scale_mistakes import SCALE_MISTAKES
from halfulp_formal.subject import RulePatch

__all__ = ["MISTAKES", "Mistake"]

MISTAKES: dict[str, Mistake] = {
    "inexact_threshold": source(
        "an inexact value is truncated and an integer is not left alone", "rounding", "if rest == 0:", "if rest > 0:"
    ),
    "nearest_reversed": source("nearest picks the farther neighbour", "rounding", "2 * rest < unit", "2 * rest > unit"),
    "floor_is_ceiling": rule("RTM rounds up", "rounding/RTM/choice", "ceiling"),
    "odd_is_even": rule("RTO picks the even neighbour", "rounding/RTO/choice", "even"),
    "tie_even_is_odd": source(
        "a tie goes to the odd neighbour", "rounding", "truncated % 2 == 1", "truncated % 2 == 0 and truncated >= 0"
    ),
    "tie_rule_away": rule("RNE breaks ties away from zero", "rounding/RNE/choice", "away"),
    "rhb_half_away": rule("RHB breaks ties away from zero", "rounding/RHB/choice", "away"),
    "offset_before_saturation": source(
        "the offset is added before the intermediate saturates",
        "postprocess",
        "    intermediate = saturate_signed(rounded, mode.offset_bits) if mode.offset_bits else rounded\n"
        "    total = intermediate + offset\n",
        "    intermediate = rounded\n"
        "    total = saturate_signed(rounded + offset, mode.offset_bits) if mode.offset_bits else rounded\n",
    ),
    "intermediate_too_wide": source(
        "the intermediate is one bit too wide", "integers", "limit = 1 << (bits - 1)", "limit = 1 << bits"
    ),
    "intermediate_off_by_one": source("the intermediate saturates to 2^(n-1)", "integers", "limit - 1)", "limit)"),
    "clamp_and_wrap_swapped": source(
        "Sat = 1 wraps and Sat = 0 clamps",
        "integers",
        "clamp(value, fmt) if saturate else",
        "clamp(value, fmt) if not saturate else",
    ),
    "wrap_too_wide": source(
        "wrapping keeps one bit too many",
        "integers",
        "(1 << fmt.code_bits) + fmt.minimum",
        "(2 << fmt.code_bits) + fmt.minimum",
    ),
    "word_not_sign_extended": source(
        "the result word is not sign-extended", "integers", "value % (1 << WORD_BITS)", "abs(value) % (1 << WORD_BITS)"
    ),
    "overflow_needs_both_stages": source(
        "OF needs both stages to overflow",
        "postprocess",
        "intermediate != rounded or not fits",
        "intermediate != rounded and not fits",
    ),
    "inexact_flag_lost": source(
        "NX is never raised alone", "postprocess", "0 if is_integer(product) else conversion.flags.nx", "0"
    ),
    "flag_bits_swapped": Mistake(
        "OF and UF change places", (RulePatch(("flags", "OF", "bit"), 3), RulePatch(("flags", "UF", "bit"), 2))
    ),
    "shift_code_without_one": source(
        "a shift code is not increased by one", "parameters", "layout.shift.bits) + 1", "layout.shift.bits)"
    ),
    "shift_wraps": source(
        "the shift result wraps",
        "postprocess",
        "to_word(clamp(shifted, conversion.destination))",
        "to_word(narrowed(shifted, conversion.destination, False))",
    ),
    "shift_applies_relu": source(
        "ReLU zeroes a negative shift result",
        "postprocess",
        "    if conversion.mode.parameter is Parameter.SHIFT:\n",
        "    if relu == RELU_ZERO and conversion.mode.parameter is Parameter.SHIFT and value < 0:\n"
        "        return Result(0, 0)\n"
        "    if conversion.mode.parameter is Parameter.SHIFT:\n",
    ),
    "activation_multiplies": source(
        "the activation parameter multiplies the scale",
        "postprocess",
        "    return exact_value(conversion.fp19, activation_bits(conversion.layout, relu_word))",
        "    factor = exact_value(conversion.fp19, activation_bits(conversion.layout, relu_word))\n"
        "    if conversion.mode.parameter is not Parameter.SCALE:\n"
        "        return factor\n"
        "    return multiply(factor, exact_value(conversion.fp19, scale_bits(conversion.layout, quant_word)))",
    ),
    "relu_on_positive": source(
        "the activation applies to what is not negative",
        "postprocess",
        "if relu == RELU_NONE or not source_negative(conversion, value):",
        "if relu == RELU_NONE or source_negative(conversion, value):",
    ),
    "relu_zero_keeps_scale": source(
        "ReluMode 1 takes the activation parameter", "postprocess", "if relu == RELU_ZERO:", "if relu == 7:"
    ),
    "infinity_beats_relu": source(
        "-infinity stays special under a factor of zero",
        "postprocess",
        "return not (is_negative(conversion.accumulator, value) and multiplier.significand == 0)",
        "return True",
    ),
    "scale_field_shifted": rule("the scale field stands one bit too low", "parameter_word/scale/low", 12),
    "offset_field_shifted": rule("the offset field stands one bit too high", "parameter_word/offset/low", 38),
    "offset_unsigned": source("the offset is unsigned", "parameters", "unsigned >= sign", "unsigned >= 2 * sign"),
    "exponents_subtracted": source(
        "the scale is a divisor", "exact", "left.exponent + right.exponent", "left.exponent - right.exponent"
    ),
    "subnormal_exponent_wrong": source(
        "a subnormal has one binade too little",
        "floats",
        "code.fraction, fmt.smallest_exponent)",
        "code.fraction, fmt.smallest_exponent - 1)",
    ),
    "nan_saturates_to_maximum": source(
        "Sat = 1 turns a NaN into the maximum",
        "integers",
        "    if nan:\n        return 0\n",
        "    if nan:\n        return fmt.maximum\n",
    ),
    "infinity_sign_lost": source(
        "both infinities clamp to the maximum",
        "integers",
        "return fmt.minimum if negative else fmt.maximum",
        "return fmt.maximum",
    ),
    "infinity_without_overflow": source(
        "an infinity without Sat raises overflow",
        "postprocess",
        "conversion.flags.nv if nan or not saturate else",
        "conversion.flags.nv if nan else",
    ),
    "quiet_bit_inverted": source(
        "a quiet NaN counts as signalling", "floats", "(fmt.fraction_bits - 1) == 0", "(fmt.fraction_bits - 1) != 0"
    ),
    "negative_zero_lost": source(
        "-0 becomes +0", "postprocess", "with_sign(conversion.destination, 0, conversion.destination.signed_zero)", "0"
    ),
    "identity_dropped": source(
        "NoQuant raises NX",
        "postprocess",
        "return Result(to_word(value), 0)",
        "return Result(to_word(value), conversion.flags.nx)",
    ),
    "negative_shift": source(
        "a shift by a negative number of places",
        "postprocess",
        "value >> shift_places(",
        "value >> -shift_places(",
        "shifts322s16",
    ),
    "subnormal_scale_legal": source(
        "a subnormal scale is legal",
        "floats",
        "0 < code.exponent < fmt.exponent_mask",
        "0 <= code.exponent < fmt.exponent_mask",
    ),
    "high_bits_ignored": source(
        "bits above the offset are ignored",
        "parameters",
        "if word != (scale << layout.scale.low) + (offset << layout.offset.low):",
        "if word % (1 << 54) != (scale << layout.scale.low) + (offset << layout.offset.low):",
    ),
    "negative_activation_legal": source(
        "a negative factor is legal", "floats", "return not code.negative and 0 <", "return 0 <"
    ),
    "vector_offset_narrow": rule("VREQ8 has the offset of REQ4", "prequant/VREQ8/offset_bits", 5),
    "sticky_dropped": source(
        "the lowest discarded bits are ignored",
        "rounding",
        "    truncated = start + quotient\n",
        "    truncated = start + quotient\n    rest = rest >> 2 << 2\n",
    ),
    "wrong_bias": rule("FP16 has a bias of 14", "formats/FP16/bias", 14),
    "fp32_is_short": Mistake(
        "FP32 has twelve bits of fraction less",
        tuple(
            RulePatch(("formats", "FP32", name), value)
            for name, value in (("fraction_bits", 11), ("carrier_bits", 20), ("canonical_nan", 0x7FC00))
        ),
    ),
    "flushed_subnormal": source(
        "subnormal results are flushed to zero",
        "encode",
        "if value.significand == 0:",
        "if value.significand == 0 or magnitude_exponent(value) < fmt.minimum_exponent:",
    ),
    "sign_lost": source(
        "the sign of a result is lost",
        "encode",
        "with_sign(fmt, code << fmt.low_zero_bits, value.negative)",
        "with_sign(fmt, code << fmt.low_zero_bits, False)",
    ),
    "early_overflow_lost": rule(
        "E4M3 overflows after rounding", "encoders/pto/E4M3/overflow", "after_rounding", "qf322fp8"
    ),
    "overflow_sign_lost": source(
        "the sign of an overflow is lost",
        "encode",
        "overflow_code(fmt, value.negative, stops, encoder)",
        "overflow_code(fmt, False, stops, encoder)",
    ),
    "carry_lost": source(
        "a carry out of the largest binade is no overflow",
        "encode",
        "code > fmt.largest_finite >> fmt.low_zero_bits",
        "code > 1 + (fmt.largest_finite >> fmt.low_zero_bits)",
    ),
    "tiny_after_rounding": rule("FP16 detects tininess after rounding", "encoders/pto/FP16/tininess", "after_rounding"),
    "tiny_never": source(
        "no subnormal result is tiny", "encode", "binade >= fmt.minimum_exponent:", "binade >= fmt.smallest_exponent:"
    ),
    "zero_raises_inexact": source(
        "a zero product raises NX", "encode", "        return Result(0, 0)\n", "        return Result(0, flags.nx)\n"
    ),
    "nan_payload_leaks": rule("FP16 keeps a NaN's payload", "encoders/pto/FP16/nan", "quieted"),
    "rounded_twice": source(
        "an element loses its last bit before it is rounded",
        "postprocess",
        "    return encode_product(conversion, exact_product(conversion, value, multiplier))",
        "    product = exact_product(conversion, value, multiplier)\n"
        "    return encode_product(conversion, Exact(product.negative, product.significand | 1, product.exponent))",
    ),
    "tiny_after_rounding_everywhere": Mistake(
        "tininess is detected after rounding",
        tuple(
            RulePatch(("encoders", "pto", fmt, "tininess"), "after_rounding")
            for fmt in ("FP32", "FP16", "BF16", "E4M3", "HiF8")
        ),
    ),
    "underflow_keeps_sign": rule("an E4M3 underflow keeps its sign", "encoders/pto/E4M3/underflow_sign", "kept"),
    "negative_zero_positive": source(
        "-0 takes the positive path",
        "floats",
        "return fields(fmt, bits).negative and not is_nan(fmt, bits)",
        "return fields(fmt, bits).negative and not is_nan(fmt, bits) and not is_negative_zero(fmt, bits)",
    ),
    "identity_always": source(
        "NoQuant passes everything unchanged",
        "postprocess",
        "if conversion.mode.destination is None and relu == RELU_NONE:",
        "if conversion.mode.destination is None:",
    ),
    "saturation_is_exact": source(
        "a saturating conversion is never inexact",
        "encode",
        "inexact = not is_integer(position.quanta)",
        "inexact = not saturate and not is_integer(position.quanta)",
    ),
    **FORMAT_MISTAKES,
    **SCALE_MISTAKES,
    **BLOCK_MISTAKES,
    **FPATR_MISTAKES,
    **REDUCTION_MISTAKES,
    "sat_skips_intermediate": source(
        "Sat = 1 leaves out the intermediate saturation",
        "postprocess",
        "saturate_signed(rounded, mode.offset_bits) if mode.offset_bits else rounded",
        "saturate_signed(rounded, mode.offset_bits) if mode.offset_bits and not conversion.saturate else rounded",
    ),
}
