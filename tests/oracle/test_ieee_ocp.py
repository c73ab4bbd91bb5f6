"""Plain conversions on public fault reports, against the host, ml_dtypes and gfloat where each is right."""

import json
import random
import struct
from itertools import pairwise
from math import copysign, inf, nan
from pathlib import Path

import pytest

from oracle import formats
from oracle.e8m0 import tcvt_e8m0
from oracle.ieee_ocp import FLOATS, INTEGERS, add32, convert, target
from oracle.rounding import MODES

PUBLIC = Path(__file__).parent.parent / "cases" / "public.jsonl"
CASES = [json.loads(line) for line in PUBLIC.read_text(encoding="utf-8").splitlines()]
FLAGS = {"NV": 0x01, "DZ": 0x02, "OF": 0x04, "UF": 0x08, "NX": 0x10, "none": 0}
ML_DTYPES = {
    "BF16": "bfloat16",
    "E5M2": "float8_e5m2",
    "E4M3": "float8_e4m3fn",
    "E3M2": "float6_e3m2fn",
    "E2M3": "float6_e2m3fn",
    "E2M1": "float4_e2m1fn",
}
GFLOAT = {
    "FP16": "binary16",
    "BF16": "bfloat16",
    "E5M2": "ocp_e5m2",
    "E4M3": "ocp_e4m3",
    "E3M2": "ocp_e3m2",
    "E2M3": "ocp_e2m3",
    "E2M1": "ocp_e2m1",
}


@pytest.mark.parametrize("case", CASES, ids=[f"{case['from']}-{case['in']}" for case in CASES])
def test_public_case(case: dict[str, str | None]) -> None:
    fields = {key: value or "" for key, value in case.items()}
    rounding, sat = fields["rounding"].split()[0], fields["saturation"] == "sat"
    bits, source, destination = int(fields["in"], 16), fields["source"], fields["destination"]
    if destination == "E8M0":
        code, flags = tcvt_e8m0(bits, source, rounding, sat)
    else:
        code, flags = convert(bits, source, destination, rounding, sat)
    assert code == int(fields["right"], 16)
    if fields["flags"]:
        assert flags == sum(FLAGS[name] for name in fields["flags"].split("|"))


def f32(bits: int) -> float:
    number: float = struct.unpack("<f", struct.pack("<I", bits))[0]
    return number


def samples(destination: str, count: int) -> list[int]:
    """FP32 encodings: every tie between neighbouring codes with its two neighbours, and random ones."""
    chosen = random.Random(destination)
    near = {chosen.getrandbits(32) for _ in range(count)}
    codes = range(256) if destination in ML_DTYPES and destination != "BF16" else []
    name = "E2M1X2" if destination == "E2M1" else destination
    finite = sorted({value for code in codes if (value := formats.value(name, code)) is not None})
    for left, right in pairwise(finite):
        tie = struct.unpack("<I", struct.pack("<f", float((left + right) / 2)))[0]
        near |= {tie - 1 & 0xFFFFFFFF, tie, tie + 1 & 0xFFFFFFFF}
    return sorted(bits for bits in near if bits & 0x7F800000 != 0x7F800000)


@pytest.mark.parametrize("destination", ML_DTYPES)
def test_ml_dtypes_agrees_from_fp32(destination: str) -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    numpy = pytest.importorskip("numpy")
    dtype = getattr(ml_dtypes, ML_DTYPES[destination])
    codes = samples(destination, 1000)
    carrier = numpy.uint16 if destination == "BF16" else numpy.uint8
    theirs = numpy.array(codes, numpy.uint32).view(numpy.float32).astype(dtype).view(carrier)
    width = {"BF16": 16, "E5M2": 8, "E4M3": 8, "E3M2": 6, "E2M3": 6, "E2M1": 4}[destination]
    for bits, their in zip(codes, theirs, strict=True):
        assert convert(bits, "FP32", destination, "RNE", False)[0] == int(their) & ((1 << width) - 1), f"{bits:08x}"


def meaning(destination: str, code: int) -> float:
    """A code as a host float, which holds every value of the small formats."""
    name = "E2M1X2" if destination == "E2M1" else destination
    exact = formats.value(name, code)
    if exact is not None:
        return copysign(float(exact), -1.0 if code & target(destination).sign else 1.0)
    kind = formats.classify(name, code)
    return {"positive_infinity": inf, "negative_infinity": -inf}.get(kind, nan)


