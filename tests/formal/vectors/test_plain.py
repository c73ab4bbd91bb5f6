"""The files of plain conversions beside the oracle, and the places that must be there."""

from fnmatch import fnmatchcase

import pytest

from formal.vectors import readers
from halfulp_formal.evaluate import compile_term
from halfulp_formal.vectors.family import family_of, shipped_names
from oracle import ieee_ocp as oracle

NAMES = [name for name in shipped_names() if name.startswith("cvt.")]


def cases(name):
    return readers.jsonl(readers.FOLDER / f"{name}.jsonl")


@pytest.mark.parametrize("name", NAMES[::3])
def test_every_case_is_the_oracle_s(name):
    _, source, destination, rounding, saturation = name.split(".")
    for case in cases(name):
        expected = oracle.convert(
            case.inputs[0], source.upper(), destination.upper(), rounding.upper(), saturation == "sat"
        )
        assert case.outputs == expected, case


def test_e4m3_has_the_numbers_between_its_largest_and_the_next_one():
    found = {case.corner: case for case in cases("cvt.fp32.e4m3.rne.nosat")}
    # 448 and a little, 456 - ulp … 464: all below the tie at 464 are 448
    under = found["place/above-largest-under-tie-positive"]
    assert 0x43E00000 < under.inputs[0] < 0x43E80000
    assert under.outputs == (0x7E, 0x10)
    assert (found["place/above-largest-tie-positive"].inputs, found["place/above-largest-tie-positive"].outputs) == (
        (0x43E80000,),
        (0x7E, 0x10),
    )
    assert found["place/above-largest-after-tie-positive"].inputs == (0x43E80001,)
    assert found["place/above-largest-after-tie-positive"].outputs == (0x7F, 0x14)


def test_tininess_is_judged_after_rounding():
    found = {case.corner: case for case in cases("cvt.fp32.fp16.rne.nosat")}
    # both become 2^-14; with more range the first would be below it
    before, past = (found[f"tininess/one-{place}-three-quarters-positive"] for place in ("before", "past"))
    assert (before.inputs, before.outputs) == ((0x387FEFFF,), (0x0400, 0x18))
    assert (past.inputs, past.outputs) == ((0x387FF001,), (0x0400, 0x10))


@pytest.mark.parametrize(("saturation", "results"), [("nosat", {0x00}), ("sat", {0x7F, 0x80})])
def test_integers_wrap_or_clamp_and_are_invalid(saturation, results):
    found = [case for case in cases(f"cvt.fp32.s8.rne.{saturation}") if case.corner == "wrap/low-bits-zero"]
    assert [case.inputs for case in found] == [(0x43800000,), (0xC3800000,)]
    assert {case.outputs[0] for case in found} == results
    assert {case.outputs[1] for case in found} == {0x01}


def test_a_case_is_explained():
    why = {
        name: family_of(name).why for name in ("cvt.fp32.s8.rne.sat", "cvt.s8.u8.rne.nosat", "cvt.fp32.e4m3.rne.sat")
    }
    assert why["cvt.fp32.s8.rne.sat"]("cvt.fp32.s8.rne.sat", (0x43000000,)) == "128 -> 128; S8 clamps to 127"
    assert why["cvt.fp32.s8.rne.sat"]("cvt.fp32.s8.rne.sat", (0xFF800000,)) == "-infinity -> -128, as Sat is 1"
    assert why["cvt.s8.u8.rne.nosat"]("cvt.s8.u8.rne.nosat", (0x80,)) == "-128; U8 wraps to 128"
    assert why["cvt.fp32.e4m3.rne.sat"]("cvt.fp32.e4m3.rne.sat", (0x43E70000,)) == "462 -> 448"


def parts(name):
    _, source, destination, rounding, saturation = name.split(".")
    return source, destination, rounding, saturation


def to_integer(name):
    return parts(name)[1][0] in "su"


def goes(*roundings):
    return lambda name: to_integer(name) and parts(name)[2] in roundings


def pair(source, *destinations):
    return lambda name: parts(name)[0] == source and parts(name)[1] in destinations


#: why, for which conversions, which classes
EMPTY = (
    ("every combination of flags that occurs has a class", lambda _: True, ["flags/other"]),
    ("integers are invalid, or inexact", to_integer, ["flags/of-nx", "flags/uf-nx"]),
    (
        "unsigned integers have no negative ends",
        lambda name: parts(name)[1][0] == "u",
        ["range/lowest", "wrap/low-bits-negative"],
    ),
    ("toward zero or down", goes("rtz", "rtm"), ["range/rounding-overflows-high"]),
    ("toward zero or up", goes("rtz", "rtp"), ["range/rounding-overflows-low"]),
    ("up", goes("rtp"), ["range/rounding-stays-high"]),
    ("down", goes("rtm"), ["range/rounding-stays-low"]),
    (
        "the largest integer is odd, the least one even",
        goes("rto"),
        ["range/rounding-overflows-high", "range/rounding-stays-low"],
    ),
    (
        "FP32 has 24 bits: none next to the ends of 32",
        pair("fp32", "s32", "u32"),
        ["range/highest*", "range/rounding-*-high"],
    ),
    (
        "FP32 has 24 bits: none next to the ends of 32",
        pair("fp32", "s32"),
        ["range/below-lowest", "range/lowest-and-*", "range/rounding-*-low"],
    ),
    (
        "FP32 has the exponents of BF16 and TF32: out of range lies less than a unit, below no more than 2^16",
        pair("fp32", "bf16", "tf32"),
        ["place/vanishing-*", "place/*quantum-above-largest-*", "place/next-binade-*", "place/far-above-largest-*"],
    ),
    (
        "toward zero nothing but an infinity overflows, and that stays one",
        lambda name: pair("fp32", "bf16", "tf32")(name) and parts(name)[2:] in (("rtz", "nosat"), ("rto", "nosat")),
        ["flags/of-nx"],
    ),
)


def empty_classes(name):
    classes = readers.header(readers.FOLDER / f"{name}.jsonl")["classes"]
    return {each["name"] for each in classes if each["witnesses"] == "unreachable"}


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("cvt.fp32.")])
def test_what_is_empty_has_a_reason(name):
    expected = [pattern for _, applies, patterns in EMPTY if applies(name) for pattern in patterns]
    assert {each for each in empty_classes(name) if not any(fnmatchcase(each, one) for one in expected)} == set()


@pytest.mark.parametrize(("why", "applies", "patterns"), EMPTY)
def test_every_reason_is_needed(why, applies, patterns):
    empty = {each for name in NAMES if applies(name) for each in empty_classes(name)}
    for pattern in patterns:
        assert any(fnmatchcase(each, pattern) for each in empty), (why, pattern)


def members_of_classes(name):
    """Every class of a conversion with whether any code of the source is in it, tried code by code."""
    family = family_of(name)
    facts, classes = family.facts(name), family.classes(name)
    values = compile_term([facts.legal.term, *(each.when(facts).term for each in classes)], facts.inputs)
    found = [False] * len(classes)
    for code in range(1 << facts.inputs[0].bv_width()):
        legal, *here = values(code)
        found = [bool(one or (legal and two)) for one, two in zip(found, here, strict=True)]
    return {each.name: holds for each, holds in zip(classes, found, strict=True)}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cvt.fp16.e4m3.rne.nosat", "cvt.bf16.fp16.rne.nosat", "cvt.fp16.s8.rne.nosat"])
def test_classes_proved_empty_have_no_code_at_all(name):
    assert {each for each, holds in members_of_classes(name).items() if not holds} == empty_classes(name)
