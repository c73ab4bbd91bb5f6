import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfulp_formal.catalogue import matching
from halfulp_formal.families.family import Group
from halfulp_formal.shards import (
    SHIPPED,
    UNKNOWN,
    UnusableTimes,
    digest,
    expected,
    read_times,
    shipped_record,
    shipped_times,
    split,
)

SECONDS = st.dictionaries(st.text("abc.", min_size=1, max_size=6), st.floats(0, 100), min_size=1, max_size=40)


@given(SECONDS, st.integers(1, 6))
def test_every_name_is_in_one_part_and_no_part_is_much_longer_than_its_share(seconds, parts):
    found = split(list(seconds), parts, seconds)
    assert sorted(name for part in found for name in part) == sorted(seconds)
    loads = [sum(seconds[name] for name in part) for part in found]
    assert max(loads) <= sum(loads) / parts + max(seconds.values()) + 1e-9
    place = {name: number for number, name in enumerate(seconds)}
    assert all([place[name] for name in part] == sorted(place[name] for name in part) for part in found)


@given(SECONDS, st.integers(1, 4), st.randoms())
def test_the_order_of_what_is_known_does_not_matter(seconds, parts, random):
    shuffled = list(seconds.items())
    random.shuffle(shuffled)
    names = sorted(seconds)
    assert split(names, parts, dict(shuffled)) == split(names, parts, seconds)


def test_more_parts_than_names():
    assert split(["a"], 3, {"a": 1.0}) == [["a"], [], []]
    assert split([], 2, {}) == [[], []]


def test_every_obligation_of_every_group_is_split_evenly_by_shipped_times():
    names = matching([], tuple(Group))
    seconds = expected(names)
    parts = split(names, 4, seconds)
    loads = [sum(seconds[name] for name in part) for part in parts]
    assert max(loads) < 1.01 * min(loads)


def test_digest_tells_splits_apart():
    assert digest([["a", "b"], ["c"]]) == digest([["a", "b"], ["c"]])
    assert (
        len({digest(parts) for parts in ([["a", "b"], ["c"]], [["a"], ["b", "c"]], [["a", "b", "c"]], [[], ["a"]])})
        == 4
    )
    assert len(digest([])) == 16


def test_expected_seconds_are_recorded_ones_else_those_of_the_kind():
    names = ["req8.rne.nosat.equivalent", "req8.rne.nosat.tie", "nobody.knows", "req8.rne.nosat.tie+tie_even_is_odd"]
    shipped = shipped_times()["post-processing"]
    assert expected(names, {"req8.rne.nosat.tie": 7.5}) == {
        names[0]: shipped["equivalent"],
        names[1]: 7.5,
        names[2]: UNKNOWN,
        names[3]: shipped["tie"],
    }


def test_the_shipped_file_names_its_recipe_and_kinds_that_exist():
    record = json.loads(SHIPPED.read_text())
    assert record["recipe"].startswith("python -m halfulp_formal.shards RESULTS.json")
    kinds = {name.rpartition(".")[2] for name in matching([], tuple(Group))}
    assert {kind for of in record["seconds"].values() for kind in of} <= kinds
    assert all(value > 0 for of in record["seconds"].values() for value in of.values())


def test_shipped_record():
    times = {"req8.rne.nosat.tie": 0.5, "req8.rna.nosat.tie": 0.62, "cvt.fp64.fp32.rne.sat.equivalent": 4.0, "x.y": 1.0}
    assert shipped_record(times)["seconds"] == {
        "plain conversions": {"equivalent": 4.0},
        "post-processing": {"tie": 0.6},
    }


def test_what_has_no_new_time_keeps_its_own():
    known = {"post-processing": {"tie": 3.0, "zero": 0.1, "gone": 7.0}, "FP32 addition": {"equivalent": 300.0}}
    assert shipped_record({"req8.rne.nosat.tie": 0.5, "fp19.fp32.exact": 0.2}, known)["seconds"] == {
        "FP32 addition": {"equivalent": 300.0},
        "FP32 to FP19": {"exact": 0.2},
        "post-processing": {"tie": 0.5, "zero": 0.1},
    }


def test_times_of_an_earlier_run(tmp_path):
    file = tmp_path / "results.json"
    file.write_text('{"run": {"seconds": {"a.b": 2, "a.c": 0.25}, "cached": []}}')
    assert read_times(file) == {"a.b": 2.0, "a.c": 0.25}


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", '{"run": 3}', '{"run": {"seconds": [1]}}', '{"run": {"seconds": {"a": "b"}}}']
)
def test_a_file_without_times_is_refused(tmp_path, text):
    file = tmp_path / "results.json"
    file.write_text(text)
    with pytest.raises(UnusableTimes) as error:
        read_times(file)
    assert str(error.value) == f"{file}: no times in it; expected what `halfulp prove --json` wrote"


@pytest.mark.parametrize(("given", "shown"), [("-1", "-1"), ("NaN", "nan"), ("Infinity", "inf")])
def test_times_that_are_none_are_refused(tmp_path, given, shown):
    file = tmp_path / "results.json"
    file.write_text(f'{{"run": {{"seconds": {{"a.b": {given}}}}}}}')
    with pytest.raises(UnusableTimes) as error:
        read_times(file)
    assert str(error.value) == f"{file}: run.seconds of a.b is {shown}; expected a number of seconds"