@pytest.mark.parametrize("rounding", ["RNE", "RTM", "RTP", "RTZ", "RNA"])
@pytest.mark.parametrize("destination", GFLOAT)
@pytest.mark.parametrize("sat", [False, True])
def test_gfloat_agrees_from_fp32(destination: str, rounding: str, sat: bool) -> None:
    gfloat = pytest.importorskip("gfloat")
    known = pytest.importorskip("gfloat.formats")
    mode = {
        "RNE": gfloat.RoundMode.TiesToEven,
        "RTM": gfloat.RoundMode.TowardNegative,
        "RTP": gfloat.RoundMode.TowardPositive,
        "RTZ": gfloat.RoundMode.TowardZero,
        "RNA": gfloat.RoundMode.TiesToAway,
    }[rounding]
    info = getattr(known, f"format_info_{GFLOAT[destination]}")
    compared = 0
    for bits in samples(destination, 150):
        code, flags = convert(bits, "FP32", destination, rounding, sat)
        if flags & 0x04 and not sat and target(destination).nan is None:
            continue  # gfloat refuses an overflow into a format with neither infinity nor NaN
        theirs = gfloat.round_float(info, f32(bits), mode, sat)
        assert str(meaning(destination, code)) == str(float(theirs))
        compared += 1
    assert compared > 40


def test_fp64_to_fp32_and_fp16_as_the_host_packs() -> None:
    chosen = random.Random(1)
    for _ in range(1000):
        bits = (chosen.randrange(850, 1180) << 52) | chosen.getrandbits(52) | chosen.getrandbits(1) << 63
        number = struct.unpack("<d", struct.pack("<Q", bits))[0]
        for destination, code in (("FP32", "<f"), ("FP16", "<e")):
            try:
                host = int.from_bytes(struct.pack(code, number), "little")
            except OverflowError:
                assert convert(bits, "FP64", destination, "RNE", False)[1] == 0x14
                continue
            assert convert(bits, "FP64", destination, "RNE", False)[0] == host


