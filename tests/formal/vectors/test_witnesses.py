from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from pysmt.fnode import FNode
from pysmt.shortcuts import BV, BVULE, BVULT, TRUE, And, BVExtract, BVSub, Equals, Not, Symbol
from pysmt.typing import BVType

from formal.obligations import HARD, hard
from halfulp_formal.bits import Bool
from halfulp_formal.cache import Cache
from halfulp_formal.decide import Engine
from halfulp_formal.obligation import Proof, Verdict
from halfulp_formal.solvers import Answer, available, preferred
from halfulp_formal.solvers.door import Session
from halfulp_formal.vectors import witnesses
from halfulp_formal.vectors.corner import CornerClass
from halfulp_formal.vectors.family import UnknownConversion, family_of
from halfulp_formal.vectors.witnesses import NoWitness, Searcher, WrongPoint, build

ENGINE = Engine(preferred(), 20)
X = Symbol("in.corner", BVType(16))


class Facts:
    """One 16-bit input, least first or greatest first, and whatever else a test needs."""

    legal = Bool(BVULT(X, BV(50000, 16)))
    inputs: tuple[FNode, ...] = (X,)
    replays = ()
    keys = True

    def variant(self, name):
        asked = Equals(BVExtract(X, 0, 0), BV(1, 1)) if name == "odd" else TRUE()
        if not self.keys:
            return Bool(asked), [("nothing", BV(0, 4))]
        return Bool(asked), [("x", BVSub(BV(65535, 16), X) if name == "far" else X)]


def corner(when, *variants):
    return CornerClass("made/up", "Made up.", lambda _: Bool(when), variants or ("least",))


def search(when, *variants, searcher=None, facts=None):
    return (searcher or Searcher(ENGINE)).witnesses("a.b", facts or Facts(), corner(when, *variants))


def between(low, high):
    return And(BVULE(BV(low, 16), X), BVULE(X, BV(high, 16)))


def test_one_witness_a_variant_in_their_order():
    assert search(between(100, 60000)) == [(100,)]
    assert search(between(100, 60000), "far", "least", "odd") == [(49999,), (100,), (101,)]


def test_a_variant_without_members_is_passed_over():
    assert search(between(100, 100), "least", "odd") == [(100,)]


def test_variants_with_the_same_point_give_it_once():
    assert search(between(101, 101), "least", "far", "odd") == [(101,)]


def test_a_class_that_no_variant_meets_still_has_a_witness():
    assert search(between(100, 100), "odd") == [(100,)]


def test_an_empty_class_has_a_proof():
    proof = search(between(60000, 61000), "far", "least")
    assert isinstance(proof, Proof)
    assert (proof.name, proof.conversion, proof.verdict) == ("a.b.class.made/up", "a.b", Verdict.PROVED)


def test_the_proof_carries_the_name_of_its_own_conversion():
    searcher = Searcher(ENGINE)
    first = searcher.witnesses("a.b", Facts(), corner(between(60000, 61000)))
    second = searcher.witnesses("a.c", Facts(), corner(between(60000, 61000)))
    assert isinstance(first, Proof)
    assert isinstance(second, Proof)
    assert (first.name, second.name) == ("a.b.class.made/up", "a.c.class.made/up")


def test_a_class_of_few_inputs_may_have_all_of_them():
    small = Symbol("in.small", BVType(4))
    facts = SimpleNamespace(legal=Bool(BVULT(small, BV(9, 4))), inputs=(small,), replays=())
    odd: CornerClass[Any] = CornerClass(
        "made/odd", "Odd.", lambda _: Bool(Equals(BVExtract(small, 0, 0), BV(1, 1))), every=True
    )
    large: CornerClass[Any] = CornerClass("made/large", "Large.", lambda _: Bool(BVULT(BV(9, 4), small)), every=True)
    assert Searcher(ENGINE).witnesses("a.b", facts, odd) == [(1,), (3,), (5,), (7,)]
    empty = Searcher(ENGINE).witnesses("a.b", facts, large)
    assert isinstance(empty, Proof)
    assert (empty.name, empty.verdict) == ("a.b.class.made/large", Verdict.PROVED)


