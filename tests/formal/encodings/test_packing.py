"""Rounding into every destination format, in all seven modes, whatever mode of B.FPATR asks for it."""

from fractions import Fraction as Q
from functools import cache
from itertools import pairwise
from random import Random

import pytest

from formal.encodings.exact import (
    FP8_VALUES,
    ROUNDINGS,
    encode_float,
    encode_integer,
    fields_value,
    power,
    wrap,
)
from halfulp_formal.bits import Bits, Bool, ite, select
from halfulp_formal.encodings.align import Product
from halfulp_formal.encodings.float_pack import LAYOUTS, pack
from halfulp_formal.encodings.hif8 import pack_hif8
from halfulp_formal.encodings.requantize import affine, round_to_signed
from halfulp_formal.evaluate import compile_term
from halfulp_formal.solvers import Answer, open_solver, preferred

WIDTH = 35
NEGATIVE = Bool.symbol("packing.negative")
PRODUCT = Product(NEGATIVE, Bits.symbol("packing.significand", WIDTH), Bits.symbol("packing.exponent", 10))
INPUTS = [part.term for part in (PRODUCT.negative, PRODUCT.significand, PRODUCT.exponent)]


def packed_into(destination, product, rounding):
    layout = LAYOUTS.get(destination)
    return pack(product, layout, rounding) if layout else pack_hif8(product, rounding)


@cache
def packer(destination, rounding):
    packed = packed_into(destination, PRODUCT, rounding)
    return compile_term([packed.code.term, packed.overflow.term, packed.flags.term], INPUTS)


def parts(v, slack):
    """A value as the three inputs, its significand shifted left as far as `slack` says it may."""
    magnitude = abs(v)
    exponent = -(magnitude.denominator.bit_length() - 1)
    significand = magnitude.numerator
    while significand % 2 == 0:
        significand, exponent = significand // 2, exponent + 1
    shift = slack % (WIDTH - significand.bit_length() + 1)
    return v < 0, significand << shift, (exponent - shift) % 1024


def check(destination, rounding, v, slack=0):
    code, overflow, flags = packer(destination, rounding)(*parts(v, slack))
    wanted, wanted_flags = encode_float(v, destination, rounding, sat=True)
    assert overflow == (wanted_flags == 0x14), (destination, rounding, v)
    assert flags == wanted_flags, (destination, rounding, v)
    if not overflow:
        assert code == wanted, (destination, rounding, v)


def around(v, tiny):
    """A value, and the two that only a sticky bit tells from it."""
    return (v, v + tiny, v - tiny)


@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("destination", ["e4m3", "hif8"])
def test_every_code_and_midpoint_of_a_format_of_eight_bits(destination, rounding):
    magnitudes = sorted({abs(v) for v in FP8_VALUES[destination].values()})
    largest = magnitudes[-1]
    points = magnitudes + [(a + b) / 2 for a, b in pairwise(magnitudes)]
    points += [largest * Q(33, 32), largest * Q(17, 16), largest * 2, magnitudes[1] / 4, magnitudes[1] / 1024]
    for index, point in enumerate(points):
        for v in around(point, magnitudes[1] / 2**6 if point < 2**-8 else point / 2**16):
            for signed in (v, -v):
                if signed != 0:
                    check(destination, rounding, signed, index)


@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize(
    ("destination", "exponent_bits", "fraction_bits"), [("fp16", 5, 10), ("bf16", 8, 7), ("fp32", 8, 23)]
)
def test_corners_and_random_values_of_the_wider_formats(destination, exponent_bits, fraction_bits, rounding):
    random = Random(f"{destination} {rounding}")
    last = ((1 << exponent_bits) - 1 << fraction_bits) - 1
    normal = 1 << fraction_bits
    codes = [
        0,
        1,
        2,
        3,
        normal - 2,
        normal - 1,
        normal,
        normal + 1,
        2 * normal - 1,
        2 * normal,
        last - 1,
        last,
    ]
    codes += [random.randrange(last) for _ in range(60)]
    top = power(1 << (exponent_bits - 1))
    for index, code in enumerate(codes):
        low = fields_value(code, exponent_bits, fraction_bits)
        high = top if code == last else fields_value(code + 1, exponent_bits, fraction_bits)
        step = high - low
        for point in (low, (low + high) / 2):
            for v in around(point, step / 2**9):
                for signed in (v, -v):
                    if signed != 0:
                        check(destination, rounding, signed, index)
    for exponent in (-250, -150, -40, 17, 128, 200):
        check(destination, rounding, random.choice([-1, 1]) * random.getrandbits(30) * power(exponent))


