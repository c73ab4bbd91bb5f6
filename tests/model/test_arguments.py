import inspect
from typing import Any

import pytest

import halfulp_model as m
from halfulp_model.arguments import checked_name, checked_sequence, checked_switch, of_bits, with_article
from halfulp_model.result import Rejected

ROW = m.Block(127, (64,) * 8)
#: every public call with arguments that it accepts
CALLS: dict[Any, dict[str, Any]] = {
    m.post_process: {"value": 1, "mode": "REQ8", "rounding": "RNE", "sat": False, "relu": 0, "accumulator": "S32"}
    | {"quant_param": m.quant_param(0x1FC00, 1, mode="REQ8"), "relu_param": 0},
    m.quant_param: {"scale": 0x1FC00, "offset": 1, "mode": "REQ8"},
    m.shift_param: {"code": 1},
    m.fp32_to_fp19: {"bits": 1},
    m.convert: {"bits": 1, "source": "FP32", "destination": "FP16", "rounding": "RNE", "sat": False, "rules": "pto"},
    m.tcvt_e8m0: {"bits": 1, "source": "FP32", "rounding": "RNE", "sat": False},
    m.mx_scale: {"bits": 1, "source": "FP32", "rule": "rceil", "element": "E4M3"},
    m.descriptor: {"fmt": "FP32"},
    m.classify: {"fmt": "FP32", "bits": 1},
    m.decompose: {"fmt": "FP32", "bits": 1},
    m.encode_exact: {"fmt": "E4M3", "negative": False, "significand": 1, "exponent": 0},
    m.canonical_nan: {"fmt": "FP32"},
    m.signed_zeros: {"fmt": "FP32"},
    m.lanes: {"fmt": "E2M1X2", "carrier": 1},
    m.order_key: {"fmt": "FP32", "bits": 1},
    m.subnormal_boundaries: {"fmt": "FP32"},
    m.data_type: {"code": 1},
    m.bfp16_encode: {"block": [0] * 8, "rounding": "conv_even"},
    m.bfp16_decode: {"block": ROW},
    m.v64_pack: {"blocks": [ROW] * 8},
    m.v64_unpack: {"data": bytes(72)},
    m.mxint8_quantize: {"block": [0] * 32},
    m.mxint8_split: {"block": m.Block(127, (64,) * 32)},
    m.mxint8_join: {"blocks": [ROW] * 4},
    m.bfp16_matmul: {"a": [ROW] * 8, "b": [ROW] * 8, "accumulator": [0] * 64},
    m.fold: {"a": [ROW], "b": [ROW], "accumulator": 0},
    m.fp32_add: {"left": 0, "right": 0, "rounding": "RNE"},
    m.fpatr_decode: {"word": 0x2023},
    m.fpatr_encode: {"attributes": m.Attributes()},
    m.controls: {"rounding": "RNE", "sat": False},
    m.matrix_post_process: {"tile": [[1]], "attributes": 0x2023, "accumulator": "S32", "datr": m.Controls()},
    m.pack_s4x2: {"elements": [1]},
    m.unpack_s4x2: {"data": b"a", "count": 1},
}
#: junk that is none for a field
FITS: dict[tuple[Any, str], list[Any]] = {
    (m.matrix_post_process, "tile"): [((1, 2),) * 8],
    (m.pack_s4x2, "elements"): [[3], (1, 2)],
    (m.unpack_s4x2, "data"): [b"a"],
}
JUNK = [[3], 3.0, "x", {}, b"a", float("nan"), (1, 2), object(), 1 << 70, -(1 << 70), [None] * 8, ((1, 2),) * 8]


def call(function, arguments):
    parameters = inspect.signature(function).parameters
    given = [
        arguments[name] for name, each in parameters.items() if name in arguments and each.kind < each.KEYWORD_ONLY
    ]
    named = {
        name: arguments[name]
        for name, each in parameters.items()
        if name in arguments and each.kind == each.KEYWORD_ONLY
    }
    return function(*given, **named)


@pytest.mark.parametrize(
    ("function", "field"), [(function, field) for function, given in CALLS.items() for field in given]
)
def test_a_value_of_the_wrong_type_is_refused(function, field):
    call(function, CALLS[function])
    for junk in [each for each in JUNK if each not in FITS.get((function, field), [])]:
        with pytest.raises(Rejected):
            call(function, CALLS[function] | {field: junk})


def test_every_public_call_is_tried():
    public = {each for name in m.__all__ if inspect.isfunction(each := getattr(m, name))}
    assert public <= set(CALLS)


@pytest.mark.parametrize("mode", [3.0, True, None, [3]])
def test_what_equals_a_mode_code_is_none(mode):
    m.post_process(0, 3, quant_param=m.quant_param(0x1FC00, mode=3))
    with pytest.raises(Rejected, match=r"^B\.FPATR\.PreQuantMode: .* is a reserved code or an unknown name$"):
        m.post_process(0, mode, quant_param=m.quant_param(0x1FC00, mode=3))


def test_checks_say_what_they_expected():
    assert checked_name("rule", "b", {"a": 1, "b": 2}, "name") == "b"
    assert (checked_switch("sat", 1), checked_switch("sat", False)) == (True, False)
    assert checked_sequence("block", [1, 2], 2, "members") == [1, 2]
    for check, message in [
        (lambda: checked_name("rule", "c", ["a"], "name"), "rule: 'c' is not a name; expected a"),
        (lambda: checked_name("rule", ["a"], ["a", "b", "c"], "name"), "rule: ['a'] is not a name; expected a, b or c"),
        (lambda: checked_switch("sat", 1.0), "sat: 1.0 is not a Sat value; expected False or True"),
        (lambda: checked_sequence("block", "ab", 2, "members"), "block: got str; expected 2 members"),
        (lambda: checked_sequence("block", (1,), 2, "members"), "block: got 1 members; expected 2"),
    ]:
        with pytest.raises(Rejected) as caught:
            check()
        assert str(caught.value) == message


@pytest.mark.parametrize(
    ("noun", "text"),
    [
        ("8-bit E4M3 code", "an 8-bit E4M3 code"),
        ("11-bit field", "an 11-bit field"),
        ("18-bit field", "an 18-bit field"),
        ("80-bit number", "an 80-bit number"),
        ("19-bit FP19 code", "a 19-bit FP19 code"),
        ("1-bit flag", "a 1-bit flag"),
        ("64-bit word", "a 64-bit word"),
        ("FP32 code", "an FP32 code"),
        ("S32 accumulator", "an S32 accumulator"),
        ("U32 accumulator", "a U32 accumulator"),
        ("HF32 code", "an HF32 code"),
        ("HiF8 code", "a HiF8 code"),
        ("BF16 code", "a BF16 code"),
        ("TF32 code", "a TF32 code"),
        ("E8M0 code", "an E8M0 code"),
        ("MXINT8 block", "an MXINT8 block"),
        ("Exact", "an Exact"),
        ("Result", "a Result"),
    ],
)
def test_an_article_is_the_one_that_is_read(noun, text):
    assert with_article(noun) == text


def test_a_width_brings_its_article():
    assert (of_bits(8, "code"), of_bits(16, "code")) == ("an 8-bit code", "a 16-bit code")
    with pytest.raises(Rejected, match=r"^code: 256 is not an 8-bit E4M3 code$"):
        m.convert(256, "E4M3", "FP16")
