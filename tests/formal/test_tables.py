"""Tables of short formats: which there are, how long they are, and rows that the specification spells out."""

import pytest

from halfulp_formal.tables import TableRow, format_table, table_formats
from halfulp_model import Decomposition, Rejected, ValueClass


def test_every_floating_format_of_at_most_eight_bits_has_a_table():
    expected = ["HiF8", "E4M3", "E5M2", "E3M2", "E2M3", "E2M1", "E2M1X2", "E1M2", "E1M2X2", "E8M0", "HiF4X2"]
    assert table_formats() == expected


@pytest.mark.parametrize("name", table_formats())
def test_a_table_has_every_code_once_and_a_number_for_every_finite_one(name):
    rows = format_table(name)
    assert [row.code for row in rows] == list(range(len(rows)))
    assert len(rows) in (16, 256)
    for row in rows:
        finite = row.value_class.value.endswith(("zero", "normal"))
        assert row.decomposition.available == finite


def test_rows_are_those_of_the_specification():
    def number(negative, significand, exponent):
        return Decomposition(True, negative, significand, exponent)

    none = Decomposition(False, False, 0, 0)
    assert format_table("E4M3")[0x7E] == TableRow(0x7E, ValueClass.POSITIVE_NORMAL, number(False, 14, 5))
    assert format_table("E4M3")[0xFF] == TableRow(0xFF, ValueClass.QUIET_NAN, none)
    assert format_table("HiF8")[0x07] == TableRow(0x07, ValueClass.POSITIVE_SUBNORMAL, number(False, 1, -16))
    assert format_table("HiF8")[0x7E] == TableRow(0x7E, ValueClass.POSITIVE_NORMAL, number(False, 2, -16))
    assert format_table("E3M2")[0x40] == TableRow(0x40, ValueClass.INVALID_ENCODING, none)
    assert format_table("E2M1X2")[0x9] == TableRow(0x9, ValueClass.NEGATIVE_NORMAL, number(True, 1, -1))
    assert format_table(13)[0] == TableRow(0, ValueClass.POSITIVE_NORMAL, number(False, 1, -127))


def test_a_wide_format_has_no_table():
    with pytest.raises(ValueError, match=r"^FP16 codes have 16 bits; expected at most 8$"):
        format_table("fp16")
    with pytest.raises(Rejected, match=r"^format: 'E4M4' is not a format; did you mean E4M3\?$"):
        format_table("E4M4")
