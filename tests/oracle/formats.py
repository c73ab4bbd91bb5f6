"""Every format of the PTO table from its bit layout: class, exact decomposition, exact value of a code."""

from dataclasses import dataclass
from fractions import Fraction

from oracle.rounding import power_of_two, signed

CLASSES = (
    "invalid_encoding",
    "positive_zero",
    "negative_zero",
    "positive_subnormal",
    "negative_subnormal",
    "positive_normal",
    "negative_normal",
    "positive_infinity",
    "negative_infinity",
    "quiet_nan",
    "signaling_nan",
)


@dataclass(frozen=True)
class Layout:
    """One binary format: field widths, bias, and which of the top codes are not finite."""

    carrier: int  # bits of one stored element
    exponent: int  # bits of the exponent field
    fraction: int  # bits of the fraction field
    bias: int
    top: str  # "ieee": the all-ones exponent is special; "nan": only all ones is; "finite": nothing is
    low_zero: int = 0  # low carrier bits that must be zero
    high_zero: int = 0  # high carrier bits that must be zero
    lanes: int = 1
    nan: int | None = None  # canonical NaN
    zero_fraction_only: bool = False  # a zero exponent field with a nonzero fraction is called normal


LAYOUTS = {
    "FP64": Layout(64, 11, 52, 1023, "ieee", nan=0x7FF8000000000000),
    "FP32": Layout(32, 8, 23, 127, "ieee", nan=0x7FC00000),
    "TF32": Layout(32, 8, 10, 127, "ieee", low_zero=13, nan=0x7FC00000),
    "HF32": Layout(32, 8, 11, 127, "ieee", low_zero=12, nan=0x7FC00000),
    "FP16": Layout(16, 5, 10, 15, "ieee", nan=0x7E00),
    "BF16": Layout(16, 8, 7, 127, "ieee", nan=0x7FC0),
    "E4M3": Layout(8, 4, 3, 7, "nan", nan=0x7F),
    "E5M2": Layout(8, 5, 2, 15, "ieee", nan=0x7E),
    "E3M2": Layout(8, 3, 2, 3, "finite", high_zero=2),
    "E2M3": Layout(8, 2, 3, 1, "finite", high_zero=2),
    "E2M1X2": Layout(8, 2, 1, 1, "finite", lanes=2, zero_fraction_only=True),
    "E1M2X2": Layout(8, 1, 2, 1, "finite", lanes=2, zero_fraction_only=True),
    "HiF4X2": Layout(8, 1, 2, 1, "finite", lanes=2, zero_fraction_only=True),
    "FP19": Layout(19, 8, 10, 127, "ieee"),
}
INTEGERS = {
    "S64": (64, True),
    "S32": (32, True),
    "S16": (16, True),
    "S8": (8, True),
    "S4X2": (4, True),
    "U64": (64, False),
    "U32": (32, False),
    "U16": (16, False),
    "U8": (8, False),
    "U4X2": (4, False),
}
HIF8_NAN, HIF8_INFINITY = 0x80, 0x6F
E8M0_NAN = 0xFF

UNAVAILABLE = (False, False, 0, 0)


def lane_of(name: str, bits: int, lane: int = 0) -> int:
    """The four-bit code of one logical element of a packed carrier; lane 0 is the low nibble."""
    if name not in LAYOUTS or LAYOUTS[name].lanes == 1:
        raise ValueError(f"{name} has no lanes: expected E2M1X2, E1M2X2 or HiF4X2")
    return bits >> (4 * lane) & 0xF


def _fields(layout: Layout, bits: int) -> tuple[bool, int, int]:
    """Sign, exponent field, fraction field. Bits above the carrier are ignored, as are those above a lane."""
    bits >>= layout.low_zero
    fraction = bits & ((1 << layout.fraction) - 1)
    bits >>= layout.fraction
    exponent = bits & ((1 << layout.exponent) - 1)
    return bool(bits >> layout.exponent & 1), exponent, fraction


def valid(name: str, bits: int) -> bool:
    """Whether the bits that must be zero are zero."""
    if name not in LAYOUTS:
        return True
    layout = LAYOUTS[name]
    bits %= 1 << layout.carrier
    low = bits % (1 << layout.low_zero)
    high = bits >> (layout.carrier - layout.high_zero)
    return low == 0 and high == 0


def _is_top(layout: Layout, exponent: int, fraction: int) -> bool:
    all_ones = exponent == (1 << layout.exponent) - 1
    if layout.top == "ieee":
        return all_ones
    return layout.top == "nan" and all_ones and fraction == (1 << layout.fraction) - 1


def _signed_class(negative: bool, kind: str) -> str:
    return f"{'negative' if negative else 'positive'}_{kind}"


