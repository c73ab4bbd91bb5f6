import pytest

from halfulp_formal.explain.numerals import (
    FieldError,
    decimal_text,
    exact_argument,
    exact_text,
    read_exact,
    read_integer,
)
from halfulp_formal.subject import base_subject
from halfulp_model.exact import Exact

SUBJECT = base_subject()


@pytest.mark.parametrize(("text", "value"), [("300", 300), ("-5", -5), ("0x1_0", 16), ("-0x5", -5), (7, 7), ("007", 7)])
def test_integers(text, value):
    assert read_integer("acc", text) == value


@pytest.mark.parametrize("text", ["", "x", "1.0", "0x", "1e3", True, None, 1.0, "9" * 81, " 1"])
def test_what_is_no_integer(text):
    with pytest.raises(FieldError, match=r"expected an integer, in decimal or as 0x…$"):
        read_integer("acc", text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("307200*2^-10", (False, 307200, -10)),
        ("-5*2^+3", (True, 5, 3)),
        ("300", (False, 300, 0)),
        (300, (False, 300, 0)),
        ("-1.5", (True, 3, -1)),
        ("-0", (True, 0, 0)),
    ],
)
def test_exact_numbers(text, parts):
    assert read_exact(SUBJECT, "product", text) == Exact(*parts)


@pytest.mark.parametrize("text", ["0.1", "1/3", "2^5", "nan", "", 1.5, "1*2^99999"])
def test_what_is_no_exact_number(text):
    with pytest.raises(FieldError, match="expected an exact binary number"):
        read_exact(SUBJECT, "product", text)


@pytest.mark.parametrize(
    ("parts", "decimal", "exact"),
    [
        ((False, 300, 0), "300", "300"),
        ((True, 307200, -10), "-300", "-307200·2^-10"),
        ((False, 1, -1), "0.5", "1·2^-1"),
        ((True, 0, -149), "-0", "-0·2^-149"),
        ((False, 1, 100), "≈ 1.26765060023e+30", "1·2^100"),
        ((False, 1, -149), "≈ 1.40129846432e-45", "1·2^-149"),
        ((False, 13421773, -27), "≈ 0.100000001490", "13421773·2^-27"),
    ],
)
def test_numbers_as_text(parts, decimal, exact):
    value = Exact(*parts)
    assert exact_text(value) == exact
    assert decimal_text(value).rstrip("0") == decimal.rstrip("0")
    assert read_exact(SUBJECT, "product", exact_argument(value)) == value
