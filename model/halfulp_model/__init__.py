"""The golden model: conversions of AI accelerators on exact integers, no solver and no floating point."""

from .api import fp32_to_fp19, post_process, quant_param, shift_param
from .api_convert import convert
from .api_e8m0 import e8m0_conversions, mx_scale, scale_conversions, tcvt_e8m0
from .api_formats import (
    SubnormalBoundaries,
    canonical_nan,
    classify,
    data_type,
    decompose,
    descriptor,
    encode_exact,
    lanes,
    order_key,
    signed_zeros,
    subnormal_boundaries,
)
from .formats import Decomposition, Descriptor, ValueClass
from .loader import RuleError
from .result import Rejected, Result

__all__ = [
    "Decomposition",
    "Descriptor",
    "Rejected",
    "Result",
    "RuleError",
    "SubnormalBoundaries",
    "ValueClass",
    "canonical_nan",
    "classify",
    "convert",
    "data_type",
    "decompose",
    "descriptor",
    "e8m0_conversions",
    "encode_exact",
    "fp32_to_fp19",
    "lanes",
    "mx_scale",
    "order_key",
    "post_process",
    "quant_param",
    "scale_conversions",
    "shift_param",
    "signed_zeros",
    "subnormal_boundaries",
    "tcvt_e8m0",
]
