"""Legality of parameter and activation words, mode by mode."""

import pytest

from formal.encodings.exact import ONE
from halfulp_formal.bits import Bits
from halfulp_formal.encodings import legal
from halfulp_formal.encodings.modes import MODES
from halfulp_formal.encodings.parameters import quant_word_legal

#: codes by the bits of the parameter word their modes may set
USED = {
    (): [0, 1, 16],
    ((35, 32),): [12, 13],
    ((31, 13),): [4, 5, 25, 26, 27, 28, 32, 33, 34, 35, 36, 37, 38, 39],
    ((31, 13), (41, 37)): [17, 18],
    ((31, 13), (45, 37)): [2, 3, 23, 24],
    ((31, 13), (53, 37)): [19, 20],
}
SCALE = ONE << 13


def accepts(mode, word):
    return quant_word_legal(mode, Bits.constant(word, 64)).term.is_true()


def test_every_code_is_in_one_group():
    assert sorted(code for codes in USED.values() for code in codes) == sorted({m.code for m in MODES.values()})


@pytest.mark.parametrize("name", MODES)
def test_a_bit_outside_the_fields_is_illegal(name):
    mode = MODES[name]
    fields = next(fields for fields, codes in USED.items() if mode.code in codes)
    base = SCALE if (31, 13) in fields else 0
    assert accepts(mode, base)
    for bit in range(64):
        if not fields:
            expected = True
        elif (31, 13) in fields and 13 <= bit <= 31:
            continue
        else:
            expected = any(low <= bit <= high for high, low in fields)
        assert accepts(mode, base ^ 1 << bit) == expected, bit


@pytest.mark.parametrize(
    ("scale", "expected"),
    [
        (0x00000, False),
        (0x003FF, False),
        (0x00400, True),
        (ONE, True),
        (0x3FBFF, True),
        (0x3FC00, False),
        (0x3FF00, False),
        (0x40400, False),
        (0x40000, False),
        (0x5FC00, False),
    ],
)
def test_a_scale_is_positive_normal(scale, expected):
    for name, mode in MODES.items():
        if mode.parameter == "scale":
            assert accepts(mode, scale << 13) == expected, name


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        (0, True),
        (0x00001, False),
        (0x003FF, False),
        (0x00400, True),
        (0x3FBFF, True),
        (0x3FC00, False),
        (0x40000, False),
        (0x40400, False),
        (ONE | 1 << 19, False),
        (ONE | 1 << 63, False),
    ],
)
@pytest.mark.parametrize("relu", range(8))
def test_an_activation_word_matters_where_it_is_read(relu, word, expected):
    for name, quant_word in (("noquant.fp32", 2**64 - 1), ("shifts322s16", 0), ("req8.rne.sat", SCALE)):
        accepted = legal(name, Bits.constant(relu, 3), Bits.constant(quant_word, 64), Bits.constant(word, 64))
        assert accepted.term.is_true() == (relu < 2 or (relu < 4 and expected))
