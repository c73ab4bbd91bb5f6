"""The pipeline of every conversion against the oracle: elements at random, stages exhaustively where they are small."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halfulp_model import postprocess
from halfulp_model.conversions import conversions
from halfulp_model.exact import ZERO, Exact
from halfulp_model.integers import to_word
from halfulp_model.rows import Parameter
from oracle import encoders, formats, pto
from oracle.rounding import OVERFLOW, signed

CONVERSIONS = conversions()
FP32_SPECIALS = [
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x807FFFFF, 0x00800000, 0x80800000, 0x3F800000,
    0xBF800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7F800001, 0xFF800001, 0x7FC00000, 0xFFFFFFFF,
]  # fmt: skip
INTEGER_SPECIALS = [0, 1, 2, 3, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF, 0xFFFFFFFE]


@st.composite
def elements(draw, name):
    """Legal inputs of a conversion: value pattern, ReluMode and the two words."""
    conversion = CONVERSIONS[name]
    is_float = not conversion.accumulator.is_integer
    specials = FP32_SPECIALS if is_float else INTEGER_SPECIALS
    value = draw(st.one_of(st.sampled_from(specials), st.integers(0, 0xFFFFFFFF), st.integers(0, 600)))
    binade = formats_binade(value, is_float)
    factor = draw(factors(binade))
    half = 1 << conversion.mode.offset_bits >> 1
    if conversion.mode.parameter is Parameter.SHIFT:
        quant_word = pto.build_shift(draw(st.integers(0, 15)))
    elif conversion.mode.parameter is Parameter.SCALE:
        offset = draw(st.one_of(st.integers(-half, max(half - 1, 0)), st.sampled_from([0, -half, max(half - 1, 0)])))
        quant_word = pto.build_parameter(factor, offset, conversion.mode.offset_bits)
    else:
        quant_word = draw(st.integers(0, (1 << 64) - 1))
    return value, draw(st.integers(0, 3)), quant_word, draw(st.one_of(st.just(0), factors(binade)))


def formats_binade(value, is_float):
    return (value >> 23 & 0xFF) - 127 if is_float else signed(value, 32).bit_length()


def factors(binade):
    """Positive normal FP19 codes; half of them bring the value near the range of small integers."""
    near = st.integers(-12, 20).map(lambda target: min(max(target - binade + 127, 1), 254))
    exponents = st.one_of(near, st.integers(1, 254))
    fractions = st.one_of(st.sampled_from([0, 1, 0x200, 0x3FF]), st.integers(0, 0x3FF))
    return st.builds(lambda exponent, fraction: exponent << 10 | fraction, exponents, fractions)


def run(name, value, relu, quant_word, relu_word):
    conversion = CONVERSIONS[name]
    is_signed = conversion.accumulator.is_integer and conversion.accumulator.signed
    number = signed(value, 32) if is_signed else value
    return tuple(postprocess.element(conversion, number, relu, quant_word, relu_word))


def oracle(name, value, relu, quant_word, relu_word):
    conversion = CONVERSIONS[name]
    return pto.post_process(
        value,
        conversion.mode.code,
        conversion.rounding.name,
        conversion.saturate,
        relu,
        quant_word,
        relu_word,
        conversion.accumulator.name,
    )


@settings(max_examples=250)
@given(data=st.data())
def test_any_element_of_any_conversion_is_the_oracles(data):
    name = data.draw(st.sampled_from(list(CONVERSIONS)))
    inputs = data.draw(elements(name))
    assert postprocess.legal(CONVERSIONS[name], *inputs[1:])
    assert run(name, *inputs) == oracle(name, *inputs)


def drawn(name, random):
    """Legal inputs of a conversion as `elements` has them, drawn faster."""
    conversion = CONVERSIONS[name]
    is_float = not conversion.accumulator.is_integer
    special = random.choice(FP32_SPECIALS if is_float else INTEGER_SPECIALS)
    value = random.choice([special, random.getrandbits(32), random.getrandbits(32), random.randrange(600)])

    def factor():
        near = random.randint(-12, 20) - formats_binade(value, is_float) + 127
        exponent = random.choice([min(max(near, 1), 254), random.randint(1, 254)])
        return exponent << 10 | random.choice([0, 1, 0x200, 0x3FF, random.getrandbits(10)])

    half = 1 << conversion.mode.offset_bits >> 1
    words = {
        Parameter.NONE: random.getrandbits(64),
        Parameter.SHIFT: pto.build_shift(random.randrange(16)),
        Parameter.SCALE: pto.build_parameter(
            factor(),
            random.choice([0, -half, max(half - 1, 0), random.randint(-half, max(half - 1, 0))]),
            conversion.mode.offset_bits,
        ),
    }
    return value, random.randrange(4), words[conversion.mode.parameter], random.choice([0, factor(), factor()])


@pytest.mark.parametrize("name", CONVERSIONS)
def test_elements_are_the_oracles(name):
    random = Random(name)
    for _ in range(60):
        inputs = drawn(name, random)
        assert run(name, *inputs) == oracle(name, *inputs), inputs


@pytest.mark.slow
@pytest.mark.parametrize("name", CONVERSIONS)
def test_many_elements_are_the_oracles(name):
    random = Random(f"many of {name}")
    for _ in range(5000):
        inputs = drawn(name, random)
        assert run(name, *inputs) == oracle(name, *inputs), inputs


ONE = 127 << 10
BY_MODE = list({name.split(".")[0] + row.accumulator.name: name for name, row in CONVERSIONS.items()}.values())


@pytest.mark.parametrize("name", BY_MODE)
def test_specials_under_every_relu_mode(name):
    conversion = CONVERSIONS[name]
    specials = INTEGER_SPECIALS if conversion.accumulator.is_integer else FP32_SPECIALS
    word = 0
    if conversion.mode.parameter is Parameter.SCALE:
        word = pto.build_parameter(ONE, 1 if conversion.mode.offset_bits else 0, conversion.mode.offset_bits)
    for value, relu, factor in product(specials, range(4), (0, ONE, 1 << 10, (255 << 10) - 1)):
        assert run(name, value, relu, word, factor) == oracle(name, value, relu, word, factor), (hex(value), relu)


# Stages.


@pytest.mark.parametrize(
    "name", ["req4.rne.nosat", "req4.rhb.sat", "vreq4.rto.nosat", "req4.rtm.sat", "req4.rtz.nosat"]
)
def test_the_stages_of_the_smallest_mode_exhaustively(name):
    conversion = CONVERSIONS[name]
    for eighths, offset in product(range(-200, 201), range(-16, 16)):
        product_ = Exact(eighths < 0, abs(eighths), -3)
        stages = postprocess.integer_stages(conversion, product_, offset)
        intermediate, flags = pto.round_and_saturate(Fraction(eighths, 8), 5, conversion.rounding.name)
        number, more = encoders.integer(
            Fraction(intermediate + offset), -8, 7, conversion.rounding.name, conversion.saturate
        )
        assert stages.intermediate == intermediate
        assert stages.total == intermediate + offset
        assert (stages.word, stages.flags) == (to_word(signed(number, 4)), flags | more)


def test_stages_by_hand():
    """The specification's rounding example, stage by stage."""
    stages = postprocess.integer_stages(CONVERSIONS["req8.rne.nosat"], Exact(False, 300, 0), 1)
    assert stages == (300, 255, 256, 0, 0x14)
    assert postprocess.integer_stages(CONVERSIONS["req8.rne.sat"], Exact(False, 300, 0), 1) == (
        300,
        255,
        256,
        127,
        0x14,
    )
    assert postprocess.integer_stages(CONVERSIONS["req8.rne.nosat"], Exact(True, 5, -1), 1) == (
        -2, -2, -1, (1 << 64) - 1, 0x10,
    )  # fmt: skip


