"""Corner classes of one lane of `mac`: the products, their scale, and the one rounding of the addition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from halfulp_formal.vectors.corner import CornerClass

if TYPE_CHECKING:
    from halfulp_formal.vectors.facts.matmul import Facts

    Corner = CornerClass[Facts]

#: the sums of two exponent bytes under which every block sum is exact, and the one under which it is an integer
LOWEST, HIGHEST, SCALE = 117, 376, 266

#: 2^24 and the two codes after it: a unit is half their last place
POWER, NEXT, AFTER_NEXT = 0x4B800000, 0x4B800001, 0x4B800002
#: the sign bit, and the code of the largest finite number
SIGN, LARGEST = 1 << 31, 0x7F7FFFFF


def one_lane(lane: int) -> Corner:
    """Return the class of blocks with one member each, in one lane."""
    return CornerClass(
        f"product/lane-{lane}",
        f"Member {lane} alone is not zero, in both blocks.",
        lambda f: f.legal & f.a.only(lane) & f.b.only(lane) & (f.a.mantissas[lane] > 64) & (f.b.mantissas[lane] < -64),
    )


def unlike_lanes(lane: int) -> Corner:
    """Return the class of blocks whose members do not meet."""
    other = (lane + 1) % 8
    return CornerClass(
        f"product/lane-{lane}-apart",
        f"Member {lane} of A and member {other} of B alone are not zero: there is no product.",
        lambda f: f.legal & f.a.only(lane) & f.b.only(other),
    )


def added(name: str, sentence: str, accumulator: int, mantissa: int, exponents: int = SCALE) -> Corner:
    """Return the class of one product added to one accumulator."""
    return CornerClass(
        f"sum/{name}",
        sentence,
        lambda f: f.legal & (f.accumulator == accumulator) & f.one_product(mantissa, 1, exponents),
    )


CLASSES: tuple[Corner, ...] = (
    *(one_lane(lane) for lane in range(8)),
    *(unlike_lanes(lane) for lane in range(8)),
    CornerClass(
        "product/zero-sum",
        "No member is zero, and the products cancel.",
        lambda f: f.legal & f.a.every(1) & f.b.filled & (f.total == 0),
    ),
    CornerClass(
        "product/largest",
        "Every member is -128, and the sum of the products 2^17.",
        lambda f: f.legal & f.a.every(-128) & f.b.every(-128),
    ),
    CornerClass(
        "product/least",
        "Members are -128 and 127: the sum of the products is the least one.",
        lambda f: f.legal & f.a.every(-128) & f.b.every(127),
    ),
    CornerClass(
        "product/minus-128",
        "Member 2 of A is -128, which counts as -2.",
        lambda f: f.legal & f.one_product(-128, 64, 2 * 127),
    ),
    CornerClass(
        "scale/unlike-exponents",
        "The exponents are far apart, and the smaller one is 0.",
        lambda f: f.legal & (f.a.exponent == 0) & (f.b.exponent > 200) & f.a.filled & f.b.every(1) & (f.total > 0),
    ),
    CornerClass(
        "scale/lowest",
        f"The exponents' sum is {LOWEST}, the least one under which every sum is exact, and the sum is 1.",
        lambda f: f.legal & f.one_product(1, 1, LOWEST),
    ),
    CornerClass(
        "scale/below-lowest",
        f"The exponents' sum is {LOWEST - 1}, and the sum is 2: exact all the same.",
        lambda f: f.legal & f.one_product(2, 1, LOWEST - 1),
    ),
    CornerClass(
        "scale/inexact",
        f"The exponents' sum is {LOWEST - 1}, and the sum is odd.",
        lambda f: f.legal & f.one_product(1, 1, LOWEST - 1),
    ),
    CornerClass(
        "scale/highest",
        f"The exponents' sum is {HIGHEST}, the largest one under which every sum is exact, and every member is -128.",
        lambda f: f.legal & (f.exponents == HIGHEST) & f.a.every(-128) & f.b.every(-128) & (f.accumulator == 0),
    ),
    CornerClass(
        "scale/above-highest",
        f"The exponents' sum is {HIGHEST + 1}, and every member is 127 or -127: exact all the same.",
        lambda f: f.legal & (f.exponents == HIGHEST + 1) & f.a.every(127) & f.b.every(-127) & (f.accumulator == 0),
    ),
    CornerClass(
        "scale/overflow",
        f"The exponents' sum is {HIGHEST + 1}, and every member is -128.",
        lambda f: f.legal & (f.exponents == HIGHEST + 1) & f.a.every(-128) & f.b.every(-128),
    ),
    added("tie-even", "Half a last place is added to an even code: it is lost.", POWER, 1),
    added("tie-odd", "Half a last place is added to an odd code: it counts as one.", NEXT, 1),
    added("tie-even-subtracted", "Half a last place is taken from an even code: it is lost.", AFTER_NEXT, -1),
    added("tie-odd-subtracted", "Half a last place is taken from an odd code: it counts as one.", NEXT, -1),
    added("below-tie", "Three eighths of a last place are added.", POWER, 3, SCALE - 2),
    added("above-tie", "Five eighths of a last place are added.", POWER, 5, SCALE - 2),
    added(
        "binade",
        "Half of the last place below a power of two is taken from it.",
        POWER,
        -1,
        SCALE - 1,
    ),
    added("carry", "The sum carries into the next binade.", POWER - 1, 1),
    added("cancels", "The product is the accumulator's opposite: the sum is +0.", 0x3F800000, -64, SCALE - 6),
    added("negative-zero", "A zero accumulator of negative sign and a product.", 1 << 31, 64, SCALE - 6),
    added(
        "negative-zero-cancels",
        "The accumulator is the product's opposite, and negative: the sum is +0.",
        0xBF800000,
        64,
        SCALE - 6,
    ),
    added(
        "sign-of-product",
        "The product is larger than the accumulator, and of the other sign.",
        0x3F800000,
        -64,
        SCALE - 5,
    ),
    added(
        "sign-of-accumulator",
        "The accumulator is larger than the product, and of the other sign.",
        0xC0000000,
        64,
        SCALE - 6,
    ),
    added("both-negative", "Accumulator and product are negative.", 0xBF800000, -64, SCALE - 6),
    added("sticky", "A product far below the last place is added to an odd code: it is lost.", NEXT, 1, SCALE - 120),
    added(
        "sticky-subtracted",
        "A product far below the last place is taken from a power of two: it is lost.",
        POWER,
        -1,
        SCALE - 120,
    ),
    added("past-tie", "A product just above half a last place is added to an even code.", POWER, 65, SCALE - 6),
    added("under-tie", "A product just below half a last place is added to an odd code.", NEXT, 63, SCALE - 6),
    added(
        "past-tie-subtracted",
        "A product just above half a last place is taken from an even code.",
        AFTER_NEXT,
        -65,
        SCALE - 6,
    ),
    added(
        "accumulator-in-last-place",
        "The accumulator is half a last place of the product, which is even.",
        0x3F800000,
        64,
        SCALE + 18,
    ),
    added("accumulator-lost", "The accumulator is far below the product's last place.", 1, 64, SCALE),
    added(
        "accumulator-negative-lost",
        "A negative accumulator is far below the product's last place.",
        SIGN + 1,
        64,
        SCALE,
    ),
    added("subnormals", "Accumulator and product are the smallest subnormal number.", 1, 1, LOWEST),
    added("subnormals-cancel", "The smallest subnormal number and its opposite: the sum is +0.", SIGN + 1, 1, LOWEST),
    added("subnormal-product", "A subnormal product is added to a zero accumulator.", 0, 3, LOWEST),
    added("negative-subnormal-product", "A negative subnormal product is added to a zero accumulator.", 0, -3, LOWEST),
    added(
        "subnormal-accumulator",
        "The largest subnormal accumulator keeps a product of 1 out.",
        0x007FFFFF,
        64,
        SCALE - 6,
    ),
    added("subnormal-to-normal", "The largest subnormal accumulator and the smallest product.", 0x007FFFFF, 1, LOWEST),
    added("normal-to-subnormal", "The smallest normal accumulator less the smallest product.", 0x00800000, -1, LOWEST),
    added(
        "negative-normal-to-subnormal",
        "The negative smallest normal accumulator and the smallest product.",
        0x80800000,
        1,
        LOWEST,
    ),
    added("largest", "A quarter of a last place is added to the largest finite number.", LARGEST, 1, SCALE + 102),
    added(
        "overflow-tie",
        "Half a last place is added to the largest finite number: the sum is infinite.",
        LARGEST,
        1,
        SCALE + 103,
    ),
    added(
        "overflow-negative-tie",
        "Half a last place is taken from the least finite number: the sum is infinite.",
        SIGN + LARGEST,
        -1,
        SCALE + 103,
    ),
    added(
        "overflow-before",
        "Just below half a last place is added to the largest finite number.",
        LARGEST,
        127,
        SCALE + 96,
    ),
    added(
        "overflow-far",
        "The largest finite number is doubled, as nearly as may be: the sum is infinite.",
        LARGEST,
        127,
        SCALE + 121,
    ),
    added(
        "overflow-negative-far",
        "The least finite number is doubled, as nearly as may be: the sum is infinite.",
        SIGN + LARGEST,
        -127,
        SCALE + 121,
    ),
    added("binade-below-largest", "The largest finite number loses its last place.", LARGEST, -1, SCALE + 104),
    CornerClass(
        "sum/every-bit",
        "Every fraction bit of the accumulator counts, and the products' sum has seventeen bits.",
        lambda f: (
            f.legal & (f.accumulator == 0x3FFFFFFF) & f.a.every(127) & f.b.every(127) & (f.exponents == SCALE - 24)
        ),
    ),
    CornerClass(
        "sum/zero-to-negative-zero",
        "The accumulator is -0, and the products cancel: the sum is +0.",
        lambda f: f.legal & (f.accumulator == 1 << 31) & f.a.every(0) & f.b.every(0),
    ),
)