def test_too_many_inputs_are_not_all_tried():
    everything: CornerClass[Any] = CornerClass("made/up", "Made up.", lambda _: Bool(TRUE()), every=True)
    message = r"^16 bits of input are too many to try them all; expected at most 12$"
    with pytest.raises(ValueError, match=message):
        Searcher(ENGINE).witnesses("a.b", Facts(), everything)


def test_keys_that_leave_two_points_are_a_mistake():
    facts = Facts()
    facts.keys = False
    with pytest.raises(WrongPoint, match=r"^a\.b\.class\.made/up: the order of witnesses does not single out a point$"):
        search(between(1, 2), facts=facts)


def test_a_limit_that_is_reached_leaves_the_class_open():
    class Factors(Facts):
        legal = Bool(TRUE())
        inputs = HARD

        def variant(self, name):
            return Bool(TRUE()), [(name, HARD[0]), (name, HARD[1])]

    with pytest.raises(NoWitness) as caught:
        search(Not(hard()), searcher=Searcher(replace(ENGINE, timeout=0.2)), facts=Factors())
    assert caught.value.proof.verdict is Verdict.UNDECIDED
    assert str(caught.value).startswith("a.b.class.made/up: undecided: ")


def test_whichever_check_reaches_the_limit_the_class_is_left_open(monkeypatch):
    check, checks = Session.check, []

    def counted(session, *assumptions, seconds=None):
        checks.append(check(session, *assumptions, seconds=seconds))
        return checks[-1] if len(checks) < limit else Answer.UNKNOWN

    monkeypatch.setattr(Session, "check", counted)
    limit = 1000
    assert search(between(3, 9)) == [(3,)]
    for limit in range(1, len(checks) + 1):
        checks.clear()
        with pytest.raises(NoWitness) as caught:
            search(between(3, 9))
        assert (caught.value.proof.verdict, len(checks)) == (Verdict.UNDECIDED, limit)


def test_what_was_found_is_kept_for_any_solver(tmp_path, monkeypatch):
    found = search(between(100, 60000), "least", "far", searcher=Searcher(ENGINE, Cache(tmp_path)))
    monkeypatch.setattr(witnesses, "open_solver", None)
    again = Searcher(Engine("another", 1), Cache(tmp_path))
    assert search(between(100, 60000), "least", "far", searcher=again) == found


def test_a_kept_point_outside_the_class_is_searched_again(tmp_path, monkeypatch):
    cache = Cache(tmp_path)
    search(between(100, 60000), searcher=Searcher(ENGINE, cache))
    whole = Cache.verdict

    def astray(self, *key):
        proof = whole(self, *key)
        assert proof is not None
        return replace(proof, witness={"in.corner": 7})

    monkeypatch.setattr(Cache, "verdict", astray)
    assert search(between(100, 60000), searcher=Searcher(ENGINE, cache)) == [(100,)]


@pytest.mark.parametrize(
    ("name", "step"),
    [("noquant.u32", 1), ("shifts322s16", 3), ("e8m0.fp16.rne.sat", 11), ("cvt.fp16.e4m3.rne.nosat", 23)],
)
def test_witnesses_do_not_depend_on_the_solver(name, step):
    family = family_of(name)
    facts = family.facts(name)
    found = []
    for solver in available():
        searcher = Searcher(Engine(solver, 20))
        results = [searcher.witnesses(name, facts, each) for each in family.classes(name)[::step]]
        found.append([each.name if isinstance(each, Proof) else each for each in results])
    assert all(each == found[0] for each in found)


def test_an_unknown_obligation():
    with pytest.raises(UnknownConversion, match=r"^shifts322s16 has no corner class 'shift/none'$"):
        build("shifts322s16.class.shift/none")
    with pytest.raises(UnknownConversion, match=r"^no conversion is called 'shifts'; did you mean 'shifts322s16'\?$"):
        build("shifts.class.shift/zero")
