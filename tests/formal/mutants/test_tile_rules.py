"""Mutants of what an operation on a tile reads: all are rule data that the model accepts, or is known to refuse."""

from itertools import chain

import pytest

from halfulp_formal.mutants.tile_rules import (
    assigned_mutants,
    binding_mutants,
    fault_mutants,
    group_mutants,
    operation_rules,
    reduction_mutants,
    word_mutants,
)
from halfulp_formal.subject import PatchError, discarded, shipped_document
from halfulp_formal.vectors.tiles import rows

DOCUMENT = shipped_document()[0]
NAME = "tile.vreq4.rne.nosat"


def own():
    row = rows()[NAME]
    return {
        "word": list(word_mutants(DOCUMENT["fpatr"])),
        "assigned": list(assigned_mutants(DOCUMENT["fpatr"])),
        "groups": list(group_mutants(DOCUMENT["group_columns"]["columns"])),
        "faults": list(fault_mutants(DOCUMENT["legality"])),
        "reductions": list(reduction_mutants(DOCUMENT["reductions"])),
        "bindings": list(binding_mutants(row.conversion, DOCUMENT["prequant"])),
    }


def test_names_are_unique_and_every_section_is_there():
    every = operation_rules(rows()[NAME])
    assert len({each.name for each in every}) == len(every)
    assert set(chain.from_iterable(own().values())) <= set(every)
    assert {each.name.split(".")[1] for each in every} >= {
        "fpatr", "group_columns", "legality", "reductions", "prequant", "rounding", "flags", "parameter_word", "formats",
    }  # fmt: skip


def test_fields_change_places_or_their_border():
    texts = {each.what for each in own()["word"]}
    assert "the fields RowMaxEn and GroupMaxEn change places" in texts
    assert "ReluMode begins at bit 24 instead of 23, behind GroupNCode" in texts


@pytest.mark.parametrize("kind", ["faults", "reductions", "groups"])
def test_what_is_changed_is_rule_data(kind):
    for each in own()[kind]:
        if each.name.startswith("rules.group_columns.columns.0-1"):
            continue  # no columns for GroupNCode 0 is what its meaning rests on, not a check
        with discarded(each.subject()) as subject:
            assert subject.module("loader").default_rules().fpatr


def test_two_fields_that_overlap_are_refused():
    (mutant,) = (each for each in own()["assigned"] if each.name == "rules.fpatr.GroupNCode.assigned.more")
    with pytest.raises(PatchError, match=r"expected one a code$"):
        mutant.subject()
