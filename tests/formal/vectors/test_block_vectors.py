"""The shipped files of block conversions: the oracle agrees, and every wrong converter fails some case."""

from fnmatch import fnmatchcase
from functools import cache
from itertools import combinations

import pytest

from formal.vectors import readers
from formal.vectors.test_mistakes import failures
from formal.vectors.test_projections import shipped
from halfulp_formal.families import blocks, matmul
from halfulp_formal.mistakes import MISTAKES
from halfulp_formal.subject import discarded
from halfulp_formal.vectors.blocks import Blocks
from halfulp_formal.vectors.family import family_of
from halfulp_formal.vectors.matmul import Matmul
from halfulp_formal.vectors.writing import render
from halfulp_model import Rejected
from halfulp_model.block_rows import Minimum
from halfulp_model.blocks import block_conversions, encode_block
from model.test_blocks import with_row
from oracle import bfp16 as oracle

MODES = [name for name in block_conversions() if name.startswith("bfp16.")]

#: mistakes about what is called characterised, which no result of a characterised block shows
ABOUT_EVIDENCE = {"open_block_settled", "open_nan_settled", "open_sum_settled", "stops_at_254"}
#: mistakes of conversions, and of the matrix multiply, that proofs must refuse
CONVERTERS = sorted({each for name in block_conversions() for kind in blocks.kinds_of(name) for each in kind.mistakes})
LANES = sorted({each for kind in matmul.KINDS["bfp16_matmul"] for each in kind.mistakes} - {"split_repeats_first"})


@cache
def cases(name):
    """The cases of a shipped file."""
    return readers.jsonl(readers.FOLDER / f"{name}.jsonl")


def signed(code):
    """A byte as int8."""
    return code - (code >> 7 << 8)


@pytest.mark.parametrize("name", block_conversions())
def test_the_oracle_gives_every_result(name):
    for case in cases(name):
        mode = name.rpartition(".")[2]
        found = oracle.mxint8_quantize(case.inputs) if name == "mxint8" else oracle.encode_block(case.inputs, mode)
        assert found is not None
        assert (found[1], *found[0]) == (case.outputs[0], *map(signed, case.outputs[1:])), case.corner


def test_the_oracle_gives_every_lane():
    for case in cases("bfp16_matmul"):
        accumulator, *rest = case.inputs
        left, right = ((tuple(map(signed, row[1:])), row[0]) for row in (rest[:9], rest[9:]))
        assert oracle.fold([(left, right)], accumulator) == case.outputs[0], case.corner


@pytest.mark.parametrize("mistake", [name for name in CONVERTERS if name not in ABOUT_EVIDENCE])
def test_a_wrong_converter_fails(mistake):
    with discarded(MISTAKES[mistake].subject()) as subject:
        model = Blocks(subject.package)
        assert any(next(failures(model, [name], cases(name)), None) for name in block_conversions())


#: the five that are asked for: where each fails first
WRONG = {
    "block_saturates": "bfp16.conv_even",
    "shifted_twice": "bfp16.conv_even",
    "rounded_mantissas_halved": "bfp16.conv_even",
    # under conv_even the exponent of the members rounded half up is the renormalised one
    "exponent_after_rounding": "bfp16.sym_floor",
    "conv_even_is_floor": "bfp16.conv_even",
}


@pytest.mark.parametrize(("mistake", "name"), WRONG.items())
def test_a_converter_that_is_known_to_be_built_wrong_fails_its_own_file(mistake, name):
    with discarded(MISTAKES[mistake].subject()) as subject:
        assert next(failures(Blocks(subject.package), [name], cases(name)), None)


@pytest.mark.parametrize("mistake", [name for name in LANES if name not in ABOUT_EVIDENCE])
def test_a_wrong_matrix_unit_fails(mistake):
    with discarded(MISTAKES[mistake].subject()) as subject:
        assert next(failures(Matmul(subject.package), ["bfp16_matmul"], cases("bfp16_matmul")), None)


@pytest.mark.parametrize(("one", "other"), list(combinations(MODES, 2)))
def test_any_two_modes_differ_in_both_files(one, other):
    for name, asked in ((one, other), (other, one)):
        assert next(failures(Blocks(), [asked], cases(name)), None)


