"""The classes that are proved empty, each with the reason why it must be: a new one is a surprise to look into."""

from fnmatch import fnmatchcase

import pytest

from formal.vectors import readers
from halfulp_formal.vectors.postprocess import PostProcessing
from halfulp_model.conversions import conversions

NAMES = PostProcessing().names()


def scaled(row):
    return row.mode.parameter.value == "scale"


def has_offset(row):
    return row.mode.offset_bits > 0


def keeps_type(row):
    return row.mode.destination is None


def unscaled_fp32(row):
    return row.accumulator.name == "FP32" and not scaled(row)


def rounds_as(*names):
    return lambda row: has_offset(row) and row.rounding.name in names


def is_mode(*names):
    return lambda row: row.mode.name.lower() in names


#: why, for which rows, which classes
EMPTY = (
    ("every combination of flags that occurs has a class", lambda _: True, ["flags/other"]),
    ("integers are never invalid", lambda row: row.accumulator.is_integer, ["flags/nv"]),
    ("integers do not underflow", lambda row: row.destination.is_integer, ["flags/uf-nx"]),
    ("a shift is never inexact alone", is_mode("shifts322s16"), ["flags/nx"]),
    ("sixteen bits are left of a shift by sixteen", is_mode("shifts322s16"), ["shift/sixteen-places-saturate"]),
    (
        "an unsigned accumulator passes unchanged",
        lambda row: row.accumulator.name == "U32",
        ["flags/nx", "flags/of-nx"],
    ),
    ("the ends of the intermediate are as far from 0 as any offset", has_offset, ["stages/high-then-low"]),
    ("the ends of the intermediate are as far from 0 as any offset", has_offset, ["stages/low-then-high"]),
    (
        "a clamp hides what a sum above the intermediate was",
        lambda row: has_offset(row) and row.saturate,
        ["order/sum-*"],
    ),
    ("toward zero", rounds_as("RTZ"), ["intermediate/rounding-saturates-*"]),
    ("downward", rounds_as("RTM"), ["intermediate/rounding-saturates-high", "intermediate/rounding-stays-low"]),
    ("upward", rounds_as("RTP"), ["intermediate/rounding-stays-high", "intermediate/rounding-saturates-low"]),
    (
        "the largest intermediate is odd, the least one even",
        rounds_as("RTO"),
        ["intermediate/rounding-saturates-high", "intermediate/rounding-stays-low", "stages/rounded-to-lowest"],
    ),
    (
        "NoQuant has no factor but 1 for what is not negative",
        lambda row: keeps_type(row) and row.accumulator.signed,
        [
            "tie/one-half",
            "tie/positive-*",
            "*-one/positive",
            "tiny/positive",
            "huge/positive",
            "wrap/above-highest",
            "normal/tie-*-positive",
            "normal/code-*-positive",
            "subnormal/tie-*-positive",
            "subnormal/code-*-positive",
            "place/carry-*-positive",
            "place/subnormal-to-normal*-positive",
            "place/*half-smallest-subnormal-positive",
            "place/vanishing-positive",
            "place/*above-largest*-positive",
            "place/next-binade-positive",
        ],
    ),
    ("a factor of 1 leaves a subnormal number subnormal", unscaled_fp32, ["value/subnormal-visible"]),
    (
        "FP32 has the exponents of BF16: out of range lies less than a unit, below no more than 2^16",
        is_mode("f322bf16"),
        [
            "place/vanishing-positive",
            "place/*quantum-above-largest-positive",
            "place/next-binade-positive",
            "place/far-above-largest-positive",
        ],
    ),
    (
        "the smallest scale is the smallest normal BF16 number, and an integer is 0 or at least 1",
        is_mode("qs322bf16"),
        [
            "subnormal/*",
            "place/*subnormal*",
            "place/vanishing-*",
            "flags/uf-nx",
        ],
    ),
    (
        "no 24-bit number times an 11-bit one has these bits",
        lambda row: not row.destination.is_integer and row.accumulator.name == "FP32",
        ["place/above-largest-positive", "place/above-largest-negative", "place/above-largest-*-tie-*"],
    ),
)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_empty_has_a_reason(name):
    row = conversions()[name]
    classes = readers.header(readers.FOLDER / f"{name}.jsonl")["classes"]
    expected = [pattern for _, applies, patterns in EMPTY if applies(row) for pattern in patterns]
    empty = {each["name"] for each in classes if each["witnesses"] == "unreachable"}
    assert {each for each in empty if not any(fnmatchcase(each, pattern) for pattern in expected)} == set()


@pytest.mark.parametrize(("why", "applies", "patterns"), EMPTY)
def test_every_reason_is_needed(why, applies, patterns):
    empty = set()
    for name in NAMES:
        if applies(conversions()[name]):
            classes = readers.header(readers.FOLDER / f"{name}.jsonl")["classes"]
            empty |= {each["name"] for each in classes if each["witnesses"] == "unreachable"}
    for pattern in patterns:
        assert any(fnmatchcase(each, pattern) for each in empty), (why, pattern)
