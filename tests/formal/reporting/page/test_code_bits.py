import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfulp_formal.explain import explain_format
from halfulp_formal.reporting.page.code_bits import Field, flag_fields, typed_fields
from halfulp_model.loader import default_rules

FORMATS = default_rules().formats


@pytest.mark.parametrize(
    ("type_name", "code", "fields"),
    [
        ("FP16", 0x8201, [("sign", "1"), ("exponent", "00000"), ("fraction", "1000000001")]),
        ("E8M0", 0x7F, [("exponent", "01111111")]),
        ("E2M1", 0x5, [("sign", "0"), ("exponent", "10"), ("fraction", "1")]),
        ("E3M2", 0x2B, [("zero", "00"), ("sign", "1"), ("exponent", "010"), ("fraction", "11")]),
        (
            "TF32",
            0x3F800000,
            [("sign", "0"), ("exponent", "01111111"), ("fraction", "0" * 10), ("zero", "0" * 13)],
        ),
        ("FP19", 0x1FC00, [("sign", "0"), ("exponent", "01111111"), ("fraction", "0000000000")]),
        ("HiF8", 0b0_001_0_111, [("sign", "0"), ("prefix", "001"), ("exponent", "0"), ("fraction", "111")]),
        ("S8", 0xFF, [("sign", "1"), ("integer", "1111111")]),
        ("U8", 0xFF, [("integer", "11111111")]),
        ("S9", 0x0FF, [("sign", "0"), ("integer", "11111111")]),
        (
            "B.FPATR",
            0x0C002A13,
            [
                ("PreQuantMode", "000011"),
                ("ReluMode", "000"),
                ("GroupNCode", "0000"),
                ("RowMaxEn", "0"),
                ("GroupMaxEn", "0"),
                ("RowMaxInit", "0"),
                ("MaxAbsEn", "0"),
                ("Func", "010"),
                ("ElementWiseEn", "1"),
                ("Reserved", "01"),
                ("TransB", "0"),
                ("TransA", "0"),
                ("Opc1", "001"),
                ("Opcode", "001"),
                ("W", "1"),
            ],
        ),
        ("", 1, []),
        ("S1x", 1, []),
    ],
)
def test_fields(type_name, code, fields):
    assert typed_fields(type_name, code) == [Field(*each) for each in fields]


@given(st.sampled_from(sorted(FORMATS)), st.data())
def test_the_fields_are_the_code_and_the_explanation_reads_the_same_ones(name, data):
    row = FORMATS[name]
    code = data.draw(st.integers(0, (1 << row.code_bits) - 1))
    fields = typed_fields(name, code)
    assert "".join(field.bits for field in fields) == f"{code:0{row.code_bits}b}"
    if row.is_integer or row.bands:
        return
    explained = {stage.name: stage.value for stage in explain_format(name, code).stages}
    told = {field.name: str(int(field.bits, 2)) for field in fields if field.name != "zero"}
    assert told == {name: explained[name] for name in told}


def test_flags_stand_as_their_bits_do():
    assert flag_fields(0x18) == [("NX", "1"), ("UF", "1"), ("OF", "0"), ("DZ", "0"), ("NV", "0")]
