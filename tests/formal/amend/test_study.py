"""Studies of small amendments: what changes and where, what is proved unchanged, and what follows."""

import json
from dataclasses import replace

import pytest

from formal.amend.amendments import studied, write
from halfulp_formal.amend.expecting import exit_code, surprises
from halfulp_formal.amend.outcome import Status
from halfulp_formal.amend.patch import read_amendment
from halfulp_formal.amend.record import as_json
from halfulp_formal.amend.text import text_lines
from halfulp_formal.obligation import Verdict

EVEN = "rules:\n  scale_rules:\n    even: {choice: odd, reason: a test}\n"
ROUND = """\
from halfulp_formal.amend import replaces
from halfulp_model.e8m0 import Ratio, ScaleConversion, takes_upper


@replaces("e8m0.choose_exponent")
def choose_exponent(conversion: ScaleConversion, ratio: Ratio) -> int:
    numerator, denominator = ratio.numerator, ratio.denominator
    BODY
    return ratio.exponent + 1 if takes_upper(conversion.rounding.choice, ratio.exponent) else ratio.exponent
"""
SAME_BODY = """\
if conversion.rounding.nearest:
        beyond = 2 * numerator - 3 * denominator
        if conversion.logarithmic:
            beyond = numerator * numerator - 2 * denominator * denominator
        if beyond < 0:
            return ratio.exponent
        if beyond > 0:
            return ratio.exponent + 1"""


def by_name(study):
    return {entry.name: entry for entry in study.entries}


@pytest.fixture(scope="module")
def even(tmp_path_factory):
    """Ties of the scale rule go to the odd exponent."""
    folder = tmp_path_factory.mktemp("even")
    return studied(write(folder, EVEN + "expect: {changed: ['scale.*.even']}\n"), "scale.bf16.even", "scale.fp32.floor")


def test_changed_with_its_smallest_witness_and_its_exact_region(even):
    entry = by_name(even)["scale.bf16.even"]
    assert entry.status is Status.CHANGED
    # the least tie under an even exponent: 1.5 · 2^-128 goes to 2^-128 and underflows, or to 2^-127 and does not
    base, amended = entry.versions
    assert base.stages[0].bits == "0x0030"
    assert (base.outcome["flags"], amended.outcome["flags"]) == ("UF|NX", "NX")
    assert entry.where.region.exact
    assert entry.where.proof.verdict is Verdict.PROVED


def test_what_is_not_touched_is_not_asked_about(even):
    entry = by_name(even)["scale.fp32.floor"]
    assert (entry.status, entry.proof) == (Status.UNTOUCHED, None)
    assert entry.standing.base == entry.standing.amended


def test_sentences_that_stop_holding(even):
    assert {each.name for each in even.sentences if each.appears} == {
        "scale.bf16.even.rule",
        "scale.bf16.even.out_of_range",
    }
    assert even.asked > len(even.sentences)


def test_as_expected(even):
    assert surprises(even) == []
    assert exit_code(even) == 0
    lines = list(text_lines(even))
    assert lines[0] == "AS EXPECTED: A test"
    assert 'changes   scale_rules.even.choice: "even" -> "odd"' in lines


def test_not_as_expected(even, tmp_path):
    text = EVEN + "expect:\n  unchanged: [scale.bf16.even]\n  findings: {appear: [rule], disappear: []}\n"
    other = replace(even, amendment=read_amendment(write(tmp_path, text)))
    record = json.loads(as_json(other))
    assert record["exit_code"] == 1
    assert record["surprises"] == [
        "scale.bf16.even is changed; expected unchanged",
        "finding scale.bf16.even.out_of_range appears; expected nothing of the kind",
    ]


def test_undecided_is_neither(even):
    entry = by_name(even)["scale.bf16.even"]
    undecided = replace(entry, status=Status.UNDECIDED, proof=replace(entry.proof, verdict=Verdict.UNDECIDED))
    quiet = replace(even, entries=(undecided,), sentences=())
    assert (surprises(quiet), exit_code(quiet)) == ([], 3)
    broken = replace(entry, status=Status.ERROR, proof=replace(entry.proof, verdict=Verdict.ERROR))
    assert exit_code(replace(quiet, entries=(broken,))) == 4


def test_without_an_expect_section_nothing_may_change(even):
    study = replace(even, amendment=replace(even.amendment, expects=None, compares_findings=False))
    assert exit_code(study) == 1
    assert list(text_lines(study))[-3:] == [
        "expect:",
        "  changed: [scale.bf16.even]",
        "  findings: {appear: [out_of_range, rule], disappear: []}",
    ]


def test_a_function_that_is_told_otherwise_is_proved_the_same(tmp_path):
    path = write(tmp_path, "functions: functions.py\n", ROUND.replace("BODY", SAME_BODY))
    study = studied(path, "e8m0.bf16.rne.sat", "e8m0.bf16.rtz.sat")
    entries = by_name(study)
    assert {entry.status for entry in entries.values()} == {Status.UNCHANGED}
    assert not entries["e8m0.bf16.rne.sat"].identical
    assert entries["e8m0.bf16.rtz.sat"].identical
    assert exit_code(study) == 0


def test_a_result_that_is_lost(tmp_path):
    path = write(tmp_path, "functions: functions.py\n", ROUND.replace("BODY", "assert ratio.exponent < 100"))
    study = studied(path, "e8m0.bf16.rtm.sat")
    (entry,) = study.entries
    assert entry.status is Status.CHANGED
    assert entry.total.verdict is Verdict.REFUTED
    assert study.partial == [entry]
    assert entry.versions[1].failure == "the model raises AssertionError: "


@pytest.mark.slow
def test_vector_modes_share_the_proof_of_their_scalar_twins(tmp_path):
    path = write(tmp_path, "rules:\n  encoders:\n    pto:\n      HiF8: {underflow_sign: kept, reason: a test}\n")
    entries = by_name(studied(path, "qf322hif8.rhb.sat", "vqf322hif8.rhb.sat"))
    assert entries["vqf322hif8.rhb.sat"].shares == "qf322hif8.rhb.sat"
    assert entries["vqf322hif8.rhb.sat"].proof is entries["qf322hif8.rhb.sat"].proof
