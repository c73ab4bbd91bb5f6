"""TCVT to E8M0: the chosen power of two beside the value and its square, range, flags and specials.

Nothing here takes a logarithm: the midpoint of log2 between 2^k and 2^(k+1) is where the square of a value is 2^(2k+1).
"""

from __future__ import annotations

from typing import Any

from pysmt.fnode import FNode

from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import choose, conjoin, disjoin, negate, symbol

from .claim import Claim, Kind
from .floating import Value, below, same
from .integer import INEXACT, OVERFLOW
from .layouts import LAYOUTS, CodeReading
from .numbers import Number, at_most, between, equal, implies, odd, select
from .pipeline import INVALID

UNDERFLOW = 0x18
NAN, LARGEST = 0xFF, 0xFE

NEAREST = ("rne", "rna", "rhb")

#: the codes of 2^127, of the number above it, of 2^-127 and of the number below it, by source
EDGES = {"fp32": (0x7F000000, 0x7F000001, 0x00400000, 0x003FFFFF), "bf16": (0x7F00, 0x7F01, 0x0040, 0x003F)}


def source_of(name: str) -> str:
    """Return a conversion's source: `e8m0.fp32.rto.sat`."""
    return name.split(".")[1]


def mode_of(name: str) -> str:
    """Return the rounding mode of a conversion to E8M0, or the rule of a scale choice."""
    return name.split(".")[2]


def saturates(name: str) -> bool:
    """Tell whether a conversion has Sat 1."""
    return name.endswith(".sat")


def reaches_edges(name: str) -> bool:
    """Tell whether a source has numbers beyond 2^127 and below 2^-127; FP16 does not."""
    return source_of(name) in EDGES


def power(exponent: Number) -> Value:
    """Return 2^exponent."""
    return Value(1, exponent)


def above(left: Value, right: Value) -> FNode:
    """State left > right."""
    return below(right, left)


def squared(value: Value) -> Value:
    """Return the square of a value."""
    return Value(arithmetic.multiply(value.significand, value.significand), arithmetic.shift_left(value.exponent, 1))


class Converted:
    """A code of the source, its value by the judge, and the code and flags that the model gives."""

    def __init__(self, case: Any, code: Any = None) -> None:
        self.code = case.code if code is None else code
        self.reading: CodeReading = LAYOUTS[source_of(case.name)].read(self.code)
        self.value = Value(self.reading.number.significand, self.reading.number.exponent)
        self.result, self.flags = case.result(self.code)

    @property
    def positive(self) -> FNode:
        """State that the value is finite and greater than zero."""
        return conjoin(self.reading.finite, negate(self.reading.negative), negate(self.reading.zero))

    @property
    def exponent(self) -> Number:
        """The exponent of the power of two that the result stands for."""
        return arithmetic.subtract(self.result, 127)

    @property
    def is_code(self) -> FNode:
        """State that the result is the code of a power of two."""
        return between(0, self.result, LARGEST)


def too_small(value: Value) -> FNode:
    """State that a value is below 2^-127."""
    return below(value, power(-127))


def too_large(value: Value) -> FNode:
    """State that a value is above 2^127."""
    return above(value, power(127))


def in_range(converted: Converted) -> FNode:
    """State that a value is positive and from 2^-127 to 2^127."""
    value = converted.value
    return conjoin(converted.positive, negate(too_small(value)), negate(too_large(value)))


def chosen(mode: str, value: Value, exponent: Number) -> FNode:
    """State that 2^exponent is the power of two that a mode chooses for a positive value."""
    this = power(exponent)
    following, previous = power(arithmetic.add(exponent, 1)), power(arithmetic.subtract(exponent, 1))
    down = conjoin(negate(below(value, this)), below(value, following))
    up = conjoin(above(value, previous), negate(above(value, this)))
    if mode in NEAREST:
        square, twice = squared(value), arithmetic.shift_left(exponent, 1)
        above_lower = above(square, power(arithmetic.subtract(twice, 1)))
        return conjoin(above_lower, below(square, power(arithmetic.add(twice, 1))))
    return {
        "rtm": down,
        "rtp": up,
        # the exponent is rounded toward zero: down from 1 on, up below it
        "rtz": choose(below(value, power(0)), up, down),
        "rto": disjoin(same(value, this), conjoin(odd(exponent), above(value, previous), below(value, following))),
    }[mode]


