"""The worked amendments: each is read, each comes to what it expects; where that takes long, only in part here."""

from pathlib import Path

import pytest

from formal.amend.amendments import studied
from halfulp_formal.amend.expecting import check_expectations, exit_code, surprises
from halfulp_formal.amend.outcome import Status
from halfulp_formal.amend.patch import read_amendment
from halfulp_formal.amend.touched import Fate, standings

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "amendments"
EXAMPLES = sorted(FOLDER.glob("*.yaml"))

#: conversions of an amendment that are quickly compared, and what becomes of each
QUICK = {
    "e8m0-linear": {"e8m0.bf16.rne.sat": Status.CHANGED, "e8m0.bf16.rtz.sat": Status.UNCHANGED},
    "no-op-refactoring": {"deqf16.rtz.sat": Status.UNCHANGED, "req4.rne.nosat": Status.UNCHANGED},
    "req16": {"req16.rne.sat": Status.NEW, "fpatr.datr": Status.CHANGED, "fpatr.u32": Status.UNCHANGED},
}


def test_there_are_nine():
    assert len(EXAMPLES) == 9


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_what_is_expected_to_change_is_touched(path):
    amendment = read_amendment(path)
    found = standings(amendment.subject)
    check_expectations(amendment, [each.name for each in found])
    assert amendment.question
    assert amendment.expects
    fates = {each.fate for each in found}
    assert fates & {Fate.TOUCHED, Fate.NEW}
    assert Fate.REMOVED not in fates


@pytest.mark.parametrize("name", QUICK)
def test_a_part_of_it_comes_out_as_expected(name):
    study = studied(FOLDER / f"{name}.yaml", *QUICK[name])
    assert {entry.name: entry.status for entry in study.entries} == QUICK[name]
    assert surprises(study) == []
    assert exit_code(study) == 0


def test_a_new_mode_may_be_an_old_function():
    study = studied(FOLDER / "req16.yaml", "req16.rto.sat")
    (entry,) = study.entries
    assert entry.equals == "deqs16.rto.sat"
    assert entry.total.verdict.name == "PROVED"


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_all_of_it_comes_out_as_expected(path, halfulp):
    code, out, _ = halfulp("amend", str(path))
    assert (code, out.partition(":")[0]) == (0, "AS EXPECTED")
