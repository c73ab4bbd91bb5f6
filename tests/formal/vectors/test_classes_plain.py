"""The corner classes of rounded numbers beside their sentences in fractions, on every code of short sources."""

from fractions import Fraction

import pytest

from halfulp_formal.evaluate import compile_term
from halfulp_formal.vectors.family import family_of
from oracle import formats as oracle
from oracle import ieee_ocp
from oracle.rounding import to_integer

HALF, THREE_QUARTERS = Fraction(1, 2), Fraction(3, 4)


def last_place(source, bits, number):
    """The unit in the last place of a code, as its format counts."""
    if source in oracle.INTEGERS:
        return Fraction(1)
    _, _, _, exponent = oracle.decompose(source, bits)
    return Fraction(2) ** exponent if number else Fraction(1)


def places(destination, magnitude, unit):
    """Where a magnitude lies among the codes of a binary format: the names of the classes that it is in."""
    layout = oracle.LAYOUTS[destination]
    largest = ieee_ocp.target(destination).largest
    smallest_normal = Fraction(2) ** (1 - layout.bias)
    tiniest = smallest_normal / 2**layout.fraction
    binade = smallest_normal
    while binade * 2 <= magnitude:
        binade *= 2
    quantum = binade / 2**layout.fraction
    count, rest = divmod(magnitude / quantum, 1)
    last = unit / quantum
    even = count % 2 == 0
    fine = last <= Fraction(1, 8)
    between = {
        "exact": rest == 0,
        "tie-even": rest == HALF and even,
        "tie-odd": rest == HALF and not even,
        "tie-minus-one": fine and rest == HALF - last,
        "tie-plus-one": fine and rest == HALF + last,
        "code-minus-one": fine and rest == 1 - last,
        "code-plus-one": fine and rest == last,
    }
    past_largest = largest + power_below(largest) / 2**layout.fraction
    # the quantum above the largest number is twice as long where that is the last one of its binade
    beyond = power_below(past_largest) / 2**layout.fraction
    normal = smallest_normal <= magnitude < past_largest
    subnormal = magnitude < smallest_normal
    top = largest <= magnitude < past_largest
    largest_subnormal = smallest_normal - tiniest
    under = largest_subnormal <= magnitude < smallest_normal
    carry = normal and count == 2 ** (layout.fraction + 1) - 1 and binade * 2 <= largest
    found = {f"normal/{name}" for name, holds in between.items() if normal and holds}
    found |= {f"subnormal/{name}" for name, holds in between.items() if subnormal and holds}
    single = {
        "place/carry-tie": carry and rest == HALF,
        "place/carry-past-tie": carry and rest > HALF,
        "place/smallest-normal": magnitude == smallest_normal,
        "place/largest-subnormal": magnitude == largest_subnormal,
        "place/subnormal-to-normal-tie": under and rest == HALF,
        "place/subnormal-to-normal": under and rest > HALF,
        "place/smallest-subnormal": magnitude == tiniest,
        "place/half-smallest-subnormal": magnitude == tiniest / 2,
        "place/under-half-smallest-subnormal": fine and magnitude == tiniest / 2 - unit,
        "place/over-half-smallest-subnormal": fine and magnitude == tiniest / 2 + unit,
        "place/vanishing": magnitude < tiniest / 2**64,
        "place/largest-finite": magnitude == largest,
        "place/above-largest": fine and magnitude == largest + unit,
        "place/above-largest-under-tie": top and 0 < rest < HALF,
        "place/above-largest-before-tie": top and fine and rest == HALF - last,
        "place/above-largest-tie": top and rest == HALF,
        "place/above-largest-after-tie": top and fine and rest == HALF + last,
        "place/above-largest-past-tie": top and rest > HALF,
        "place/quantum-above-largest": magnitude == past_largest,
        "place/past-quantum-above-largest": past_largest < magnitude < past_largest + beyond,
        "place/next-binade": 2 * power_below(largest) <= magnitude < 4 * power_below(largest),
        "place/far-above-largest": magnitude >= 2**16 * power_below(largest),
        "tininess/before-three-quarters": under and HALF < rest < THREE_QUARTERS,
        "tininess/one-before-three-quarters": under and fine and rest == THREE_QUARTERS - last,
        "tininess/three-quarters": under and rest == THREE_QUARTERS,
        "tininess/one-past-three-quarters": under and fine and rest == THREE_QUARTERS + last,
        "tininess/past-three-quarters": under and rest > THREE_QUARTERS,
        "tininess/above-smallest-normal": smallest_normal < magnitude < smallest_normal + tiniest,
        "tininess/under-half-smallest-normal": fine and magnitude == smallest_normal / 2 - unit,
    }
    if last == rest == HALF and normal:
        found.add(f"coarse/tie-{'even' if even else 'odd'}")
    beyond = magnitude >= past_largest
    integers = {
        "integer/exact-odd": normal and quantum > 1 and rest == 0 and not even,
        "integer/under-tie-odd": normal and 0 < rest < HALF and not even,
        "integer/past-tie-even": normal and rest > HALF and even,
        "integer/beyond-halves": beyond and quantum == 2,
        "integer/beyond-past-tie": beyond and rest > HALF,
    }
    found |= {name for name, holds in integers.items() if holds}
    return found | {name for name, holds in single.items() if holds}


def power_below(number):
    power = Fraction(1)
    while power * 2 <= number:
        power *= 2
    while power > number:
        power /= 2
    return power


