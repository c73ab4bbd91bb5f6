import random
import shlex

import pytest

from halfulp_formal.explain import FAMILIES, evaluate, explain, explain_witness
from halfulp_formal.mistakes import MISTAKES
from halfulp_formal.subject import base_subject
from halfulp_model import convert, mx_scale, order_key, post_process, tcvt_e8m0
from halfulp_model.conversions import conversions

INTERESTING = (
    0,
    1,
    2,
    3,
    0x7F,
    0x80,
    0xFF,
    0x12C,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFF,
    0x7F800000,
    0xFF800000,
    0x7F800001,
)
SCALES = (0x1FC00, 0x1F800, 0x20000, 0x00400, 0x3FBFF, 0x1E000)


def stages_of(explanation):
    return {stage.name: stage for stage in explanation.stages}


def fields_for(conversion, chance):
    value = chance.choice([*INTERESTING, chance.getrandbits(32)])
    relu = chance.randrange(4)
    fields = {"acc": f"{value:#x}", "relu": relu}
    if relu >= 2:
        fields["activation"] = f"{chance.choice([0, *SCALES]):#x}"
    if conversion.mode.parameter.value == "scale":
        fields["scale"] = f"{chance.choice(SCALES):#x}"
        if conversion.mode.offset_bits:
            fields["offset"] = chance.randrange(-8, 8)
    if conversion.mode.parameter.value == "shift":
        fields["shift"] = chance.randrange(1, 17)
    return fields


@pytest.mark.parametrize("name", [name for name in conversions() if not name.startswith("v")])
def test_an_explanation_ends_in_what_the_model_gives(name):
    chance = random.Random(name)
    conversion = conversions()[name]
    for _ in range(5):
        fields = fields_for(conversion, chance)
        explanation = explain(name, fields)
        assert explanation.failure == ""
        assert explanation.outcome == evaluate(name, fields)
        _, _, again, *pairs = shlex.split(explanation.command)
        assert explain(again, dict(pair.split("=", 1) for pair in pairs)) == explanation


def test_the_stages_are_those_of_the_public_call():
    word = 0x203F800000
    result = post_process(300, "REQ8", quant_param=word)
    explanation = explain("req8.rne.nosat", {"acc": 300, "quant_word": word})
    assert stages_of(explanation)["word"].bits == f"{result.word:#018x}"
    assert stages_of(explanation)["flags"].bits == f"{result.flags:#04x}"


@pytest.mark.parametrize("code", [0, 1, 0x80000000, 0x3F880001, 0x43E80001, 0x7F800000, 0x7F800001, 0xC3008000])
@pytest.mark.parametrize("destination", ["FP16", "BF16", "E4M3", "E5M2", "E2M1", "S8", "S4", "U8"])
def test_plain_conversions(code, destination):
    for rounding, sat in (("RNE", True), ("RTO", False)):
        name = f"cvt.fp32.{destination.lower()}.{rounding.lower()}.{'sat' if sat else 'nosat'}"
        stages = stages_of(explain(name, {"in": f"{code:#x}"}))
        result = convert(code, "FP32", destination, rounding=rounding, sat=sat)
        assert int(stages["out"].bits, 0) == result.word
        assert int(stages["flags"].bits, 0) == result.flags


@pytest.mark.parametrize("code", [0, 0x3FC00000, 0x3F800000, 0x7F800000, 0xBF800000, 0x00000001])
def test_scales(code):
    given = {"in": f"{code:#x}"}
    assert int(stages_of(explain("e8m0.fp32.rto.sat", given))["out"].bits, 0) == (
        tcvt_e8m0(code, "FP32", rounding="RTO", sat=True).word
    )
    assert int(stages_of(explain("scale.fp32.rceil.e4m3", given))["out"].bits, 0) == (
        mx_scale(code, "FP32", rule="rceil", element="E4M3").word
    )


def test_integers_in_and_out_of_plain_conversions():
    explanation = explain("cvt.s32.s8.rne.sat", {"in": "-300"})
    assert [stage.value for stage in explanation.stages] == ["-300", "-300", "-128", "-128", "NV"]
    assert explanation.command == "halfulp explain cvt.s32.s8.rne.sat in=0xfffffed4"


