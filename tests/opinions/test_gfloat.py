"""An outside opinion in five rounding modes, with and without Sat: gfloat."""

from __future__ import annotations

import math
import random
import struct

import pytest

from halfulp_model import convert

gfloat = pytest.importorskip("gfloat", reason="the outside opinions are installed with the extra 'oracles'")
formats = pytest.importorskip("gfloat.formats", reason="the outside opinions are installed with the extra 'oracles'")

DESTINATIONS = {
    "FP16": formats.format_info_binary16,
    "BF16": formats.format_info_bfloat16,
    "E5M2": formats.format_info_ocp_e5m2,
    "E4M3": formats.format_info_ocp_e4m3,
    "E3M2": formats.format_info_ocp_e3m2,
    "E2M3": formats.format_info_ocp_e2m3,
    "E2M1": formats.format_info_ocp_e2m1,
}
ROUNDINGS = {
    "RNE": gfloat.RoundMode.TiesToEven,
    "RNA": gfloat.RoundMode.TiesToAway,
    "RTZ": gfloat.RoundMode.TowardZero,
    "RTP": gfloat.RoundMode.TowardPositive,
    "RTM": gfloat.RoundMode.TowardNegative,
}


def values(seed: int, count: int) -> list[int]:
    """FP32 codes of finite numbers in and around the destinations' ranges, many of them ties."""
    rng = random.Random(seed)
    codes = []
    for _ in range(count):
        zeros = rng.randrange(24)
        fraction = rng.getrandbits(23) >> zeros << zeros
        codes.append((rng.getrandbits(1) << 31) | (rng.randrange(95, 150) << 23) | fraction)
    return codes


@pytest.mark.parametrize("destination", DESTINATIONS)
@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("sat", [False, True])
def test_fp32_sources_agree(destination, rounding, sat):
    info = DESTINATIONS[destination]
    has_special = info.num_posinfs + info.num_nans > 0
    for code in values(3, 250):
        value = struct.unpack("<f", struct.pack("<I", code))[0]
        # a format without infinity and NaN saturates in any case; gfloat wants to be told so
        rounded = gfloat.round_float(info, value, ROUNDINGS[rounding], sat=sat or not has_special)
        ours = convert(code, "FP32", destination, rounding=rounding, sat=sat).word
        if math.isnan(rounded):
            # gfloat writes every NaN of E4M3 as ff
            assert ours % 0x80 == 0x7F
            continue
        assert gfloat.encode_float(info, rounded) == ours, (hex(code), rounding, sat)
