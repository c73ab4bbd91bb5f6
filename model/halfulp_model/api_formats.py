"""Public calls on formats: a format is named as people name it, a code is checked, then the model's functions run."""

from __future__ import annotations

from difflib import get_close_matches
from typing import NamedTuple

from . import formats
from .exact import Exact
from .floats import is_nan
from .formats import Decomposition, Descriptor, ValueClass
from .loader import default_rules
from .result import Rejected
from .rows import Format, Specials

#: width of the B.DATR.DataType field
DATA_TYPE_BITS = 5

#: a larger exponent is out of every format's range, and its digits would not be worth printing
EXPONENT_LIMIT = 1 << 20


class SubnormalBoundaries(NamedTuple):
    """Codes of the smallest and largest positive subnormal and of the smallest positive normal number."""

    smallest_subnormal: int
    largest_subnormal: int
    smallest_normal: int


def data_type(code: int) -> str:
    """Return the name of a five-bit DataType code. Raises Rejected for a reserved one. Source: TileDataTypeFromEncoding."""
    if type(code) is not int or not 0 <= code < 1 << DATA_TYPE_BITS:
        last = (1 << DATA_TYPE_BITS) - 1
        raise Rejected("B.DATR.DataType", f"{code!r} is not a DataType code; expected 0 to {last}")
    for row in default_rules().formats.values():
        if row.code == code:
            return row.name
    raise Rejected("B.DATR.DataType", f"{code} is a reserved DataType code")


def find_format(fmt: str | int) -> Format:
    """Return the row of a format's name, in any case, or of a DataType code; Rejected names the nearest name."""
    if isinstance(fmt, int):
        return default_rules().formats[data_type(fmt)]
    if not isinstance(fmt, str):
        raise Rejected("format", f"{fmt!r} is neither a format's name nor a DataType code")
    names = {name.upper(): row for name, row in default_rules().formats.items()}
    if fmt.upper() in names:
        return names[fmt.upper()]
    nearest = get_close_matches(fmt.upper(), names, n=1, cutoff=0.5)
    hint = f"did you mean {names[nearest[0]].name}?" if nearest else f"expected {', '.join(default_rules().formats)}"
    raise Rejected("format", f"{fmt!r} is not a format; {hint}")


def checked_code(row: Format, bits: int) -> int:
    """Return a code of the format, Rejected where it does not fit."""
    if type(bits) is not int:
        raise Rejected("bits", f"{bits!r} is not an integer")
    if not 0 <= bits < 1 << row.code_bits:
        what = "lanes" if row.lanes > 1 else "codes"
        raise Rejected("bits", f"{bits:#x} does not fit the {row.code_bits} bits of {row.name} {what}")
    return bits


def descriptor(fmt: str | int) -> Descriptor:
    """Return a format's descriptor: carrier and lane widths, fields, bias, required zero bits and has_* claims.

    fmt: a format's name or DataType code. The claims are the specification's own, true of the codes or not. An integer
    format has no floating descriptor: `available` is false. Raises Rejected for an unknown format.
    Source: TileNumericFormatDescriptor.
    """
    return formats.descriptor(find_format(fmt))


def subnormal_boundaries(fmt: str | int) -> SubnormalBoundaries:
    """Return the boundary codes that the specification gives for a format, true of the codes or not.

    Raises Rejected where it gives none. Source: HardwareNumericSubnormalBoundaries.
    """
    row = find_format(fmt)
    if row.claims.subnormal_boundaries is None:
        raise Rejected("subnormal_boundaries", f"the specification gives none for {row.name}")
    return SubnormalBoundaries(*row.claims.subnormal_boundaries)


def classify(fmt: str | int, bits: int) -> ValueClass:
    """Return the class of a code, one of eleven; a code that breaks a constrained-zero rule is INVALID_ENCODING.

    bits: a code of the format: a whole carrier, or one lane of a packed format. Raises Rejected for one that does not
    fit. Source: TileNumericValueClass.
    """
    row = find_format(fmt)
    return formats.classify(row, checked_code(row, bits))


def decompose(fmt: str | int, bits: int) -> Decomposition:
    """Return the exact value (-1)^negative · significand · 2^exponent of a code.

    Not available for NaN, infinity, a code that breaks a constrained-zero rule, and integer formats. A zero has
    significand 0 and exponent 0. bits as in `classify`. Source: TileNumericFiniteDecomposition.
    """
    row = find_format(fmt)
    return formats.decompose(row, checked_code(row, bits))


def encode_exact(fmt: str | int, negative: bool, significand: int, exponent: int) -> int:
    """Return the code of the number (-1)^negative · significand · 2^exponent; the inverse of `decompose`.

    significand: not negative, of any size; it need not be normalised. Raises Rejected where the format does not hold the
    number exactly, and for an integer format.
    """
    row = find_format(fmt)
    if type(negative) is not bool:
        raise Rejected("negative", f"{negative!r} is not a truth value")
    if type(significand) is not int or significand < 0:
        raise Rejected("significand", f"{significand!r} is not an integer of at least 0")
    if type(exponent) is not int or abs(exponent) > EXPONENT_LIMIT:
        raise Rejected("exponent", f"{exponent!r} is not an integer of at most {EXPONENT_LIMIT} in magnitude")
    if row.is_integer:
        raise Rejected("format", f"{row.name} is an integer format; its codes do not decompose")
    encoding = formats.encode_exact(row, Exact(negative, significand, exponent))
    if not encoding.available:
        sign = "-" if negative else ""
        raise Rejected("encode_exact", f"{sign}{significand} · 2^{exponent} is not a number of {row.name}")
    return encoding.bits


def canonical_nan(fmt: str | int) -> int:
    """Return the canonical NaN's code. Raises Rejected for a format without NaN. Source: TileNumericCanonicalNaN."""
    row = find_format(fmt)
    if row.specials is Specials.NONE:
        raise Rejected("canonical_nan", f"{row.name} has no NaN")
    return row.canonical_nan


def signed_zeros(fmt: str | int) -> tuple[int, int]:
    """Return the codes of +0 and -0. Raises Rejected for a format without both.

    Source: HardwareNumericSignedZeroEncodings.
    """
    row = find_format(fmt)
    if not row.signed_zero:
        raise Rejected("signed_zeros", f"{row.name} does not have two zeros")
    return (0, 1 << row.sign_bit)


def order_key(fmt: str | int, bits: int) -> int:
    """Return an integer that orders codes by value, infinities included; -0 stands just below +0.

    Raises Rejected for a NaN or a code that breaks a constrained-zero rule: neither has a place in the order.
    Source: HardwareNumericFloatingOrderKey, continued to the formats that it leaves out.
    """
    row = find_format(fmt)
    checked_code(row, bits)
    if not formats.is_valid(row, bits):
        raise Rejected("bits", f"{bits:#x} is not a valid {row.name} code: constrained bits are set")
    if is_nan(row, bits):
        raise Rejected("bits", f"{bits:#x} is a NaN of {row.name} and has no place in the order")
    return formats.order_key(row, bits)


def lanes(fmt: str | int, carrier: int) -> tuple[int, ...]:
    """Return the codes in a carrier, lane 0 from the lowest bits first; one code where the format is not packed."""
    row = find_format(fmt)
    if type(carrier) is not int:
        raise Rejected("carrier", f"{carrier!r} is not an integer")
    if not 0 <= carrier < 1 << row.carrier_bits:
        raise Rejected("carrier", f"{carrier:#x} does not fit the {row.carrier_bits} bits of {row.name} carriers")
    return formats.lanes(row, carrier)
