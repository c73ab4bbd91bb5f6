import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from formal.obligations import build, hammer
from halfulp_formal import cache as module
from halfulp_formal.cache import Cache, default_folder, source_digest
from halfulp_formal.decide import Engine, decide
from halfulp_formal.obligation import Verdict

KEY = "z3 1"


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "halfulp", "sources")


@pytest.fixture(scope="module")
def proved():
    return decide(build("a.true"), Engine("z3"))


@pytest.fixture(scope="module")
def refuted():
    return decide(build("a.false"), Engine("z3"))


def test_definite_verdicts_come_back(cache, proved, refuted):
    for proof in (proved, refuted):
        cache.store(proof, KEY)
        known = cache.verdict(proof.query, KEY)
        assert replace(known, seconds=proof.seconds) == replace(proof, cached=True)


def test_other_solvers_and_queries_are_unknown(cache, proved):
    cache.store(proved, KEY)
    assert cache.verdict(proved.query, "z3 2") is None
    assert cache.verdict("0" * 64, KEY) is None


@pytest.mark.parametrize("verdict", [Verdict.UNDECIDED, Verdict.ERROR])
def test_other_verdicts_are_not_kept(cache, proved, verdict):
    cache.store(replace(proved, verdict=verdict), KEY)
    assert cache.size() == (0, 0)


def test_recall_by_name_needs_the_same_sources(cache, proved, refuted):
    cache.store(proved, KEY)
    cache.store(refuted, KEY)
    known = cache.recall("a.true", KEY)
    assert (known.name, known.verdict, known.query, known.cached) == ("a.true", Verdict.PROVED, proved.query, True)
    known = cache.recall("a.false", KEY)
    assert (known.verdict, known.witness, known.cached) == (Verdict.REFUTED, refuted.witness, True)
    assert cache.recall("b.true", KEY) is None
    assert Cache(cache.folder, "changed").recall("a.true", KEY) is None
    assert Cache(cache.folder).recall("a.true", KEY) is None


def test_recalled_witness_is_the_one_that_was_replayed_for_that_name(cache, refuted):
    cache.store(refuted, KEY)
    elsewhere = Cache(cache.folder, "other sources")
    elsewhere.store(replace(refuted, name="b.false", witness={"in.x": 65535, "in.y": 1}), KEY)
    known, other = cache.recall("a.false", KEY), elsewhere.recall("b.false", KEY)
    assert known is not None
    assert other is not None
    assert (known.witness, other.witness) == (refuted.witness, {"in.x": 65535, "in.y": 1})
    assert elsewhere.recall("a.false", KEY) is None


def test_name_is_not_remembered_once_a_source_has_changed(tmp_path, monkeypatch, proved):
    source = tmp_path / "model.py"
    source.write_text("1")
    monkeypatch.setattr(module, "_packages", lambda: [source])
    cache = Cache.of_sources(tmp_path / "halfulp")
    assert cache.sources == source_digest()
    cache.store(proved, KEY)
    assert cache.recall("a.true", KEY) is not None
    source.write_text("2 + 2")
    cache.store(replace(proved, name="b.true"), KEY)
    assert cache.recall("b.true", KEY) is None
    assert cache.verdict(proved.query, KEY) is not None
    source.unlink()
    cache.store(replace(proved, name="c.true"), KEY)
    assert cache.recall("c.true", KEY) is None


def test_recall_of_a_query_proved_under_another_name(cache, proved):
    cache.store(proved, KEY)
    cache.store_name(replace(proved, name="b.other", conversion="b", expect=Verdict.REFUTED), KEY)
    known = cache.recall("b.other", KEY)
    assert (known.name, known.conversion, known.expect, known.ok) == ("b.other", "b", Verdict.REFUTED, False)


BROKEN = [
    b"",
    b"{",
    b"[]",
    b"\xff\xfe",
    b"[" * 100_000,
    {"verdict": "undecided"},
    {"verdict": "yes"},
    {"query": "0" * 64},
    {"seconds": "long"},
    {"name": 3},
    {"witness": {"in.x": 1}},
    {"witness": [1]},
    {"verdict": "refuted"},
]