def test_a_witness_of_the_inputs():
    witness = {"in.value": 0xFFFFFFFF, "in.relu": 2, "in.quant_word": 0x3F800000, "in.relu_word": 0x1F800}
    explanation = explain_witness("req8.rne.nosat", witness)
    assert explanation is not None
    assert explanation.command == "halfulp explain req8.rne.nosat acc=-1 relu=2 scale=0x1fc00 relu_word=0x1f800"
    assert stages_of(explanation)["factor"].note == "the activation in place of the scale"
    assert explanation.outcome["flags"] == "NX"


def test_a_witness_that_is_illegal_says_so():
    explanation = explain_witness("req8.rne.nosat", {"in.relu": 1, "in.quant_word": 1, "in.relu_word": 0})
    assert explanation is not None
    assert explanation.failure == "the model rejects these parameters"
    assert explanation.outcome == {}
    assert stages_of(explanation)["quant_word"].bits == "0x0000000000000001"


def test_a_witness_of_a_free_product():
    witness = {"product.negative": 1, "product.significand.43": 5, "product.exponent.9": 0x3FF, "offset.9": 0x1FF}
    explanation = explain_witness("req8.rne.nosat", witness)
    assert explanation is not None
    assert explanation.command == "halfulp explain req8.rne.nosat 'product=-5*2^-1' offset=-1"
    assert [stage.value for stage in explanation.stages] == ["-2.5", "-1", "-2", "-2", "-3", "-3", "", "NX"]
    explanation = explain_witness("cvt.fp64.s8.rne.sat", {k: v for k, v in witness.items() if k != "offset.9"})
    assert explanation is not None
    assert explanation.command == "halfulp explain cvt.fp64.s8.rne.sat 'number=-5*2^-1'"


def test_formats():
    assert evaluate("format.hif8", {"in": "1.5", "other": "0x80"}) == {
        "out": "0x0c",
        "class": "positive_normal",
        "value": "1.5",
        "order_key": order_key("HiF8", 0x0C),
        "other_out": "0x80",
        "other_class": "quiet_nan",
        "other_value": "quiet NaN",
    }
    assert evaluate("format.fp16", {"number": "3*2^-24"})["encoded"] == "0x0003"
    assert evaluate("format.fp16", {"number": "3*2^-25"})["encoded"] is None
    assert evaluate("format.tf32", {"in": "0x1"})["class"] == "invalid_encoding"


def test_witnesses_of_formats():
    explanation = explain_witness("format.e4m3", {"in.bits.8": 0x7F, "in.other.8": 0x81})
    assert explanation is not None
    assert explanation.command == "halfulp explain format.e4m3 in=0x7f other=0x81"
    values = {stage.name: stage.value for stage in explanation.stages}
    assert (values["in"], values["other"], values["order key"]) == ("quiet NaN", "-0.001953125", "126")
    numbers = {"number.negative": 1, "number.significand.7": 5, "number.exponent.4": 0x1F}
    explanation = explain_witness("format.e4m3", numbers)
    assert explanation is not None
    assert explanation.command == "halfulp explain format.e4m3 'number=-5*2^-1'"
    assert explanation.outcome["encoded"] == "0xc2"
    assert explain_witness("format.e4m3", {"x": 1}) is None


def test_a_witness_of_something_else_has_no_explanation():
    assert explain_witness("req8.rne.nosat", {"x": 1}) is None
    assert explain_witness("nosuch", {"in.value": 1}) is None
    assert explain_witness("cvt.fp32.s8.rne.sat", {"in.a": 1, "in.b": 2}) is None


def test_a_wrong_model_is_explained_as_it_is():
    fields = {"acc": 300, "scale": "0x1fc00", "offset": 1}
    wrong = explain("req8.rne.nosat", fields, MISTAKES["intermediate_too_wide"].subject())
    assert stages_of(wrong)["intermediate"].value == "300"
    assert stages_of(explain("req8.rne.nosat", fields))["intermediate"].value == "255"


def test_a_model_that_breaks_down_is_explained_up_to_there():
    broken = explain("shifts322s16", {"acc": 5, "shift": 1}, MISTAKES["negative_shift"].subject())
    assert broken.failure == "the model raises ValueError: negative shift count"
    assert [stage.name for stage in broken.stages] == ["accumulator", "shift"]
    assert broken.outcome == {}


def test_no_name_is_in_two_families():
    names = [name for family in FAMILIES for name in family.names(base_subject())]
    assert len(names) == len(set(names))
