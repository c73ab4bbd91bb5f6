"""The claims about floating destinations single out one code for every value: the one that the oracle rounds to."""

from fractions import Fraction
from itertools import pairwise, product

import pytest

from formal.lift.exhaust import i, u
from halfulp_formal.evaluate import compile_term
from halfulp_formal.lift.merge import concretize, leaves
from halfulp_formal.lift.values import conjoin, negate, truth_symbol, truth_term
from halfulp_formal.properties import floating
from halfulp_formal.properties.floating import TARGETS, Rounding, Value
from oracle import encoders, formats
from oracle.rounding import MODES, OVERFLOW, power_of_two

NAMES = {"e4m3": "E4M3", "hif8": "HiF8", "fp16": "FP16", "bf16": "BF16", "fp32": "FP32"}
#: HiF8's neighbours may be both even or both odd; the specification gives it one mode, and these have no parity
MODES_OF = {"hif8": ("RHB", "RNA", "RTZ", "RTM", "RTP")}


def oracle(number, name, mode):
    if name == "fp32":
        return encoders.single(number, mode, False)
    if name in ("e4m3", "hif8"):
        return encoders.fp8(number, NAMES[name], mode, False)
    return encoders.binary16(number, NAMES[name], mode, False)


class Claims:
    """The claims about one destination and mode, as a function of value and candidate code."""

    def __init__(self, target, mode):
        self.target = target
        self.magnitude = u(self.target.bits, "magnitude")
        self.significand, self.exponent = u(36, "value"), i(-200, 150, "value")
        negative = truth_symbol("bool.negative")
        exact, sign = Value(self.significand, self.exponent), truth_term(negative)
        around = floating.neighbourhood(self.target, self.magnitude)
        overflow = floating.must_overflow(self.target, mode.lower(), sign, exact)
        rule = floating.code_rule(Rounding(mode.lower(), sign, exact, self.magnitude, around))
        inputs = [negative.term, self.significand.term, self.exponent.term, self.magnitude.term]
        self.compiled = compile_term([overflow, conjoin(negate(overflow), rule)], inputs)

    def at(self, number, code):
        """Whether the value overflows, and whether the rule names the code."""
        bits = number.denominator.bit_length() - 1
        shift = 0
        significand = abs(number.numerator)
        while significand % 2 == 0 and significand:
            significand, shift = significand // 2, shift + 1
        return self.compiled(number < 0, significand, (shift - bits) % (1 << self.exponent.width), code)


def beside(values):
    """Each value but zero, the midpoint to the next, and just beside both; then beyond the last."""
    for low, high in pairwise(values):
        middle, step = (low + high) / 2, (high - low) / 1024
        yield from (low, low + step, middle - step, middle, middle + step, high - step)
    largest, spacing = values[-1], values[-1] - values[-2]
    yield from (largest + spacing * part for part in (0, Fraction(1, 1024), Fraction(1, 2), Fraction(513, 1024), 1, 9))


def finite(name):
    values = {code: formats.value(NAMES[name], code) for code in range(128)}
    return {code: value for code, value in values.items() if value is not None}


@pytest.mark.parametrize(
    ("name", "mode"), [(name, mode) for name in ("e4m3", "hif8") for mode in MODES_OF.get(name, MODES)]
)
def test_of_all_eight_bit_codes_the_rule_names_one(name, mode):
    claims, codes = Claims(TARGETS[name], mode), finite(name)
    numbers = [number for number in beside(sorted(codes.values())) if number]
    # each mode looks at other ones, all at both ends
    start = MODES.index(mode)
    for number, negative in product([*numbers[:6], *numbers[6 + start : -6 : 13], *numbers[-6:]], (False, True)):
        signed = -number if negative else number
        code, flags = oracle(signed, name, mode)
        named = [each for each in codes if claims.at(signed, each)[1]]
        overflow = claims.at(signed, 0)[0]
        assert overflow == (flags == OVERFLOW), signed
        assert named == ([] if overflow else [code % 128]), (signed, mode)


EDGES = [Fraction(part, 8) for part in range(-5, 9)]


