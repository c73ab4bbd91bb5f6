from dataclasses import replace
from types import SimpleNamespace

import pytest

from formal.reporting.test_reporting import E, P, R, U, results, row
from halfulp_formal import catalogue
from halfulp_formal.families.family import Group
from halfulp_formal.reporting.summary import LISTED, open_lines, summary


@pytest.fixture(autouse=True)
def small_catalogue(monkeypatch):
    """Two families: a with the kinds k, l and m, and nightly b with one."""
    kinds = {"a": "klm", "b": "k"}

    groups = {"a": Group.ALL, "b": Group.NIGHTLY}
    families = [
        SimpleNamespace(
            name=f"family {name}",
            group=group,
            conversions=lambda name=name: [name],
            kinds=lambda name: [SimpleNamespace(name=kind) for kind in kinds[name]],
        )
        for name, group in groups.items()
    ]
    monkeypatch.setattr(catalogue, "FAMILIES", tuple(families))


def test_nothing_is_open():
    found = results(row("a.k", P), row("a.l", P), row("a.m", R, R), row("b.k", P))
    assert list(open_lines(found)) == [
        "**Nothing is open.** All 4 obligations of the catalogue have the verdict that is due."
    ]


def test_what_was_left_out_is_open():
    found = results(row("a.k", P), row("a.l", P))
    assert list(open_lines(found)) == [
        "**Not everything is proved.** 2 obligations of 4 decided:",
        "",
        "- not in this run: 1 obligation of family a (group all)",
        "- not in this run: 1 obligation of family b (group nightly)",
        "- every other verdict is the one that is due",
    ]


def test_what_is_not_proved_stands_in_the_first_lines():
    found = results(row("a.k", R), row("a.l", U), row("a.m", P, R), row("b.k", E))
    text = summary(found)
    assert text.splitlines()[:8] == [
        "# Proofs",
        "",
        "**Not everything is proved.** 4 obligations of 4 decided:",
        "",
        "- error: 1 obligation: `b.k`",
        "- refuted: 1 obligation: `a.k`",
        "- undecided: 1 obligation: `a.l`",
        "- proved, where a refutation was expected: 1 obligation: `a.m`",
    ]


def test_many_names_are_counted():
    rows = [row(f"a.{place}", U) for place in range(LISTED + 1)]
    assert f"`a.{LISTED - 1}` and 1 more" in summary(results(*rows))


def test_the_evidence():
    second = replace(row("a.k", P, validated=200), proof=replace(row("a.k", P).proof, second="z3 5.4: unsat"))
    found = results(second, row("a.l", P, validated=200), row("a.m", R, R), row("b.k", P, second="z3 5.4: undecided"))
    assert summary(found).splitlines()[-5:] == [
        "",
        "- decided by z3 5.4; by two solvers: 1 of 4",
        "- refuted as expected: 1; witnesses replayed on the model: 1",
        "- points at which lifted terms were compared with the model's own functions: 200",
        "- halfulp 0.1; rule data `d1`",
    ]
    assert "| conversion | obligations | PROVED | REFUTED | UNDECIDED | ERROR |\n|---|---:|---:|" in summary(found)
