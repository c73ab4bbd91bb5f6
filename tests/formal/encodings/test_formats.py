"""Validity, class, exact value and order of every format's codes: against the slow oracle, and as proofs."""

from functools import cache
from itertools import pairwise
from random import Random

import pytest

from formal.encodings.exact import FP8_VALUES, fields_value, power
from halfulp_formal.bits import Bits, Bool
from halfulp_formal.encodings.formats import (
    CLASSES,
    FORMATS,
    classify,
    decompose,
    is_finite_class,
    lane_of,
    order_key,
    valid,
)
from halfulp_formal.evaluate import compile_term
from halfulp_formal.solvers import Answer, open_solver, preferred
from oracle import formats as oracle

NAMES = {"hif8": "HiF8", "hif4x2": "HiF4X2"}
FLOATING = [name for name, row in FORMATS.items() if row.decomposes]


def carrier(name, which="bits"):
    return Bits.symbol(f"formats.{name}.{which}", FORMATS[name].carrier_bits)


@cache
def decoder(name, lane):
    bits = carrier(name)
    parts = decompose(name, bits, lane)
    value = [parts.available.term, parts.negative.term, parts.significand.term, parts.exponent.term]
    rest = [classify(name, bits, lane).term, order_key(name, bits, lane).term, valid(name, bits).term]
    return compile_term(value + rest, [bits.term])


def codes(name):
    """Every carrier of eight bits; of a wider one corners, runs of ones and random ones, constraints kept or not."""
    bits, padding, random = FORMATS[name].carrier_bits, FORMATS[name].padding, Random(name)
    if bits <= 8:
        return list(range(1 << bits))
    runs = [((1 << high) - 1) ^ ((1 << low) - 1) for high in range(bits + 1) for low in range(high)]
    chosen = runs + [random.getrandbits(bits) for _ in range(300)]
    return chosen + [code >> padding << padding for code in chosen]


@pytest.mark.parametrize(("name", "lane"), [(name, lane) for name in FORMATS for lane in range(FORMATS[name].lanes)])
def test_the_oracle_agrees(name, lane):
    known = NAMES.get(name, name.upper())
    for bits in codes(name):
        available, negative, significand, exponent, value_class, _, is_valid = decoder(name, lane)(bits)
        alone = bits >> 4 * lane & 15 if FORMATS[name].lanes > 1 else bits
        signed = exponent - (exponent >> 11 << 12)
        assert (available, negative, significand, signed) == oracle.decompose(known, alone), hex(bits)
        assert CLASSES[value_class] == oracle.classify(known, alone), hex(bits)
        assert is_valid == oracle.valid(known, bits)


def exact(available, negative, significand, exponent, *_):
    assert available
    return (-1) ** negative * significand * power(exponent - (exponent >> 11 << 12))


@pytest.mark.parametrize(
    ("name", "exponent_bits", "fraction_bits"), [("fp64", 11, 52), ("tf32", 8, 10), ("fp19", 8, 10)]
)
def test_value_is_that_of_the_fields(name, exponent_bits, fraction_bits):
    padding, special = FORMATS[name].padding, (1 << exponent_bits) - 1
    for bits in codes(name):
        field = bits >> (fraction_bits + padding) & special
        if field != special and bits >> padding << padding == bits:
            assert exact(*decoder(name, 0)(bits)) == fields_value(bits >> padding, exponent_bits, fraction_bits)


@pytest.mark.parametrize("name", ["e4m3", "hif8"])
def test_value_of_every_finite_code_of_eight_bits(name):
    for bits, value in FP8_VALUES[name].items():
        assert exact(*decoder(name, 0)(bits)) == value


@pytest.mark.parametrize("name", FORMATS)
def test_order_of_keys_is_order_of_values(name):
    known, ends = NAMES.get(name, name.upper()), {"positive_infinity": 2**2000, "negative_infinity": -(2**2000)}
    placed = []
    for bits in codes(name):
        *_, value_class, key, _ = decoder(name, 0)(bits)
        named = CLASSES[value_class]
        value = ends.get(named, oracle.value(known, bits))
        if value is not None:
            placed.append((key, named != "negative_zero", value))
    placed.sort()
    for (lower, _, less), (upper, _, more) in pairwise(placed):
        assert less <= more
        assert lower != upper or less == more
        assert lower == upper or less < more or (less == more == 0)


@pytest.mark.parametrize("name", ["fp64", "fp32", "tf32", "hf32", "fp16", "bf16", "e4m3", "e5m2"])
def test_key_is_the_code_with_bits_flipped(name):
    bits = carrier(name)
    top = bits.width - 1
    flipped = [~bits, bits ^ (1 << top)]
    prove((order_key(name, bits) == flipped[0]) | ~bits.bit(top))
    prove((order_key(name, bits) == flipped[1]) | bits.bit(top))


# Proofs over every code.


def prove(claim, *assumptions):
    with open_solver(preferred(), 20) as solver:
        solver.add(*(assumption.term for assumption in assumptions), (~claim).term)
        assert solver.check() is Answer.UNSAT


@pytest.mark.parametrize("name", FORMATS)
def test_available_if_and_only_if_finite_and_floating(name):
    bits = carrier(name)
    value_class, parts = classify(name, bits), decompose(name, bits)
    prove(value_class.bvult(len(CLASSES)))
    prove(valid(name, bits) == (value_class != 0))
    prove(parts.available == (is_finite_class(value_class) & Bool.constant(name in FLOATING)))
    prove((parts.significand == 0) & (parts.exponent == 0) & ~parts.negative, ~parts.available)


@pytest.mark.parametrize("name", [name for name in FLOATING if name not in ("hif8", "e8m0")])
def test_finite_codes_with_the_same_value_are_the_same(name):
    one, other = carrier(name, "one"), carrier(name, "other")
    left, right = decompose(name, one), decompose(name, other)
    same = (left.negative == right.negative) & (left.significand == right.significand)
    prove(
        lane_of(name, one) == lane_of(name, other),
        left.available,
        right.available,
        same & (left.exponent == right.exponent),
    )


def test_messages():
    with pytest.raises(ValueError, match=r"^no format is named 'FP8'; expected one of fp64, fp32, tf32, hf32, fp16"):
        valid("FP8", Bits.constant(0, 8))
    with pytest.raises(ValueError, match=r"^e2m3 carrier has 6 bits; expected 8$"):
        valid("e2m3", Bits.constant(0, 6))
    with pytest.raises(ValueError, match=r"^e2m1x2 carrier has no lane 2; expected less than 2$"):
        classify("e2m1x2", Bits.constant(0, 8), 2)
