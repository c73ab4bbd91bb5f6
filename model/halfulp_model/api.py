"""The public calls: arguments as people have them, checked, then the pipeline."""

from __future__ import annotations

from functools import lru_cache

from .arguments import checked_name, checked_switch, looked_up, of_bits
from .conversions import DEFAULT_ROUNDING, NO_CHOICE, PROGRAMMABLE, build_conversion
from .floats import fp32_to_fp19 as narrow_fp32
from .floats import is_positive_normal
from .integers import WORD_BITS
from .loader import default_rules
from .parameters import activation_word_legal, build_scale_word, quant_word_legal
from .postprocess import RELU_SCALAR, RELU_VECTOR, Conversion, element
from .result import Rejected, Result
from .rows import Format, Parameter, PreQuantMode

#: B.DATR.RMode NONE: the operation's own rounding mode
RMODE_NONE = "NONE"


def post_process(
    value: int,
    mode: int | str,
    *,
    rounding: str = DEFAULT_ROUNDING,
    sat: bool = False,
    relu: int = 0,
    quant_param: int = 0,
    relu_param: int = 0,
    accumulator: str | None = None,
) -> Result:
    """Convert one accumulator element as B.FPATR does.

    value: the accumulator: a signed number or a 32-bit pattern for S32, a pattern of 32 bits for FP32 and U32.
    mode: PreQuantMode code or name, for instance 3 or "REQ8".
    rounding: a rounding mode's name, or "NONE". A mode that fixes its own rounding takes only "NONE", the default "RNE"
        or the mode it fixes; so do NoQuant and the shift modes.
    sat: B.DATR.Sat; relu: ReluMode code 0 to 3.
    quant_param, relu_param: the 64-bit parameter words (see `quant_param`, `shift_param`); a word that the mode does
        not consume is ignored.
    accumulator: "S32", "U32" or "FP32"; needed for NoQuant only.

    Returns the 64-bit word and the five status flags. Raises Rejected for anything illegal.
    Source: ADR 0085, Decisions 174 to 181; MatrixPostQuantBaseWithFlags.
    """
    conversion: Conversion = looked_up(resolve, mode, rounding, sat, accumulator)
    number = accumulator_value(conversion.accumulator, value)
    if type(relu) is not int or not 0 <= relu <= RELU_VECTOR:
        raise Rejected("B.FPATR.ReluMode", f"{relu!r} is not a ReluMode; expected 0 to {RELU_VECTOR}")
    check_words(conversion, relu, quant_param, relu_param)
    return element(conversion, number, relu, quant_param, relu_param)


# typed: 3.0 and True are no mode codes, though they equal some
@lru_cache(maxsize=1024, typed=True)
def resolve(mode: int | str, rounding: str, sat: bool, accumulator: str | None) -> Conversion:
    """Return the conversion of a call's controls, or raise Rejected naming the rule that they break."""
    row = find_mode(mode)
    return build_conversion(
        default_rules(), row, pick_accumulator(row, accumulator), pick_rounding(row, rounding), pick_saturate(row, sat)
    )


def find_mode(mode: int | str) -> PreQuantMode:
    """Return the row of a PreQuantMode code or name; the name may be in either case and may end in _PRE."""
    given = mode.upper().removesuffix("_PRE") if type(mode) is str else mode
    for row in default_rules().modes.values():
        if type(given) in (int, str) and given in (row.code, row.name.upper()):
            return row
    raise Rejected("B.FPATR.PreQuantMode", f"{mode!r} is a reserved code or an unknown name")


def pick_accumulator(mode: PreQuantMode, accumulator: str | None) -> str:
    """Return the accumulator type of a call: the mode's own, or the one asked for where the mode takes several."""
    expected = " or ".join(mode.accumulators)
    if accumulator is None:
        if len(mode.accumulators) > 1:
            raise Rejected("accumulator", f"{mode.name} needs an accumulator type; expected {expected}")
        return mode.accumulators[0]
    if accumulator not in mode.accumulators:
        raise Rejected("accumulator", f"{mode.name} does not take {accumulator!r}; expected {expected}")
    return accumulator


def pick_rounding(mode: PreQuantMode, rounding: str) -> str:
    """Return the rounding mode that is in force."""
    checked_name("B.DATR.RMode", rounding, [*default_rules().roundings, RMODE_NONE], "rounding mode")
    if mode.rounding == PROGRAMMABLE:
        return DEFAULT_ROUNDING if rounding == RMODE_NONE else rounding
    own = DEFAULT_ROUNDING if mode.rounding == NO_CHOICE else mode.rounding
    if rounding not in (RMODE_NONE, DEFAULT_ROUNDING, own):
        raise Rejected("B.DATR.RMode", f"{mode.name} requires RMode NONE; got {rounding}")
    return own


