"""What the text of a report says in a phrase."""

import pytest

from halfulp_formal.amend.compare import hex_digits, written
from halfulp_formal.amend.markdown import cell
from halfulp_formal.amend.text import outcome
from halfulp_formal.explain import Explanation
from halfulp_formal.lift.values import symbol


@pytest.mark.parametrize(
    ("found", "phrase"),
    [
        ({"out": "0x7e", "flags": "NX", "value": "448"}, "0x7e (448), NX"),
        ({"fault": None}, "legal"),
        ({"fault": "illegal_instruction", "rule": "pre_quant_mode"}, "illegal_instruction by pre_quant_mode"),
        ({}, "nothing"),
    ],
)
def test_a_result_in_one_phrase(found, phrase):
    assert outcome(Explanation("a", "b", "c", (), found)) == phrase


@pytest.mark.parametrize(
    ("low", "high", "digits"), [(0, 7, 0), (-8, 7, 0), (0, 63, 2), (0, (1 << 15) - 1, 4), (0, (1 << 41) - 1, 16)]
)
def test_the_digits_of_a_pattern(low, high, digits):
    assert hex_digits(symbol(f"text.{low}.{high}", low, high)) == digits


def test_what_there_is_not_is_a_word_in_the_table():
    assert [cell(None, "none"), cell(None, "removed"), cell({"a": None}, "none"), cell("x", "none")] == [
        "none", "removed", '`{"a": null}`', '`"x"`',
    ]  # fmt: skip


def test_values_as_explanations_have_them():
    assert written("flags", 0x14, 2) == "OF|NX 0x14"
    assert written("pair flags", 0, 2) == "none 0x00"
    assert written("d 1 2", 0x7F, 16) == "0x000000000000007f"
    assert written("exponent", -3, 0) == "-3"
