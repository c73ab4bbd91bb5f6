from dataclasses import replace

import pytest

from halfulp_formal.catalogue import UnknownName, matching
from halfulp_formal.obligation import Proof, Verdict
from halfulp_formal.seeded import Seed, build_seeded, seeds, settle, spread


def proof(name, verdict):
    return Proof(name, "a", verdict, Verdict.PROVED, "z3", "1", 0.0, "q", {} if verdict is Verdict.REFUTED else None)


def settled(verdicts):
    """What settles one seed whose candidates have these verdicts, and the rounds it took."""
    rounds: list[list[str]] = []
    heard: list[Proof] = []

    def decide(names):
        rounds.append(names)
        return [proof(name, verdicts[int(name)]) for name in names]

    names = tuple(str(place) for place in range(len(verdicts)))
    (found,) = settle([Seed("tie", "mistake", names)], decide, heard.append)
    assert heard == [found]
    assert found.expect is Verdict.REFUTED
    return found.name, found.verdict, rounds


P, R, U, E = Verdict.PROVED, Verdict.REFUTED, Verdict.UNDECIDED, Verdict.ERROR


def test_a_refutation_settles_at_once():
    assert settled([R, E, U]) == ("0", R, [["0"]])


def test_candidates_are_tried_in_growing_rounds():
    assert settled([P, P, P, P, R, P, P, P, P]) == ("4", R, [["0"], ["1", "2"], ["3", "4", "5", "6"]])


def test_an_error_settles_at_once():
    assert settled([E, R]) == ("0", E, [["0"]])


def test_a_time_out_is_not_taken_for_a_mistake_that_passed():
    assert settled([P, U, P]) == ("1", U, [["0"], ["1", "2"]])
    assert settled([U, P, R]) == ("2", R, [["0"], ["1", "2"]])


def test_a_mistake_that_passed():
    assert settled([P, P]) == ("0", P, [["0"], ["1"]])


def test_nothing_to_settle():
    assert settle([], lambda _: [], lambda _: None) == []


def test_every_kind_of_the_named_obligations_with_each_mistake():
    found = seeds(matching(["shifts322s16.total", "req8.rne.*.tie", "vreq8.rne.sat.twin"]))
    assert [(seed.kind, seed.mistake) for seed in found] == [
        ("twin", "vector_offset_narrow"),
        ("tie", "tie_even_is_odd"),
        ("tie", "tie_rule_away"),
        ("tie", "rhb_half_away"),
        ("total", "negative_shift"),
    ]
    assert found[1].candidates == ("req8.rne.nosat.tie+tie_even_is_odd",)


def test_the_first_few_of_many_are_spread_over_all():
    assert spread(list("abcdefgh")) == list("aecgbfdh")
    assert spread(["a"]) == ["a"]
    assert spread([]) == []


def test_a_changed_row_is_tried_where_it_is_used_first():
    (seed,) = [seed for seed in seeds(matching(["*.tie"])) if seed.mistake == "rhb_half_away"]
    assert ".rhb." in seed.candidates[0]
    assert ".rne." not in seed.candidates[0]


def test_an_obligation_about_a_wrong_model():
    wrong = build_seeded("shifts322s16.total+negative_shift")
    assert wrong.name == "shifts322s16.total+negative_shift"
    assert wrong.expect is Verdict.REFUTED
    assert not wrong.claim.is_true()


def test_a_mistake_that_changes_nothing_leaves_nothing_to_solve():
    same = build_seeded("shifts322s16.total+tie_even_is_odd")
    assert same.claim.is_true()
    assert same.assumption.is_true()


@pytest.mark.parametrize(
    "name", ["shifts322s16.total+nosuch", "shifts322s16.nosuch+negative_shift", "shifts322s16.total"]
)
def test_unknown_names_are_refused(name):
    with pytest.raises(UnknownName, match=r"^nothing is called"):
        build_seeded(name)


def test_a_proof_is_not_changed_otherwise():
    (found,) = settle([Seed("tie", "m", ("0",))], lambda names: [proof(names[0], R)], lambda _: None)
    assert found == replace(proof("0", R), expect=R)


@pytest.mark.parametrize(
    ("pattern", "first"),
    [
        ("*.total", "shifts322s16.total+negative_shift"),
        ("*.overflow", "qf322fp8.rne.nosat.overflow+early_overflow_lost"),
        ("format.*.class", "format.e4m3.class+all_ones_finite"),
    ],
)
def test_a_mistake_that_few_conversions_show_is_tried_there_first(pattern, first):
    mistake = first.partition("+")[2]
    firsts = {seed.candidates[0] for seed in seeds(matching([pattern])) if seed.mistake == mistake}
    assert first in firsts