def classify(name: str, bits: int) -> str:
    """One of CLASSES. Packed formats classify the low nibble."""
    if not valid(name, bits):
        return "invalid_encoding"
    if name == "HiF8":
        return _classify_hif8(bits & 0xFF)
    if name == "E8M0":
        return "quiet_nan" if bits & 0xFF == E8M0_NAN else "positive_normal"
    if name in INTEGERS:
        width, is_signed = INTEGERS[name]
        number = signed(bits, width) if is_signed else bits % (1 << width)
        return "positive_zero" if number == 0 else _signed_class(number < 0, "normal")
    layout = LAYOUTS[name]
    negative, exponent, fraction = _fields(layout, bits)
    if _is_top(layout, exponent, fraction):
        if layout.top == "nan":
            return "quiet_nan"
        if fraction == 0:
            return _signed_class(negative, "infinity")
        return "quiet_nan" if fraction >> (layout.fraction - 1) else "signaling_nan"
    if exponent == 0 and fraction == 0:
        return _signed_class(negative, "zero")
    if exponent == 0 and not layout.zero_fraction_only:
        return _signed_class(negative, "subnormal")
    return _signed_class(negative, "normal")


def _classify_hif8(code: int) -> str:
    if code == HIF8_NAN:
        return "quiet_nan"
    negative, body = code >= 0x80, code & 0x7F
    if body == HIF8_INFINITY:
        return _signed_class(negative, "infinity")
    if code == 0:
        return "positive_zero"
    return _signed_class(negative, "subnormal" if body <= 7 else "normal")


def decompose(name: str, bits: int) -> tuple[bool, bool, int, int]:
    """(available, negative, significand, exponent) with value (-1)^negative * significand * 2^exponent.

    Unavailable encodings give (False, False, 0, 0). Packed formats decompose the low nibble; integers have no
    decomposition.
    """
    if name == "HiF8":
        return _decompose_hif8(bits & 0xFF)
    if name == "E8M0":
        code = bits & 0xFF
        return UNAVAILABLE if code == E8M0_NAN else (True, False, 1, code - 127)
    if name in INTEGERS or not valid(name, bits):
        return UNAVAILABLE
    layout = LAYOUTS[name]
    negative, exponent, fraction = _fields(layout, bits)
    if _is_top(layout, exponent, fraction):
        return UNAVAILABLE
    if exponent == 0:
        return (True, negative, fraction, 1 - layout.bias - layout.fraction if fraction else 0)
    return (True, negative, (1 << layout.fraction) + fraction, exponent - layout.bias - layout.fraction)


def _decompose_hif8(code: int) -> tuple[bool, bool, int, int]:
    """The tapered fields by the leading bits of 6:0, row by row as the layout table has them."""
    if code == HIF8_NAN or code & 0x7F == HIF8_INFINITY:
        return UNAVAILABLE
    negative = code >= 0x80
    body = f"{code & 0x7F:07b}"
    if body == "0000000":
        return (True, False, 0, 0)
    if body.startswith("0000"):
        return (True, negative, 1, int(body[4:], 2) - 23)
    if body.startswith("0001"):
        sign, magnitude, mantissa = "0", 0, body[4:]
    elif body.startswith("001"):
        sign, magnitude, mantissa = body[3], 1, body[4:]
    elif body.startswith("01"):
        sign, magnitude, mantissa = body[2], 2 + int(body[3]), body[4:]
    elif body.startswith("10"):
        sign, magnitude, mantissa = body[2], 4 + int(body[3:5], 2), body[5:]
    else:
        sign, magnitude, mantissa = body[2], 8 + int(body[3:6], 2), body[6:]
    scale = -magnitude if sign == "1" else magnitude
    return (True, negative, (1 << len(mantissa)) + int(mantissa, 2), scale - len(mantissa))


def value(name: str, bits: int) -> Fraction | None:
    """The exact value of a finite encoding (an integer's too), None for any other."""
    if name in INTEGERS:
        width, is_signed = INTEGERS[name]
        return Fraction(signed(bits, width) if is_signed else bits % (1 << width))
    available, negative, significand, exponent = decompose(name, bits)
    if not available:
        return None
    exact = significand * power_of_two(exponent)
    return -exact if negative else exact


def canonical_nan(name: str) -> int | None:
    """The canonical quiet NaN, None where the format has no NaN or the specification names none."""
    if name == "HiF8":
        return HIF8_NAN
    if name == "E8M0":
        return E8M0_NAN
    return LAYOUTS[name].nan if name in LAYOUTS else None


def signed_zeros(name: str) -> tuple[int, int] | None:
    """The encodings of +0 and -0, None where there is no pair."""
    if name not in LAYOUTS or name == "FP19":
        return None
    layout = LAYOUTS[name]
    return (0, 1 << (layout.low_zero + layout.fraction + layout.exponent))
