"""Counts of differing inputs against the models themselves."""

import random
import shutil
from itertools import pairwise

import pytest

from formal.amend.amendments import write
from halfulp_formal.amend import counting
from halfulp_formal.amend.compare import pair
from halfulp_formal.amend.counting import NotCounted, binades, count
from halfulp_formal.amend.patch import read_amendment
from halfulp_formal.subject import base_subject

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
        count(pair(amendment.patches, "cvt.fp32.e4m3.rtz.sat"), {"in.bits.32": random.getrandbits(32)}, 1)
