"""What vectors cover is counted case by case: classes, exact ties, mutants."""

from fractions import Fraction

import pytest

from halfulp_formal.mutants.coverage import Coverage, count_classes, coverage
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


def test_cases_that_are_wrong_illegal_or_there_twice_are_counted():
    found = coverage("shifts322s16", [((1, 0, 0, 0), (5, 0)), ((1, 0, 0, 0), (0, 0)), ((1, 7, 0, 0), (0, 0))], None)
    assert (found.cases, found.illegal, found.different, found.repeated) == (3, 1, 1, 1)
    assert found.ties is None


def test_only_mutants_that_the_shipped_file_kills_can_be_missed():
    case = ((1, 0, 0, 0), (0, 0))
    known = coverage("shifts322s16", [case], [(1, 0, 0, 0), (0x7FFFFFFF, 0, 0, 0)])
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