def pick_saturate(mode: PreQuantMode, sat: bool) -> bool:
    """Return Sat, refused where the mode requires 0."""
    saturate = checked_switch("B.DATR.Sat", sat)
    if saturate and mode.saturate == NO_CHOICE:
        raise Rejected("B.DATR.Sat", f"{mode.name} requires Sat 0")
    return saturate


def accumulator_value(fmt: Format, value: int) -> int:
    """Return the accumulator element of a caller's value; S32 may be a 32-bit pattern or sign-extended to 64 bits."""
    bits = fmt.carrier_bits
    if type(value) is not int:
        raise Rejected("value", f"{value!r} is not an integer")
    if fmt.is_integer and fmt.signed:
        if fmt.minimum <= value <= fmt.maximum:
            return value
        top = 1 << WORD_BITS
        if 0 <= value < 1 << bits:
            return value - (1 << bits)
        if top + fmt.minimum <= value < top:
            return value - top
    elif 0 <= value < 1 << bits:
        return value
    raise Rejected("value", f"{value} does not fit {of_bits(bits, f'{fmt.name} accumulator')}")


def check_words(conversion: Conversion, relu: int, quant_word: int, relu_word: int) -> None:
    """Raise Rejected for an illegal parameter or activation word that the call consumes."""
    for name, word in (("quant_param", quant_word), ("relu_param", relu_word)):
        if type(word) is not int or not 0 <= word < 1 << WORD_BITS:
            raise Rejected(name, f"{word!r} is not {of_bits(WORD_BITS, 'word')}")
    if not quant_word_legal(conversion.layout, conversion.mode, conversion.fp19, quant_word):
        expected = {
            Parameter.SHIFT: "a shift code in bits 35:32 and zero elsewhere",
            Parameter.SCALE: "a positive normal FP19 scale in bits 31:13"
            + (f", {of_bits(conversion.mode.offset_bits, 'offset')} from bit 37" if conversion.mode.offset_bits else "")
            + " and zero elsewhere",
        }[conversion.mode.parameter]
        raise Rejected("quant_param", f"{quant_word:#018x} is illegal for {conversion.mode.name}; expected {expected}")
    if relu >= RELU_SCALAR and not activation_word_legal(conversion.layout, conversion.fp19, relu_word):
        raise Rejected(
            "relu_param",
            f"{relu_word:#018x} is illegal; expected +0 or a positive normal FP19 in bits 18:0 and zero elsewhere",
        )


def quant_param(scale: int, offset: int = 0, *, mode: int | str) -> int:
    """Return the parameter word of a scale and an offset.

    scale: FP19 code, 19 bits, positive normal (see `fp32_to_fp19`); offset: signed, of the width that the mode assigns.
    Raises Rejected where the mode takes no scale, or a value does not fit. Source: MatrixQuantParameter.
    """
    row = find_mode(mode)
    rules = default_rules()
    if row.parameter is not Parameter.SCALE:
        raise Rejected("quant_param", f"{row.name} takes no scale")
    if type(scale) is not int:
        raise Rejected("scale", f"{scale!r} is not an integer; expected a positive normal FP19 code")
    if not 0 <= scale < 1 << rules.parameter_word.scale.bits or not is_positive_normal(rules.formats["FP19"], scale):
        raise Rejected("scale", f"{scale:#x} is not a positive normal FP19 code")
    limit = 1 << row.offset_bits >> 1
    if type(offset) is not int or not -limit <= offset <= max(limit - 1, 0):
        expected = f"{-limit} to {limit - 1}" if limit else "0"
        raise Rejected("offset", f"{offset!r} does not fit the offset of {row.name}; expected {expected}")
    return build_scale_word(rules.parameter_word, row, scale, offset)


def shift_param(code: int) -> int:
    """Return the parameter word of a shift mode: code 0 to 15 shifts by 1 to 16. Source: MatrixShiftParameter."""
    layout = default_rules().parameter_word.shift
    if type(code) is not int or not 0 <= code < 1 << layout.bits:
        raise Rejected("shift code", f"{code!r} is not a shift code; expected 0 to {(1 << layout.bits) - 1}")
    return code << layout.low


def fp32_to_fp19(bits: int) -> int:
    """Return the FP19 code (19 bits) of an FP32 code: nearest even on the 13 discarded bits. Source: FP32ToFP19."""
    formats = default_rules().formats
    if type(bits) is not int or not 0 <= bits < 1 << formats["FP32"].carrier_bits:
        raise Rejected("value", f"{bits!r} is not a 32-bit FP32 code")
    return narrow_fp32(bits, formats["FP32"], formats["FP19"])
