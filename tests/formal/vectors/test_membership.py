import json

import pytest

from formal.vectors import readers
from halfulp_formal.vectors.checking import check_paths

NAME = "bfp16_matmul.jsonl"

#: a file of every family
FAMILIES = (
    pytest.param("req8.rne.nosat", marks=pytest.mark.slow),
    pytest.param("qf322f16.rne.sat", marks=pytest.mark.slow),
    "noquant.u32",
    "cvt.bf16.e2m1.rne.nosat",
    "e8m0.bf16.rhb.nosat",
    "scale.bf16.ceil",
    "format.e4m3",
    "format.s4x2",
    "bfp16.conv_even",
    pytest.param("mxint8", marks=pytest.mark.slow),
    "bfp16_matmul",
    pytest.param("tile.noquant.fp32", marks=pytest.mark.slow),
)


@pytest.fixture
def check(tmp_path):
    """Check records as a file, by their classes or not: exit code and messages."""
    path = tmp_path / NAME

    def run(records, *, classes):
        path.write_text("".join(json.dumps(record) + "\n" for record in records), "ascii")
        report = check_paths([path], classes=classes)
        return report.exit_code, [str(problem).removeprefix(f"{path}:") for problem in report.problems]

    return run


@pytest.fixture
def records():
    """Header and cases of a shipped file."""
    return [json.loads(line) for line in (readers.FOLDER / NAME).read_text("ascii").splitlines()]


@pytest.mark.parametrize("name", FAMILIES)
def test_shipped_cases_are_in_their_classes(name):
    report = check_paths([readers.FOLDER / f"{name}.jsonl"], classes=True)
    assert [str(problem) for problem in report.problems] == []
    assert (report.exit_code, report.files) == (0, 1)


def test_two_cases_that_bear_each_other_s_class(records, check):
    records[1]["class"], records[2]["class"] = records[2]["class"], records[1]["class"]
    # the counts are still right
    assert check(records, classes=False) == (0, [])
    assert check(records, classes=True) == (
        1,
        [
            '2: class: given "product/lane-1", expected one that holds of the inputs: product/lane-0',
            '3: class: given "product/lane-0", expected one that holds of the inputs: product/lane-1',
        ],
    )


def test_a_class_that_is_called_unreachable_though_a_case_is_in_it(records, check):
    entry = records[0]["classes"][0]
    entry |= {"witnesses": "unreachable", "obligation": f"bfp16_matmul.class.{entry['name']}"}
    records[1]["class"] = "product/lane-1"
    records[0]["classes"][1]["witnesses"] = 2
    assert check(records, classes=False) == (0, [])
    assert check(records, classes=True) == (
        1,
        [
            '2: class: given "product/lane-1", expected one that holds of the inputs: product/lane-0',
            "2: class: given inputs of product/lane-0, expected none, as the header calls it unreachable",
        ],
    )


def test_a_case_of_no_class_of_the_header_is_told_once(records, check):
    records[1]["class"] = "product/none"
    expected = (1, ['2: class: given "product/none", expected a class of the header'])
    assert check(records, classes=False) == expected
    assert check(records, classes=True) == expected


def test_a_file_that_is_no_vectors_is_not_evaluated(records, check):
    records[0]["conversion"] = "bfp17"
    assert check(records, classes=True) == check(records, classes=False)
    assert check(records, classes=True)[0] == 2


def test_illegal_inputs_are_told_once(check):
    lines = (readers.FOLDER / "noquant.u32.jsonl").read_text("ascii").splitlines()
    records = [json.loads(line) for line in lines]
    records[1]["in"][1] = "7"
    code, messages = check(records, classes=True)
    assert (code, messages) == check(records, classes=False)
    assert (code, len(messages)) == (1, 1)
    assert messages[0].startswith("2: in: given inputs that noquant.u32 rejects, expected legal ones (")
