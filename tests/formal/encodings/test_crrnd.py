"""The increment decision of the ten crrnd modes against rounding of signed exact values."""

from fractions import Fraction as Q
from itertools import product
from math import ceil, floor

import pytest

from halfulp_formal.bits import Bool
from halfulp_formal.encodings.crrnd import CRRND, increment
from oracle import bfp16


def rounded(v, mode):
    """The rule of each mode in words of the register's description, on the signed value."""
    low, high = floor(v), ceil(v)
    inward, outward = sorted((low, high), key=abs)
    even, odd = sorted((low, high), key=lambda n: n % 2)
    anywhere = {"floor": low, "ceil": high, "sym_floor": inward, "sym_ceil": outward}
    ties = {"neg_inf": low, "pos_inf": high, "sym_zero": inward, "sym_inf": outward, "conv_even": even, "conv_odd": odd}
    if mode in anywhere or low == high:
        return anywhere.get(mode, low)
    return ties[mode] if high - v == v - low else round(v)


def test_modes_have_the_codes_of_the_register():
    assert dict(CRRND) == bfp16.ROUNDINGS


@pytest.mark.parametrize("mode", CRRND)
def test_every_decision_is_the_signed_rule(mode):
    for negative, odd, guard, sticky in product((False, True), repeat=4):
        up = increment(
            mode,
            negative=Bool.constant(negative),
            lsb=Bool.constant(odd),
            guard=Bool.constant(guard),
            sticky=Bool.constant(sticky),
        )
        magnitude = 6 + odd + Q(guard, 2) + Q(sticky, 4)
        wanted = rounded(-magnitude if negative else magnitude, mode)
        assert 6 + odd + up.term.constant_value() == abs(wanted)
        assert bfp16.round_mantissa(-magnitude if negative else magnitude, mode) == wanted


def test_an_unknown_mode_is_named():
    false = Bool.constant(False)
    with pytest.raises(ValueError, match=r"^unknown crrnd mode rne; expected one of floor, ceil, sym_floor, .*odd$"):
        increment("rne", negative=false, lsb=false, guard=false, sticky=false)
