"""Every conversion and obligation by name: what there is, how names are matched, and that building is repeatable."""

import os
import subprocess
import sys
import time
from fnmatch import fnmatchcase

import pytest
from pysmt.shortcuts import And

from halfulp_formal import catalogue
from halfulp_formal.catalogue import UnknownName, build, conversions, matching, no_match, obligations
from halfulp_formal.dag import symbols
from halfulp_formal.families.family import Group
from halfulp_formal.obligation import Verdict
from halfulp_formal.smtlib import obligation_hash
from halfulp_model.conversions import conversions as model_conversions

ONE_EACH = [
    "noquant.fp32",
    "noquant.s32",
    "noquant.u32",
    "req8.rne.nosat",
    "vreq8.rto.sat",
    "qf322b8.rtm.sat",
    "shifts322s16",
    "deqf16.rna.sat",
    "qf322fp8.rne.nosat",
]


def test_every_conversion_of_the_model_is_proved_by_default():
    assert conversions([Group.DEFAULT])[: len(model_conversions())] == list(model_conversions())
    assert set(conversions([Group.DEFAULT])) <= set(conversions([Group.DEFAULT, Group.ALL])) <= set(conversions())


def test_names_are_unique_lower_case_and_dotted():
    names = conversions()
    assert len(set(names)) == len(names)
    every = matching(["*"])
    assert len(set(every)) == len(every)
    assert all(name == name.lower() and " " not in name for name in every)
    assert all(name.rpartition(".")[0] in catalogue.owners() for name in every)


def test_every_default_conversion_is_equal_to_its_encoding_total_and_legal():
    for name in model_conversions():
        kinds = [each.rpartition(".")[2] for each in obligations(name)]
        assert {"equivalent", "total", "legal"} <= set(kinds), name
        assert len(kinds) == len(set(kinds)), name
        # a vector mode is its scalar twin, whose properties are proved once
        assert ("twin" in kinds) == name.startswith("v")


@pytest.mark.parametrize("name", ONE_EACH)
def test_obligations_are_built_whole(name):
    for obligation_name in obligations(name):
        built = build(obligation_name)
        assert (built.name, built.conversion) == (obligation_name, name)
        assert built.sentence.endswith((".", ":")) or built.sentence[-1].isalnum(), built.sentence
        assert built.source
        assert built.expect in (Verdict.PROVED, Verdict.REFUTED)
        assert built.replays
        assert set(symbols([And(built.assumption, built.claim)])) <= set(built.inputs), obligation_name
        assert built.samples == (catalogue.SAMPLES if obligation_name.endswith((".equivalent", ".legal")) else 0)


def test_names_are_matched():
    assert matching(["req8.rne.nosat.tie"]) == ["req8.rne.nosat.tie"]
    assert matching(["req8.rne.nosat"]) == obligations("req8.rne.nosat")
    assert matching(["shifts322s16"]) == obligations("shifts322s16")
    mode = matching(["req8"])
    assert {name.split(".")[0] for name in mode} == {"req8"}
    assert len(mode) == sum(len(obligations(name)) for name in conversions() if name.startswith("req8."))
    assert set(matching(["req8.rne"])) == {
        *obligations("req8.rne.nosat"),
        *obligations("req8.rne.sat"),
    }
    assert {name.split(".")[0] for name in matching(["req?.rt?"])} == {"req4", "req8"}
    assert matching(["e8m0.fp32"]) == [name for name in matching(["e8m0"]) if name.startswith("e8m0.fp32.")]
    ties = matching(["req?.*.tie"])
    assert ties
    assert all(fnmatchcase(name, "req?.*.tie") for name in ties)
    assert {name.split(".")[1] for name in ties} == {"rne", "rna", "rhb"}


def test_matches_come_once_and_in_table_order():
    assert matching(["shifts322s16.total", "req8.rne.sat.total", "*.sat.total", "req8.rne.sat.total"]) == sorted(
        matching(["*.sat.total", "shifts322s16.total"]), key=matching(["*.total"]).index
    )


@pytest.mark.parametrize("pattern", ["req8.rn", "eq8", "rne", "req8.rne.", "8.rne.nosat"])
def test_a_part_of_a_name_is_whole(pattern):
    with pytest.raises(UnknownName):
        matching([pattern])


def test_the_nearest_of_very_many_names_is_found_at_once():
    every = matching(["*"])
    started = time.perf_counter()
    assert no_match("qf322f16.rne.sat.equivalnet", every) == (
        "nothing is called 'qf322f16.rne.sat.equivalnet'; did you mean 'qf322f16.rne.sat.equivalent'?"
    )
    assert time.perf_counter() - started < 1


def test_no_pattern_is_everything_of_the_groups():
    assert matching([]) == matching([], [Group.DEFAULT])
    default = set(matching([]))
    assert {name.rpartition(".")[0] for name in default} == set(conversions([Group.DEFAULT]))
    assert default < set(matching([], tuple(Group)))


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("req8.rne.nosat.tye", "nothing is called 'req8.rne.nosat.tye'; did you mean 'req8.rne.nosat.tie'?"),
        ("shifts322s15", "nothing is called 'shifts322s15'; did you mean 'shifts322s16'?"),
        ("REQ8.RNE.NOSAT", "nothing is called 'REQ8.RNE.NOSAT'"),
        ("zzzzzzzzzzzz", "nothing is called 'zzzzzzzzzzzz'"),
    ],
)
def test_a_pattern_that_matches_nothing(pattern, message):
    with pytest.raises(UnknownName) as error:
        matching(["req8.rne.nosat", pattern])
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("req8.rne.nosat.tye", "nothing is called 'req8.rne.nosat.tye'; did you mean 'req8.rne.nosat.tie'?"),
        ("req8.rne.nosatt.tie", "nothing is called 'req8.rne.nosatt.tie'; did you mean 'req8.rne.nosat'?"),
        ("shifts322s16.tie", "nothing is called 'shifts322s16.tie'; did you mean 'shifts322s16.total'?"),
        ("zz", "nothing is called 'zz'"),
    ],
)
def test_an_obligation_that_does_not_exist(name, message):
    with pytest.raises(UnknownName) as error:
        build(name)
    assert str(error.value) == message


HASHES = """
import sys
from halfulp_formal.catalogue import build
from halfulp_formal.smtlib import obligation_hash
for name in sys.argv[1:]:
    print(obligation_hash(build(name)))
"""


def test_a_query_is_the_same_whatever_was_built_before_and_whatever_the_hash_seed():
    names = ["req8.rne.nosat.equivalent", "qf322b8.rto.sat.special", "deqf16.rna.nosat.code", "shifts322s16.legal"]
    here = [obligation_hash(build(name)) for name in names]
    for seed, order in (("1", names), ("2", names[::-1])):
        command = [sys.executable, "-c", HASHES, *order]
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        out = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.split()
        assert dict(zip(order, out, strict=True)) == dict(zip(names, here, strict=True))


def test_building_twice_gives_the_same_query():
    for name in ("req8.rne.nosat.pipeline", "noquant.fp32.equivalent"):
        assert obligation_hash(build(name)) == obligation_hash(build(name))