def rule(case: Any) -> Claim:
    """The result is the power of two that the mode chooses."""
    converted = Converted(case)
    claim = conjoin(converted.is_code, chosen(mode_of(case.name), converted.value, converted.exponent))
    return Claim(claim, case.inputs, in_range(converted))


def special(case: Any) -> Claim:
    """NaN, zeros and everything negative give ff and NV; +infinity gives fe (Sat = 1) or ff with OF and NX."""
    converted = Converted(case)
    reading = converted.reading
    invalid = disjoin(reading.nan, reading.negative, reading.zero)
    infinity = conjoin(
        equal(converted.result, LARGEST if saturates(case.name) else NAN), equal(converted.flags, OVERFLOW)
    )
    claim = choose(invalid, conjoin(equal(converted.result, NAN), equal(converted.flags, INVALID)), infinity)
    return Claim(claim, case.inputs, negate(converted.positive))


def out_of_range(case: Any) -> Claim:
    """Beyond 2^127: fe (Sat = 1) or ff, OF and NX. Below 2^-127: 00 or ff, UF and NX. Whatever the mode."""
    converted = Converted(case)
    small, large = too_small(converted.value), too_large(converted.value)
    ends = (0, LARGEST) if saturates(case.name) else (NAN, NAN)
    claim = conjoin(
        equal(converted.result, select(small, *ends)), equal(converted.flags, select(small, UNDERFLOW, OVERFLOW))
    )
    return Claim(claim, case.inputs, conjoin(converted.positive, disjoin(small, large)))


def inexact(case: Any) -> Claim:
    """In range NX is raised if and only if the value is not the chosen power of two, and nothing else ever."""
    converted = Converted(case)
    exact = same(converted.value, power(converted.exponent))
    return Claim(equal(converted.flags, select(exact, 0, INEXACT)), case.inputs, in_range(converted))


def powers(case: Any) -> Claim:
    """2^k is k + 127 without flags, for k from -127 to 127."""
    converted = Converted(case)
    exponent = symbol("power.exponent.8", -128, 127)
    assumption = conjoin(converted.positive, at_most(-127, exponent), same(converted.value, power(exponent)))
    claim = conjoin(equal(converted.result, arithmetic.add(exponent, 127)), equal(converted.flags, 0))
    return Claim(claim, (*case.inputs, exponent.term), assumption)


def edges(case: Any) -> Claim:
    """The last values in range, and the first ones out of it on either side."""
    converted = Converted(case)
    top, beyond, bottom, beneath = EDGES[source_of(case.name)]
    least, greatest = (0, LARGEST) if saturates(case.name) else (NAN, NAN)
    table = ((top, LARGEST, 0), (beyond, greatest, OVERFLOW), (bottom, 0, 0), (beneath, least, UNDERFLOW))
    claims = [
        implies(equal(converted.code, code), conjoin(equal(converted.result, result), equal(converted.flags, flags)))
        for code, result, flags in table
    ]
    return Claim(conjoin(*claims), case.inputs, disjoin(*(equal(converted.code, code) for code, _, _ in table)))


def monotone(case: Any) -> Claim:
    """A greater value has no smaller scale."""
    one, two = Converted(case), Converted(case, case.other)
    inside = [each.positive if saturates(case.name) else in_range(each) for each in (one, two)]
    claim = at_most(one.result, two.result)
    return Claim(claim, (*case.inputs, case.other.term), conjoin(*inside, below(one.value, two.value)))


