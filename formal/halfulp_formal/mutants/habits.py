"""Mistakes that implementations make out of habit, and that no one small change of the model makes."""

from __future__ import annotations

from halfulp_formal.mistake import Mistake, source

PRODUCT = """\
    return Exact(left.negative != right.negative, left.significand * right.significand, left.exponent + right.exponent)
"""

ROUNDED_PRODUCT = """\
    significand = left.significand * right.significand
    places = max(significand.bit_length() - 24, 0)
    kept, rest = divmod(significand, 1 << places)
    if 2 * rest > 1 << places or (2 * rest == 1 << places and kept % 2 == 1):
        kept = kept + 1
    return Exact(left.negative != right.negative, kept, left.exponent + right.exponent + places)
"""

SUBNORMAL = "        return Exact(code.negative, code.fraction, fmt.smallest_exponent)\n"
FLUSHED = "        return Exact(code.negative, 0, fmt.smallest_exponent)\n"

HABITS: dict[str, Mistake] = {
    "product_in_float": source(
        "the product is first rounded to the 24 bits of a float: a value is rounded twice",
        "exact",
        PRODUCT,
        ROUNDED_PRODUCT,
    ),
    "subnormal_source_is_zero": source("a subnormal source counts as zero", "floats", SUBNORMAL, FLUSHED),
}
