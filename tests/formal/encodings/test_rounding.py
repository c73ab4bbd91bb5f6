"""The increment decision against the rule for signed values."""

from fractions import Fraction as Q
from itertools import product

import pytest

from formal.encodings.exact import ROUNDINGS, rounded
from halfulp_formal.bits import Bool
from halfulp_formal.encodings.rounding import ROUNDING, increment


def test_there_are_the_seven_modes_of_the_specification():
    assert tuple(ROUNDING) == ROUNDINGS


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_every_decision_is_the_signed_rule(rounding):
    for negative, odd, guard, sticky in product((False, True), repeat=4):
        up = increment(
            rounding,
            negative=Bool.constant(negative),
            lsb=Bool.constant(odd),
            guard=Bool.constant(guard),
            sticky=Bool.constant(sticky),
        )
        magnitude = 6 + odd + Q(guard, 2) + Q(sticky, 4)
        wanted = abs(rounded(-magnitude if negative else magnitude, rounding))
        assert 6 + odd + up.term.constant_value() == wanted