def test_a_mode_without_intermediate_rounds_once_and_wraps():
    conversion = CONVERSIONS["noquant.s32"]
    for value in (0, 5, (1 << 31) - 1, 1 << 31, -(1 << 31), -(1 << 31) - 1, 3 << 31):
        stages = postprocess.integer_stages(conversion, Exact(value < 0, abs(value), 0), 0)
        fits = -(1 << 31) <= value < 1 << 31
        assert (stages.intermediate, stages.total) == (value, value)
        assert (stages.word, stages.flags) == (to_word(signed(value, 32)), 0 if fits else OVERFLOW)


@pytest.mark.parametrize(
    "value", [0, 1, -1, 0x7FFF, 0x8000, 0xFFFF, 0x10000, -0x8000, -0x8001, (1 << 31) - 1, -(1 << 31)]
)
def test_shifts(value):
    for code in range(16):
        word, flags = postprocess.shift_element(CONVERSIONS["shifts322s16"], value, code << 32)
        floored = Fraction(value, 2 << code).__floor__()
        limited = min(max(floored, -0x8000), 0x7FFF)
        assert (word, flags) == (to_word(limited), 0 if limited == floored else OVERFLOW)


def test_the_negative_path():
    fp32, s32, u32 = (CONVERSIONS[f"noquant.{name}"] for name in ("fp32", "s32", "u32"))
    for code in FP32_SPECIALS:
        assert postprocess.source_negative(fp32, code) == formats.classify("FP32", code).startswith("negative")
    assert [postprocess.source_negative(s32, value) for value in (-1, 0, 1)] == [True, False, False]
    assert not postprocess.source_negative(u32, 0xFFFFFFFF)


def test_the_multiplier():
    conversion = CONVERSIONS["req8.rne.nosat"]
    scale, factor = Exact(False, 1 << 10, -9), Exact(False, 3 << 9, -10)
    words = (128 << 23, 127 << 10 | 1 << 9)
    chosen = {
        (value, relu): postprocess.select_multiplier(conversion, value, relu, *words)
        for value, relu in product((-5, 5), range(4))
    }
    assert {chosen[5, relu] for relu in range(4)} | {chosen[-5, 0]} == {scale}
    assert chosen[-5, 1] == ZERO
    assert chosen[-5, 2] == chosen[-5, 3] == factor


def test_minus_infinity_under_a_factor_of_zero_counts_as_zero():
    conversion = CONVERSIONS["qf322b8.rne.nosat"]
    word = pto.build_parameter(ONE, 5, 9)
    assert run("qf322b8.rne.nosat", 0xFF800000, 1, word, 0) == (5, 0)
    assert run("qf322b8.rne.nosat", 0xFF800000, 2, word, 0) == (5, 0)
    assert run("qf322b8.rne.nosat", 0xFF800000, 0, word, 0) == (to_word(-128), 0x01)
    assert run("qf322b8.rne.nosat", 0x7F800000, 1, word, 0) == (to_word(-128), 0x01)
    assert not postprocess.is_special(conversion, 0xFF800000, ZERO)
    assert postprocess.is_special(conversion, 0xFF800000, Exact(False, 1, 0))


def test_reserved_relu_modes_are_illegal():
    for name in BY_MODE:
        for relu in (4, 5, 6, 7, -1):
            assert not postprocess.legal(CONVERSIONS[name], relu, 127 << 23, 0)
