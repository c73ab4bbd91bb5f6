import json

import pytest

from formal.amend.amendments import write

EVEN = "rules:\n  scale_rules:\n    even: {choice: odd, reason: a test}\n"
EXPECTED = EVEN + "expect:\n  changed: [scale.bf16.even, scale.fp16.even, scale.fp32.even]\n"


def test_as_expected_and_its_reports(halfulp, tmp_path):
    path, reports = write(tmp_path, EXPECTED), tmp_path / "reports"
    code, out, err = halfulp("amend", str(path), "scale.bf16.*", "--jobs", "1", "--report", str(reports))
    assert code == 0
    # what is known is told before the rest is
    told = "0x00 (1*2^-127), UF|NX becomes 0x00 (1*2^-127), NX"
    assert err == f"halfulp: CHANGED scale.bf16.even: {told}: halfulp explain scale.bf16.even in=0x0030\n"
    assert out.startswith("AS EXPECTED: A test\n1 changed, 8 untouched (bitwuzla")
    record = json.loads((reports / "report.json").read_text())
    assert record["schema"] == "halfulp-amendment-report/1"
    assert record["changes"] == [{"place": "scale_rules.even.choice", "old": "even", "new": "odd", "reason": "a test"}]
    assert [each["name"] for each in record["conversions"]] == ["scale.bf16.even"]
    assert record["conversions"][0]["where"]["exact"] is True
    text = (reports / "report.md").read_text()
    assert text.startswith("# A test\n\n**AS EXPECTED**: 1 changed, 8 untouched.")
    assert (
        "exactly where the value is 1.5 times the power of two below it and the value is at least 2^-128 (PROVED)"
        in text
    )


REFUSED = {
    "expect: {changed: [req9]}\n": "patch.yaml:6: expect.changed: nothing is called 'req9'",
    "expect: {findings: {appear: [tye]}}\n": "patch.yaml:6: expect.findings.appear: nothing is called 'tye'",
    "expect:\n  changed: ['scale.*']\n  unchanged: [scale.bf16.even]\n": (
        "patch.yaml:8: expect.unchanged: 'scale.bf16.even' names scale.bf16.even, which is expected changed in line 7"
    ),
}


@pytest.mark.parametrize(("expect", "message"), REFUSED.items(), ids=range(len(REFUSED)))
def test_expectations_that_cannot_be(halfulp, tmp_path, expect, message):
    code, out, err = halfulp("amend", str(write(tmp_path, EVEN + expect)))
    assert (code, out) == (2, "")
    assert err.startswith(f"halfulp: {tmp_path}/{message}")
    assert err.count("\n") == 1


def test_what_cannot_be_read(halfulp, tmp_path):
    missing = tmp_path / "none.yaml"
    assert halfulp("amend", str(missing)) == (2, "", f"halfulp: {missing}: no such file; expected an amendment\n")
    assert halfulp("amend", str(tmp_path)) == (2, "", f"halfulp: {tmp_path}: is a folder; expected an amendment\n")
    assert halfulp("amend") == (2, "", "halfulp: PATCH: expected a YAML or Python file, or --new NAME\n")
    path = str(write(tmp_path, EVEN))
    assert halfulp("amend", path, "req9.*")[:2] == (2, "")
    assert halfulp("amend", path, "--timeout", "0") == (
        2,
        "",
        "halfulp: --timeout 0: expected a number of seconds above 0, at most 1,000,000\n",
    )
    assert halfulp("amend", path, "--vectors", path) == (
        2,
        "",
        f"halfulp: --vectors {path}: expected a folder of vector files\n",
    )


LOOP = """\
from halfulp_formal.amend import replaces
from halfulp_model.rows import Choice


@replaces("e8m0.takes_upper")
def takes_upper(choice: Choice, lower: int) -> bool:
    while lower > 1:
        lower = lower - 2
    return lower == 1
"""


def test_a_function_outside_the_liftable_subset(halfulp, tmp_path):
    path = write(tmp_path, "functions: functions.py\n", LOOP)
    code, out, err = halfulp("amend", str(path), "scale.bf16.even", "--jobs", "1")
    assert (code, out) == (2, "")
    assert err == f"halfulp: {tmp_path}/functions.py:7: scale.bf16.even: While is outside the liftable subset\n"


def test_a_skeleton_is_an_amendment(halfulp, tmp_path):
    path = tmp_path / "own.yaml"
    assert halfulp("amend", "--new", "shift_activation", str(path)) == (0, f"{path}\n{tmp_path / 'own.py'}\n", "")
    code, out, _ = halfulp("amend", str(path), "shifts322s16", "--jobs", "1")
    assert code == 1  # the finding disappears as expected, but the skeleton says nothing of changed conversions
    assert "finding disappears: shifts322s16.shift_activation" in out
    assert halfulp("amend", "--new", "shift_activation", str(path)) == (
        2,
        "",
        f"halfulp: {path}: exists; expected a new file\n",
    )


def test_a_skeleton_on_stdout(halfulp):
    code, out, err = halfulp("amend", "--new", "req8.rhb.sat")
    assert (code, err) == (0, "")
    assert "  # rounding:\n  #   RHB:\n  #     reason: why this should change\n  #     nearest: true\n" in out
    assert halfulp("amend", "--new", "tinines") == (
        2,
        "",
        "halfulp: no finding or conversion is called 'tinines'; did you mean 'tininess'?\n",
    )
