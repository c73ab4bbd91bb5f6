import struct
from collections import defaultdict
from fractions import Fraction

import pytest

from formal.vectors import readers
from halfulp_formal.vectors.family import family_of
from halfulp_formal.vectors.witnesses import WrongPoint, declared


def inputs(name):
    """Return the inputs of a file's cases by class."""
    found = defaultdict(list)
    for case in readers.jsonl(readers.FOLDER / f"{name}.jsonl"):
        found[case.corner].append(case.inputs)
    return found


def fp32(code):
    return Fraction(struct.unpack("<f", struct.pack("<I", code))[0])


def test_one_bit_of_a_code_decides():
    found = inputs("cvt.fp32.e4m3.rne.nosat")
    assert [code for [code] in found["digits/source-alone"]] == [1 << bit for bit in range(31)]
    assert [code for [code] in found["digits/nan-alone"]] == [0x7F800000 | 1 << bit for bit in range(23)]
    assert [code for [code] in found["digits/exponent-all-but-one"]] == [
        0x7F800001 & ~(1 << bit) for bit in range(23, 31)
    ]


def test_every_power_of_two_of_an_integer_source_and_what_is_one_less():
    found = inputs("cvt.s32.fp16.rne.nosat")
    powers = [code for [code] in found["digits/source-alone"]]
    assert powers == [(-(1 << digit) if digit % 2 else 1 << digit) % (1 << 32) for digit in range(31)]
    ones = [code - (code >> 31 << 32) for [code] in found["digits/source-ones"]]
    assert [abs(value) for value in ones] == [(1 << digit) - 1 for digit in range(2, 32)]
    assert {value > 0 for value in ones} == {True, False}


def test_one_digit_below_the_last_place_decides():
    found = inputs("cvt.fp32.e4m3.rne.nosat")
    last = Fraction(1, 8)
    assert [fp32(code) for [code] in found["digits/lost-alone"]] == [1 + last / 2**place for place in range(2, 21)]
    assert [fp32(code) for [code] in found["digits/past-tie"]] == [
        1 + last / 2 + last / 2**place for place in range(2, 21)
    ]
    quantum = Fraction(1, 512)
    assert [fp32(code) for [code] in found["digits/subnormal-lost-alone"]] == [
        2 * quantum + quantum / 2**place for place in range(2, 23)
    ]


def test_every_product_bit_below_an_integer_decides():
    found = inputs("req8.rne.nosat")
    lost = [value * fp32(word) for value, _, word, _ in found["digits/lost-alone"]]
    assert lost == [1 + Fraction(1, 2**place) for place in range(2, 31)]
    past = [value * fp32(word) for value, _, word, _ in found["digits/past-tie"]]
    assert past == [Fraction(1, 2) + Fraction(1, 2**place) for place in range(2, 32)]


@pytest.mark.parametrize(("name", "largest"), [("cvt.fp32.e4m3.rne.nosat", 126), ("qf322hif8.rhb.nosat", 110)])
def test_every_code_of_a_small_destination_has_a_case(name, largest):
    codes = [
        case.outputs[0] % 128
        for case in readers.jsonl(readers.FOLDER / f"{name}.jsonl")
        if case.corner == "digits/every-code"
    ]
    assert sorted(codes) == list(range(1, largest + 1))


def test_a_declared_point_has_to_be_in_its_class():
    family = family_of("cvt.fp16.e4m3.rne.nosat")
    facts = family.facts("cvt.fp16.e4m3.rne.nosat")
    corners = {corner.name: corner for corner in family.classes("cvt.fp16.e4m3.rne.nosat")}
    nan, alone = corners["digits/nan-alone"], corners["digits/source-alone"]
    assert declared("made", facts, nan, nan.when(facts)) == [(0x7C00 | 1 << bit,) for bit in range(10)]
    message = r"^made\.class\.digits/nan-alone: 0x7c01 is declared, but is not in the class$"
    with pytest.raises(WrongPoint, match=message):
        declared("made", facts, nan, alone.when(facts))
