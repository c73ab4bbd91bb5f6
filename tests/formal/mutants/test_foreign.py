"""Anybody's vector files are read as they are written, and refused with their place where they cannot be."""

import pytest

from halfulp_formal.mutants.foreign import Foreign, Unreadable, cases_of, conversion_of
from halfulp_formal.vectors.family import family_of

PLAIN = family_of("cvt.fp32.fp16.rne.nosat").describe("cvt.fp32.fp16.rne.nosat")
REQ8 = family_of("req8.rne.nosat").describe("req8.rne.nosat")


@pytest.fixture
def file(tmp_path):
    def make(name, text):
        path = tmp_path / name
        path.write_text(text)
        return path

    return make


def test_testfloat_text_has_operands_result_and_its_own_flag_order(file):
    path = file("f32_to_f16.txt", "87FEFFFF 8000 03\n\n7f800001 7E00 10\n")
    # inexact is bit 0 there and bit 4 here, underflow bit 1 there and bit 3 here, invalid bit 4 there and bit 0 here
    assert cases_of(path, PLAIN) == [
        Foreign(f"{path}:1", (0x87FEFFFF,), (0x8000, 0b11000)),
        Foreign(f"{path}:3", (0x7F800001,), (0x7E00, 1)),
    ]


def test_csv_is_read_by_its_names_or_in_order(file):
    named = file("a.csv", "tc,class,flags,result,value\n1,x,18,8000,0x87feffff\n")
    plain = file("b.csv", "87feffff,8000,18\n")
    assert cases_of(named, PLAIN) == [Foreign(f"{named}:2", (0x87FEFFFF,), (0x8000, 0x18))]
    assert cases_of(plain, PLAIN) == [Foreign(f"{plain}:1", (0x87FEFFFF,), (0x8000, 0x18))]


@pytest.mark.parametrize("head", ["value,result,flags\n", ""])
def test_a_byte_order_mark_is_no_part_of_a_csv(file, head):
    path = file("a.csv", f"\ufeff{head}87feffff,8000,18\n")
    line = 2 if head else 1
    assert cases_of(path, PLAIN) == [Foreign(f"{path}:{line}", (0x87FEFFFF,), (0x8000, 0x18))]


def test_only_json_lines_name_their_conversion(file):
    assert conversion_of(file("x.txt", "")) is None


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.txt", "87feffff 8000\n", "a.txt:1: line: given 2 values, expected 3: value, result, flags"),
        ("a.txt", "\n87feffff 80x0 03\n", "a.txt:2: result: given '80x0', expected a hexadecimal number"),
        ("a.txt", "187feffff 8000 03\n", "a.txt:1: value: given 187feffff, expected at most 32 bits"),
        ("a.csv", "value,result,flags\n1,2\n", "a.csv:2: line: given 2 values, expected 3: value, result, flags"),
        ("a.csv", "value,result,flags,value\n1,2,0,3\n", "a.csv:1: value: given 2 columns of this name, expected one"),
        ("a.csv", "", "a.csv:1: line: given an empty file, expected at least one case"),
        ("a.csv", "value,result,flags\n", "a.csv:1: line: given no case, expected at least one case"),
        ("a.txt", "", "a.txt:1: line: given an empty file, expected at least one case"),
        ("a.txt", "\n", "a.txt:1: line: given no case, expected at least one case"),
        ("a.jsonl", "", "a.jsonl:1: line: given an empty file, expected a whole line"),
        ("a.jsonl", "{}\n", "a.jsonl:1: header: given no schema, expected a header object"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(file, name, text, message):
    path = file(name, text)
    with pytest.raises(Unreadable) as caught:
        cases_of(path, PLAIN)
    assert str(caught.value).removeprefix(f"{path.parent}/") == message


def test_a_file_of_another_conversion_is_refused(file):
    import shutil
    from pathlib import Path

    shipped = Path(__file__).parents[3] / "vectors" / "f322f16.rne.sat.jsonl"
    path = file("a.jsonl", "")
    shutil.copy(shipped, path)
    assert conversion_of(path) == "f322f16.rne.sat"
    with pytest.raises(Unreadable, match=r"a\.jsonl:1: inputs: given .*, expected those of req8\.rne\.nosat$"):
        cases_of(path, REQ8)
