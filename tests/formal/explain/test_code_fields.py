"""Fields of a code, and FP32 to FP19: what is shown, and that an explanation gives what the model gives."""

import pytest

from halfulp_formal.explain import FieldError, as_lines, evaluate, explain, explain_format, explain_witness
from halfulp_formal.tables import format_table, table_formats
from halfulp_model import Rejected, decompose
from halfulp_model.floats import fp32_to_fp19
from halfulp_model.loader import default_rules


def lines(name, code):
    return as_lines(explain(name, {"in": code}))


def test_fields_of_a_tapered_code():
    assert lines("format.hif8", "0x7e") == [
        "format.hif8: HiF8, tapered, 8 bits",
        "  in         0.000030517578125  0x7e    HiF8; = 2·2^-16; positive normal",
        "  sign       0",
        "  band       D4                 0b11",
        "  exponent   -15                0b1111",
        "  fraction   0                  0b0",
        "  order key  373",
    ]


def test_fields_of_a_code_without_hidden_bit():
    assert lines("format.e2m1x2", "0x1") == [
        "format.e2m1x2: E2M1X2, binary, 4 bits",
        "  in         0.5  0x1  E2M1X2; = 1·2^-1; positive normal",
        "  sign       0",
        "  exponent   0    0x0  2^0, no hidden bit",
        "  fraction   1    0x1",
        "  order key  9",
    ]


@pytest.mark.parametrize(
    ("name", "code", "stage", "note"),
    [
        ("format.tf32", "0x7fc00001", "low bits", "not zero, as they must be"),
        ("format.tf32", "0x7fc00000", "low bits", "constrained"),
        ("format.e3m2", "0x42", "high bits", "not zero, as they must be"),
        ("format.e8m0", "0x00", "exponent", "2^-127"),
        ("format.e8m0", "0xff", "exponent", "all ones"),
        ("format.e4m3", "0x7e", "exponent", "2^8"),
        ("format.fp16", "0x7e00", "exponent", "all ones"),
    ],
)
def test_what_a_field_means(name, code, stage, note):
    assert {each.name: each.note for each in explain(name, {"in": code}).stages}[stage] == note


@pytest.mark.parametrize("name", table_formats())
def test_the_fields_of_every_short_code_stand_for_its_number(name):
    row = default_rules().formats[name]
    for entry in format_table(name):
        stages = {stage.name: stage for stage in explain_format(name, entry.code).stages}
        if not entry.decomposition.available or entry.decomposition.significand == 0:
            continue
        fraction = int(stages["fraction"].value) if "fraction" in stages else 0
        if row.bands:
            width = len(stages["fraction"].bits) - 2 if "fraction" in stages else 0
            expected = ((1 << width) + fraction, int(stages["exponent"].value) - width)
        else:
            hidden = 0 if stages["exponent"].note.endswith("no hidden bit") else 1 << row.fraction_bits
            power = int(stages["exponent"].note.partition("^")[2].partition(",")[0])
            expected = (hidden + fraction, power - row.fraction_bits)
        assert expected == decompose(name, entry.code)[2:], (name, hex(entry.code))


def test_a_format_is_explained_by_name_or_by_code():
    assert explain_format("HiF8", 0x7E) == explain_format(6, 0x7E) == explain("format.hif8", {"in": "0x7e"})
    with pytest.raises(Rejected, match=r"^bits: 0x100 does not fit the 8 bits of HiF8 codes$"):
        explain_format("HiF8", 0x100)


def test_fp32_to_fp19():
    assert lines("fp19.fp32", "0x3f801000") == [
        "fp19.fp32: FP32 → FP19, RNE",
        "  in         1.00048828125  0x3f801000  FP32; = 8392704·2^-23",
        "  kept                      0x1fc00",
        "  discarded  4096           0x1000      half-way",
        "  out        1              0x1fc00     FP19; = 1024·2^-10",
    ]
    assert lines("fp19.fp32", "inf")[1:] == [
        "  in   positive infinity  0x7f800000  FP32",
        "  out  positive infinity  0x3fc00     FP19",
    ]


@pytest.mark.parametrize(
    "code", [0, 0x3F801001, 0x3F800FFF, 0xBF803000, 0x7F7FF000, 0x7F800001, 0xFF800000, 0x80000001]
)
def test_an_explanation_of_fp32_to_fp19_gives_what_the_model_gives(code):
    formats = default_rules().formats
    expected = f"{fp32_to_fp19(code, formats['FP32'], formats['FP19']):#07x}"
    explanation = explain_witness("fp19.fp32", {"in.bits.32": code})
    assert explanation is not None
    assert explanation.outcome["out"] == evaluate("fp19.fp32", {"in": f"{code:#x}"})["out"] == expected
    assert explain_witness("fp19.fp32", {"in.bits.32": code, "in.other.32": 0}) is None


def test_fp32_to_fp19_takes_one_code():
    with pytest.raises(FieldError, match=r"^in: expected an FP32 code such as in=0x3f800000, or a number"):
        explain("fp19.fp32", {})
