"""The public calls of the post-processing: how arguments may be written, what is refused, and the same results."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halfulp_model import Rejected, Result, fp32_to_fp19, post_process, quant_param, shift_param
from halfulp_model.loader import default_rules
from oracle import pto

ONE = 127 << 10
SCALE_ONE = ONE << 13
WORD = 1 << 64


def refused(call, *arguments, **keywords):
    with pytest.raises(Rejected) as refusal:
        call(*arguments, **keywords)
    assert str(refusal.value).startswith(f"{refusal.value.rule}: ")
    return str(refusal.value)


# The specification's own rounding example.


@pytest.mark.parametrize(
    ("value", "mode", "word", "result"),
    [
        (300, "REQ8", quant_param(ONE, 1, mode="REQ8"), Result(0, 0x14)),
        (20, "REQ4", quant_param(ONE, 1, mode="REQ4"), Result(0, 0x14)),
        (70000, "DEQS16", quant_param(ONE, 1, mode="DEQS16"), Result(0, 0x14)),
        (0x7FFFFFFF, "SHIFTS322S16", shift_param(0), Result(0x7FFF, 0x14)),
    ],
)
def test_the_rounding_example(value, mode, word, result):
    assert post_process(value, mode, quant_param=word) == result
    assert post_process(value, mode, rounding="NONE", quant_param=word) == result


# How arguments may be written.


@pytest.mark.parametrize("mode", ["REQ8", "req8", "Req8", 3, "QF322B8", "QF322B8_PRE", "qf322b8_pre", 24])
def test_a_mode_by_name_or_code(mode):
    value = 300 if str(mode).lower() in ("req8", "3") else 0x43960000
    assert post_process(value, mode, quant_param=SCALE_ONE) == (255 % 256 - 256 + WORD, 0x14)


@pytest.mark.parametrize("value", [-5, 0xFFFFFFFB, WORD - 5])
def test_a_signed_accumulator_as_number_pattern_or_word(value):
    assert post_process(value, "REQ8", quant_param=SCALE_ONE) == (WORD - 5, 0)


def test_unsigned_and_floating_accumulators_are_patterns():
    assert post_process(0xFFFFFFFB, "NoQuant", accumulator="U32") == (0xFFFFFFFB, 0)
    assert post_process(0x7F800001, 0, accumulator="FP32") == (0x7F800001, 0)
    assert post_process(0xFFFFFFFB, 0, accumulator="S32") == (WORD - 5, 0)


def test_none_is_the_operations_own_rounding():
    for mode, word, own in (("REQ8", SCALE_ONE, "RNE"), ("QF322HIF8", SCALE_ONE, "RHB"), ("F322F16", 0, "RNE")):
        for value in (0x3F90_0000, 5):
            results = {post_process(value, mode, rounding=each, quant_param=word) for each in ("NONE", own)}
            assert len(results) == 1


def test_words_that_are_not_read_are_free():
    assert post_process(5, "NoQuant", accumulator="S32", quant_param=WORD - 1, relu_param=WORD - 1) == (5, 0)
    assert post_process(5, "REQ8", quant_param=SCALE_ONE, relu=1, relu_param=WORD - 1) == (5, 0)


def test_results_have_names():
    result = post_process(300, "REQ8", sat=True, quant_param=SCALE_ONE)
    assert (result.word, result.flags) == result == (127, 0x14)


# What is refused: every message whole.


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"mode": 6}, "B.FPATR.PreQuantMode: 6 is a reserved code or an unknown name"),
        ({"mode": -1}, "B.FPATR.PreQuantMode: -1 is a reserved code or an unknown name"),
        ({"mode": "REQ9"}, "B.FPATR.PreQuantMode: 'REQ9' is a reserved code or an unknown name"),
        ({"mode": "_PRE"}, "B.FPATR.PreQuantMode: '_PRE' is a reserved code or an unknown name"),
        ({"accumulator": "FP32"}, "accumulator: REQ8 does not take 'FP32'; expected S32"),
        ({"mode": 0}, "accumulator: NoQuant needs an accumulator type; expected FP32 or S32 or U32"),
        (
            {"mode": 0, "accumulator": "S64"},
            "accumulator: NoQuant does not take 'S64'; expected FP32 or S32 or U32",
        ),
        (
            {"rounding": "RNX"},
            "B.DATR.RMode: 'RNX' is not a rounding mode; expected RNE, RTZ, RTM, RTP, RNA, RTO, RHB or NONE",
        ),
        (
            {"mode": 0, "accumulator": "S32", "rounding": "RTZ"},
            "B.DATR.RMode: NoQuant requires RMode NONE; got RTZ",
        ),
        (
            {"mode": "SHIFTS322S16", "rounding": "RTM", "quant_param": 0},
            "B.DATR.RMode: SHIFTS322S16 requires RMode NONE; got RTM",
        ),
        (
            {"mode": "QF322HIF8", "value": 0, "rounding": "RTO"},
            "B.DATR.RMode: QF322HIF8 requires RMode NONE; got RTO",
        ),
        ({"sat": 2}, "B.DATR.Sat: 2 is not a Sat value; expected False or True"),
        ({"sat": "yes"}, "B.DATR.Sat: 'yes' is not a Sat value; expected False or True"),
        ({"mode": 0, "accumulator": "S32", "sat": True}, "B.DATR.Sat: NoQuant requires Sat 0"),
        ({"mode": 13, "sat": True, "quant_param": 0}, "B.DATR.Sat: SHIFTS322S16 requires Sat 0"),
        ({"value": 1.0}, "value: 1.0 is not an integer"),
        ({"value": True}, "value: True is not an integer"),
        ({"value": "5"}, "value: '5' is not an integer"),
        ({"value": 1 << 32}, "value: 4294967296 does not fit a 32-bit S32 accumulator"),
        ({"value": -(1 << 31) - 1}, "value: -2147483649 does not fit a 32-bit S32 accumulator"),
        (
            {"value": (1 << 64) - (1 << 31) - 1},
            "value: 18446744071562067967 does not fit a 32-bit S32 accumulator",
        ),
        (
            {"mode": 0, "accumulator": "U32", "value": -1},
            "value: -1 does not fit a 32-bit U32 accumulator",
        ),
        (
            {"mode": 24, "value": 1 << 32},
            "value: 4294967296 does not fit a 32-bit FP32 accumulator",
        ),
        ({"relu": 4}, "B.FPATR.ReluMode: 4 is not a ReluMode; expected 0 to 3"),
        ({"relu": -1}, "B.FPATR.ReluMode: -1 is not a ReluMode; expected 0 to 3"),
        ({"relu": True}, "B.FPATR.ReluMode: True is not a ReluMode; expected 0 to 3"),
        ({"quant_param": -1}, "quant_param: -1 is not a 64-bit word"),
        ({"quant_param": 1 << 64}, "quant_param: 18446744073709551616 is not a 64-bit word"),
        ({"quant_param": None}, "quant_param: None is not a 64-bit word"),
        ({"relu_param": 1 << 64}, "relu_param: 18446744073709551616 is not a 64-bit word"),
        (
            {"quant_param": 0},
            (
                "quant_param: 0x0000000000000000 is illegal for REQ8; expected a positive normal FP19 scale in bits 31:13, "
                "a 9-bit offset from bit 37 and zero elsewhere"
            ),
        ),
        (
            {"mode": 27, "value": 0, "quant_param": SCALE_ONE | 1 << 37},
            (
                "quant_param: 0x000000203f800000 is illegal for QF322F32; expected a positive normal FP19 scale in bits "
                "31:13 and zero elsewhere"
            ),
        ),
        (
            {"mode": 13, "quant_param": SCALE_ONE},
            (
                "quant_param: 0x000000003f800000 is illegal for SHIFTS322S16; expected a shift code in bits 35:32 and zero "
                "elsewhere"
            ),
        ),
        (
            {"relu": 2, "relu_param": 1},
            (
                "relu_param: 0x0000000000000001 is illegal; expected +0 or a positive normal FP19 in bits 18:0 and zero "
                "elsewhere"
            ),
        ),
        (
            {"relu": 3, "relu_param": ONE | 1 << 63},
            (
                "relu_param: 0x800000000001fc00 is illegal; expected +0 or a positive normal FP19 in bits 18:0 and zero "
                "elsewhere"
            ),
        ),
    ],
)
def test_what_is_refused(keywords, message):
    given_ = {"value": 5, "mode": "REQ8", "quant_param": SCALE_ONE, **keywords}
    value, mode = given_.pop("value"), given_.pop("mode")
    assert refused(post_process, value, mode, **given_) == message


@pytest.mark.parametrize(
    ("arguments", "keywords", "message"),
    [
        ((ONE,), {"mode": "SHIFTS322S16"}, "quant_param: SHIFTS322S16 takes no scale"),
        ((ONE,), {"mode": 0}, "quant_param: NoQuant takes no scale"),
        ((ONE,), {"mode": "none"}, "B.FPATR.PreQuantMode: 'none' is a reserved code or an unknown name"),
        ((0,), {"mode": 3}, "scale: 0x0 is not a positive normal FP19 code"),
        ((0x3FF,), {"mode": 3}, "scale: 0x3ff is not a positive normal FP19 code"),
        ((255 << 10,), {"mode": 3}, "scale: 0x3fc00 is not a positive normal FP19 code"),
        ((1 << 18 | ONE,), {"mode": 3}, "scale: 0x5fc00 is not a positive normal FP19 code"),
        ((1 << 19,), {"mode": 3}, "scale: 0x80000 is not a positive normal FP19 code"),
        ((-1,), {"mode": 3}, "scale: -0x1 is not a positive normal FP19 code"),
        ((ONE, 256), {"mode": 3}, "offset: 256 does not fit the offset of REQ8; expected -256 to 255"),
        ((ONE, -257), {"mode": 3}, "offset: -257 does not fit the offset of REQ8; expected -256 to 255"),
        ((ONE, 16), {"mode": 17}, "offset: 16 does not fit the offset of REQ4; expected -16 to 15"),
        ((ONE, 65536), {"mode": 19}, "offset: 65536 does not fit the offset of DEQS16; expected -65536 to 65535"),
        ((ONE, 1), {"mode": 5}, "offset: 1 does not fit the offset of DEQF16; expected 0"),
    ],
)
def test_parameter_words_that_are_refused(arguments, keywords, message):
    assert refused(quant_param, *arguments, **keywords) == message


@pytest.mark.parametrize("code", [-1, 16])
def test_shift_codes_that_are_refused(code):
    assert refused(shift_param, code) == f"shift code: {code} is not a shift code; expected 0 to 15"


@pytest.mark.parametrize("bits", [-1, 1 << 32, True, 1.0, "5"])
def test_scales_that_are_refused(bits):
    assert refused(fp32_to_fp19, bits) == f"value: {bits!r} is not a 32-bit FP32 code"


def test_a_refusal_is_a_value_error_with_its_rule():
    with pytest.raises(ValueError, match="is a reserved code") as refusal:
        post_process(5, 99)
    assert isinstance(refusal.value, Rejected)
    assert refusal.value.rule == "B.FPATR.PreQuantMode"


# Against the oracle.

words = st.one_of(
    st.integers(0, WORD - 1),
    st.builds(lambda scale, offset: scale << 13 | offset << 37, st.integers(0, 1 << 19), st.integers(0, 1 << 10)),
    st.just(SCALE_ONE),
    st.integers(0, 15).map(lambda code: code << 32),
)


@settings(max_examples=400)
@given(
    value=st.integers(0, 0xFFFFFFFF),
    mode=st.integers(0, 40),
    rounding=st.sampled_from(["NONE", *default_rules().roundings]),
    sat=st.booleans(),
    relu=st.integers(0, 4),
    quant_word=words,
    relu_word=st.one_of(words, st.sampled_from([0, ONE])),
    accumulator=st.sampled_from(["S32", "U32", "FP32"]),
)
def test_exactly_the_legal_calls_have_a_result(value, mode, rounding, sat, relu, quant_word, relu_word, accumulator):
    # the call's default stands for NONE where a mode fixes its rounding, and so does the mode it fixes
    own = "RHB" if mode in pto.ALWAYS_RHB else "RNE"
    fixed = mode in (0, *pto.SHIFT_MODES, *pto.ALWAYS_RHB, *pto.ALWAYS_RNE)
    programmed = "NONE" if fixed and rounding in ("RNE", own) else rounding
    legal = pto.legal(mode, programmed, sat, relu, quant_word, relu_word, accumulator)
    try:
        result = post_process(
            value,
            mode,
            rounding=rounding,
            sat=sat,
            relu=relu,
            quant_param=quant_word,
            relu_param=relu_word,
            accumulator=accumulator,
        )
    except Rejected:
        assert not legal
    else:
        assert legal
        assert result == pto.post_process(value, mode, rounding, sat, relu, quant_word, relu_word, accumulator)


@given(scale=st.integers(1 << 10, (255 << 10) - 1), data=st.data())
def test_parameter_words_are_the_oracles(scale, data):
    row = data.draw(st.sampled_from([row for row in default_rules().modes.values() if row.parameter.value == "scale"]))
    half = 1 << row.offset_bits >> 1
    offset = data.draw(st.integers(-half, max(half - 1, 0)))
    word = quant_param(scale, offset, mode=row.name)
    assert word == pto.build_parameter(scale, offset, row.offset_bits) == quant_param(scale, offset, mode=row.code)
    assert pto.parameter_legal(row.code, word)


def test_shift_words_are_the_oracles():
    assert [shift_param(code) for code in range(16)] == [pto.build_shift(code) for code in range(16)]


@given(st.integers(0, 0xFFFFFFFF))
def test_scales_are_narrowed_as_the_oracle_narrows(bits):
    assert fp32_to_fp19(bits) == pto.fp32_to_fp19(bits)