@cache
def quantizer(offset_bits, width, rounding, sat):
    offset = Bits.symbol(f"packing.offset{offset_bits}", offset_bits)
    element, flags = affine(PRODUCT, offset, width, rounding, saturating=sat)
    return compile_term([element.term, flags.term], [*INPUTS, offset.term])


@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize(("offset_bits", "width"), [(5, 4), (9, 8), (17, 16)])
def test_affine_quantization(offset_bits, width, rounding):
    random = Random(f"{offset_bits} {rounding}")
    least = -(1 << (offset_bits - 1))
    for _ in range(300):
        near = random.choice([least, -least, 0, 1, random.randrange(2 * least, -2 * least)])
        v = near + Q(random.randrange(-8, 9), random.choice([4, 8, 1024]))
        if random.random() < 0.1:
            v = random.choice([-1, 1]) * random.randrange(1, 2**30) * power(random.randrange(-250, 200))
        if v == 0:
            continue
        offset = random.choice([0, -1, least, -least - 1, random.randrange(least, -least)])
        for sat in (False, True):
            inputs = (*parts(v, random.getrandbits(5)), offset % (1 << offset_bits))
            element, flags = quantizer(offset_bits, width, rounding, sat)(*inputs)
            wanted = encode_integer(v, offset, offset_bits, width, rounding, sat)
            assert (wrap(element, width), flags) == wanted, (v, offset, sat)


def test_rounding_to_signed_wraps():
    rounded = round_to_signed(PRODUCT, 8, "rne")
    run = compile_term([rounded.value.term, rounded.overflow.term, rounded.inexact.term], INPUTS)
    assert run(*parts(Q(300), 0)) == (44, True, False)
    assert run(*parts(Q(-129), 3)) == (127, True, False)
    assert run(*parts(Q(-257, 2), 0)) == (128, False, True)
    assert run(*parts(Q(1 << 40), 0)) == (0, True, False)


def by_table(product, destination, rounding, least):
    """Code, overflow and flags from the list of all magnitudes, on the product in units of 2^least."""
    width = product.significand.width + 60
    value = product.significand.zero_extend(width) << (product.exponent - least).sign_extend(width)
    points = sorted((int(v * 2**-least), code) for code, v in FP8_VALUES[destination].items() if code < 128)
    code, is_point = Bits.constant(0, 7), Bool.constant(False)
    for (low, low_code), (high, high_code) in pairwise(points):
        middle = (low + high) // 2
        up = {
            "rne": value.bvuge(middle) if low_code % 2 else value.bvugt(middle),
            "rtm": product.negative,
            "rtp": ~product.negative,
            "rtz": Bool.constant(False),
            "rna": value.bvuge(middle),
            "rto": Bool.constant(low_code % 2 == 0),
            "rhb": value.bvugt(middle) | ((value == middle) & ~product.negative),
        }[rounding]
        inside = value.bvugt(low) & value.bvult(high)
        exactly = value == high
        code = ite(exactly | (inside & up), Bits.constant(high_code, 7), ite(inside, Bits.constant(low_code, 7), code))
        is_point |= exactly
    overflow = value.bvugt(points[-1][0])
    tiny = value.bvult(1 << ({"e4m3": -6, "hif8": -15}[destination] - least))
    flags = select(
        (overflow, Bits.constant(0x14, 5)),
        (is_point, Bits.constant(0, 5)),
        (tiny, Bits.constant(0x18, 5)),
        otherwise=Bits.constant(0x10, 5),
    )
    return (product.negative & (code != 0)).bits().concat(code), overflow, flags


@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("destination", ["e4m3", "hif8"])
def test_a_solver_finds_no_product_that_the_table_of_codes_rounds_otherwise(destination, rounding):
    least, most = -34, 16
    product = Product(NEGATIVE, Bits.symbol("packing.short", 9), PRODUCT.exponent)
    code, overflow, flags = by_table(product, destination, rounding, least)
    packed = packed_into(destination, product, rounding)
    same = (overflow == packed.overflow) & (flags == packed.flags) & (overflow | (code == packed.code))
    assumed = (product.significand != 0) & product.exponent.bvsge(least) & product.exponent.bvsle(most)
    with open_solver(preferred(), 60) as solver:
        solver.add(assumed.term, (~same).term)
        assert solver.check() is Answer.UNSAT
