import shutil
import subprocess

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
#: every shipped file; four of five are read by `make slow` alone
FILES = [
    pytest.param(path.stem, marks=[pytest.mark.slow] if place % 5 else [])
    for place, path in enumerate(sorted(readers.FOLDER.glob("*.jsonl")))
]


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


def written(name, fmt, folder):
    """A shipped file in another format."""
    file, content = render(shipped(name), fmt)
    (folder / file).write_bytes(content)
    return folder / file


@pytest.mark.parametrize("name", FILES)
def test_every_file_reads_back_the_same_in_every_text_format(name, tmp_path):
    head, expected = readers.header(readers.FOLDER / f"{name}.jsonl"), readers.jsonl(readers.FOLDER / f"{name}.jsonl")
    inputs, flags = len(head["inputs"]), head["outputs"][-1]["type"] == "flags"
    without_class = [readers.Case(case.inputs, case.outputs) for case in expected]
    assert len(expected) == head["count"] > 0
    assert written(name, "jsonl", tmp_path).read_bytes() == (readers.FOLDER / f"{name}.jsonl").read_bytes()
    assert readers.testfloat(written(name, "testfloat", tmp_path), inputs, flags=flags) == without_class
    assert readers.readmemh(written(name, "readmemh", tmp_path), inputs) == without_class
    assert readers.comma_separated(written(name, "csv", tmp_path), inputs) == expected


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize("name", NAMES)
def test_a_c_compiler_reads_the_same(name, tmp_path):
    expected = readers.jsonl(readers.FOLDER / f"{name}.jsonl")
    inputs = len(readers.header(readers.FOLDER / f"{name}.jsonl")["inputs"])
    assert readers.c_header(written(name, "c", tmp_path), inputs, tmp_path) == expected


@pytest.mark.skipif(shutil.which("iverilog") is None, reason="Icarus Verilog (iverilog) is not installed")
def test_a_simulator_reads_the_same_words(tmp_path):
    path = written("req4.rto.sat", "readmemh", tmp_path)
    expected = readers.jsonl(readers.FOLDER / "req4.rto.sat.jsonl")
    bench = tmp_path / "bench.sv"
    bench.write_text(
        f"module bench; logic [175:0] words[0:{len(expected) - 1}]; initial begin "
        f'$readmemh("{path}", words); foreach (words[i]) $display("%h", words[i]); $finish(0); end endmodule\n'
    )
    subprocess.run(["iverilog", "-g2012", "-o", tmp_path / "bench", bench], check=True)
    done = subprocess.run(["vvp", "-n", tmp_path / "bench"], capture_output=True, text=True, check=True)
    digits = [(0, 8), (8, 9), (9, 25), (25, 41), (41, 42), (42, 44)]
    words = [
        [int(line[start:end], 16) for start, end in digits] for line in done.stdout.splitlines() if " " not in line
    ]
    assert words == [[*case.inputs, *case.outputs] for case in expected]


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
