import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halfulp_model import parameters
from halfulp_model.loader import default_rules
from halfulp_model.rows import Parameter
from oracle import pto
from oracle.rounding import signed

RULES = default_rules()
LAYOUT, FP19 = RULES.parameter_word, RULES.formats["FP19"]
MODES = list(RULES.modes.values())
scales = st.integers(1 << 10, (255 << 10) - 1)
words = st.one_of(
    st.integers(0, (1 << 64) - 1),
    st.builds(lambda scale, offset: scale << 13 | offset << 37, st.integers(0, (1 << 19) - 1), st.integers(0, 1 << 17)),
    st.integers(0, 15).map(lambda code: code << 32),
)


def test_fields_are_where_the_specification_has_them():
    assert (LAYOUT.scale.low, LAYOUT.scale.bits) == (13, 19)
    assert LAYOUT.offset.low == 37
    assert (LAYOUT.shift.low, LAYOUT.shift.bits) == (32, 4)
    assert (LAYOUT.activation.low, LAYOUT.activation.bits) == (0, 19)


@given(words, st.integers(0, 60), st.integers(1, 20))
def test_a_field_is_some_bits_of_a_word(word, low, bits):
    assert parameters.field(word, low, bits) == pto.bit_field(word, low + bits - 1, low)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@settings(max_examples=30)
@given(word=words)
def test_offsets(mode, word):
    expected = signed(word >> 37, mode.offset_bits) if mode.offset_bits else 0
    assert parameters.offset_value(LAYOUT, mode, word) == expected


@given(words)
def test_scale_shift_and_activation(word):
    assert parameters.scale_bits(LAYOUT, word) == pto.bit_field(word, 31, 13)
    assert parameters.shift_places(LAYOUT, word) == pto.bit_field(word, 35, 32) + 1
    assert parameters.activation_bits(LAYOUT, word) == pto.bit_field(word, 18, 0)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@settings(max_examples=30)
@given(word=words)
def test_legality_is_the_oracles(mode, word):
    expected = mode.parameter is Parameter.NONE or pto.parameter_legal(mode.code, word)
    assert parameters.quant_word_legal(LAYOUT, mode, FP19, word) == expected
    assert parameters.activation_word_legal(LAYOUT, FP19, word) == pto.activation_legal(word)


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode.parameter is not Parameter.NONE], ids=lambda m: m.name)
def test_one_bit_turned_in_a_legal_word(mode):
    draw = random.Random(mode.name)
    for _ in range(20):
        if mode.parameter is Parameter.SHIFT:
            word = pto.build_shift(draw.randrange(16))
        else:
            offset = draw.randrange(-1 << mode.offset_bits >> 1, max(1 << mode.offset_bits >> 1, 1))
            word = pto.build_parameter(draw.randrange(1 << 10, 255 << 10), offset, mode.offset_bits)
        assert parameters.quant_word_legal(LAYOUT, mode, FP19, word)
        for bit in range(64):
            turned = word ^ 1 << bit
            assert parameters.quant_word_legal(LAYOUT, mode, FP19, turned) == pto.parameter_legal(mode.code, turned)


def test_every_class_of_activation():
    for code in (
        0,
        1,
        0x3FF,
        0x400,
        127 << 10,
        (255 << 10) - 1,
        255 << 10,
        0x3FF00,
        1 << 18,
        1 << 18 | 1 << 10,
        1 << 19,
    ):
        assert parameters.activation_word_legal(LAYOUT, FP19, code) == pto.activation_legal(code), hex(code)


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode.parameter is Parameter.SCALE], ids=lambda m: m.name)
@settings(max_examples=20)
@given(data=st.data(), scale=scales)
def test_words_are_built_and_read_back(mode, data, scale):
    half = 1 << mode.offset_bits >> 1
    offset = data.draw(st.integers(-half, max(half - 1, 0)))
    word = parameters.build_scale_word(LAYOUT, mode, scale, offset)
    assert word == pto.build_parameter(scale, offset, mode.offset_bits)
    assert parameters.quant_word_legal(LAYOUT, mode, FP19, word)
    assert parameters.scale_bits(LAYOUT, word) == scale
    assert parameters.offset_value(LAYOUT, mode, word) == offset
