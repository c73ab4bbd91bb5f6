"""Plain conversions against one another: mirrored signs, there and back, and two roundings against one."""

from __future__ import annotations

from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import TRUE, BVXor, Equals

from halfulp_formal.case import part
from halfulp_formal.lift.values import Record, conjoin, fit, make_truth, negate, truth_term
from halfulp_formal.obligation import Verdict

from .claim import Claim, Kind
from .numbers import is_zero
from .plain import destination_of, floating_nosat

#: the mode that does for negative values what a mode does for positive ones
MIRROR = {"rne": "rne", "rna": "rna", "rtz": "rtz", "rto": "rto", "rtm": "rtp", "rtp": "rtm"}

#: narrower formats inside wider ones, all of whose numbers they hold
INSIDE = {
    "fp32": ("tf32", "fp16", "bf16", "e5m2", "e4m3", "e3m2", "e2m3", "e2m1"),
    "tf32": ("fp16", "bf16", "e5m2", "e4m3", "e3m2", "e2m3", "e2m1"),
    "fp16": ("e5m2", "e4m3", "e3m2", "e2m3", "e2m1"),
    "bf16": ("e5m2", "e4m3", "e3m2", "e2m3", "e2m1"),
}

#: source, format on the way, destination: the ways that hardware with a few conversions tends to go
WAYS = (
    *(("fp64", "fp32", narrow) for narrow in INSIDE["fp32"]),
    *(("fp32", middle, narrow) for middle in ("tf32", "fp16", "bf16") for narrow in INSIDE[middle]),
    ("s32", "fp32", "bf16"),
    ("s32", "fp32", "fp16"),
    ("u32", "fp32", "bf16"),
    ("u32", "fp32", "fp16"),
)

#: the formats on the way
MIDDLES = tuple(dict.fromkeys(middle for _, middle, _ in WAYS))

#: rounding to odd needs two bits more on the way than in the destination; these have as many bits as their destination
NO_MORE_BITS = (("fp32", "tf32", "fp16"),)

#: whatever the format on the way rounds is beyond the destination's range
NEVER_TWICE = (("s32", "fp32", "fp16"), ("u32", "fp32", "fp16"))


def source_of(name: str) -> str:
    """Return a plain conversion's source."""
    return name.split(".")[1]


def rounding_of(name: str) -> str:
    """Return a plain conversion's rounding mode."""
    return name.split(".")[3]


def sibling(case: Any, source: str, destination: str, rounding: str) -> Any:
    """Return another plain conversion of the same model, with Sat 0."""
    return type(case)(case.subject, f"cvt.{source}.{destination}.{rounding}.nosat")


def mirror(case: Any) -> Claim:
    """Changing the sign of the value changes the sign of the code and nothing else, the mode being mirrored."""
    free = case.free_number()
    other = sibling(case, source_of(case.name), destination_of(case.name), MIRROR.get(rounding_of(case.name), "rhb"))
    flipped = Record(free.record.cls, {**free.record.fields, "negative": negated(free.record.fields["negative"])})
    one, two = case.convert_number(free.record), other.convert_number(flipped)
    width = case.conversion.destination.lane_bits
    sign = fit(1 << (width - 1), width)
    claim = conjoin(Equals(case.code(one), BVXor(other.code(two), sign)), Equals(case.flags(one), other.flags(two)))
    return Claim(claim, free.inputs, conjoin(free.possible, negate(is_zero(free.number))))


def negated(truth: Any) -> Any:
    """Return the negation of a truth value."""
    return make_truth(negate(truth_term(truth)))


def round_trip(case: Any) -> Claim:
    """Widening and narrowing again gives the code back, without flags; a NaN comes back as a quiet one."""
    back = sibling(case, destination_of(case.name), source_of(case.name), rounding_of(case.name))
    widened = case.result
    result = back.lifter.call(back.model.convert_code, back.conversion, part(widened, "word"))
    case.lifter.calls.extend(back.lifter.calls)
    nan = truth_term(case.lifter.call(case.subject.module("floats").is_nan, case.conversion.source, case.bits))
    width = case.conversion.source.lane_bits
    claim = conjoin(
        Equals(fit(part(result, "word"), width), case.bits.term),
        Equals(case.flags(widened), fit(0, 5)),
        Equals(back.flags(result), fit(0, 5)),
    )
    return Claim(claim, case.inputs, conjoin(case.legal, negate(nan)))


