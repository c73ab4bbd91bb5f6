"""S4X2 elements in bytes: the first one in the low nibble."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfulp_model import Rejected, pack_s4x2, unpack_s4x2
from oracle.tile import nibbles

elements = st.lists(st.integers(-8, 7), max_size=33)


@given(elements)
def test_pack_and_back(given_elements):
    packed = pack_s4x2(given_elements)
    assert packed == nibbles(given_elements)
    assert unpack_s4x2(packed, len(given_elements)) == tuple(given_elements)


@given(st.binary(max_size=17))
def test_unpack_and_back(data):
    assert pack_s4x2(unpack_s4x2(data)) == data


def test_both_positions():
    assert pack_s4x2([1, 2]) == b"\x21"
    assert pack_s4x2([-1]) == b"\x0f"
    assert pack_s4x2([(1 << 64) - 8, 7]) == b"\x78"
    assert unpack_s4x2(b"\x21") == (1, 2)
    assert unpack_s4x2(b"\x8f", 1) == (-1,)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pack_s4x2([8]), "element: 8 is not a signed four-bit element; expected -8 to 7"),
        (lambda: pack_s4x2([-9]), "element: -9 is not a signed four-bit element; expected -8 to 7"),
        (
            lambda: pack_s4x2([(1 << 64) - 9]),
            "element: 18446744073709551607 is not a signed four-bit element; expected -8 to 7",
        ),
        (lambda: unpack_s4x2(b"\x00", 3), "count: 3 is not a number of the elements given; expected 0 to 2"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(Rejected, match=f"^{re.escape(message)}$"):
        call()