@pytest.mark.parametrize("name", FLOATS)
def test_identity_on_finite_codes(name: str) -> None:
    limits = target(name)
    last = limits.sign - (1 << limits.shift)
    unit = 1 << limits.shift
    magnitudes = {0, unit, 2 * unit, last // 2 & -unit, last - unit, last}
    finite = 0
    for bits in sorted(magnitudes | {limits.sign | magnitude for magnitude in magnitudes}):
        if formats.value("E2M1X2" if name == "E2M1" else name, bits) is not None:
            finite += 1
            assert {convert(bits, name, name, mode, False) for mode in MODES} == {(bits, 0)}
    assert finite >= 8


def test_overflow_follows_the_direction() -> None:
    for destination, infinity, largest in (("FP16", 0x7C00, 0x7BFF), ("E4M3", 0x7F, 0x7E), ("E2M1", 0x7, 0x7)):
        sign = target(destination).sign
        for mode in MODES:
            for negative in (False, True):
                code, flags = convert(0x7E967699 | negative << 31, "FP32", destination, mode, False)
                inward = mode in ("RTZ", "RTO") or mode == ("RTP" if negative else "RTM")
                assert code == sign * negative | (largest if inward else infinity)
                assert flags == 0x14
                assert convert(0x7E967699 | negative << 31, "FP32", destination, mode, True)[0] == (
                    sign * negative | largest
                )


def test_tininess_is_judged_after_rounding() -> None:
    # 2^-14 less one FP32 unit: with 11 bits and no exponent bound it rounds to 2^-14, which is not tiny.
    assert convert(0x387FFFFF, "FP32", "FP16", "RNE", False) == (0x0400, 0x10)
    # Less half a unit of the normal binade below: the unbounded result stays under 2^-14.
    assert convert(0x387FE000, "FP32", "FP16", "RNE", False) == (0x0400, 0x18)
    assert convert(0x387FEFFF, "FP32", "FP16", "RNE", False) == (0x0400, 0x18)
    assert convert(0x387FF000, "FP32", "FP16", "RNE", False) == (0x0400, 0x10)
    assert convert(0x387FFFFF, "FP32", "FP16", "RTM", False) == (0x03FF, 0x18)
    assert convert(0x00000001, "FP32", "FP16", "RTP", False) == (0x0001, 0x18)
    assert convert(0x80000001, "FP32", "E4M3", "RNE", False) == (0x80, 0x18)
    assert convert(0x03FF, "FP16", "FP16", "RNE", False) == (0x03FF, 0)


def test_nans() -> None:
    assert convert(0x7F800001, "FP32", "BF16", "RNE", False) == (0x7FC0, 0x01)
    assert convert(0xFFC12345, "FP32", "FP16", "RNE", False) == (0xFE09, 0)
    assert convert(0xFFC12345, "FP32", "FP16", "RNE", False, payload=False) == (0xFE00, 0)
    assert convert(0x7E01, "FP16", "FP32", "RNE", False) == (0x7FC02000, 0)
    assert convert(0xFF, "E4M3", "FP32", "RNE", False) == (0xFFC00000, 0)
    assert convert(0xFFC00000, "FP32", "E4M3", "RNE", True) == (0xFF, 0)
    assert convert(0x7FC00000, "FP32", "E2M1", "RNE", False) == (0x7, 0x01)
    assert convert(0x7FC00000, "FP32", "TF32", "RNE", False) == (0x7FC00000, 0)


def test_infinities() -> None:
    assert convert(0xFF800000, "FP32", "FP16", "RTZ", False) == (0xFC00, 0)
    assert convert(0xFF800000, "FP32", "FP16", "RNE", True) == (0xFBFF, 0x14)
    assert convert(0xFF800000, "FP32", "E4M3", "RNE", False) == (0xFF, 0x14)
    assert convert(0xFF800000, "FP32", "E3M2", "RNE", False) == (0x3F, 0x14)


def test_integers() -> None:
    assert convert(0x43000000, "FP32", "S8", "RNE", False) == (0x80, 0x01)
    assert convert(0xBF000000, "FP32", "U8", "RNE", False) == (0x00, 0x10)
    assert convert(0xBF800000, "FP32", "U8", "RNE", True) == (0x00, 0x01)
    assert convert(0x7FC00000, "FP32", "S8", "RNE", True) == (0x00, 0x01)
    assert convert(0x7FC00000, "FP32", "S8", "RNE", False) == (0x80, 0x01)
    assert convert(0xFF800000, "FP32", "U8", "RNE", True) == (0x00, 0x01)
    assert convert(0x7F800000, "FP32", "U8", "RNE", True) == (0xFF, 0x01)
    assert convert(0x80000000, "FP32", "S8", "RNE", False) == (0x00, 0x00)
    assert convert(0xFFFFFFFF, "S32", "FP16", "RNE", False) == (0xBC00, 0)
    assert convert(0xFFFFFFFF, "U32", "FP32", "RNE", False) == (0x4F800000, 0x10)
    assert convert(0x80, "S8", "S4", "RNE", True) == (0x8, 0x01)
    assert set(INTEGERS) == {"S32", "U32", "S16", "S8", "U8", "S4"}


def test_constrained_bits_are_checked() -> None:
    with pytest.raises(ValueError, match=r"^TF32 3f800001: expected zero in the constrained bits$"):
        convert(0x3F800001, "TF32", "FP16", "RNE", False)
    assert convert(0x3F801000, "FP32", "TF32", "RNE", False) == (0x3F800000, 0x10)
    assert convert(0x3F803000, "FP32", "TF32", "RNE", False) == (0x3F804000, 0x10)


def test_single_precision_addition() -> None:
    numpy = pytest.importorskip("numpy")
    chosen = random.Random(2)
    for _ in range(2000):
        exponent = chosen.randrange(0, 250)
        left = exponent << 23 | chosen.getrandbits(23) | chosen.getrandbits(1) << 31
        right = max(0, exponent - chosen.randrange(-4, 27)) << 23 | chosen.getrandbits(23)
        right |= chosen.getrandbits(1) << 31
        total = numpy.array([left], numpy.uint32).view(numpy.float32) + numpy.array([right], numpy.uint32).view(
            numpy.float32
        )
        assert add32(left, right, "RNE")[0] == int(total.view(numpy.uint32)[0])
    assert add32(0x3F800000, 0xBF800000, "RNE") == (0, 0)
    assert add32(0x3F800000, 0xBF800000, "RTM") == (0x80000000, 0)
    assert add32(0x80000000, 0x80000000, "RTP") == (0x80000000, 0)
    assert add32(0x7F800000, 0xFF800000, "RNE") == (0x7FC00000, 0x01)
    assert add32(0x7F7FFFFF, 0x7F7FFFFF, "RTZ") == (0x7F7FFFFF, 0x14)
    assert add32(0x00000001, 0x00000001, "RNE") == (0x00000002, 0)
    assert add32(0x7F800001, 0, "RNE") == (0x7FC00000, 0x01)
