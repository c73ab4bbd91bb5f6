"""The golden model: conversions of AI accelerators on exact integers, no solver and no floating point."""

from .api import fp32_to_fp19, post_process, quant_param, shift_param
from .api_blocks import (
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
from .api_tile import Fault, controls, fpatr_decode, fpatr_encode, matrix_post_process, pack_s4x2, unpack_s4x2
from .blocks import Block
from .formats import Decomposition, Descriptor, ValueClass
from .fpatr import Attributes, Controls
from .fpatr_rows import FaultKind, Rule
from .loader import RuleError
from .result import Rejected, Result, Uncharacterised
from .tile import Published

__all__ = [
    "Attributes",
    "Block",
    "Controls",
    "Decomposition",
    "Descriptor",
    "Fault",
    "FaultKind",
    "Published",
    "Rejected",
    "Result",
    "Rule",
    "RuleError",
    "SubnormalBoundaries",
    "Uncharacterised",
    "ValueClass",
    "bfp16_decode",
    "bfp16_encode",
    "bfp16_matmul",
    "canonical_nan",
    "classify",
    "controls",
    "convert",
    "data_type",
    "decompose",
    "descriptor",
    "e8m0_conversions",
    "encode_exact",
    "fold",
    "fp32_add",
    "fp32_to_fp19",
    "fpatr_decode",
    "fpatr_encode",
    "lanes",
    "matrix_post_process",
    "mx_scale",
    "mxint8_join",
    "mxint8_quantize",
    "mxint8_split",
    "order_key",
    "pack_s4x2",
    "post_process",
    "quant_param",
    "scale_conversions",
    "shift_param",
    "signed_zeros",
    "subnormal_boundaries",
    "tcvt_e8m0",
    "unpack_s4x2",
    "v64_pack",
    "v64_unpack",
]
