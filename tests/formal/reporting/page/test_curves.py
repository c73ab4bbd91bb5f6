"""The staircases against facts that are known without the model: where FP16, S8 and E8M0 round."""

import pytest

from halfulp_formal.explain import explain
from halfulp_formal.reporting.page.curves import curve_of
from halfulp_formal.reporting.page.rule_lines import rows_by_name


def curve(name, **fields):
    return curve_of(rows_by_name()[name], explain(name, fields))


def hit(found):
    return found["steps"][found["hit"]]


def test_a_tie_of_an_integer_goes_to_even_and_the_ends_say_so():
    found = curve("req8.rne.nosat", product="5*2^-1")
    assert (found["unit"], found["diagonal"]) == ("1", 0)
    assert [(step[3].split(" = ")[1], step[4], step[5]) for step in found["steps"]] == [
        ("0", None, True),
        ("1", False, False),
        ("2", True, True),
        ("3", False, False),
        ("4", True, True),
        ("5", False, False),
        ("6", True, None),
    ]
    assert hit(found)[3] == "0x02 = 2"
    # 2 is half a unit below 2.5, and its step begins at 1.5
    assert hit(found)[:3] == [-1.0, 0.0, -0.5]


def test_the_offset_lifts_the_exact_value():
    found = curve("req8.rne.nosat", product="5*2^-1", offset="7")
    assert (found["diagonal"], hit(found)[3]) == (7, "0x09 = 9")


@pytest.mark.parametrize(("rounding", "code"), [("rtz", "0x3c00"), ("rtp", "0x3c01"), ("rto", "0x3c01")])
def test_directed_modes_of_fp16_beside_one(rounding, code):
    found = curve(f"cvt.fp32.fp16.{rounding}.nosat", **{"in": "0x3f800001"})
    assert found["unit"] == "2^-10"
    assert hit(found)[3].startswith(code)


def test_the_largest_number_and_what_lies_beyond():
    found = curve("cvt.fp32.fp16.rne.nosat", **{"in": "65520.0"})
    assert hit(found)[2:5] == [None, "0x7c00 = positive infinity", True]
    assert found["steps"][found["hit"] - 1][2:4] == [-0.5, "0x7bff = 65504"]


def test_a_scale_steps_at_the_midpoint_of_a_binade():
    found = curve("scale.fp16.even", **{"in": "0x3e00"})
    # 1.5 under an even exponent stays below, and the next step begins after it
    assert hit(found)[3:] == ["0x7f = 1", None, True]
    assert found["steps"][found["hit"] + 1][3:5] == ["0x80 = 2", False]
    assert (found["diagonal"], found["reach"]) == (None, None)


def test_narrowing_to_fp19():
    found = curve("fp19.fp32", **{"in": "0x3f801000"})
    assert hit(found)[2:] == [-0.5, "0x1fc00 = 1", True, True]
    assert found["unit"] == "2^-10"


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("cvt.fp32.fp16.rne.nosat", {"in": "nan"}),
        ("noquant.fp32", {"acc": "inf"}),
        ("noquant.s32", {"acc": "5"}),
        ("shifts322s16", {"acc": "5", "shift": "1"}),
        ("scale.fp16.even", {"in": "0x8001"}),
        ("format.e4m3", {"in": "0x01"}),
    ],
)
def test_no_staircase_where_no_number_is_rounded(name, fields):
    assert curve(name, **fields) is None


def test_a_number_far_beyond_the_range_has_one_step():
    found = curve("req8.rne.sat", product="1*2^60")
    assert [step[3] for step in found["steps"]] == ["0x7f = 127"]
