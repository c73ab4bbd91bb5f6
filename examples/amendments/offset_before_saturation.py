"""The offset is added before the intermediate saturation."""

from halfulp_formal.amend import replaces
from halfulp_model.exact import Exact, is_integer
from halfulp_model.integers import in_range, narrowed, saturate_signed, to_word
from halfulp_model.postprocess import Conversion, IntegerStages
from halfulp_model.rounding import round_to_integer


@replaces("postprocess.integer_stages")
def integer_stages(conversion: Conversion, product: Exact, offset: int) -> IntegerStages:
    """Round, add the offset, saturate the sum to the intermediate width, then clamp or wrap into the destination."""
    mode = conversion.mode
    rounded = round_to_integer(product, conversion.rounding)
    total = saturate_signed(rounded + offset, mode.offset_bits) if mode.offset_bits else rounded
    fits = in_range(total, conversion.destination)
    final = narrowed(total, conversion.destination, conversion.saturate)
    if total != rounded + offset or not fits:
        flags = conversion.out_of_range
    else:
        flags = 0 if is_integer(product) else conversion.flags.nx
    return IntegerStages(rounded, rounded, total, to_word(final), flags)