PAIRS = [
    ("E5M2", "E2M3"), ("E4M3", "E5M2"), ("E5M2", "E4M3"), ("E2M3", "E2M1"), ("S8", "E4M3"), ("U8", "E2M3"), ("S8", "E2M1"),
    ("E5M2", "FP16"), ("S8", "BF16"), pytest.param("S16", "E3M2", marks=pytest.mark.slow),
]  # fmt: skip


FLOAT_GROUPS = ("normal/", "subnormal/", "place/", "tininess/", "coarse/", "integer/")


def between_integers(low, high, number, unit):
    """Where a number lies among the integers of a destination, under RNE: the names of the classes that it is in."""
    magnitude, sign = abs(number), "negative" if number < 0 else "positive"
    whole, rest = divmod(magnitude, 1)
    small, fine, cut, rounded = whole < high, unit <= Fraction(1, 8), int(number), to_integer(number, "RNE")
    wrapped = (cut - low) % (high - low + 1) + low
    out = not low <= cut <= high
    end, last = ("low", -low) if number < 0 else ("high", high)
    name = {"low": "lowest", "high": "highest"}[end]
    at_end = number != 0 and whole == last
    found = {
        "exact/zero": number == 0,
        f"exact/{sign}": small and number != 0 and rest == 0 and unit <= 1,
        "exact/no-fraction-bits": number != 0 and unit > 1,
        "tie/one-half": number == HALF,
        "tie/minus-one-half": number == -HALF,
        f"tie/{sign}-even": small and rest == HALF and whole > 0 and whole % 2 == 0,
        f"tie/{sign}-odd": small and rest == HALF and whole % 2 == 1,
        f"tie-minus-one/{sign}": small and fine and rest == HALF - unit,
        f"tie-plus-one/{sign}": small and fine and rest == HALF + unit,
        f"integer-minus-one/{sign}": small and fine and rest == 1 - unit,
        f"integer-plus-one/{sign}": small and fine and rest == unit and whole > 0,
        f"tiny/{sign}": 0 < magnitude < Fraction(1, 2**64),
        f"huge/{sign}": magnitude >= 2**64,
        f"range/{name}": at_end and rest == 0,
        f"range/{'below-lowest' if end == 'low' else 'above-highest'}": number != 0 and magnitude == last + 1,
        f"range/{name}-and-less-than-half": at_end and 0 < rest < HALF,
        f"range/{name}-and-half": at_end and rest == HALF,
        f"range/{name}-and-more-than-half": at_end and rest > HALF,
        f"range/rounding-overflows-{end}": at_end and not low <= rounded <= high,
        f"range/rounding-stays-{end}": at_end and rest != 0 and low <= rounded <= high,
        "wrap/low-bits-zero": out and wrapped == 0,
        "wrap/low-bits-positive": out and 0 < wrapped < high,
        "wrap/low-bits-negative": out and low < wrapped < 0,
        "wrap/far": whole >= 4 * high,
        "past-tie/even": small and rest > HALF and whole % 2 == 0,
        "range/largest-power": number == (high + 1) // 2,
        "range/odd-multiple": unit > 1 and number / unit % 2 == 1 and not out,
        "wrap/no-fraction-bits": out and unit > 1 and (2 * wrapped) % (high - low + 1) != 0,
        f"tie/one-fraction-bit-{'odd' if whole % 2 else 'even'}": unit == rest == HALF,
    }
    return {name for name, holds in found.items() if holds}


def membership(source, destination, groups):
    """Yield every code of a source with its number and the classes of some groups that it is in."""
    name = f"cvt.{source.lower()}.{destination.lower()}.rne.nosat"
    family = family_of(name)
    facts = family.facts(name)
    classes = [each for each in family.classes(name) if each.name.startswith(groups)]
    values = compile_term([facts.legal.term, *(each.when(facts).term for each in classes)], facts.inputs)
    for bits in range(1 << facts.inputs[0].bv_width()):
        legal, *here = values(bits)
        assert legal
        yield bits, oracle.value(source, bits), {each.name for each, holds in zip(classes, here, strict=True) if holds}


@pytest.mark.parametrize(("source", "destination"), PAIRS)
def test_places_between_codes_are_what_their_sentences_say(source, destination):
    judge = "E2M1X2" if destination == "E2M1" else destination
    for bits, number, given in membership(source, destination, FLOAT_GROUPS):
        expected = set()
        if number:
            sign = "negative" if number < 0 else "positive"
            found = places(judge, abs(number), last_place(source, bits, number))
            other = "coarse/" if source in oracle.INTEGERS else "integer/"
            expected = {f"{one}-{sign}" for one in found if other not in one}
        assert given == expected, hex(bits)


@pytest.mark.parametrize(
    ("source", "destination"), [("E4M3", "S4"), ("E4M3", "S8"), ("E5M2", "U8"), ("E5M2", "S16"), ("E2M3", "S4")]
)
def test_places_between_integers_are_what_their_sentences_say(source, destination):
    bits = int(destination[1:])
    low, high = (0, (1 << bits) - 1) if destination[0] == "U" else (-(1 << bits - 1), (1 << bits - 1) - 1)
    groups = ("exact/", "tie", "past-tie/", "integer-", "tiny/", "huge/", "range/", "wrap/")
    for code, number, given in membership(source, destination, groups):
        expected = set()
        if number is not None:
            expected = between_integers(low, high, number, last_place(source, code, number))
        assert given == expected, hex(code)