@pytest.mark.parametrize("damage", BROKEN)
def test_damaged_entry_is_absent_and_is_rewritten(cache, proved, damage):
    cache.store(proved, KEY)
    (path,) = (cache.folder / "verdicts").rglob("*.json")
    if isinstance(damage, bytes):
        path.write_bytes(damage)
    else:
        path.write_text(json.dumps({**json.loads(path.read_text()), **damage}))
    assert cache.verdict(proved.query, KEY) is None
    assert cache.recall("a.true", KEY) is None
    cache.store(proved, KEY)
    assert cache.verdict(proved.query, KEY) is not None


def test_damaged_index_is_absent(cache, proved):
    cache.store(proved, KEY)
    (path,) = (cache.folder / "names").rglob("*.json")
    for damage in ("{}", '{"name": "a.true", "query": 4}', '{"name": "a.true", "query": "x"}', "nothing"):
        path.write_text(damage)
        assert cache.recall("a.true", KEY) is None


def test_change_of_the_deciding_code_makes_all_unknown(cache, proved, monkeypatch):
    cache.store(proved, KEY)
    monkeypatch.setattr(module, "_machinery", lambda: "another")
    assert cache.verdict(proved.query, KEY) is None


def test_folder_that_cannot_be_written_costs_nothing(tmp_path, proved):
    (tmp_path / "file").write_text("in the way")
    cache = Cache(tmp_path / "file" / "halfulp", "sources")
    cache.store(proved, KEY)
    cache.record_times({"z3 a": 1.0})
    cache.prune()
    cache.clear()
    assert cache.verdict(proved.query, KEY) is None
    assert cache.times() == {}
    assert cache.size() == (0, 0)


def test_times_are_merged(cache):
    assert cache.times() == {}
    cache.record_times({"z3 a": 1.23456, "z3 b": 2.0})
    cache.record_times({"z3 b": 3.0})
    assert cache.times() == {"z3 a": 1.235, "z3 b": 3.0}


def test_size_and_clear_leave_other_files(cache, proved, refuted):
    cache.store(proved, KEY)
    cache.store(refuted, KEY)
    cache.record_times({"z3 a": 1.0})
    (cache.folder / "mine.txt").write_text("mine")
    count, size = cache.size()
    assert count == 2
    assert size > 500
    cache.clear()
    assert cache.size() == (0, 0)
    assert [path.name for path in cache.folder.iterdir()] == ["mine.txt"]


def test_old_source_states_are_pruned(cache, proved):
    for state in range(12):
        Cache(cache.folder, f"state {state}").store(proved, KEY)
        path = cache.folder / "names" / f"state {state}"
        import os

        os.utime(path, (state, state))
    cache.prune()
    assert {path.name for path in (cache.folder / "names").iterdir()} == {f"state {state}" for state in range(4, 12)}
    assert cache.verdict(proved.query, KEY) is not None


def test_default_folder(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert default_folder() == Path("/somewhere/halfulp")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", "/home/someone")
    assert default_folder() == Path("/home/someone/.cache/halfulp")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert default_folder() == Path("/home/someone/.cache/halfulp")


def test_source_digest_sees_every_file_and_extra_text(tmp_path):
    (tmp_path / "a.py").write_text("1")
    (tmp_path / "b.yaml").write_text("2")
    first = module._digest([tmp_path])
    (tmp_path / "notes.txt").write_text("not read")
    assert module._digest([tmp_path]) == first
    (tmp_path / "b.yaml").write_text("3")
    second = module._digest([tmp_path])
    (tmp_path / "b.yaml").rename(tmp_path / "c.yaml")
    assert len({first, second, module._digest([tmp_path])}) == 3
    assert source_digest() == source_digest() != source_digest("amended")
    assert source_digest("a", "b") != source_digest("ab")


def test_two_processes_at_once(cache, proved):
    from multiprocessing import get_context

    with ProcessPoolExecutor(2, mp_context=get_context("forkserver")) as pool:
        assert list(pool.map(hammer, [cache] * 2, [proved] * 2)) == [True, True]
    assert not list(cache.folder.rglob("*.tmp"))
