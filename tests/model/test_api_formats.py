"""Public calls on formats: results by name or DataType code, and every refusal word for word."""

import pytest

import halfulp_model as model
from halfulp_model import Decomposition, Rejected, ValueClass

#: the assigned DataType codes, and the names that they stand for
CODES = (*range(15), *range(16, 21), *range(24, 29))
TYPES = (
    *("FP64", "FP32", "TF32", "HF32", "FP16", "BF16", "HiF8", "E4M3", "E5M2", "E3M2", "E2M3", "E2M1X2", "E1M2X2"),
    *("E8M0", "HiF4X2", "S64", "S32", "S16", "S8", "S4X2", "U64", "U32", "U16", "U8", "U4X2"),
)
NAMES = (
    "FP64, FP32, TF32, HF32, FP16, BF16, HiF8, E4M3, E5M2, E3M2, E2M3, E2M1, E2M1X2, E1M2, E1M2X2, E8M0, HiF4X2, FP19, "
    "S64, S32, S16, S8, S4, S4X2, U64, U32, U16, U8, U4, U4X2"
)


def refusal(call, *arguments):
    with pytest.raises(Rejected) as refused:
        call(*arguments)
    return str(refused.value)


def test_data_type_codes():
    assert tuple(model.data_type(code) for code in CODES) == TYPES
    for code in (15, 21, 22, 23, 29, 30, 31):
        assert refusal(model.data_type, code) == f"B.DATR.DataType: {code} is a reserved DataType code"
        assert refusal(model.descriptor, code) == f"B.DATR.DataType: {code} is a reserved DataType code"
    for wrong in (-1, 32, "7", True, 1.0):
        assert refusal(model.data_type, wrong) == f"B.DATR.DataType: {wrong!r} is not a DataType code; expected 0 to 31"


def test_a_format_is_named_in_any_case_or_by_its_code():
    assert model.descriptor("hif8") == model.descriptor("HiF8") == model.descriptor(6)
    assert model.classify(7, 0x7F) is model.classify("e4m3", 0x7F) is ValueClass.QUIET_NAN


def test_an_unknown_format_is_answered_with_the_nearest_name():
    assert refusal(model.descriptor, "FP23") == "format: 'FP23' is not a format; did you mean FP32?"
    assert refusal(model.descriptor, "E5M3") == "format: 'E5M3' is not a format; did you mean E5M2?"
    assert refusal(model.descriptor, "posit") == f"format: 'posit' is not a format; expected {NAMES}"
    assert refusal(model.descriptor, None) == "format: None is neither a format's name nor a DataType code"


@pytest.mark.parametrize("call", [model.classify, model.decompose, model.order_key])
def test_a_code_must_fit(call):
    assert refusal(call, "HiF8", 0x100) == "bits: 0x100 does not fit the 8 bits of HiF8 codes"
    assert refusal(call, "E2M1X2", 0x10) == "bits: 0x10 does not fit the 4 bits of E2M1X2 lanes"
    assert refusal(call, "FP19", -1) == "bits: -0x1 does not fit the 19 bits of FP19 codes"
    assert refusal(call, "FP16", "3c00") == "bits: '3c00' is not an integer"


def test_class_and_value_of_a_code():
    assert model.classify("TF32", 0x7FC00001) is ValueClass.INVALID_ENCODING
    assert model.decompose("TF32", 0x3F800000) == Decomposition(True, False, 1024, -10)
    assert model.decompose("E3M2", 0x40) == Decomposition(False, False, 0, 0)
    assert model.decompose("FP64", 0x8000000000000001) == Decomposition(True, True, 1, -1074)
    assert model.decompose("E2M1X2", 1) == Decomposition(True, False, 1, -1)
    assert model.decompose("S32", 5) == Decomposition(False, False, 0, 0)


def test_encode_exact():
    assert model.encode_exact("FP16", False, 3, -1) == 0x3E00
    assert model.encode_exact("HiF8", False, 1, 15) == 0x6E
    assert model.encode_exact("FP64", True, 0, 0) == 1 << 63
    refused = {
        ("FP16", True, 5, -26): "encode_exact: -5 · 2^-26 is not a number of FP16",
        ("FP16", False, 1, 16): "encode_exact: 1 · 2^16 is not a number of FP16",
        ("FP16", False, 1, -(1 << 20)): "encode_exact: 1 · 2^-1048576 is not a number of FP16",
        ("HiF8", True, 0, 0): "encode_exact: -0 · 2^0 is not a number of HiF8",
        ("E8M0", False, 0, 0): "encode_exact: 0 · 2^0 is not a number of E8M0",
        ("U8", False, 1, 0): "format: U8 is an integer format; its codes do not decompose",
        ("FP16", 1, 1, 0): "negative: 1 is not a truth value",
        ("FP16", False, -1, 0): "significand: -1 is not an integer of at least 0",
        ("FP16", False, 0.5, 0): "significand: 0.5 is not an integer of at least 0",
        ("FP16", False, 1, 1 << 21): "exponent: 2097152 is not an integer of at most 1048576 in magnitude",
    }
    assert {arguments: refusal(model.encode_exact, *arguments) for arguments in refused} == refused


def test_canonical_nan():
    assert {name: f"{model.canonical_nan(name):x}" for name in ("FP64", "TF32", "FP19", "HiF8", "E4M3", "E8M0")} == {
        "FP64": "7ff8000000000000",
        "TF32": "7fc00000",
        "FP19": "3ff00",
        "HiF8": "80",
        "E4M3": "7f",
        "E8M0": "ff",
    }
    for name in ("E3M2", "E2M3", "E2M1X2", "E1M2X2", "HiF4X2", "S8"):
        assert refusal(model.canonical_nan, name) == f"canonical_nan: {name} has no NaN"


def test_signed_zeros():
    assert model.signed_zeros("TF32") == (0, 0x80000000)
    assert model.signed_zeros("E3M2") == (0, 0x20)
    assert model.signed_zeros("HiF4X2") == (0, 0x8)
    for name in ("HiF8", "E8M0", "U16"):
        assert refusal(model.signed_zeros, name) == f"signed_zeros: {name} does not have two zeros"


def test_subnormal_boundaries():
    assert model.subnormal_boundaries("HF32") == (0x1000, 0x7FF000, 0x800000)
    assert model.subnormal_boundaries("E5M2").smallest_normal == 4
    message = "subnormal_boundaries: the specification gives none for E2M1X2"
    assert refusal(model.subnormal_boundaries, "E2M1X2") == message


def test_order_key():
    assert model.order_key("FP32", 0x80000000) + 1 == model.order_key("FP32", 0)
    assert model.order_key("HiF8", 0x7E) < model.order_key("HiF8", 0x08) < model.order_key("HiF8", 0x6F)
    message = "bits: 0x1 is not a valid TF32 code: constrained bits are set"
    assert refusal(model.order_key, "TF32", 1) == message
    assert refusal(model.order_key, "HiF8", 0x80) == "bits: 0x80 is a NaN of HiF8 and has no place in the order"


def test_lanes():
    assert model.lanes("E2M1X2", 0x71) == (1, 7)
    assert model.lanes("FP32", 0xFFFFFFFF) == (0xFFFFFFFF,)
    assert refusal(model.lanes, "U4X2", 0x100) == "carrier: 0x100 does not fit the 8 bits of U4X2 carriers"
    assert refusal(model.lanes, "U4X2", None) == "carrier: None is not an integer"
