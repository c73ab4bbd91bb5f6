"""What vectors cover is counted case by case: classes, exact ties, mutants."""

import json
from fractions import Fraction

import pytest

from halfulp_formal.cli import covering
from halfulp_formal.mutants.coverage import Coverage, Different, count_classes, coverage
from halfulp_formal.mutants.foreign import Foreign
from halfulp_formal.vectors.family import WITH_FILE
from halfulp_formal.vectors.projections import flag_byte
from halfulp_model import convert

NAME = "cvt.fp32.fp16.rne.nosat"
OPERANDS = [
    0x00000000, 0x80000000, 0x3F800000, 0x3F801000, 0x3F803000, 0x3F801001, 0x3F800FFF, 0x477FEFFF, 0x477FF000, 0x33000000,
    0x33000001, 0x33C00000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 0xC2280000, 0x38800000, 0x387FE000, 0x387FF000,
]  # fmt: skip


def is_tie(code):
    """Whether a number lies halfway between two neighbours of binary16 without a bound on the exponent, by fractions."""
    exponent, fraction = code >> 23 & 0xFF, code & 0x7FFFFF
    if exponent == 0xFF:
        return False
    value = Fraction(fraction + (0x800000 if exponent else 0)) * Fraction(2) ** (max(exponent, 1) - 150)
    if not value:
        return False
    quantum = Fraction(2) ** -24
    while value >= quantum * 2048:
        quantum *= 2
    return (value / quantum) % 1 == Fraction(1, 2)


@pytest.fixture
def testfloat(tmp_path):
    """A file as `testfloat_gen f32_to_f16` writes it."""
    path = tmp_path / "f32_to_f16.txt"
    results = [(code, convert(code, "FP32", "FP16")) for code in OPERANDS]
    path.write_text("".join(f"{code:08X} {each.word:04X} {flag_byte(each.flags):02X}\n" for code, each in results))
    return path


def test_ties_are_counted_exactly():
    found = Coverage(NAME)
    count_classes(found, [(code,) for code in OPERANDS])
    assert found.ties == sum(map(is_tie, OPERANDS)) > 3
    assert found.classes["normal/tie-even-positive"] == 1
    assert "normal/tie-even-negative" in found.empty


def shifted(*cases):
    """Cases of SHIFTS322S16, each with its place."""
    return [Foreign(f"f:{line}", inputs, outputs) for line, (inputs, outputs) in enumerate(cases, start=1)]


def test_cases_that_are_wrong_illegal_or_there_twice_are_counted():
    cases = shifted(((1, 0, 0, 0), (5, 0)), ((1, 0, 0, 0), (0, 0)), ((1, 7, 0, 0), (0, 0)))
    found = coverage("shifts322s16", cases, None)
    assert (found.cases, found.different, found.repeated) == (3, [Different(cases[0], (0, 0))], 1)
    assert found.illegal == [(cases[2], "B.FPATR.ReluMode: 7 is not a ReluMode; expected 0 to 3")]
    assert found.ties is None


def test_only_mutants_that_the_shipped_file_kills_can_be_missed():
    case = ((1, 0, 0, 0), (0, 0))
    known = coverage("shifts322s16", shifted(case), [(1, 0, 0, 0), (0x7FFFFFFF, 0, 0, 0)])
    assert "rules.flags.OF.and-nx" not in known.missed  # equivalent: both are raised together
    assert known.missed


def test_the_command_tells_what_a_testfloat_file_covers(halfulp, testfloat, tmp_path):
    code, out, _ = halfulp("coverage", testfloat, "--conversion", NAME, "--vectors", tmp_path)
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == f"{NAME}: {len(OPERANDS)} cases, {sum(map(is_tie, OPERANDS))} of them exact ties"
    assert lines[1].startswith("corner classes: ")
    assert any(line.startswith("mutants: ") for line in lines)
    missed = [line for line in lines if line.startswith("  missed ")]
    assert [line for line in missed if "rules.formats.FP16.canonical_nan" in line]
    assert lines[-1].endswith("more; --json names them")


def test_the_command_lists_what_the_model_gives_otherwise(halfulp, tmp_path, monkeypatch):
    monkeypatch.setattr(covering, "MOST_LINES", 2)
    path, record = tmp_path / "wrong.csv", tmp_path / "record.json"
    path.write_text("".join(f"{value},0,0,0,0000,00\n" for value in (0, 2, 3, 4, 5)))
    arguments = ("--conversion", "shifts322s16", "--vectors", tmp_path, "--json", record)
    code, out, _ = halfulp("coverage", path, *arguments)
    asked = "0 0000000000000000 0000000000000000, expected 0000 00, the model gives"
    assert code == 1
    assert out.splitlines()[1:5] == [
        "  4 expect something else than the model gives:",
        f"  {path}:2: inputs 00000002 {asked} 0001 00",
        f"  {path}:3: inputs 00000003 {asked} 0001 00",
        "  and 2 more; --json names them",
    ]
    different = json.loads(record.read_text())["different"]
    assert len(different) == 4
    assert different[-1] == {
        "place": f"{path}:5",
        "in": ["00000005", "0", "0" * 16, "0" * 16],
        "out": ["0000", "00"],
        "model": ["0002", "00"],
    }


def test_the_command_lists_what_the_model_rejects(halfulp, tmp_path):
    path = tmp_path / "illegal.csv"
    path.write_text("1,7,0,0,0,0\n")
    arguments = ("coverage", path, "--conversion", "shifts322s16", "--vectors", tmp_path)
    code, out, _ = halfulp(*arguments)
    reason = "B.FPATR.ReluMode: 7 is not a ReluMode; expected 0 to 3"
    assert (code, out.splitlines()[2]) == (
        0,
        f"  {path}:1: inputs 00000001 7 0000000000000000 0000000000000000: {reason}",
    )
    (illegal,) = json.loads(halfulp(*arguments, "--json", "-")[1])["illegal"]
    assert illegal["reason"] == reason


def test_the_command_needs_files(halfulp, tmp_path):
    assert halfulp("coverage", tmp_path) == (2, "", f"halfulp: cannot read {tmp_path}: it is a folder\n")
    gone = tmp_path / "gone"
    assert halfulp("coverage", gone) == (2, "", f"halfulp: cannot read {gone}: no such file\n")


def test_the_command_needs_one_conversion(halfulp, testfloat):
    assert halfulp("coverage", testfloat) == (
        2, "", "halfulp: conversion: given none, expected one; name it with --conversion\n",
    )  # fmt: skip
    code, _, err = halfulp("coverage", testfloat, "--conversion", "nothing.at.all")
    assert (code, err.startswith("halfulp: no conversion is called 'nothing.at.all'")) == (2, True)
    message = f"halfulp: 'fpatr' has no vector file; expected conversions of {WITH_FILE}\n"
    assert halfulp("coverage", testfloat, "--conversion", "fpatr") == (2, "", message)
