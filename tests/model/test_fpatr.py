"""The B.FPATR word and the legality of its fields and of B.DATR's controls, against the oracle."""

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfulp_model import Attributes, Controls, Fault, FaultKind, Rejected, Rule, fpatr_decode, fpatr_encode
from halfulp_model.fpatr import controls_rule, decode_word, encode_word, fields_rule, has_fixed_bits, word_rule
from halfulp_model.loader import default_rules
from oracle import pto, tile

LAYOUT = default_rules().fpatr
MODES = tuple(default_rules().modes.values())
CANONICAL = 0x2023
words = st.one_of(
    st.integers(0, 2**32 - 1),
    st.integers(0, 2**32 - 1).map(lambda word: word & ~0x7E7F | CANONICAL),
    st.integers(0, 31).map(lambda bit: CANONICAL ^ 1 << bit),
)
attributes = st.builds(Attributes, *(st.integers(0, (1 << bits) - 1) for bits in (6, 3, 4, 1, 1, 1, 1, 1, 1)))


def test_the_word_of_nothing():
    assert fpatr_decode(CANONICAL) == Attributes()
    assert fpatr_encode(Attributes()) == CANONICAL


def test_every_field_has_its_place():
    given_ = Attributes(17, 3, 9, row_max=1, row_max_init=1, trans_b=1)
    assert fpatr_encode(given_) == CANONICAL | 17 << 26 | 3 << 23 | 9 << 19 | 1 << 18 | 1 << 16 | 1 << 8
    assert decode_word(LAYOUT, fpatr_encode(given_)) == given_


@given(attributes)
def test_decode_undoes_encode(fields):
    assert decode_word(LAYOUT, encode_word(LAYOUT, fields)) == fields


@given(words)
def test_a_word_is_accepted_where_the_oracle_accepts_it(word):
    expected = tile.decode(word)
    rule = word_rule(LAYOUT, word)
    illegal = rule is not None and default_rules().legality[rule.value].fault is FaultKind.ILLEGAL_INSTRUCTION
    assert illegal == (expected is None)
    if expected is not None:
        fields = decode_word(LAYOUT, word)
        assert tuple(fields) == tuple(vars(expected).values())
        assert (rule is None) == pto.fields_legal(*fields[:3], *map(bool, fields[3:7]))
        assert encode_word(LAYOUT, fields) == word


def test_faults_of_a_word():
    assert fpatr_decode(0) == Fault(
        FaultKind.ILLEGAL_INSTRUCTION,
        Rule.FIXED_BITS,
        "fixed_bits: Func is 2, ElementWiseEn 0, bits 10:9 0, Opc1 2, Opcode 1 and W 1",
    )
    assert fpatr_decode(CANONICAL | 1 << 16) == Fault(
        FaultKind.TILE_LEGALITY, Rule.ROW_MAX_INIT, "row_max_init: RowMaxInit requires RowMaxEn"
    )


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        *((1 << bit, Rule.FIXED_BITS) for bit in (0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14)),
        (6 << 26, Rule.PRE_QUANT_MODE),
        (63 << 26, Rule.PRE_QUANT_MODE),
        (4 << 23, Rule.RELU_MODE),
        (10 << 19, Rule.GROUP_N_CODE),
        (1 << 16, Rule.ROW_MAX_INIT),
        (1 << 17, Rule.GROUP_MAX),
        (1 << 19, Rule.GROUP_MAX),
        (1 << 15, Rule.MAX_ABS),
    ],
)
def test_a_word_breaks_one_rule(change, rule):
    assert word_rule(LAYOUT, CANONICAL ^ change) is rule


def test_every_combination_of_the_enables():
    for code, row, group, init, absolute in product((0, 1), repeat=5):
        fields = Attributes(0, 0, code, row, group, init, absolute)
        assert (fields_rule(LAYOUT, fields) is None) == pto.fields_legal(*fields[:3], *map(bool, fields[3:7]))


def test_controls_of_every_mode():
    for mode, rmode, sat in product(MODES, range(8), (0, 1)):
        rule = controls_rule(MODES, mode.code, Controls(rmode, sat))
        assert (rule is None) == pto.controls_legal(mode.code, tile.RMODES[rmode], bool(sat))
        assert rule in (None, Rule.ROUNDING, Rule.SATURATION)


@pytest.mark.parametrize("name", ["layout", "pad", "cmode", "canonicalize"])
def test_other_fields_of_datr_must_be_zero(name):
    assert controls_rule(MODES, 3, Controls(**{name: 1})) is Rule.DATR_FIELDS


def test_fixed_bits():
    assert has_fixed_bits(LAYOUT, 0xFFFF_81A3 & ~0x7E7F | CANONICAL)
    assert sum(has_fixed_bits(LAYOUT, CANONICAL ^ 1 << bit) for bit in range(32)) == 32 - 13


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fpatr_decode(1 << 32), "word: 4294967296 is not a number of 32 bits"),
        (lambda: fpatr_decode(-1), "word: -1 is not a number of 32 bits"),
        (lambda: fpatr_encode(Attributes(64)), "pre_quant: 64 is not a number of 6 bits"),
        (lambda: fpatr_encode(Attributes(row_max=2)), "row_max: 2 is not a number of 1 bit"),
    ],
)
def test_what_is_no_word(call, message):
    with pytest.raises(Rejected, match=f"^{re.escape(message)}$"):
        call()
