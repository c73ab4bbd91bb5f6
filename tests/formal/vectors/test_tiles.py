"""The files of whole tiles: what each is, every fault among them, and wrong tiles killed by them."""

import pytest

from formal.vectors import readers
from halfulp_formal.mistakes import MISTAKES
from halfulp_formal.subject import discarded
from halfulp_formal.vectors.tile_shapes import shapes
from halfulp_formal.vectors.tiles import FAULTS, Tiles
from halfulp_model.fpatr_rows import FaultKind, Rule
from halfulp_model.loader import default_rules

FILES = {name: readers.jsonl(readers.FOLDER / f"{name}.jsonl") for name in shapes()}
#: a rule that no tile of a fixed shape can break
OUT_OF_REACH = {Rule.SHAPE}
KILLED = (
    "tile_reduces_converted",
    "reduce_first_not_absolute",
    "tile_flags_of_last_element",
    "tile_group_flags_lost",
    "nibbles_swapped",
    "group_tail_reads_zeros",
    "tile_words_reversed",
    "tile_first_activation",
    "reduce_flags_of_last_step",
    "reduce_absolute_overflow_inexact",
    "reduce_zeros_keep_current",
    "reduce_nan_wins",
    "reduce_initial_skipped",
    "group_tail_dropped",
    "fpatr_relu_four",
    "fpatr_reserved_is_legality",
    "fpatr_absolute_alone",
    "preflight_any_accumulator",
    "datr_pad_ignored",
)


def test_every_rule_has_a_case():
    found = {case.corner for cases in FILES.values() for case in cases}
    for rule in Rule:
        assert (f"fault/{rule.value.replace('_', '-')}" in found) == (rule not in OUT_OF_REACH)


def test_a_fault_sets_nothing_but_its_kind():
    assert FAULTS[1:] == tuple(kind.value for kind in FaultKind)
    for cases in FILES.values():
        for case in cases:
            fault, *outputs = case.outputs
            assert (fault != 0) == case.corner.startswith(("fault/", "wrong/"))
            if case.corner.startswith("fault/"):
                rule = case.corner.removeprefix("fault/").replace("-", "_")
                assert FAULTS[fault] == default_rules().legality[rule].fault.value
            assert not (fault and any(outputs))


def test_shapes():
    assert {name: (shape.rows, shape.columns) for name, shape in shapes().items()} == {
        "tile.noquant.s32": (2, 9),
        "tile.noquant.fp32": (1, 9),
        "tile.vreq4.rne.nosat": (2, 3),
    }


def survives(package):
    """Whether a model gives what every file says."""
    family = Tiles(package)
    return all(runs(family, name, case.inputs) == case.outputs for name, cases in FILES.items() for case in cases)


def runs(family, name, inputs):
    """The outputs, or what a wrong model raised instead."""
    try:
        return family.run(name, inputs)
    except Exception as error:  # noqa: BLE001  # a wrong model may raise anything
        return error


def test_the_model_gives_what_the_files_say():
    assert survives("halfulp_model")


@pytest.mark.parametrize("mistake", KILLED)
def test_a_mistake_is_killed(mistake):
    with discarded(MISTAKES[mistake].subject()) as subject:
        assert not survives(subject.package)
