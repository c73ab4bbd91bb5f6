"""DEQS16 without the intermediate saturation."""

from halfulp_formal.amend import replaces
from halfulp_model.exact import Exact, is_integer
from halfulp_model.integers import in_range, narrowed, saturate_signed, to_word
from halfulp_model.postprocess import Conversion, IntegerStages
from halfulp_model.rounding import round_to_integer


@replaces("postprocess.integer_stages")
def integer_stages(conversion: Conversion, product: Exact, offset: int) -> IntegerStages:
    """Round, saturate to the intermediate width but in DEQS16, add the offset, then clamp or wrap into the destination."""
    mode = conversion.mode
    rounded = round_to_integer(product, conversion.rounding)
    intermediate = rounded
    if mode.offset_bits and not mode.name.endswith("DEQS16"):
        intermediate = saturate_signed(rounded, mode.offset_bits)
    total = intermediate + offset
    fits = in_range(total, conversion.destination)
    final = narrowed(total, conversion.destination, conversion.saturate)
    if intermediate != rounded or not fits:
        flags = conversion.out_of_range
    else:
        flags = 0 if is_integer(product) else conversion.flags.nx
    return IntegerStages(rounded, intermediate, total, to_word(final), flags)
