"""Every mutant of a small conversion is killed or proved equivalent; one that survives is told with its witness."""

import json
import time
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path

import pytest

from halfulp_formal.decide import Engine
from halfulp_formal.mutants import report
from halfulp_formal.mutants.bench import bench
from halfulp_formal.mutants.equivalence import EQUIVALENT, UNSHOWN, WHOLE, build, by_name
from halfulp_formal.mutants.killing import Refusal
from halfulp_formal.mutants.outcome import Fate, killed_by, mapped, outcome, outcomes, settled, survivors_of
from halfulp_formal.mutants.witnessing import text, with_survivors
from halfulp_formal.obligation import Proof, Verdict
from halfulp_formal.vectors.family import WITH_FILE
from halfulp_formal.vectors.reading import read
from halfulp_formal.vectors.witnesses import Searcher

NAME = "shifts322s16"
ENGINE = Engine("bitwuzla", 60)
VECTORS = Path(__file__).parents[3] / "vectors"
CASES = [(line.inputs, line.outputs) for line in read(VECTORS / f"{NAME}.jsonl").lines]


def settle(pairs):
    return settled(pairs, ENGINE, jobs=1, cache=None, isolate=False)


def fates(cases):
    killed = killed_by({NAME: cases}, 1)
    return outcomes(killed, settle(survivors_of(killed)))


@pytest.fixture(scope="module")
def shipped():
    return fates(CASES)


@pytest.fixture(scope="module")
def few():
    """What becomes of the mutants if most cases are missing."""
    return fates(CASES[:8])


def test_the_shipped_file_leaves_nothing_open(shipped):
    assert {each.fate for each in shipped} == {Fate.KILLED, Fate.EQUIVALENT, Fate.REFUSED}
    equivalent = {each.mutant: each for each in shipped if each.fate is Fate.EQUIVALENT}
    assert equivalent["rules.flags.OF.and-nx"].detail.startswith("shows, but changes no result")
    assert equivalent["postprocess.element.compare-2.ne"].detail == "never shows: identical terms"
    assert equivalent["parameters.field.constant-1.plus-1"].query


def test_a_mutant_that_no_model_can_be_built_with_is_killed_by_no_case(shipped):
    refused = {each.mutant: each for each in shipped if each.fate is Fate.REFUSED}
    each = refused["format_rows.integer_fields.constant-1.minus-1"]
    assert (each.kill, each.detail) == (None, "no model can be built with it: ZeroDivisionError")
    found = report.counts(shipped)
    assert (found.refused, found.mutants - found.equivalent - found.refused) == (len(refused), found.killed)
    assert found.share == "100 %"
    assert killed_by({NAME: []}, 1)[NAME][each.mutant] == Refusal("ZeroDivisionError")


def test_fewer_cases_leave_survivors_whose_witnesses_kill_them(few):
    survivors = [each for each in few if each.fate is Fate.SURVIVES]
    assert survivors
    for each in survivors:
        right = bench().run(NAME, each.witness)
        with bench().changed(by_name(NAME)[each.mutant]) as changed:
            assert changed.run(NAME, each.witness) != right


def test_survivors_get_classes_until_none_is_left(few):
    made = with_survivors({}, few, Searcher(ENGINE))
    names = [entry["mutant"] for entry in made[NAME]]
    survivors = {each.mutant for each in few if each.fate is Fate.SURVIVES}
    assert set(names) <= survivors
    assert len(names) < len(survivors)  # one witness kills several
    assert json.loads(text(made)) == {NAME: sorted(made[NAME], key=lambda entry: entry["mutant"])}
    assert text({}) == "{}\n"


def test_the_report_says_first_what_is_open(few, shipped):
    first, *rest = report.text(few).splitlines()
    assert " survive" in first
    assert rest[0].startswith(f"SURVIVES {NAME} ")
    assert "told from the model by 0x" in rest[0]
    assert report.markdown(few).splitlines()[4].startswith(f"- SURVIVES {NAME} ")
    assert " survive" not in report.summary(shipped)
    assert "100 %" in report.markdown(shipped)
    assert "## Equivalent mutants" in report.markdown(shipped)
    assert "Written by `halfulp mutants PATTERN… --report FILE`; " in report.markdown(shipped)
    assert json.loads(report.records(shipped))["conversions"][NAME]["survive"] == 0


def test_a_wrong_proof_is_not_possible_for_a_mutant_that_is_killed(shipped):
    killed = next(each for each in shipped if each.mutant == "integers.in_range.compare-2.lt")
    assert killed.fate is Fate.KILLED
    (proof,) = settle([(NAME, killed.mutant)]).values()
    assert proof.verdict.value == "refuted"


