"""The golden model: conversions of AI accelerators on exact integers, no solver and no floating point."""

from .api import fp32_to_fp19, post_process, quant_param, shift_param
from .loader import RuleError
from .result import Rejected, Result

__all__ = ["Rejected", "Result", "RuleError", "fp32_to_fp19", "post_process", "quant_param", "shift_param"]