@pytest.mark.parametrize("name", ["fp16", "bf16", "fp32"])
@pytest.mark.parametrize("mode", MODES)
def test_near_the_edges_of_larger_formats_the_rule_names_the_oracles_code(name, mode):
    claims, target = Claims(TARGETS[name], mode), TARGETS[name]
    lowest = 1 - target.bias
    near = [0, 1, 2, (1 << target.fraction_bits) - 1, 1 << target.fraction_bits, target.largest - 1, target.largest]
    for code, part, negative in product(near, EDGES, (False, True)):
        at = formats.value(NAMES[name], code)
        assert at is not None
        ulp = power_of_two(max((code >> target.fraction_bits) - target.bias, lowest) - target.fraction_bits)
        number = abs(at + ulp * part) * (-1 if negative else 1)
        if not number:
            continue
        expected, flags = oracle(number, name, mode)
        magnitude = expected % (1 << target.bits)
        overflow = claims.at(number, 0)[0]
        assert overflow == (flags == OVERFLOW), number
        if not overflow:
            around = [each for each in range(magnitude - 2, magnitude + 3) if 0 <= each <= target.largest]
            assert [each for each in around if claims.at(number, each)[1]] == [magnitude], (number, mode)


# What the claims are made of.


@pytest.mark.parametrize("name", TARGETS)
def test_targets_are_the_oracles_formats(name):
    target, fmt = TARGETS[name], NAMES[name]
    assert formats.classify(fmt, target.largest).startswith("positive_normal")
    assert formats.value(fmt, target.largest) == max(
        formats.value(fmt, code) or 0 for code in (target.largest - 2, target.largest - 1, target.largest)
    )
    if name == "e4m3":
        assert target.infinity == formats.canonical_nan(fmt)
    else:
        assert formats.classify(fmt, target.infinity) == "positive_infinity"


@pytest.mark.parametrize("name", ["e4m3", "hif8"])
def test_what_surrounds_a_code(name):
    codes = finite(name)
    order = sorted(codes, key=codes.__getitem__)
    magnitude = u(7, "magnitude")
    around = tuple(tuple(value) for value in floating.neighbourhood(TARGETS[name], magnitude))
    terms = list(dict.fromkeys(leaf.term for leaf in leaves(around)))
    function = compile_term(terms, [magnitude.term])
    for place, code in enumerate(order):
        assigned = dict(zip(terms, function(code), strict=True)).__getitem__
        own, previous, following, below, above = (
            significand * power_of_two(exponent) for significand, exponent in concretize(around, assigned)
        )
        assert own == codes[code]
        if place:
            assert previous == codes[order[place - 1]]
            assert below == (own + previous) / 2
        if place + 1 < len(order):
            assert following == codes[order[place + 1]]
        assert above == (own + following) / 2
        assert following > own


def test_hif8_values_are_the_oracles():
    assert {code: Fraction(value, 1 << 24) for code, value in floating.hif8_values().items()} == finite("hif8")


def test_magnitudes_are_compared_exactly():
    left = Value(u(3, "left"), i(-6, 5, "left"))
    right = Value(u(4, "right"), i(-5, 6, "right"))
    less, equal = floating.compare(left, right)
    inputs = [leaf.term for leaf in leaves((*left, *right))]
    holds = compile_term([less, equal, floating.below(left, right), floating.same(left, right)], inputs)
    for one, a, two, b in product(range(8), range(-6, 6), range(16), range(-5, 7)):
        x, y = one * power_of_two(a), two * power_of_two(b)
        assert holds(one, a % 16, two, b % 16) == (x < y, x == y, x < y, x == y)


def test_destinations():
    named = {
        name: floating.destination_of(name) for name in ("vqf322hif8.rhb.sat", "noquant.fp32", "qs322bf16.rtz.sat")
    }
    assert named == {"vqf322hif8.rhb.sat": "hif8", "noquant.fp32": "fp32", "qs322bf16.rtz.sat": "bf16"}
    assert not floating.is_floating("noquant.s32")
    assert not floating.is_floating("req8.rne.nosat")
    assert floating.floating_nosat("deqf16.rne.nosat")
    assert not floating.floating_nosat("deqf16.rne.sat")
