"""Corner classes of the accumulator: its ends, its zeros and subnormals, its NaNs and infinities."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from halfulp_formal.vectors.classes.rounding import rounds
from halfulp_formal.vectors.corner import CornerClass, Group

if TYPE_CHECKING:
    from halfulp_formal.bits import Bool
    from halfulp_formal.vectors.facts.postprocess import Facts

    Corner = CornerClass[Facts]
    Where = Callable[[Facts], Bool]


def scales_integer(row: Any) -> bool:
    """Tell whether a conversion multiplies an S32 accumulator."""
    return rounds(row) and bool(row.accumulator.is_integer)


def scales_fp32(row: Any) -> bool:
    """Tell whether a conversion multiplies an FP32 accumulator."""
    return rounds(row) and not row.accumulator.is_integer


INTEGER: tuple[Corner, ...] = (
    CornerClass(
        "value/maximum",
        "The accumulator is the S32 maximum.",
        lambda f: f.visible & (f.value == (1 << 31) - 1),
    ),
    CornerClass(
        "value/minimum",
        "The accumulator is the S32 minimum, whose magnitude has one bit more than any other.",
        lambda f: f.visible & (f.value == -(1 << 31)),
        ("least", "activated"),
    ),
    CornerClass("value/one", "The accumulator is 1.", lambda f: f.visible & (f.value == 1)),
    CornerClass(
        "value/minus-one", "The accumulator is -1.", lambda f: f.visible & (f.value == -1), ("least", "activated")
    ),
)


def fp32_codes() -> tuple[Corner, ...]:
    """Return the classes of single FP32 magnitude codes, with each sign."""
    codes = (
        ("smallest-subnormal", 0x00000001, "the smallest subnormal number, 2^-149"),
        ("largest-subnormal", 0x007FFFFF, "the largest subnormal number"),
        ("smallest-normal", 0x00800000, "the smallest normal number, 2^-126"),
        ("largest-finite", 0x7F7FFFFF, "the largest finite number"),
    )
    return tuple(fp32_code(name, code, what, sign) for name, code, what in codes for sign in ("positive", "negative"))


def fp32_code(name: str, code: int, what: str, sign: str) -> Corner:
    """Return the class of one FP32 magnitude code with one sign."""
    return CornerClass(
        f"value/{sign}-{name}",
        f"The magnitude of the accumulator is {what}; the sign is {sign}.",
        lambda f: f.live & ~f.product.zero & (f.magnitude_code == code) & signed(f, sign),
        ("least", "activated") if sign == "negative" else ("least",),
    )


def signed(facts: Facts, sign: str) -> Bool:
    """The accumulator's sign bit is that of the sign."""
    return facts.sign if sign == "negative" else ~facts.sign


FP32: tuple[Corner, ...] = (
    CornerClass("value/positive-zero", "The accumulator is +0.", lambda f: f.live & (f.value == 0)),
    CornerClass("value/negative-zero", "The accumulator is -0.", lambda f: f.legal & (f.value == 1 << 31)),
    CornerClass(
        "value/negative-zero-relu",
        "The accumulator is -0 under ReluMode 1: -0 is negative.",
        lambda f: f.legal & (f.value == 1 << 31) & (f.relu == 1),
    ),
    CornerClass(
        "value/negative-zero-activated",
        "The accumulator is -0, the activation factor not zero.",
        lambda f: f.legal & (f.value == 1 << 31) & f.activated & ~f.factor_zero,
    ),
    CornerClass(
        "value/negative-zero-by-zero",
        "The accumulator is -0, the activation factor +0.",
        lambda f: f.legal & (f.value == 1 << 31) & (f.relu >= 2) & f.factor_zero,
    ),
    *fp32_codes(),
    CornerClass(
        "value/subnormal-visible",
        "The accumulator is subnormal, and its product is not: a hidden bit or a wrong exponent would show.",
        lambda f: f.visible & (f.magnitude_code < 1 << 23) & ~f.sign,
        ("least", "far"),
    ),
    CornerClass(
        "value/subnormal-activated",
        "The accumulator is a negative subnormal number, and the activation factor makes it visible.",
        lambda f: f.visible & (f.magnitude_code < 1 << 23) & f.activated,
        ("least", "far"),
    ),
)

#: what ReluMode and the activation word may be, by the class name's last part
FACTORS: dict[str, tuple[str, Where]] = {
    "plain": ("ReluMode 0", lambda f: f.relu == 0),
    "relu": ("ReluMode 1", lambda f: f.relu == 1),
    "activation": ("an activation factor that is not zero", lambda f: (f.relu >= 2) & (f.activation_exponent > 0)),
    "zero-activation": ("an activation factor of +0", lambda f: (f.relu >= 2) & (f.activation_exponent == 0)),
}

#: the accumulators that are no numbers
SPECIALS: dict[str, tuple[str, Where]] = {
    "quiet-nan": ("a quiet NaN", lambda f: f.nan & f.quiet & ~f.sign),
    "negative-quiet-nan": ("a quiet NaN with its sign bit set", lambda f: f.nan & f.quiet & f.sign),
    "signalling-nan": ("a signalling NaN", lambda f: f.nan & ~f.quiet & ~f.sign),
    "negative-signalling-nan": ("a signalling NaN with its sign bit set", lambda f: f.nan & ~f.quiet & f.sign),
    "infinity": ("+infinity", lambda f: f.infinite & ~f.sign),
    "negative-infinity": ("-infinity", lambda f: f.infinite & f.sign),
}


def special(kind: str, factor: str) -> Corner:
    """Return the class of one kind of accumulator under one kind of factor."""
    (what, is_kind), (under, has_factor) = SPECIALS[kind], FACTORS[factor]
    return CornerClass(
        f"special/{kind}-{factor}",
        f"The accumulator is {what}, under {under}.",
        lambda f: f.legal & is_kind(f) & has_factor(f),
        ("least", "far") if kind.endswith("nan") else ("least",),
    )


SPECIAL: tuple[Corner, ...] = tuple(special(kind, factor) for kind in SPECIALS for factor in FACTORS)

GROUPS: tuple[Group[Facts], ...] = (
    Group(scales_integer, INTEGER),
    Group(scales_fp32, FP32),
    Group(scales_fp32, SPECIAL),
)
