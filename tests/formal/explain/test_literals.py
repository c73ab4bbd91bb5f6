"""Codes as people write them: every floating format reads numbers, infinities, NaNs and zeros by the same rules."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfulp_formal.explain import FieldError, evaluate, explain
from halfulp_formal.explain.literals import read_code, rounded_fields
from halfulp_formal.explain.stages import as_lines, as_record
from halfulp_formal.subject import base_subject
from halfulp_model import decompose, descriptor
from halfulp_model.loader import default_rules

SUBJECT = base_subject()
ROWS = default_rules().formats
FLOATING = [name for name, row in ROWS.items() if not row.is_integer]


def code_of(name, text):
    return read_code(SUBJECT, "in", text, ROWS[name])


def value_of(name, code):
    """The number of a code, None where it has none."""
    number = decompose(name, code)
    magnitude = Fraction(number.significand) * Fraction(2) ** number.exponent
    return (-magnitude if number.negative else magnitude) if number.available else None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1.0", 0x3F800000),
        ("-0.0", 0x80000000),
        ("-0", 0x80000000),
        ("0", 0),
        (0, 0),
        ("0.1", 0x3DCCCCCD),
        ("16777217.0", 0x4B800000),  # a tie goes to even
        ("16777217.000000000000000000001", 0x4B800001),  # and what is beyond it does not, however little
        ("1e-45", 0x00000001),
        ("7.006492321624085e-46", 0x00000000),  # half the smallest subnormal, as a double has it
        ("3.4028235e38", 0x7F7FFFFF),
        ("inf", 0x7F800000),
        ("-inf", 0xFF800000),
        ("nan", 0x7FC00000),
        (".5", 0x3F000000),
        ("1.", 0x3F800000),
        ("2e0", 0x40000000),
        ("3*2^-5", 0x3DC00000),
    ],
)
def test_numbers_are_rounded_once_to_fp32(text, code):
    assert code_of("FP32", text) == code


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("FP64", "0.1", 0x3FB999999999999A),
        ("FP64", "-nan", 0xFFF8000000000000),
        ("FP64", "1e-9999", 0),
        ("FP16", "65519.5", 0x7BFF),
        ("BF16", "0.1", 0x3DCD),
        ("TF32", "0.1", 0x3DCCC000),
        ("HF32", "-1e-45", 0x80000000),
        ("FP19", "1.0", 0x1FC00),
        ("FP19", 0.1, 0x1EE66),
        ("FP19", "0X1FC00", 0x1FC00),
        ("E4M3", "464.0", 0x7E),  # a tie with what would be 480
        ("E4M3", "-nan", 0xFF),
        ("E5M2", "inf", 0x7C),
        ("E2M1", "2.5", 0x4),  # a tie goes to even
        ("E2M1X2", "5.0", 0x6),
        ("HiF8", "0.3", 0x32),
        ("HiF8", "-inf", 0xEF),
        ("HiF8", "nan", 0x80),
        ("E8M0", "0.3", 0x7D),
        ("E8M0", "nan", 0xFF),
        ("S8", "-3", 0xFD),
        ("S8", "-0x3", 0xFD),
        ("S8", "0xfd", 0xFD),
        ("U8", "0xff", 0xFF),
    ],
)
def test_every_format_reads_numbers(name, text, code):
    assert code_of(name, text) == code


@pytest.mark.parametrize("name", [name for name in FLOATING if name != "FP19"])
@given(st.integers(1, 1 << 50), st.integers(-70, -50))
def test_no_finite_code_is_nearer(name, significand, places):
    code = code_of(name, f"{significand}*2^{places}")
    wanted, found = Fraction(significand) * Fraction(2) ** places, value_of(name, code)
    # the codes of a positive number's neighbours are its own, plus and minus one, but for HiF8
    step = 1 << ROWS[name].low_zero_bits
    others = range(256) if name == "HiF8" else (code - step, code + step)
    for other in others:
        number = value_of(name, other) if 0 <= other < 1 << ROWS[name].sign_bit else None
        assert number is None or abs(found - wanted) <= abs(number - wanted)


@pytest.mark.parametrize("name", FLOATING)
@pytest.mark.parametrize("special", ["inf", "nan"])
def test_infinities_and_nans_by_name_where_there_are_any(name, special):
    claims = descriptor(name) if name != "FP19" else None
    has = claims is None or (claims.has_infinity if special == "inf" else claims.has_quiet_nan)
    if has:
        assert value_of(name, code_of(name, special)) is None
    else:
        what = {"inf": "infinity", "nan": "NaN"}[special]
        with pytest.raises(FieldError, match=rf"^in={special}: expected a number, as {name} has no {what}$"):
            code_of(name, special)


REFUSED = [
    ("FP16", "3", "in=3: expected 3.0 for the number or 0x0003 for the FP16 code"),
    ("FP16", -3, "in=-3: expected -3.0 for the number or 0x… for the FP16 code"),
    ("FP16", "70000", "in=70000: expected 70000.0 for the number or 0x… for the FP16 code"),
    ("FP16", "65520.0", "in=65520.0: expected a number in the range of FP16"),
    ("FP64", "1e400", "in=1e400: expected a number in the range of FP64"),
    ("FP64", "x", "in=x: expected a number like 1.5 or a code of FP64 like 0x0000000000000001"),
    ("FP64", True, "in=true: expected a number like 1.5 or a code of FP64 like 0x0000000000000001"),
    ("E4M3", "0x100", "in=0x100: expected an 8-bit E4M3 code like 0x01"),
    ("TF32", "0x1", "in=0x1: expected a 32-bit TF32 code like 0x00000001 whose constrained bits are zero"),
    ("FP19", "1e40", "in=1e40: expected a number in the range of FP19"),
    ("E8M0", "0", "in=0: expected a number in the range of E8M0"),
    ("E8M0", "-2.0", "in=-2.0: expected a number in the range of E8M0"),
    ("HiF8", "-0.0", "in=-0.0: expected a number in the range of HiF8"),
    ("S8", "1.5", "in=1.5: expected an integer from -128 to 127 or an 8-bit S8 code like 0x01"),
    ("S8", 253, "in=253: expected an integer from -128 to 127 or an 8-bit S8 code like 0x01"),
    ("S8", "0x100", "in=0x100: expected an 8-bit S8 code like 0x01"),
    ("U8", "256", "in=256: expected an integer from 0 to 255 or an 8-bit U8 code like 0x01"),
]


@pytest.mark.parametrize(("name", "text", "message"), REFUSED)
def test_what_is_no_code(name, text, message):
    with pytest.raises(FieldError) as error:
        code_of(name, text)
    assert str(error.value) == message


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.is_integer])
def test_a_number_of_an_integer_format_lies_in_its_range(name):
    row = ROWS[name]
    lowest = -(1 << row.code_bits - 1) if name.startswith("S") else 0
    highest = lowest + (1 << row.code_bits) - 1
    for number in (lowest, highest):
        assert code_of(name, str(number)) == code_of(name, number) == number % (1 << row.code_bits)
    assert code_of(name, hex((1 << row.code_bits) - 1)) == (1 << row.code_bits) - 1
    for number in (lowest - 1, highest + 1):
        article = "an" if row.code_bits == 8 else "a"
        code = f"{article} {row.code_bits}-bit {name} code like 0x{1:0{row.code_bits // 4}x}"
        for text in (number, str(number)):
            with pytest.raises(FieldError) as error:
                code_of(name, text)
            assert str(error.value) == f"in={number}: expected an integer from {lowest} to {highest} or {code}"


S32_RANGE = "expected an integer from -2147483648 to 2147483647 or a 32-bit S32 code like 0x00000001"
BEYOND_S32 = [
    ("req8.rne.nosat", {"acc": "2147483648", "scale": "1.0"}, "acc=2147483648"),
    ("req8.rne.nosat", {"acc": "4294967295", "scale": "1.0"}, "acc=4294967295"),
    ("noquant.s32", {"acc": 18446744073709551615}, "acc=18446744073709551615"),
    ("noquant.s32", {"acc": "-2147483649"}, "acc=-2147483649"),
    ("cvt.s32.fp32.rne.nosat", {"in": 4294967295}, "in=4294967295"),
    ("tile.noquant.s32", {"tile": "1,2147483648"}, "tile[0][1]=2147483648"),
    ("tile.noquant.s32", {"tile": [[1]], "row_max_in": [2147483648]}, "row_max_in[0]=2147483648"),
    ("reduce.s32", {"row": "4294967295"}, "row[0]=4294967295"),
    ("reduce.s32", {"row": "1", "row_max_in": 4294967295}, "row_max_in=4294967295"),
]


@pytest.mark.parametrize(("name", "fields", "given"), BEYOND_S32)
def test_a_number_beyond_s32_is_no_code_of_a_negative_one(name, fields, given):
    for ask in (explain, evaluate):
        with pytest.raises(FieldError) as error:
            ask(name, fields)
        assert str(error.value) == f"{given}: {S32_RANGE}"


@pytest.mark.parametrize("code", ["0xfffffffe", "0xfffffffffffffffe"])
def test_an_accumulator_as_a_code_may_be_extended(code):
    assert evaluate("noquant.s32", {"acc": code})["value"] == evaluate("noquant.s32", {"acc": -2})["value"] == -2


def test_what_is_rounded_is_said():
    note = "in=0.1: taken as 0x2e66, the nearest FP16 code: 0.0999755859375"
    explanation = explain("cvt.fp16.e4m3.rne.sat", {"in": "0.1"})
    assert as_lines(explanation)[1] == f"  {note}"
    assert as_record(explanation)["notes"] == [note]
    assert evaluate("cvt.fp16.e4m3.rne.sat", {"in": 0.1})["notes"] == [note]
    assert "notes" not in as_record(explain("cvt.fp16.e4m3.rne.sat", {"in": "0.5"}))
    assert "notes" not in evaluate("cvt.fp16.e4m3.rne.sat", {"in": "nan"})


def test_a_factor_of_a_whole_tile_is_said_once():
    (note,) = explain("tile.req8.rne.nosat", {"tile": "1,2/3,4", "scale": "0.1"}).notes
    assert note == "scale=0.1: taken as 0x1ee66, the nearest FP19 code: 0.0999755859375"


def test_a_long_number_is_said_as_integer_and_power():
    with rounded_fields() as notes:
        code_of("FP64", "0.1")
    assert notes == ["in=0.1: taken as 0x3fb999999999999a, the nearest FP64 code: 7205759403792794·2^-56"]
