"""The golden model: conversions of AI accelerators on exact integers, no solver and no floating point."""

from .api import fp32_to_fp19, post_process, quant_param, shift_param
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
from .block_api import (
    bfp16_decode,
    bfp16_encode,
    bfp16_matmul,
    fold,
    fp32_add,
    mxint8_join,
    mxint8_quantize,
    mxint8_split,
    v64_pack,
    v64_unpack,
)
from .blocks import Block
from .loader import RuleError
from .result import Rejected, Result, Uncharacterised

__all__ = [
    "Block",
    "Rejected",
    "Result",
    "RuleError",
    "Uncharacterised",
    "bfp16_decode",
    "bfp16_encode",
    "bfp16_matmul",
    "fold",
    "fp32_add",
    "fp32_to_fp19",
    "mxint8_join",
    "mxint8_quantize",
    "mxint8_split",
    "post_process",
    "quant_param",
    "shift_param",
    "v64_pack",
    "v64_unpack",
]
