"""Operations run by the public call beside their terms: most are published, and a wrong model is found out."""

from functools import partial

import pytest

from halfulp_formal.mistakes import MISTAKES
from halfulp_formal.obligation import Mismatch
from halfulp_formal.subject import Subject, discarded
from halfulp_formal.vectors.facts.tile_replay import TileReplay, tile_points
from halfulp_formal.vectors.facts.tiles import TileFacts
from halfulp_formal.vectors.tile_shapes import shapes
from halfulp_formal.vectors.tiles import Tiles, description

NAME = "tile.vreq4.rne.nosat"


@pytest.mark.parametrize("name", shapes())
def test_most_operations_are_published(name):
    names = [f"in.{field.name}.{field.bits}" for field in description(name).inputs]
    faults = [Tiles().run(name, tuple(point[each] for each in names))[0] for point in tile_points(name, 40)]
    assert faults.count(0) > 20
    assert list(tile_points(name, 3)) == list(tile_points(name, 3))


def test_the_terms_are_what_the_call_gives():
    (replay,) = Tiles().facts(NAME).replays
    assert replay.validate(40) > 20


def test_another_model_than_the_terms_is_found_out():
    with discarded(MISTAKES["tile_words_reversed"].subject()) as subject:
        facts = Tiles().facts(NAME)
        assert isinstance(facts, TileFacts)
        facts.codes  # lifted from the model as it is  # noqa: B018
        facts.subject = Subject(subject.package)
        with pytest.raises(Mismatch, match=rf"^{NAME}: the operation .* gives .*, its terms give "):
            TileReplay(facts, partial(tile_points, NAME)).validate(40)
