"""The report of findings: witnesses in words, and findings beside differences."""

import pytest

from halfulp_formal import findings_report, format_findings, scale_findings
from halfulp_formal.catalogue import build
from halfulp_formal.decide import Engine, decide


@pytest.mark.parametrize(
    ("conversion", "witness", "words"),
    [
        ("format.e2m1x2", {"in.bits.4": 1}, "E2M1X2 `0x1`, 0.5, classed as positive normal"),
        ("format.fp32", {"in.bits.32": 0x7F800001}, "FP32 `0x7f800001`, signaling NaN"),
        (
            "e8m0.fp32.rtm.sat",
            {"in.bits.32": 0x7F000001},
            "FP32 `0x7f000001`, ≈ 1.70141203743e+38, gives `0xfe` with OF, NX",
        ),
        ("scale.fp16.floor", {"in.bits.16": 0}, "FP16 `0x0000`, 0, gives `0x00` with no flags"),
        ("scale.fp16.floor", {"in.bits.16": 0, "in.other.16": 1}, "in.bits.16 = `0x0`, in.other.16 = `0x1`"),
        (
            "noquant.fp32",
            {"in.value": 0x7F800001, "in.relu": 1, "in.quant_word": 0, "in.relu_word": 0},
            "FP32 `0x7f800001`, ReluMode 1 gives `0x7fc00000` with NV",
        ),
    ],
)
def test_a_witness_in_words(conversion, witness, words):
    assert findings_report.in_words(conversion, witness) == words


def test_differences_between_scales_stand_apart_from_findings(monkeypatch):
    found = [finding for finding in format_findings.FINDINGS if finding.key == "denied_subnormals"]
    differ = [difference for difference in scale_findings.DIFFERENCES if difference.title == "even and TCVT under RNE"]
    monkeypatch.setattr(findings_report, "FINDINGS", tuple(found))
    monkeypatch.setattr(findings_report, "DIFFERENCES", tuple(differ))
    names = findings_report.obligation_names()
    assert len(names) == 2 * (3 + 3)
    text = findings_report.markdown([decide(build(name), Engine(timeout=30), minimise=True) for name in names])
    finding, difference = text.split("# Where choices of a scale differ")
    assert "| `format.e1m2x2` | REFUTED | PROVED | E1M2X2 `0x1`, 0.25, classed as positive normal |" in finding
    assert "- Normative code: E2M1X2FiniteDecomposition" in finding
    assert "| `scale.fp32.even` | REFUTED | PROVED | FP32 `0x005a827a`, " in difference
    assert "- Difference: TCVT rounds log2" in difference
    assert "Not everything here is proved" not in text


def test_every_finding_and_difference_has_conversions():
    for finding in (*findings_report.FINDINGS, *findings_report.DIFFERENCES):
        assert list(findings_report.names_of(finding)), finding.title
