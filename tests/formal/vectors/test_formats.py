"""The files of formats beside the oracle's layout table: every code of the short ones, every case of the others."""

from itertools import product
from typing import Any

import pytest

from formal.vectors import readers
from halfulp_formal.vectors.family import family_of, shipped_names
from halfulp_model.loader import default_rules
from oracle import formats as oracle

NAMES = [name for name in shipped_names() if name.startswith("format.")]
ROWS = {f"format.{name.lower()}": row for name, row in default_rules().formats.items()}

#: single lanes, which the oracle reads as the low one of a carrier
LANES = {"E2M1": "E2M1X2", "E1M2": "E1M2X2", "S4": "S4X2", "U4": "U4X2"}


def cases(name):
    """The cases of a file, outputs by name."""
    path = readers.FOLDER / f"{name}.jsonl"
    outputs = [field["name"] for field in readers.header(path)["outputs"]]
    return [(case.inputs, dict(zip(outputs, case.outputs, strict=True)), case.corner) for case in readers.jsonl(path)]


def code_of(row, inputs):
    return inputs[0] >> (inputs[1] * row.code_bits) & ((1 << row.code_bits) - 1) if row.lanes > 1 else inputs[0]


def test_every_format_has_a_file():
    assert set(NAMES) == set(ROWS)


@pytest.mark.parametrize("name", [name for name in NAMES if ROWS[name].code_bits <= 8])
def test_a_short_format_has_every_code_once(name):
    row = ROWS[name]
    inputs = [inputs for inputs, _, _ in cases(name)]
    every = product(range(256), range(row.lanes)) if row.lanes > 1 else product(range(1 << row.code_bits))
    assert sorted(inputs) == sorted(every)


@pytest.mark.parametrize("name", NAMES)
def test_classes_and_numbers_are_the_oracle_s(name):
    row = ROWS[name]
    judge = LANES.get(row.name, row.name)
    for inputs, outputs, corner in cases(name):
        code = code_of(row, inputs)
        expected = oracle.classify(judge, code)
        # a lane is classed as IEEE 754 has it, the carriers as their own table has it
        if row.name in ("E2M1", "E1M2") and 0 < code % 8 < 1 << row.fraction_bits:
            expected = expected.replace("normal", "subnormal")
        assert oracle.CLASSES[outputs["value_class"]] == expected, (inputs, corner)
        if corner.startswith("value/"):
            assert corner == f"value/{expected.replace('_', '-')}"
        if row.lanes > 1:
            assert outputs["lane_code"] == code
        available, negative, significand, exponent = oracle.decompose(judge, code)
        given = [outputs[key] for key in ("available", "negative", "significand", "exponent")]
        assert given == [available, negative, significand, exponent % (1 << 16)], inputs


def place_of(judge, code):
    """The place of a code in the order: the value, infinities outside, -0 below +0; None for what has none."""
    words = oracle.classify(judge, code)
    if words == "invalid_encoding" or words.endswith("nan"):
        return None
    side = -1 if words.startswith("negative") else 1
    if words.endswith("infinity"):
        return (side, 0, side)
    return (0, oracle.value(judge, code), side)


@pytest.mark.parametrize("name", NAMES)
def test_keys_are_in_the_order_of_values(name):
    row = ROWS[name]
    judge = LANES.get(row.name, row.name)
    keys: dict[tuple[Any, ...], int] = {}
    for inputs, outputs, _ in cases(name):
        place = place_of(judge, code_of(row, inputs))
        assert outputs["ordered"] == (place is not None)
        if place is None:
            assert outputs["order_key"] == 0
        else:
            assert keys.setdefault(place, outputs["order_key"]) == outputs["order_key"]
    ordered = [keys[place] for place in sorted(keys)]
    assert ordered == sorted(set(ordered))


def test_a_case_is_explained():
    family = family_of("format.hif8")
    assert family.why("format.hif8", (0x7E,)) == "positive normal: 2^-15 = 2*2^-16"
    assert family.why("format.fp32", (0xFF800000,)) == "negative infinity"
    assert family.why("format.e2m1x2", (0x9F, 1)) == "lane 1 is 0x9: negative normal: -0.5 = -1*2^-1"
    assert family.why("format.s4x2", (0x8F, 1)) == "lane 1 is 0x8: negative normal: -8"


def lacking(judge, row):
    """The classes that no code of a format has, by the oracle: tried on every code of a short one."""
    if row.code_bits <= 8:
        return set(oracle.CLASSES) - {oracle.classify(judge, code) for code in range(1 << row.code_bits)}
    if row.is_integer:
        present = {"positive_zero", "positive_normal"} | ({"negative_normal"} if row.signed else set())
        return set(oracle.CLASSES) - present
    layout = oracle.LAYOUTS[judge]
    return set() if layout.low_zero or layout.high_zero else {"invalid_encoding"}


@pytest.mark.parametrize("name", NAMES)
def test_a_class_is_empty_where_the_format_has_no_such_code(name):
    row = ROWS[name]
    classes = readers.header(readers.FOLDER / f"{name}.jsonl")["classes"]
    empty = {each["name"] for each in classes if each["witnesses"] == "unreachable"}
    expected = lacking(LANES.get(row.name, row.name), row)
    if row.name in ("E2M1", "E1M2"):
        expected -= {"positive_subnormal", "negative_subnormal"}
    assert empty == {f"value/{each.replace('_', '-')}" for each in expected}
