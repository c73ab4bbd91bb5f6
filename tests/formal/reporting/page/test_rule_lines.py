import pytest

from halfulp_formal import catalogue
from halfulp_formal.reporting.page.rule_lines import rule_of

ENCODER = (
    "overflow judged after rounding; an overflow follows the direction; tiny after rounding; underflow to zero keeps the "
    "sign; a NaN is quieted, sign and payload kept; under Sat 1 a NaN gives a NaN"
)


def test_a_post_processing_mode():
    assert rule_of("req8.rne.nosat") == [
        ("mode", "REQ8, PreQuantMode 3: an FP19 scale and a 9-bit offset in a scalar parameter word"),
        ("accumulator", "S32: integer, 32 bits, -2,147,483,648 to 2,147,483,647"),
        ("destination", "S8: integer, 8 bits, -128 to 127"),
        ("rounding", "RNE: to nearest, ties to even"),
        ("Sat", "0"),
        ("factor", "FP19: binary, 19 bits, 8 exponent, bias 127, 10 fraction, infinities and NaNs"),
        ("out of range", "raises OF|NX"),
    ]


@pytest.mark.parametrize(
    ("conversion", "label", "text"),
    [
        ("cvt.fp32.e4m3.rto.sat", "rounding", "RTO: to odd"),
        ("cvt.fp32.e4m3.rto.sat", "Sat", "1"),
        (
            "cvt.fp32.e4m3.rto.sat",
            "encoder",
            ENCODER,
        ),
        ("e8m0.fp16.rhb.sat", "midpoint", "of log2"),
        ("scale.fp32.rceil.e2m1", "divisor", "6"),
        ("fpatr", "TransB", "bit 8, assigned 0, 1"),
        ("fpatr", "ReluMode", "bits 25 to 23, assigned 0, 1, 2, 3"),
        ("mxint8", "rounding", "conv_even: to nearest, ties to even"),
        ("fp32_add.rtm", "rounding", "RTM: toward -infinity"),
        (
            "format.hif8",
            "format",
            "HiF8: tapered, 8 bits, 6 bands of codes, up to 3 fraction, one NaN code, one magnitude of infinity",
        ),
        (
            "format.e3m2",
            "format",
            "E3M2: binary, 8 bits, 3 exponent, bias 3, 2 fraction, neither infinity nor NaN, 2 bits that must be zero",
        ),
    ],
)
def test_lines(conversion, label, text):
    assert dict(rule_of(conversion))[label] == text


def test_the_listed_outcomes_of_a_scale():
    table = dict(rule_of("e8m0.fp16.rne.sat"))["table"]
    assert table.startswith("range judged before rounding; nan: 0xff (NV); zero: 0xff (NV);")
    assert table.endswith("underflow: 0xff, Sat 1 0x00 (UF|NX)")


def test_every_line_is_short_plain_text():
    for conversion in catalogue.conversions():
        for label, text in rule_of(conversion):
            assert label
            assert text
            assert "<" not in text, (conversion, text)
            assert "\n" not in text
