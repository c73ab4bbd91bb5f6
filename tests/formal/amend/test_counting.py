"""Counts of differing inputs against the models themselves."""

import random
import shutil
from itertools import pairwise
from pathlib import Path

import pytest

from formal.amend.amendments import write
from halfulp_formal.amend import counting
from halfulp_formal.amend.compare import pair
from halfulp_formal.amend.counting import NotCounted, binades, count, count_in, difference
from halfulp_formal.amend.patch import read_amendment
from halfulp_formal.subject import base_subject

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "amendments"
HIF8 = "rules:\n  encoders:\n    pto:\n      HiF8: {underflow_sign: kept, reason: a test}\n"
EVEN = "rules:\n  scale_rules:\n    even: {choice: odd, reason: a test}\n"
PLAIN = {"in.relu": 0, "in.quant_word": 127 << 23, "in.relu_word": 0, "in.value": 0}


def test_sixteen_bits_are_counted_in_python(tmp_path):
    amendment = read_amendment(write(tmp_path, EVEN))
    found = count(pair(amendment.patches, "scale.bf16.even"), {"in.bits.16": 0}, 1)
    models = [subject.module("e8m0") for subject in (base_subject(), amendment.subject)]
    rows = [
        subject.module("api_e8m0").scale_conversions()["scale.bf16.even"]
        for subject in (base_subject(), amendment.subject)
    ]
    both = list(zip(models, rows, strict=True))
    expected = sum(len({tuple(model.to_scale(row, code)) for model, row in both}) > 1 for code in range(1 << 16))
    assert (found.differing, found.inputs, found.fixed) == (expected, 1 << 16, {})


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_thirty_two_bits_are_counted_in_c(tmp_path):
    amendment = read_amendment(write(tmp_path, HIF8))
    found = count(pair(amendment.patches, "qf322hif8.rhb.sat"), PLAIN, 2)
    # the negative numbers below 2^-23, the midpoint to which is included, are 0 in the base and -0 in the amended model
    assert found.differing == (104 << 23)
    assert found.fixed == {name: value for name, value in PLAIN.items() if name != "in.value"}


def differing_scales(amendment, name, codes):
    """How many codes the models themselves make other scales of."""
    base, amended = base_subject(), amendment.subject
    both = [(each.module("e8m0"), each.module("api_e8m0").e8m0_conversions()[name]) for each in (base, amended)]
    return sum(len({tuple(model.to_scale(row, code)) for model, row in both}) > 1 for code in codes)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.parametrize("mode", ["rne", "rna"])
def test_ranges_of_thirty_two_bits_are_counted_as_the_models_have_them(mode):
    amendment = read_amendment(EXAMPLES / "e8m0-linear.yaml")
    name = f"e8m0.fp32.{mode}.sat"
    versions = pair(amendment.patches, name)
    (symbol,) = versions.inputs
    # subnormal numbers, both ends of the exponents and their middle: at 2^0.5, at 1.5 and between
    fractions = (0x3504F3, 0x400000, 0x3A0000, 0x1FFFC0)
    lows = [
        (sign << 31 | field << 23 | at) & -64
        for sign in (0, 1)
        for field in (0, 1, 2, 127, 128, 254, 255)
        for at in fractions
    ]
    ranges = [(low, 6) for low in sorted({*lows, *(low - 64 for low in lows if low)})]
    codes = [code for low, bits in ranges for code in range(low, low + (1 << bits))]
    expected = differing_scales(amendment, name, codes)
    assert 0 < expected < len(codes)
    assert count_in(difference(versions, {}), symbol, ranges, 2) == expected


@pytest.mark.parametrize("name", ["S32", "U32", "FP32", "BF16", "TF32"])
def test_binades_are_all_codes_once(name):
    row = base_subject().module("loader").default_rules().formats[name]
    width = row.carrier_bits
    ranges = sorted((low, low + (1 << bits)) for low, bits in binades(row, width))
    assert ranges[0][0] == 0
    assert ranges[-1][1] == 1 << width
    assert all(one[1] == two[0] for one, two in pairwise(ranges))


def test_what_cannot_be_counted(tmp_path, monkeypatch):
    text = "rules:\n  encoders:\n    ieee-ocp:\n      E4M3: {tininess: before_rounding, reason: a test}\n"
    amendment = read_amendment(write(tmp_path, text))
    wide = pair(amendment.patches, "cvt.fp64.e4m3.rne.sat")
    with pytest.raises(NotCounted, match=r"^2\^64 inputs are too many$"):
        count(wide, {"in.bits.64": 0}, 1)
    monkeypatch.setattr(counting, "COMPILERS", ("no-such-compiler",))
    with pytest.raises(NotCounted, match=r"^there is no C compiler$"):
        count(pair(amendment.patches, "cvt.fp32.e4m3.rne.sat"), {"in.bits.32": random.getrandbits(32)}, 1)