def between_directed(case: Any) -> Claim:
    """Every mode gives what RTM or RTP gives, which are one apart at most."""
    converted = Converted(case)
    saturation = case.name.rpartition(".")[2]
    down, up = (
        case.sibling(f"e8m0.{source_of(case.name)}.{mode}.{saturation}").result(case.code)[0] for mode in ("rtm", "rtp")
    )
    one_apart = between(down, up, arithmetic.add(down, 1))
    return Claim(conjoin(between(down, converted.result, up), one_apart), case.inputs, in_range(converted))


def as_nearest_even(case: Any) -> Claim:
    """RNA and RHB are RNE: log2 of a value is never half-way between integers."""
    parts = case.name.split(".")
    other = case.sibling(".".join([*parts[:2], "rne", parts[3]]))
    same_parts = [equal(mine, its) for mine, its in zip(case.result(case.code), other.result(case.code), strict=True)]
    return Claim(conjoin(*same_parts), case.inputs)


def as_nosat(case: Any) -> Claim:
    """Sat = 1 differs from Sat = 0 only where that gives ff without being invalid, and raises the same flags."""
    other = case.sibling(case.name.removesuffix(".sat") + ".nosat")
    (result, flags), (plain, plain_flags) = case.result(case.code), other.result(case.code)
    out = disjoin(equal(plain_flags, OVERFLOW), equal(plain_flags, UNDERFLOW))
    return Claim(conjoin(equal(flags, plain_flags), disjoin(out, equal(result, plain))), case.inputs)


def every(_name: str) -> bool:
    """Every conversion has this obligation."""
    return True


SOURCE = "PTO-TCVT-E8M0-PROFILE-001; asl/arch/profile/e8m0-conversion.asl"
ROUND = SOURCE + ", ReferenceE8M0RoundExponent"

KINDS = (
    Kind(
        "rule",
        "Positive finite values round their base-two exponent under the selected RMode: RTM down, RTP up, RTZ toward 0, RTO "
        "to the odd one, the others to the nearer one.",
        ROUND,
        every,
        rule,
        ("log_threshold_off", "log_linear", "exponent_floor_up", "toward_zero_down", "exponent_odd_even"),
    ),
    Kind(
        "special",
        "Zero, negative values and NaNs produce ff with NV. Positive infinity produces ff when Sat is zero and fe when Sat "
        "is one, with OF and NX.",
        SOURCE,
        every,
        special,
        ("scale_zero_least", "scale_infinity_invalid"),
    ),
    Kind(
        "out_of_range",
        "Finite range overflow or underflow produces ff when Sat is zero and the corresponding finite endpoint when Sat is "
        "one, with OF or UF plus NX.",
        SOURCE,
        reaches_edges,
        out_of_range,
        ("scale_range_after", "scale_underflow_overflows"),
    ),
    Kind(
        "inexact",
        "A power of two raises nothing, any other value in range NX.",
        SOURCE,
        every,
        inexact,
        ("scale_never_inexact",),
    ),
    Kind("powers", "A power of two is exact in every mode.", ROUND, every, powers, ("scale_bias_off",)),
    Kind(
        "edges",
        "2^-127 and 2^127 are the ends of the range.",
        SOURCE,
        reaches_edges,
        edges,
        ("scale_top_off", "scale_bottom_off"),
    ),
    Kind("monotone", "A greater value has no smaller scale.", ROUND, every, monotone, ("nearest_power_reversed",)),
    Kind(
        "between",
        "Every mode lies between RTM and RTP.",
        ROUND,
        lambda name: mode_of(name) not in ("rtm", "rtp"),
        between_directed,
        ("exponent_two_up",),
    ),
    Kind(
        "as_rne",
        "Half-way between two powers of two in log2 lies no value, so the tie rules are never asked.",
        ROUND,
        lambda name: mode_of(name) in ("rna", "rhb"),
        as_nearest_even,
        ("log_linear",),
    ),
    Kind(
        "as_nosat",
        "Sat chooses the code of what is out of range, and nothing else.",
        SOURCE,
        saturates,
        as_nosat,
        ("scale_saturation_silent",),
    ),
)
