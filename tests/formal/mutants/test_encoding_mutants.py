"""A vector file tells apart not only the model's mutants: its classes name no line of the model."""

from itertools import groupby

import pytest

from formal.mutants.encoding_mutants import every_mutant, told_apart
from formal.vectors import readers
from halfulp_formal.vectors.family import shipped_names

#: families whose encodings take a code or an accumulator
FAMILIES = ("cvt", "e8m0", "scale")


def group(name):
    """Return a name without rounding and Sat."""
    return name.rsplit(".", 2)[0] if name.startswith("cvt.") else name.partition(".")[0]


NAMES = [
    name
    for name in shipped_names()
    if not name.startswith(("format.", "tile.", "bfp16", "mxint8", "shifts", "noquant"))
]
#: one conversion of every group, with another rounding each
SOME = [
    list(names)[place % 7] if len(names) > 6 else names[0]
    for place, names in enumerate([list(each) for _, each in groupby(NAMES, key=group)])
]


def survivors(name):
    cases = [case.inputs for case in readers.jsonl(readers.FOLDER / f"{name}.jsonl")]
    return [each for each in told_apart(name, cases) if each[1] is not None]


def test_mutants_of_every_encoding_are_made():
    found = [mutant.what for mutant in every_mutant()]
    assert len(found) > 2000
    assert len(set(found)) > 0.9 * len(found)


@pytest.mark.parametrize("name", ["cvt.fp32.e4m3.rne.nosat", "req8.rne.nosat", "e8m0.fp32.rne.sat"])
def test_files_kill_the_mutants_of_the_encodings(name):
    assert survivors(name) == []


def test_a_file_without_single_digits_does_not():
    cases = [
        case.inputs
        for case in readers.jsonl(readers.FOLDER / "cvt.fp32.e4m3.rne.nosat.jsonl")
        if not case.corner.startswith("digits/")
    ]
    assert [what.partition(":")[0] for what, _ in told_apart("cvt.fp32.e4m3.rne.nosat", cases)]


@pytest.mark.slow
@pytest.mark.parametrize("name", SOME)
def test_files_of_every_group_kill_the_mutants_of_the_encodings(name):
    assert survivors(name) == []
