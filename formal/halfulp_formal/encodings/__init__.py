"""The second statement of every conversion: as hardware does it, from the specification alone."""

from halfulp_formal.encodings.modes import conversion_names
from halfulp_formal.encodings.parameters import legal
from halfulp_formal.encodings.postprocess import postprocess, product_exponent
from halfulp_formal.encodings.unpack import fp32_to_fp19

__all__ = ["conversion_names", "fp32_to_fp19", "legal", "postprocess", "product_exponent"]
