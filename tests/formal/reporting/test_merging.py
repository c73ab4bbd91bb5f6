import json
from dataclasses import replace

import pytest

from formal.reporting.pretended import pretended
from halfulp_formal.obligation import Verdict
from halfulp_formal.reporting import read_results, results_json
from halfulp_formal.reporting.merging import Unmergeable, merge
from halfulp_formal.shards import digest, split

WHOLE = pretended(["req8.rne.nosat", "deqf16.rne.nosat", "shifts322s16"], {"req8.rne.nosat.tie": Verdict.UNDECIDED})
NAMES = [row.proof.name for row in WHOLE.rows]


def shards(count):
    """The shards of a run, out of order."""
    parts = split(NAMES, count, {name: float(len(name)) for name in NAMES})
    found = []
    for number, part in enumerate(parts, start=1):
        rows = [row for row in WHOLE.rows if row.proof.name in part]
        found.append((f"{number}.json", replace(WHOLE, rows=rows, shard=f"{number}/{count}", split=digest(parts))))
    return found[::-1]


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_merged_shards_are_the_whole_run(count):
    assert results_json(merge(shards(count), NAMES)) == results_json(WHOLE)


def test_by_way_of_files(tmp_path):
    for name, results in shards(3):
        (tmp_path / name).write_text(results_json(results))
    read = [(str(path), read_results(path)) for path in sorted(tmp_path.iterdir())]
    assert json.loads(results_json(merge(read, NAMES))) == json.loads(results_json(WHOLE))


def test_names_that_the_order_lacks_come_last():
    merged = merge(shards(2), NAMES[3:])
    assert [row.proof.name for row in merged.rows] == [*NAMES[3:], *sorted(NAMES[:3])]


def changed(place, **fields):
    """Two shards, one of which is otherwise."""
    found = shards(2)
    found[place] = (found[place][0], replace(found[place][1], **fields))
    return found


REFUSED = [
    (shards(2)[:1], "shard 1/2 is missing; expected all from 1/2 to 2/2"),
    ([*shards(2), ("again.json", shards(2)[0][1])], "again.json: shard is 2/2, which 2.json is, too"),
    (changed(1, shard="1/3"), "1.json: shard is 1/3; expected one of 2, as in 2.json"),
    (changed(1, rules="other"), f"1.json: rules is 'other'; expected '{WHOLE.rules}', as in 2.json"),
    (changed(1, version="9"), "1.json: halfulp is '9'; expected '0.1.0', as in 2.json"),
    (changed(1, solvers={"z3": "5"}), "1.json: solvers is {'z3': '5'}; expected {'bitwuzla': '0.10.0'}, as in 2.json"),
    (changed(1, patterns=["a"]), "1.json: patterns is ['a']; expected (), as in 2.json"),
    (changed(1, noun="seeded mistake"), "1.json: about is 'seeded mistake'; expected 'obligation', as in 2.json"),
    (changed(1, split="other"), f"1.json: split is 'other'; expected '{shards(2)[0][1].split}', as in 2.json"),
    (changed(1, rows=WHOLE.rows), f"1.json: {shards(2)[0][1].rows[0].proof.name} is in 2.json, too"),
]


@pytest.mark.parametrize(("files", "message"), REFUSED, ids=[message[:30] for _, message in REFUSED])
def test_what_is_no_run_is_refused(files, message):
    with pytest.raises(Unmergeable) as error:
        merge(files, NAMES)
    assert str(error.value) == message