def two_roundings(case: Any, middle: str, first: str) -> Claim:
    """Going through the format on the way, rounding into it by `first`, gives the same code as going at once."""
    there = sibling(case, source_of(case.name), middle, first)
    onward = sibling(case, middle, destination_of(case.name), rounding_of(case.name))
    halfway = case.lifter.call(there.model.convert_code, there.conversion, case.bits)
    result = case.lifter.call(onward.model.convert_code, onward.conversion, part(halfway, "word"))
    return Claim(Equals(case.code(result), case.code(case.result)), case.inputs, conjoin(case.legal, not_nan(case)))


def not_nan(case: Any) -> FNode:
    """State that a floating source is no NaN: payloads need not survive the way."""
    source = case.conversion.source
    if source.is_integer:
        return TRUE()
    return negate(truth_term(case.lifter.call(case.subject.module("floats").is_nan, source, case.bits)))


def has_way(name: str, middle: str) -> bool:
    """Tell whether a conversion, to nearest even with Sat 0, has a way of two roundings through a format."""
    return name.endswith(".rne.nosat") and way(name, middle) in WAYS


def way(name: str, middle: str) -> tuple[str, str, str]:
    """Return the way from a conversion's source through a format to its destination."""
    return source_of(name), middle, destination_of(name)


def widens(name: str) -> bool:
    """Tell whether a conversion, to nearest even with Sat 0, goes into a format that holds all numbers of the source."""
    return name.endswith(".rne.nosat") and source_of(name) in INSIDE.get(destination_of(name), ())


ONE_ROUNDING = (
    Kind(
        "mirror",
        "Rounding is symmetric about zero, RTP and RTM changing places.",
        "IEEE 754-2019, 4.3",
        lambda name: floating_nosat(name) and source_of(name) == "fp64" and rounding_of(name) != "rhb",
        mirror,
        ("floor_is_ceiling", "sign_lost"),
    ),
    Kind(
        "mirror",
        "RHB is not symmetric about zero: a tie goes to the greater value, whatever its sign.",
        "pto-numeric, section 2",
        lambda name: floating_nosat(name) and source_of(name) == "fp64" and rounding_of(name) == "rhb",
        mirror,
        (),
        Verdict.REFUTED,
    ),
    Kind(
        "round_trip",
        "A number that the destination holds is converted exactly, and back to the same code.",
        "IEEE 754-2019, 5.4.2",
        widens,
        round_trip,
        ("flushed_subnormal",),
    ),
)


def ways_through(middle: str) -> tuple[Kind, ...]:
    """Return the kinds of two roundings through a format, and of those where two are not the same as one."""
    odd = "Rounding to odd into a wider format first and to nearest even from there is the same as rounding once"
    nearest = "Rounding to nearest even twice, through a wider format, is the same as rounding once"
    return (
        Kind(
            f"through_{middle}_odd",
            f"{odd}.",
            "S. Boldo and G. Melquiond, When double rounding is odd, 2005",
            lambda name: has_way(name, middle) and way(name, middle) not in NO_MORE_BITS,
            lambda case: two_roundings(case, middle, "rto"),
            ("odd_is_even",),
        ),
        Kind(
            f"through_{middle}_odd",
            f"{odd}, be it wider in range alone.",
            "the converse of S. Boldo and G. Melquiond, When double rounding is odd, 2005",
            lambda name: way(name, middle) in NO_MORE_BITS and has_way(name, middle),
            lambda case: two_roundings(case, middle, "rto"),
            (),
            Verdict.REFUTED,
        ),
        Kind(
            f"through_{middle}_nearest",
            f"{nearest}.",
            "folklore, and wrong",
            lambda name: has_way(name, middle) and way(name, middle) not in NEVER_TWICE,
            lambda case: two_roundings(case, middle, "rne"),
            (),
            Verdict.REFUTED,
        ),
        Kind(
            f"through_{middle}_nearest",
            f"{nearest} where whatever the first changes overflows in the second.",
            "IEEE 754-2019, 4.3",
            lambda name: way(name, middle) in NEVER_TWICE and has_way(name, middle),
            lambda case: two_roundings(case, middle, "rne"),
            ("fp32_is_short",),
        ),
    )


KINDS = (*ONE_ROUNDING, *(kind for middle in MIDDLES for kind in ways_through(middle)))