def test_a_witness_that_does_not_tell_them_apart_leaves_a_mutant_undecided():
    mutant = "integers.in_range.compare-2.lt"
    (proof,) = settle([(NAME, mutant)]).values()
    assert outcome(NAME, mutant, None, proof).fate is Fate.SURVIVES
    elsewhere = replace(proof, witness=dict.fromkeys(proof.witness, 0))
    found = outcome(NAME, mutant, None, elsewhere)
    assert (found.fate, found.witness) == (Fate.UNDECIDED, None)
    assert found.detail == "answers 0x0 0x0 0x0 0x0 as the model does"


def test_what_gets_no_answer_is_asked_of_fewer_inputs(monkeypatch):
    pairs = [(NAME, "integers.in_range.compare-2.lt"), (NAME, "rules.flags.OF.and-nx")]
    asked: list[list[str]] = []
    heard: list[str] = []

    def run(names, _build, _engine, *, on_proof, **_):
        asked.append(list(names))
        verdicts = {UNSHOWN: Verdict.REFUTED, EQUIVALENT: Verdict.UNDECIDED, WHOLE: Verdict.PROVED}
        proofs = [
            replace(shipped_proof(name), verdict=verdicts[next(each for each in verdicts if each in name)])
            for name in names
        ]
        for proof in proofs:
            on_proof(proof)
        return proofs

    def shipped_proof(name):
        return Proof(name, NAME, Verdict.PROVED, Verdict.PROVED, "bitwuzla", "", 0.0, "", None)

    monkeypatch.setattr("halfulp_formal.mutants.outcome.run", run)
    found = settled(pairs, ENGINE, jobs=1, cache=None, on_settled=heard.append)
    assert asked == [
        [f"{NAME}{UNSHOWN}{mutant}" for _, mutant in pairs],
        [f"{NAME}{EQUIVALENT}{mutant}" for _, mutant in pairs],
        [f"{NAME}{WHOLE}{pairs[0][1]}"],
    ]
    assert [proof.verdict for proof in found.values()] == [Verdict.PROVED, Verdict.UNDECIDED]
    assert sorted(heard) == sorted([f"{NAME}{WHOLE}{pairs[0][1]}", f"{NAME}{EQUIVALENT}{pairs[1][1]}"])


def test_what_ends_a_run_does_not_wait_for_its_workers():
    started, before = time.monotonic(), active_children()
    made = mapped(time.sleep, [0, 600, 600], 2)
    assert next(made) is None
    with pytest.raises(KeyboardInterrupt):
        made.throw(KeyboardInterrupt())
    assert time.monotonic() - started < 60
    assert [each for each in active_children() if each not in before] == []


def test_an_obligation_says_what_it_stands_for():
    made = build(f"{NAME}.mutant.parameters.field.constant-1.plus-1")
    assert made.sentence.startswith("The model with a change gives what the model gives: parameters.field: ")
    assert made.conversion == NAME


def test_the_command_writes_its_report(halfulp, tmp_path):
    target = tmp_path / "mutants.md"
    code, out, err = halfulp("mutants", NAME, "--vectors", VECTORS, "--report", target, "--jobs", "1")
    assert code == 0
    assert all(line.endswith(("run", "settled")) for line in err.splitlines())  # progress
    assert out.splitlines()[0] == "96 mutants of 1 conversion: 75 killed, 12 proved equivalent, 9 refused"
    assert target.read_text().startswith(
        "# Mutants\n\n**96 mutants of 1 conversion: 75 killed, 12 proved equivalent, 9 refused.**\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing.*"], "no conversion is called 'nothing.*'"),
        (["bfp16_v64"], f"'bfp16_v64' has no vector file; expected conversions of {WITH_FILE}"),
        (
            ["cvt.u8.s4.*"],
            "cvt.u8.s4.*: no file in vectors; expected conversions that have one, cvt.u8.s4.rne.nosat.jsonl",
        ),
        ([NAME, "--timeout", "0"], "--timeout 0: expected a number of seconds above 0, at most 1,000,000"),
        (
            [NAME, "--vectors", "/nowhere"],
            "/nowhere/shifts322s16.jsonl:1: file: given No such file or directory, expected a readable file",
        ),
    ],
)
def test_what_cannot_be_run_is_refused(halfulp, arguments, message):
    assert halfulp("mutants", *arguments) == (2, "", f"halfulp: {message}\n")
