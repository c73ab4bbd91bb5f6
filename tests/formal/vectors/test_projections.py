import shutil

import pytest

from formal.vectors import readers
from halfulp_formal.vectors.family import Description, Field
from halfulp_formal.vectors.projections import flag_byte, readmemh
from halfulp_formal.vectors.reading import read
from halfulp_formal.vectors.suite import ClassEntry, Suite, VectorCase
from halfulp_formal.vectors.writing import render

NAMES = [
    "shifts322s16", "noquant.fp32", "req4.rto.sat", "deqs16.rne.nosat", "format.e2m1x2", "format.fp64", "e8m0.fp32.rto.sat",
    "cvt.fp32.e4m3.rne.nosat",
]  # fmt: skip


def shipped(name):
    """The suite of a shipped file, as the independent reader sees it."""
    path = readers.FOLDER / f"{name}.jsonl"
    head = readers.header(path)
    inputs, outputs = ([Field(**each) for each in head[key]] for key in ("inputs", "outputs"))
    description = Description(
        conversion=name,
        twins=tuple(head["twins"]),
        rules=(head["rules"]["name"], head["rules"]["sha256"]),
        rounding=head["rounding"],
        saturate=head["saturate"],
        relu=head["relu"],
        inputs=tuple(inputs),
        outputs=tuple(outputs),
    )
    classes = tuple(
        ClassEntry(
            each["name"],
            each["sentence"],
            0 if each["witnesses"] == "unreachable" else each["witnesses"],
            each.get("obligation"),
        )
        for each in head["classes"]
    )
    cases = tuple(VectorCase(line.tc, line.corner, line.inputs, line.outputs, line.why) for line in read(path).lines)
    return Suite(description, classes, cases)


@pytest.mark.parametrize("name", NAMES)
def test_every_format_reads_back_the_same(name, tmp_path):
    suite = shipped(name)
    expected = readers.jsonl(readers.FOLDER / f"{name}.jsonl")
    assert len(expected) == len(suite.cases) > 0
    without_class = [readers.Case(case.inputs, case.outputs) for case in expected]
    paths = {}
    for fmt in ("jsonl", "testfloat", "readmemh", "csv", "c"):
        file, content = render(suite, fmt)
        paths[fmt] = tmp_path / file
        paths[fmt].write_bytes(content)
    inputs = len(suite.description.inputs)
    assert paths["jsonl"].read_bytes() == (readers.FOLDER / f"{name}.jsonl").read_bytes()
    flags = suite.description.outputs[-1].type == "flags"
    assert readers.testfloat(paths["testfloat"], inputs, flags=flags) == without_class
    assert readers.readmemh(paths["readmemh"], inputs) == without_class
    assert readers.comma_separated(paths["csv"], inputs) == expected
    if shutil.which("gcc"):
        assert readers.c_header(paths["c"], inputs, tmp_path) == expected


def test_testfloat_counts_flags_the_other_way_round():
    assert {pto: flag_byte(pto) for pto in (0x00, 0x01, 0x02, 0x04, 0x08, 0x10, 0x14, 0x18)} == {
        0x00: 0x00,
        0x01: 0x10,
        0x02: 0x08,
        0x04: 0x04,
        0x08: 0x02,
        0x10: 0x01,
        0x14: 0x05,
        0x18: 0x03,
    }


def test_testfloat_lines_have_fixed_columns():
    lines = render(shipped("req4.rto.sat"), "testfloat")[1].decode().splitlines()
    assert lines[0] == "00000000 0 000000003f800000 0000000000000000 0 00"
    assert {len(line) for line in lines} == {len(lines[0])}


def test_a_word_of_ones_is_refused():
    description = Description("made.up", (), ("pto", "0"), None, False, None, (Field("a", "word", 8),), ())
    suite = Suite(description, (), (VectorCase(1, "a/b", (255,), (), ""),))
    with pytest.raises(ValueError, match=r"^made\.up: case 1 is a word of nothing but ones$"):
        readmemh(suite)
