"""FP32 addition: NaNs, infinities and zeros as IEEE 754 has them."""

from __future__ import annotations

from typing import Any

from pysmt.shortcuts import BV, Equals

from halfulp_formal.lift.values import Int, choose, conjoin, disjoin, fit, negate

from .claim import Claim, Kind
from .numbers import bit_field, equal
from .pipeline import INVALID, Fp32
from .quantised import opposite

QUIET_NAN = 0x7FC00000
NEGATIVE_ZERO = 1 << 31


def special(case: Any) -> Claim:
    """NaNs give the quiet NaN; infinities stay; signalling NaNs and infinities of unlike signs are invalid."""
    left, right = Fp32(case.left), Fp32(case.right)
    code, flags = case.add(case.left, case.right)
    unlike = conjoin(left.infinite, right.infinite, negate(Equals(case.left.term, case.right.term)))
    nan = disjoin(left.nan, right.nan, unlike)
    signalling = disjoin(*(conjoin(each.nan, negate(each.quiet)) for each in (left, right)))
    infinity = choose(left.infinite, case.left.term, case.right.term)
    claim = conjoin(
        Equals(code, choose(nan, BV(QUIET_NAN, 32), infinity)),
        Equals(flags, choose(disjoin(signalling, unlike), BV(INVALID, 5), BV(0, 5))),
    )
    return Claim(claim, case.inputs, disjoin(nan, left.infinite, right.infinite))


def finite(word: Int) -> Any:
    """State that a word is a number."""
    return negate(equal(bit_field(word, 30, 23), 255))


def neutral(case: Any) -> Claim:
    """A number that is not zero stays what it is when a zero of either sign is added on either side; nothing is raised."""
    results = [case.add(*pair) for zero in (0, NEGATIVE_ZERO) for pair in ((case.left, zero), (zero, case.left))]
    kept = tuple(conjoin(Equals(code, case.left.term), Equals(flags, fit(0, 5))) for code, flags in results)
    nonzero = negate(equal(bit_field(case.left, 30, 0), 0))
    return Claim(conjoin(*kept), case.inputs[:1], conjoin(finite(case.left), nonzero), steps=kept)


def cancelled(case: Any) -> Claim:
    """A number and its opposite give +0, toward -infinity -0; two zeros of one sign keep it; nothing is raised."""
    code, flags = case.add(case.left, opposite(case.left))
    expected = NEGATIVE_ZERO if case.rounding == "rtm" else 0
    zeros = [case.add(zero, zero) for zero in (0, NEGATIVE_ZERO)]
    claim = conjoin(
        Equals(code, BV(expected, 32)),
        Equals(flags, fit(0, 5)),
        *(Equals(sum_of, BV(zero, 32)) for (sum_of, _), zero in zip(zeros, (0, NEGATIVE_ZERO), strict=True)),
    )
    return Claim(claim, case.inputs[:1], finite(case.left))


IEEE = "IEEE 754-2019, 4.3, 5.4.1 and 6.1 to 6.3"


def every(_name: str) -> bool:
    """Every adder has this obligation."""
    return True


KINDS = (
    Kind(
        "special",
        "A NaN operand, and infinities of unlike signs, give a quiet NaN; other infinities are kept exactly. A signalling "
        "NaN and unlike infinities are invalid.",
        "IEEE 754-2019, 6.1, 6.2 and 7.2",
        every,
        special,
        ("quiet_bit_inverted", "unlike_infinities_valid"),
    ),
    Kind("neutral", "x + (±0) is x for x not zero.", IEEE, every, neutral, ("addend_sign_lost",)),
    Kind(
        "cancelled",
        "The sum of operands with opposite signs that is exactly zero is +0, toward -infinity -0; x + x keeps the sign of x "
        "where x is zero.",
        "IEEE 754-2019, 6.3",
        every,
        cancelled,
        ("zero_sum_positive",),
    ),
)
