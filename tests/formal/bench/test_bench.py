import subprocess
import sys
from pathlib import Path

import pytest

from formal.obligations import build
from halfulp_formal.bench import __main__ as program
from halfulp_formal.bench import changes, crosshair, enumeration, proofs, scheduling, vectors
from halfulp_formal.bench.section import Section, rate, ratio, seconds
from halfulp_formal.catalogue import FAMILIES, matching
from halfulp_formal.decide import Engine
from halfulp_formal.families.family import Group
from halfulp_formal.obligation import Verdict
from halfulp_formal.solvers import Answer
from halfulp_formal.vectors.reading import read

VECTORS = Path(__file__).resolve().parents[3] / "vectors"


def test_a_section_is_markdown():
    assert Section("Title", "Text.", [("a", "b"), ("one", "1")]).markdown() == (
        "## Title\nText.\n\n| a | b |\n| --- | ---: |\n| one | 1 |\n"
    )
    assert Section("Title", "Not run.").markdown() == "## Title\nNot run.\n"


def test_figures_have_three_digits_and_a_unit():
    assert [seconds(value) for value in (0.012345, 1.5, 99.94, 123.4, 31_556_952e3)] == [
        "0.0123 s",
        "1.5 s",
        "99.9 s",
        "123 s",
        "1e+03 years",
    ]
    assert (rate(3000, 2, "cases"), rate(1, 0, "cases")) == ("1,500 cases/s", "–")
    assert (ratio(2, 9), ratio(0, 1)) == ("4.5", "–")


def test_samples_are_spread_over_every_family():
    for family in FAMILIES:
        names = proofs.sample(family)
        assert len(names) == len(set(names)) <= proofs.SAMPLE
    assert len(set(scheduling.sample())) == scheduling.SAMPLE


def test_workers_are_measured_beside_what_the_machine_gives(monkeypatch):
    monkeypatch.setattr(scheduling, "SAMPLE", 2)
    title, one, two, apart = scheduling.section(Engine()).table
    assert [row[0] for row in (title, one, two, apart)] == ["workers", "1", "2", "1, twice at the same time"]
    assert {len(row) for row in (title, one, two, apart)} == {6}
    assert one[-1] == "1"
    assert min(float(two[-1]), float(apart[-1])) > 0


def test_the_function_that_changes_is_in_the_model(tmp_path):
    copy = changes.Copy(tmp_path)
    copy.comment()
    copy.change()
    text = (tmp_path / changes.CHANGED).read_text()
    assert changes.NEW in text
    assert changes.OLD not in text
    assert text.endswith("# a comment\n")


@pytest.mark.slow
def test_what_is_decided_again(monkeypatch):
    monkeypatch.setattr(changes, "PATTERNS", ("qf322hif8.rhb.nosat.zero", "format.hif8.zeros", "shifts322s16.total"))
    table = changes.section().table
    assert [(row[0], row[1], *row[3:]) for row in table] == [
        ("run", "obligations", "decided", "of them hif8"),
        ("nothing known", "3", "3", "2"),
        ("the same again", "3", "0", "0"),
        ("one of them again", "1", "0", "0"),
        ("all but the nightly ones at that rate", f"{len(matching([], (Group.DEFAULT, Group.ALL))):,}", "–", "–"),
        ("a comment added to every module of the model", "3", "0", "0"),
        ("tapered.carried turned round", "3", "1", "1"),
    ]


def test_the_whole_query_is_asked():
    assert proofs.whole(build("a.true"), 10) is Answer.UNSAT
    assert proofs.whole(build("a.false"), 10) is Answer.SAT
    assert proofs.whole(build("a.hard"), 0.2) is Answer.UNKNOWN


def test_every_input_is_tried_or_some(monkeypatch):
    monkeypatch.setattr(enumeration, "SOME", 50)
    count, _, bits = enumeration.tried(build("a.true"))
    assert (count, bits) == (50, 32)
    monkeypatch.setattr(enumeration, "ALL_BITS", 3)
    assert list(enumeration.points([1, 2])) == [(a, b) for a in range(2) for b in range(4)]


def test_an_input_that_refutes_is_told():
    with pytest.raises(AssertionError, match=r"^a\.false is false at \("):
        enumeration.tried(build("a.false"))


def test_answers_known_by_heart_are_judged(tmp_path, monkeypatch):
    monkeypatch.setattr(vectors, "TIMES", 2)
    file = read(VECTORS / "req8.rne.nosat.jsonl")
    replaying, piping, cases = vectors.conversation(file, tmp_path)
    assert cases == 2 * len(file.lines)
    assert replaying > 0
    assert piping > 0


@pytest.mark.parametrize(("mistake", "same"), [("", True), ("nearest_reversed", False)])
def test_the_pair_differs_by_the_mistake_alone(tmp_path, mistake, same):
    crosshair.write_pair(tmp_path, mistake)
    script = (
        "import halfulp_first, pair; word = halfulp_first.quant_param(0x1FC12, 1, mode='REQ8'); "
        "print([pair.one(n, word) == pair.two(n, word) for n in range(10, 300)].count(False))"
    )
    done = crosshair.run([sys.executable, "-c", script], tmp_path)
    assert done.returncode == 0, done.stderr
    assert (int(done.stdout) == 0) is same


@pytest.mark.parametrize(
    ("code", "out", "err", "said"),
    [
        (1, "Given: (acc=1)\n  pair.one : 1", "", "difference found"),
        (
            0,
            "No differences found. (attempted 42 iterations)\nConsider more.",
            "",
            "No differences found. (attempted 42 iterations)",
        ),
        (2, "usage", "error: no such thing", "failed: error: no such thing"),
        (2, "", "", "failed: nothing said"),
    ],
)
def test_what_crosshair_says(code, out, err, said):
    assert crosshair.heard(code, out, err) == said


def test_without_crosshair_nothing_is_compared():
    assert crosshair.section([], Engine(), 1).text == "Not run: CrossHair is not installed."
    assert program.crosshair_command("/nosuch/crosshair") == []
    assert program.crosshair_command(sys.executable) == [sys.executable]


def test_the_proof_beside_crosshair():
    assert crosshair.prove("nearest_reversed", Engine()).verdict is Verdict.REFUTED


def test_a_report_that_cannot_be_written_is_refused_before_anything_is_measured(tmp_path):
    (tmp_path / "bench.md").mkdir()
    command = [sys.executable, "-m", "halfulp_formal.bench", "--out", str(tmp_path / "bench.md")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "it is a folder" in done.stderr
    assert "measuring" not in done.stderr
