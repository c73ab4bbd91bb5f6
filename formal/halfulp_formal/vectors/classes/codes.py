"""Corner classes of a source's code: ends of the integers, boundaries of the floating numbers, zeros, NaNs, infinities."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from halfulp_formal.vectors.classes import digits
from halfulp_formal.vectors.classes.sources import SPECIALS
from halfulp_formal.vectors.corner import CornerClass, Group
from halfulp_model.rows import Format, Specials

if TYPE_CHECKING:
    from halfulp_formal.bits import Bool
    from halfulp_formal.vectors.facts.codes import CodeFacts

    Corner = CornerClass[CodeFacts]

#: single magnitudes of a binary format: what they are, and their codes
BOUNDARIES: dict[str, tuple[str, Callable[[Format], int]]] = {
    "smallest-subnormal": ("the smallest subnormal number of its format", lambda fmt: 1 << fmt.low_zero_bits),
    "largest-subnormal": (
        "the largest subnormal number of its format",
        lambda fmt: ((1 << fmt.fraction_bits) - 1) << fmt.low_zero_bits,
    ),
    "smallest-normal": (
        "the smallest normal number of its format",
        lambda fmt: 1 << (fmt.fraction_bits + fmt.low_zero_bits),
    ),
    "one": ("1", lambda fmt: fmt.bias << (fmt.fraction_bits + fmt.low_zero_bits)),
    "largest-finite": ("the largest finite number of its format", lambda fmt: fmt.largest_finite),
}


def from_integer(row: Any) -> bool:
    """Tell whether a source is an integer format."""
    return bool(row.source.is_integer)


def from_signed(row: Any) -> bool:
    """Tell whether a source is an integer format with negative numbers."""
    return from_integer(row) and bool(row.source.signed)


def from_float(row: Any) -> bool:
    """Tell whether a source is a floating format."""
    return not from_integer(row)


def has_specials(*kinds: Specials) -> Callable[[Any], bool]:
    """Return whether a source's codes that are no numbers are of one of some kinds."""
    return lambda row: from_float(row) and row.source.specials in kinds


def has_sign(facts: CodeFacts, sign: str) -> Bool:
    """The code's sign bit is that of the sign."""
    return facts.sign if sign == "negative" else ~facts.sign


def boundary(name: str, sign: str) -> Corner:
    """Return the class of one magnitude with one sign."""
    what, code = BOUNDARIES[name]
    return CornerClass(
        f"source/{sign}-{name}",
        f"The magnitude of the source is {what}; the sign is {sign}.",
        lambda f: f.legal & (f.magnitude_code == code(f.source)) & has_sign(f, sign),
    )


def special(kind: str) -> Corner:
    """Return the class of one kind of code that is no number."""
    what, is_kind = SPECIALS[kind]
    return CornerClass(
        f"special/{kind}",
        f"The source is {what}.",
        lambda f: f.legal & is_kind(f),
        ("least", "far") if kind.endswith("nan") else ("least",),
    )


FLOATING: tuple[Corner, ...] = (
    CornerClass("source/positive-zero", "The source is +0.", lambda f: f.legal & f.zero & ~f.sign),
    CornerClass("source/negative-zero", "The source is -0.", lambda f: f.legal & f.zero & f.sign),
    *(boundary(name, sign) for name in BOUNDARIES for sign in ("positive", "negative")),
)
UNSIGNED: tuple[Corner, ...] = (
    CornerClass("source/zero", "The source is 0.", lambda f: f.value == 0),
    CornerClass("source/one", "The source is 1.", lambda f: f.value == 1),
    CornerClass("source/maximum", "The source is the maximum of its format.", lambda f: f.value == f.source.maximum),
)
SIGNED: tuple[Corner, ...] = (
    CornerClass("source/minus-one", "The source is -1.", lambda f: f.value == -1),
    CornerClass(
        "source/minimum",
        "The source is the minimum of its format, whose magnitude has one bit more than any other.",
        lambda f: f.value == f.source.minimum,
    ),
)

SIGNALLING = ("signalling-nan", "negative-signalling-nan")
INFINITE = ("infinity", "negative-infinity")
QUIET = tuple(kind for kind in SPECIALS if kind not in SIGNALLING + INFINITE)

GROUPS: tuple[Group[CodeFacts], ...] = (
    Group(from_float, FLOATING),
    Group(from_integer, UNSIGNED),
    Group(from_signed, SIGNED),
    Group(has_specials(Specials.IEEE, Specials.NAN_ONLY), tuple(special(kind) for kind in QUIET)),
    Group(has_specials(Specials.IEEE), tuple(special(kind) for kind in SIGNALLING)),
    Group(has_specials(Specials.IEEE), tuple(special(kind) for kind in INFINITE)),
    Group(lambda _row: True, digits.some(digits.of_source)),
)
