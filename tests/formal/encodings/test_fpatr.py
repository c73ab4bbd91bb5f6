"""The encoding of the B.FPATR word against the oracle, at single words."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfulp_formal.bits import Bits
from halfulp_formal.encodings import fpatr
from halfulp_formal.evaluate import compile_term
from oracle import pto, tile

WORD = Bits.symbol("encoded.word", 32)
FIELDS = fpatr.decode(WORD)
EVALUATED = compile_term(
    [
        fpatr.refusal(WORD).term,
        fpatr.encode(FIELDS).term,
        *(getattr(FIELDS, name).term for name in fpatr.Fields.__slots__),
    ],
    [WORD.term],
)
words = st.one_of(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1).map(lambda word: word & ~0x7E7F | 0x2023))


@given(words)
def test_words(word):
    refusal, encoded, *fields = EVALUATED(word)
    expected = tile.decode(word)
    assert (refusal in (1, 2, 3, 4)) == (expected is None)
    if expected is not None:
        assert fields == list(vars(expected).values())
        codes = int(fields[0]), int(fields[1]), int(fields[2])
        assert (refusal == 0) == pto.fields_legal(*codes, *map(bool, fields[3:7]))
        assert encoded == word


@pytest.mark.parametrize("accumulator", ["S32", "U32", "FP32"])
def test_accumulators(accumulator):
    code = Bits.symbol("encoded.mode", 6)
    takes = compile_term([fpatr.takes(accumulator.lower(), code).term], [code.term])
    for mode in pto.MODES:
        assert takes(mode) == (pto.accumulator_legal(mode, accumulator),)


def test_controls():
    code, rmode, sat = Bits.symbol("encoded.mode", 6), Bits.symbol("encoded.rmode", 3), Bits.symbol("encoded.sat", 1)
    nothing = {
        name: Bits.constant(0, bits) for name, bits in (("layout", 5), ("pad", 2), ("cmode", 3), ("canonicalize", 1))
    }
    legal = compile_term(
        [fpatr.controls_legal(code, fpatr.Datr(rmode, sat, **nothing)).term], [code.term, rmode.term, sat.term]
    )
    for mode, rounding, saturate in product(pto.MODES, range(8), (0, 1)):
        assert legal(mode, rounding, saturate) == (pto.controls_legal(mode, tile.RMODES[rounding], bool(saturate)),)
