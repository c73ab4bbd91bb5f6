"""The files of conversions to a power-of-two scale beside the oracle, and the classes that must be there."""

from fnmatch import fnmatchcase

import pytest

from formal.vectors import readers
from halfulp_formal.vectors.family import family_of, shipped_names
from oracle import e8m0 as oracle
from oracle import formats

E8M0 = [name for name in shipped_names() if name.startswith("e8m0.")]
SCALES = [name for name in shipped_names() if name.startswith("scale.")]
ELEMENTS = {"hif8": "HiF8"}


def test_every_conversion_has_a_file():
    assert (len(E8M0), len(SCALES)) == (42, 27)


@pytest.mark.parametrize("name", E8M0)
def test_every_case_is_the_oracle_s(name):
    _, source, rounding, saturation = name.split(".")
    for case in readers.jsonl(readers.FOLDER / f"{name}.jsonl"):
        expected = oracle.tcvt_e8m0(case.inputs[0], source.upper(), rounding.upper(), saturation == "sat")
        assert case.outputs == expected, case


@pytest.mark.parametrize("name", SCALES)
def test_every_positive_number_has_the_oracle_s_scale(name):
    _, source, rule, *element = name.split(".")
    names = [ELEMENTS.get(each, each.upper()) for each in element]
    numbers = 0
    for case in readers.jsonl(readers.FOLDER / f"{name}.jsonl"):
        number = formats.value(source.upper(), *case.inputs)
        if number is None or number <= 0:
            continue
        numbers += 1
        exponent = oracle.mx_scale(case.inputs[0], source.upper(), rule, *names)
        assert case.outputs[0] == min(max(exponent + 127, 0), 0xFE), case
    assert numbers > 20


def test_the_edges_of_the_range_are_cases():
    cases = {case.corner: case for case in readers.jsonl(readers.FOLDER / "e8m0.fp32.rne.nosat.jsonl")}
    assert (cases["range/largest"].inputs, cases["range/largest"].outputs) == ((0x7F000000,), (0xFE, 0))
    assert (cases["range/smallest"].inputs, cases["range/smallest"].outputs) == ((0x00400000,), (0x00, 0))
    # 1.0110101 in binary is the last significand below the root of two in eight bits
    cases = {case.corner: case for case in readers.jsonl(readers.FOLDER / "e8m0.bf16.rne.nosat.jsonl")}
    assert cases["half-minus-one/even-from-one"].inputs == (0x3FB5,)
    assert cases["half-plus-one/even-from-one"].inputs == (0x3FB6,)


def test_a_quotient_two_steps_below_a_power_of_two_is_a_case_where_the_divisor_is_none():
    found = [
        case for case in readers.jsonl(readers.FOLDER / "scale.fp32.rceil.e4m3.jsonl") if "divided/" in case.corner
    ]
    # 1.75 less two units of the last place, over 448 = 1.75 * 2^8: rounded up to 2^-8
    assert (found[0].inputs, found[0].outputs) == ((0x3FDFFFFE,), (0x77, 0x10))
    names = {each["name"] for each in readers.header(readers.FOLDER / "scale.fp32.floor.jsonl")["classes"]}
    assert not any(name.startswith("divided/") for name in names)


def test_nearest_modes_never_differ_and_linear_rules_do():
    empty = {
        each["name"]
        for each in readers.header(readers.FOLDER / "e8m0.fp32.rne.sat.jsonl")["classes"]
        if each["witnesses"] == "unreachable"
    }
    assert {"mode/not-rna", "mode/not-rhb"} <= empty
    assert not {"mode/not-rtz", "mode/not-rtm", "mode/not-rtp", "mode/not-rto"} & empty
    rules = readers.header(readers.FOLDER / "scale.fp32.even.jsonl")["classes"]
    witnesses = {each["name"]: each["witnesses"] for each in rules if each["name"].startswith("rule/")}
    assert len(witnesses) == 8
    assert all(isinstance(count, int) for count in witnesses.values())


def test_a_case_is_explained():
    why = family_of("e8m0.fp32.rto.sat").why
    assert why("e8m0.fp32.rto.sat", (0x3FC00000,)) == "1.5 -> 2^1"
    assert why("e8m0.fp32.rto.nosat", (0xFF800000,)) == "-infinity -> NaN"
    assert why("scale.fp16.rceil.e4m3", (0x4000,)) == "2 / 448 -> 2^-7"


def is_nearest(name):
    return name.split(".")[2] in ("rne", "rna", "rhb")


#: why, for which conversions, which classes
EMPTY = (
    ("every combination of flags that occurs has a class", lambda _: True, ["flags/other"]),
    ("log2 has no ties", is_nearest, ["mode/not-rne", "mode/not-rna", "mode/not-rhb"]),
    ("FP16 has no number near 2^127 or 2^-127", lambda name: ".fp16." in name, ["range/*", "flags/uf-nx"]),
    ("a number below 2^128 over an element's largest is below 2^127", lambda name: "rceil" in name, ["range/*largest"]),
    (
        "the largest FP16 number over 2^15 is below 2",
        lambda name: name.endswith(("fp16.rceil.hif8", "fp16.rceil.e5m2")),
        ["*/odd-from-one", "power-minus-one/even-from-one"],
    ),
    (
        "the largest FP16 number over 57344 is 1.14",
        lambda name: name.endswith("fp16.rceil.e5m2"),
        ["half/even-from-one", "half-*-one/even-from-one"],
    ),
)


def empty_classes(name):
    classes = readers.header(readers.FOLDER / f"{name}.jsonl")["classes"]
    return {each["name"] for each in classes if each["witnesses"] == "unreachable"}


@pytest.mark.parametrize("name", [*E8M0, *SCALES])
def test_what_is_empty_has_a_reason(name):
    expected = [pattern for _, applies, patterns in EMPTY if applies(name) for pattern in patterns]
    assert {each for each in empty_classes(name) if not any(fnmatchcase(each, one) for one in expected)} == set()


@pytest.mark.parametrize(("why", "applies", "patterns"), EMPTY)
def test_every_reason_is_needed(why, applies, patterns):
    empty = {each for name in [*E8M0, *SCALES] if applies(name) for each in empty_classes(name)}
    for pattern in patterns:
        assert any(fnmatchcase(each, pattern) for each in empty), (why, pattern)
