"""Seeded mistakes in formats and in FP32 to FP19."""

from __future__ import annotations

from halfulp_formal.mistake import Mistake, rule, source

EVERYTHING = ("zero", "signed_zero", "subnormal", "infinity", "quiet_nan", "signaling_nan")

FORMAT_MISTAKES: dict[str, Mistake] = {
    "swapped_fields": source(
        "exponent and fraction field change places",
        "floats",
        "        (bits >> (fmt.low_zero_bits + fmt.fraction_bits)) % (1 << fmt.exponent_bits),\n"
        "        (bits >> fmt.low_zero_bits) % (1 << fmt.fraction_bits),\n",
        "        (bits >> fmt.low_zero_bits) % (1 << fmt.exponent_bits),\n"
        "        (bits >> (fmt.low_zero_bits + fmt.exponent_bits)) % (1 << fmt.fraction_bits),\n",
    ),
    "all_ones_finite": source(
        "all ones is a number where it is the only NaN",
        "floats",
        "(1 << fmt.fraction_bits) - 1",
        "1 << fmt.fraction_bits",
        "e4m3",
    ),
    "constraint_dropped": source(
        "the low constrained bits may be anything", "formats", "bits % (1 << fmt.low_zero_bits) == 0 and ", ""
    ),
    "high_constraint_dropped": source(
        "the high constrained bits may be anything", "formats", " and bits < 1 << fmt.lane_bits", ""
    ),
    "infinity_finite": source(
        "an infinity is finite",
        "formats",
        "not is_nan(fmt, bits) and not is_infinite(fmt, bits)",
        "not is_nan(fmt, bits)",
    ),
    "hidden_bit_lost": source(
        "a normal number has no hidden bit",
        "floats",
        "(1 << fmt.fraction_bits) + code.fraction, code.exponent",
        "code.fraction, code.exponent",
    ),
    "dot_sign_ignored": source(
        "the sign of a tapered exponent is ignored",
        "tapered",
        "if band.exponent_signed and sign == 1:",
        "if band.exponent_signed and sign == 2:",
    ),
    "truncation_shifts_back": source(
        "a fraction is cut off by a shift of a negative number of places",
        "exact",
        "value.significand >> -value.exponent",
        "value.significand >> value.exponent",
    ),
    "subnormals_normal": source(
        "subnormal numbers are classed as normal",
        "formats",
        "if fmt.subnormal_class and lacks_hidden_bit",
        "if not fmt.subnormal_class and lacks_hidden_bit",
    ),
    "binade_start_off": source(
        "the binades are counted from one above the smallest",
        "formats",
        "magnitude_exponent(value) - fmt.minimum_exponent, 0)",
        "magnitude_exponent(value) - fmt.minimum_exponent - 1, 0)",
    ),
    "zero_sign_lost": source(
        "-0 is encoded as +0", "formats", "with_sign(fmt, 0, value.negative)", "with_sign(fmt, 0, False)"
    ),
    "inexact_encoded": source(
        "a number between two codes is encoded by the lower one",
        "formats",
        "is_integer(units) and magnitude",
        "magnitude",
    ),
    "too_large_encoded": source(
        "a number above the largest finite one is encoded by what follows",
        "formats",
        "is_integer(units) and magnitude <= fmt.largest_finite",
        "is_integer(units)",
    ),
    "unnormalised_refused": source(
        "a number with trailing zeros beyond the precision has no code",
        "formats",
        "if places < -value.significand.bit_length():",
        "if places < 0:",
    ),
    "negative_order_reversed": source(
        "negative codes are ordered by magnitude", "formats", "2 * half - 1 - bits if bits >=", "bits - half if bits >="
    ),
    "rank_overlaps": source(
        "the ranks of tapered binades overlap",
        "tapered",
        "binade << fmt.fraction_bits",
        "binade << (fmt.fraction_bits - 1)",
    ),
    "signed_order_unsigned": source(
        "signed integers are ordered as unsigned ones", "formats", "return (bits - fmt.minimum) %", "return bits %"
    ),
    "canonical_nan_signalling": rule("FP16's canonical NaN is signalling", "formats/FP16/canonical_nan", 0x7D00),
    "no_negative_zero": rule("FP16 has one zero", "formats/FP16/signed_zero", False),
    "lanes_reversed": source(
        "the first code is in the highest bits",
        "formats",
        "(carrier >> (lane * fmt.code_bits))",
        "(carrier >> ((fmt.lanes - 1 - lane) * fmt.code_bits))",
    ),
    "integers_decompose": source(
        "integers decompose like floating numbers", "formats", "if fmt.is_integer or not is_finite", "if not is_finite"
    ),
    "claims_nothing": rule("FP16 is said to have nothing but normal numbers", "formats/FP16/claims", ()),
    "claims_everything": rule("E8M0 is said to have everything", "formats/E8M0/claims", EVERYTHING),
    "described_bias_off": source(
        "the described bias is one more", "formats", "exponent_bias=fmt.bias,", "exponent_bias=fmt.bias + 1,"
    ),
    "described_sign_off": source(
        "the sign is said to be one bit lower",
        "formats",
        "sign_bit=fmt.sign_bit if fmt.signed",
        "sign_bit=fmt.sign_bit - 1 if fmt.signed",
    ),
    "described_fraction_short": rule(
        "HiF8 is said to have at most two fraction bits", "formats/HiF8/claimed_fraction_bits", (1, 2)
    ),
    "subnormal_boundary_off": rule(
        "the largest FP16 subnormal is given as the one before it",
        "formats/FP16/subnormal_boundaries",
        (1, 0x3FE, 0x400),
    ),
    "normal_boundary_off": rule(
        "the smallest FP16 normal is given as the one after it", "formats/FP16/subnormal_boundaries", (1, 0x3FF, 0x401)
    ),
    "subnormals_admitted": rule(
        "E2M1X2 is said to have subnormals", "formats/E2M1X2/claims", ("zero", "signed_zero", "subnormal")
    ),
    "smallest_normal_corrected": rule(
        "the smallest normal HiF8 number is given as 2^-15", "formats/HiF8/subnormal_boundaries", (0x01, 0x07, 0x7E)
    ),
    "shortest_fraction_corrected": rule(
        "HiF8 is said to have numbers without fraction bits", "formats/HiF8/claimed_fraction_bits", (0, 3)
    ),
    "key_of_nan_inside": source(
        "a NaN's key is that of +0",
        "formats",
        "    half = 1 << fmt.sign_bit\n",
        "    half = 1 << fmt.sign_bit\n    if is_nan(fmt, bits):\n        return half\n",
    ),
    "narrowed_half_off": source(
        "FP32 to FP19 rounds up from just below half", "floats", "if rest > half or", "if rest >= half - 1 or"
    ),
    "narrowed_tie_odd": source("FP32 to FP19 takes a tie to odd", "floats", "kept % 2 == 1", "kept % 2 == 0"),
    "narrowed_sign_lost": source(
        "FP32 to FP19 loses the sign", "floats", "kept = bits >> dropped", "kept = bits % (1 << 31) >> dropped"
    ),
    "narrowed_always_up": source(
        "FP32 to FP19 always rounds up",
        "floats",
        "        return kept + 1\n    return kept\n",
        "        return kept + 1\n    return kept + 1\n",
    ),
    "narrowed_carry_lost": source("FP32 to FP19 loses the carry", "floats", "return kept + 1", "return kept | 1"),
    "narrowed_nan_kept": source(
        "FP32 to FP19 cuts a NaN off like a number",
        "floats",
        "if is_nan(fp32, bits):",
        "if bits == fp32.canonical_nan:",
    ),
    "narrowed_infinity_nan": source(
        "FP32 to FP19 turns an infinity into a NaN",
        "floats",
        "if is_nan(fp32, bits):",
        "if is_nan(fp32, bits) or is_infinite(fp32, bits):",
    ),
    "narrowed_half_reversed": source(
        "FP32 to FP19 rounds up below half", "floats", "if rest > half or", "if rest < half or"
    ),
}
