"""Public calls to a power-of-two scale: the values that others got wrong, and every refusal word for word."""

import pytest

from halfulp_model import Rejected, mx_scale, tcvt_e8m0
from halfulp_model.api_e8m0 import e8m0_conversions, scale_conversions
from halfulp_model.e8m0 import to_scale

MODES = "RNE, RTZ, RTM, RTP, RNA, RTO, RHB or NONE"


def refusal(call, *arguments, **controls):
    with pytest.raises(Rejected) as refused:
        call(*arguments, **controls)
    return str(refused.value)


@pytest.mark.parametrize(
    ("code", "floor", "ceil"),
    [(0x3FFFFFFF, 0x7F, 0x80), (0x3F900000, 0x7F, 0x80), (0x3FA00000, 0x7F, 0x80), (0x40A00000, 0x81, 0x82)],
)
def test_floor_and_ceiling(code, floor, ceil):
    assert mx_scale(code, "FP32", rule="floor") == tcvt_e8m0(code, "FP32", rounding="RTM", sat=True) == (floor, 0x10)
    assert mx_scale(code, "FP32", rule="ceil") == tcvt_e8m0(code, "FP32", rounding="RTP", sat=True) == (ceil, 0x10)


def test_rules_differ_where_they_should():
    codes = {rule: mx_scale(0x3FC00000, "FP32", rule=rule).word for rule in ("floor", "ceil", "even")}
    assert codes == {"floor": 0x7F, "ceil": 0x80, "even": 0x7F}
    assert mx_scale(0x40400000, "FP32", rule="even").word == 0x81
    # 448 fits under the scale 1; the next number does not
    assert mx_scale(0x43E00000, "FP32", rule="rceil", element="E4M3") == (0x7F, 0)
    assert mx_scale(0x43E00001, "FP32", rule="rceil", element="E4M3") == (0x80, 0x10)


def test_a_value_out_of_range_is_judged_before_tcvt_rounds_it_and_after_an_mx_rule_did():
    above, below = 0x7F000001, 0x003FFFFF
    assert tcvt_e8m0(above, "FP32", rounding="RTM") == (0xFF, 0x14)
    assert mx_scale(above, "FP32", rule="floor") == (0xFE, 0x10)
    assert tcvt_e8m0(below, "FP32", rounding="RTP") == (0xFF, 0x18)
    assert mx_scale(below, "FP32", rule="ceil") == (0x00, 0x10)


@pytest.mark.parametrize(
    ("code", "result"),
    [
        (0x00000000, (0x00, 0x00)),
        (0x80000000, (0x00, 0x00)),
        (0x7FC00000, (0xFF, 0x01)),
        (0x7F800001, (0xFF, 0x01)),
        (0xBF800000, (0xFF, 0x01)),
        (0xFF800000, (0xFF, 0x01)),
        (0x7F800000, (0xFF, 0x14)),
        (0x00000001, (0x00, 0x18)),
    ],
)
def test_special_values_of_an_mx_scale(code, result):
    assert mx_scale(code, "FP32", rule="floor") == result


def test_an_exponent_beyond_the_greatest_scale_is_clamped():
    assert mx_scale(0x7F000001, "FP32", rule="ceil") == (0xFE, 0x14)


def test_the_default_rounding_is_nearest_even():
    assert tcvt_e8m0(0x3FC0, "BF16") == tcvt_e8m0(0x3FC0, 5, rounding="NONE") == (0x80, 0x10)


def test_calls_and_conversions_agree():
    for name, conversion in e8m0_conversions().items():
        _, source, rounding, sat = name.split(".")
        called = tcvt_e8m0(0x5ABC, source, rounding=rounding.upper(), sat=sat == "sat")
        assert called == to_scale(conversion, 0x5ABC)
    for name, conversion in scale_conversions().items():
        _, source, rule, *element = name.split(".")
        called = mx_scale(0x5ABC, source, rule=rule, element=element[0] if element else None)
        assert called == to_scale(conversion, 0x5ABC)


def test_refusals_of_tcvt():
    assert refusal(tcvt_e8m0, 0, "FP64") == "source: FP64 does not convert to E8M0; expected FP16, BF16, FP32"
    assert refusal(tcvt_e8m0, 0, 7) == "source: E4M3 does not convert to E8M0; expected FP16, BF16, FP32"
    assert refusal(tcvt_e8m0, 0, "S32") == "source: S32 does not convert to E8M0; expected FP16, BF16, FP32"
    assert refusal(tcvt_e8m0, 0, "FP31") == "format: 'FP31' is not a format; did you mean FP32?"
    assert refusal(tcvt_e8m0, 1 << 16, "BF16") == "bits: 0x10000 does not fit the 16 bits of BF16 codes"
    message = f"B.DATR.RMode: 'rne' is not a rounding mode; expected {MODES}"
    assert refusal(tcvt_e8m0, 0, "BF16", rounding="rne") == message
    assert refusal(tcvt_e8m0, 0, "BF16", sat=2) == "B.DATR.Sat: 2 is not a Sat value; expected False or True"


def test_refusals_of_mx_scale():
    elements = "HiF8, E4M3, E5M2, E3M2, E2M3, E2M1"
    message = "rule: 'round' is not a scale rule; expected floor, ceil, even or rceil"
    assert refusal(mx_scale, 0, "FP32", rule="round") == message
    message = "element: floor takes no element format; got 'E4M3'"
    assert refusal(mx_scale, 0, "FP32", rule="floor", element="E4M3") == message
    message = f"element: rceil does not divide by FP16; expected {elements}"
    assert refusal(mx_scale, 0, "FP32", rule="rceil", element="FP16") == message
    message = f"element: rceil needs an element format; expected {elements}"
    assert refusal(mx_scale, 0, "FP32", rule="rceil") == message
    message = "source: E5M2 does not convert to E8M0; expected FP16, BF16, FP32"
    assert refusal(mx_scale, 0, "E5M2", rule="floor") == message