def test_no_case_rests_on_an_open_question_but_the_reading_of_minus_128():
    rests = set()
    for name in MODES:
        row = block_conversions()[name]
        for case in cases(name):
            encoding = encode_block(row, case.inputs)
            assert encoding.characterised
            if encoding != encode_block(with_row(row, minimum=Minimum.FITS_INT8), case.inputs):
                rests.add(case.corner.partition("/")[0])
    assert rests == {"reach", "renormalise"}


def test_planes_are_the_oracle_s():
    suite = shipped("bfp16.conv_even")
    name, content = render(suite, "v64")
    assert name == "bfp16.conv_even.v64"
    assert content == (readers.FOLDER / "planes" / name).read_bytes()
    lines = content.decode().splitlines()
    assert len(lines) == -(-len(suite.cases) // 8)
    for line in lines:
        members, planes = line.split(" ")
        words = [int(members[8 * k : 8 * k + 8], 16) for k in range(64)]
        blocks_of = [oracle.encode_block(words[8 * k : 8 * k + 8], "conv_even") for k in range(8)]
        assert bytes.fromhex(planes) == oracle.pack_v64([block for block in blocks_of if block])


@pytest.mark.parametrize("name", MODES)
def test_every_mode_has_its_planes(name):
    file, content = render(shipped(name), "v64")
    assert (readers.FOLDER / "planes" / file).read_bytes() == content


def test_planes_are_of_blocks_of_eight_alone(halfulp, tmp_path):
    for name in ("mxint8", "shifts322s16"):
        code, out, err = halfulp("vectors", "write", name, "--format", "v64", "--out", tmp_path)
        assert (code, out) == (2, "")
        assert err == f"halfulp: --format v64: {name} has no v64 planes; expected conversions of bfp16\n"
        with pytest.raises(ValueError, match=f"^{name} has no v64 planes; expected blocks of eight FP32 members$"):
            render(shipped(name), "v64")


def test_a_block_that_meets_an_open_question_is_no_case():

    with pytest.raises(
        Rejected, match=r"^block: meets the open question renormalised_to_255; expected a characterised block$"
    ):
        family_of("bfp16.conv_even").run("bfp16.conv_even", (0x7F7F0000, *[0] * 7))


#: why classes are empty, in which conversions, and which classes
EMPTY = (
    ("toward zero nothing reaches 128", ("bfp16.sym_floor",), "renormalise/*"),
    ("floor emits -128 and renormalises nothing", ("bfp16.floor",), "renormalise/*"),
    (
        "rounding twice in one direction is rounding once",
        ("bfp16.ceil", "bfp16.sym_ceil"),
        "renormalise/*-rounded-twice",
    ),
    ("upward, the low bits of a negative number do not matter", ("bfp16.ceil",), "renormalise/negative-cut-first"),
    ("a tie goes where goes what lies above it", ("bfp16.neg_inf", "bfp16.sym_inf"), "renormalise/negative-cut-first"),
    ("a tie goes where goes what lies above it", ("bfp16.pos_inf", "bfp16.sym_inf"), "renormalise/positive-cut-first"),
    (
        "floor alone emits -128",
        tuple(name for name in block_conversions() if name != "bfp16.floor"),
        "mantissa/minus-128",
    ),
    ("a block sum that FP32 does not hold is open", ("bfp16_matmul",), "scale/inexact"),
    ("a block sum that FP32 does not hold is open", ("bfp16_matmul",), "scale/overflow"),
)


@pytest.mark.parametrize("name", [*block_conversions(), "bfp16_matmul"])
def test_what_is_empty_has_a_reason(name):
    classes = readers.header(readers.FOLDER / f"{name}.jsonl")["classes"]
    empty = {each["name"] for each in classes if each["witnesses"] == "unreachable"}
    patterns = [pattern for _, names, pattern in EMPTY if name in names]
    declared = {each["name"] for each in classes}
    assert empty == {each for each in declared if any(fnmatchcase(each, pattern) for pattern in patterns)}
