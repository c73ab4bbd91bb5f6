"""The public call of plain conversions."""

from __future__ import annotations

from functools import lru_cache

from .api_formats import find_format
from .arguments import checked_name, checked_switch, looked_up, of_bits
from .conversions import DEFAULT_ROUNDING
from .convert import PLAIN_RULES, PlainConversion, build_plain_conversion, convert_code, legal_code
from .loader import default_rules
from .result import Rejected, Result


def convert(
    bits: int,
    source: str,
    destination: str,
    *,
    rounding: str = DEFAULT_ROUNDING,
    sat: bool = False,
    rules: str = PLAIN_RULES,
) -> Result:
    """Convert a code of one format to another, rounding once.

    bits: the source's code, integers as two's complement; TF32 has its 13 low bits zero.
    rounding: RNE, RTZ, RTM, RTP, RNA, RTO or RHB. sat: an overflow gives the largest finite number, an integer clamps.
    rules: the rule set whose encoder rows decide overflow, tininess and NaN: "ieee-ocp" or "pto".

    Returns the destination's code at its own width, and the five status flags. Raises Rejected for an unknown name, a code
    that the source does not have, or a destination for which the rule set has no row.
    """
    conversion: PlainConversion = looked_up(resolve, source, destination, rounding, sat, rules)
    width = conversion.source.code_bits
    if type(bits) is not int or not 0 <= bits < 1 << width or not legal_code(conversion, bits):
        raise Rejected("code", f"{bits!r} is not {of_bits(width, f'{conversion.source.name} code')}")
    return convert_code(conversion, bits)


# typed: 1.0 is no Sat value, though it equals one
@lru_cache(maxsize=4096, typed=True)
def resolve(source: str, destination: str, rounding: str, sat: bool, rule_set: str) -> PlainConversion:
    """Return the conversion of a call's names, or raise Rejected."""
    rules = default_rules()
    checked_name("rules", rule_set, rules.encoders, "rule set")
    checked_name("rounding", rounding, rules.roundings, "rounding mode")
    saturate = checked_switch("sat", sat)
    to = find_format(destination)
    if not to.is_integer and to.name not in rules.encoders[rule_set]:
        known = ", ".join(rules.encoders[rule_set])
        raise Rejected("destination", f"{rule_set} has no encoder for {to.name}; expected an integer format, {known}")
    return build_plain_conversion(rules, rule_set, find_format(source).name, to.name, rounding, saturate)
