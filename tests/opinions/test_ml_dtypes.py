"""Outside opinions: ml_dtypes and numpy round to nearest even, without Sat, from FP32 and narrower."""

from __future__ import annotations

import random

import pytest

from halfulp_model import convert

numpy = pytest.importorskip("numpy", reason="the outside opinions are installed with the extra 'oracles'")
ml_dtypes = pytest.importorskip("ml_dtypes", reason="the outside opinions are installed with the extra 'oracles'")

SOURCES = {"FP16": (numpy.uint16, numpy.float16), "BF16": (numpy.uint16, ml_dtypes.bfloat16)}
DESTINATIONS = {
    "E5M2": (ml_dtypes.float8_e5m2, 8),
    "E4M3": (ml_dtypes.float8_e4m3fn, 8),
    "E3M2": (ml_dtypes.float6_e3m2fn, 6),
    "E2M3": (ml_dtypes.float6_e2m3fn, 6),
    "E2M1": (ml_dtypes.float4_e2m1fn, 4),
}


def theirs(codes: list[int], source: str, destination: str) -> list[int]:
    """What ml_dtypes makes of codes."""
    carrier, kind = SOURCES[source]
    values = numpy.array(codes, dtype=carrier).view(kind)
    width = DESTINATIONS[destination][1]
    with numpy.errstate(all="ignore"):
        converted = values.astype(DESTINATIONS[destination][0])
    return [int(code) % (1 << width) for code in converted.view(numpy.uint8)]


def is_nan(source: str, code: int) -> bool:
    """Whether a code of FP16 or BF16 is a NaN."""
    top, fraction = (0x7C00, 0x03FF) if source == "FP16" else (0x7F80, 0x007F)
    return code & top == top and code & fraction != 0


def differences(codes: list[int], source: str, destination: str) -> list[tuple[str, str, str]]:
    """Every code on which ml_dtypes and the model differ, NaNs apart."""
    found = []
    for code, other in zip(codes, theirs(codes, source, destination), strict=True):
        ours = convert(code, source, destination).word
        if ours != other and not is_nan(source, code):
            found.append((f"{code:#06x}", f"{ours:#04x}", f"{other:#04x}"))
    return found


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("destination", DESTINATIONS)
def test_a_dense_sample_of_sixteen_bit_sources_agrees(source, destination):
    codes = list(range(0, 1 << 16, 7))
    assert differences(codes, source, destination) == []


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("destination", DESTINATIONS)
def test_every_code_of_sixteen_bit_sources_agrees(source, destination):
    assert differences(list(range(1 << 16)), source, destination) == []


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("destination", ["E5M2", "E4M3"])
def test_a_nan_stays_a_nan_of_its_sign(source, destination):
    quiet = {"E5M2": (0x7D, 0x7E, 0x7F), "E4M3": (0x7F,)}[destination]
    nans = [code for code in range(1 << 16) if is_nan(source, code)][::5]
    for code, other in zip(nans, theirs(nans, source, destination), strict=True):
        ours = convert(code, source, destination).word
        assert ours % 0x80 in quiet
        # ml_dtypes does not keep payloads, and gives a quiet NaN of the sign
        assert (ours ^ other) & 0x80 == 0


def fp32_codes(count: int, seed: int) -> list[int]:
    """Random FP32 codes over all exponents, with many ties and their neighbours."""
    rng = random.Random(seed)
    codes = []
    for _ in range(count):
        head = rng.getrandbits(9) << 23
        fraction = rng.getrandbits(23)
        zeros = rng.randrange(24)
        codes.append(head | (fraction >> zeros << zeros))
        codes.append(head | (fraction >> zeros << zeros) ^ (1 << rng.randrange(23)))
    return [code for code in codes if not (code >> 23 & 0xFF == 0xFF and code & 0x7FFFFF)]


@pytest.mark.parametrize(
    ("destination", "kind", "carrier"),
    [
        ("FP16", numpy.float16, numpy.uint16),
        ("BF16", ml_dtypes.bfloat16, numpy.uint16),
        ("E5M2", ml_dtypes.float8_e5m2, numpy.uint8),
        ("E4M3", ml_dtypes.float8_e4m3fn, numpy.uint8),
    ],
)
def test_fp32_sources_agree(destination, kind, carrier):
    codes = fp32_codes(8000, 1)
    with numpy.errstate(all="ignore"):
        converted = numpy.array(codes, dtype=numpy.uint32).view(numpy.float32).astype(kind).view(carrier)
    wrong = [
        (hex(code), hex(convert(code, "FP32", destination).word), hex(int(other)))
        for code, other in zip(codes, converted, strict=True)
        if convert(code, "FP32", destination).word != int(other)
    ]
    assert wrong == []


def test_numpy_narrows_fp64_as_the_model_does():
    rng = random.Random(2)
    codes = [rng.getrandbits(64) for _ in range(4000)]
    codes += [(rng.getrandbits(1) << 63) | (rng.randrange(860, 1160) << 52) | rng.getrandbits(52) for _ in range(8000)]
    codes = [code for code in codes if code >> 52 & 0x7FF != 0x7FF]
    with numpy.errstate(all="ignore"):
        converted = numpy.array(codes, dtype=numpy.uint64).view(numpy.float64).astype(numpy.float32).view(numpy.uint32)
    for code, other in zip(codes, converted, strict=True):
        assert convert(code, "FP64", "FP32").word == int(other)
