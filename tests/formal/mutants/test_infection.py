"""Where a change shows is found without loss: outside it a mutant gives what the model gives."""

import random

import pytest

from halfulp_formal.evaluate import evaluate
from halfulp_formal.mutants.bench import bench
from halfulp_formal.mutants.equivalence import by_name, shown
from halfulp_formal.mutants.infection import infection
from halfulp_formal.mutants.killing import tries
from halfulp_formal.mutants.outcome import killed_by

NAME = "shifts322s16"


def at(point):
    return dict(zip(("in.value", "in.relu", "in.quant_word", "in.relu_word"), point, strict=True))


def points(count):
    draw = random.Random(NAME)
    values = [0, 1, 2**31, 2**32 - 1, 2**31 - 1, *(draw.getrandbits(32) for _ in range(count))]
    return [(value, draw.randrange(4), draw.randrange(16) << 32, draw.choice([0, 0x1FC00])) for value in values]


def test_outside_where_it_shows_a_mutant_gives_what_the_model_gives():
    cases = [(point, bench().run(NAME, point)) for point in points(6)]
    known = killed_by({NAME: cases}, 1)[NAME]
    seen = 0
    for mutant in (by_name(NAME)[name] for name in known):
        try:
            where = shown(NAME, mutant)
            with bench().changed(mutant) as changed:
                answers = [changed.run(NAME, point) for point, _ in cases]
        except Exception:  # noqa: BLE001  # rows that cannot be made show everywhere
            continue
        for (point, right), answer in zip(cases, answers, strict=True):
            assignment = at(point)
            if answer != right:
                seen += 1
                assert evaluate([where], assignment) == (True,), mutant.name
    assert seen > 100


@pytest.mark.parametrize(
    ("mutant", "value", "expected"),
    [
        ("integers.in_range.compare-2.lt", 65534, True),  # 65534 >> 1 = 32767, the largest S16
        ("integers.in_range.compare-2.lt", 65532, False),
        ("integers.in_range.compare-2.lt", 65536, False),
    ],
)
def test_a_moved_boundary_shows_at_the_boundary(mutant, value, expected):
    where = infection(NAME).of(by_name(NAME)[mutant], ())
    assignment = at((value, 0, 0, 0))
    assert evaluate([where], assignment) == (expected,)


def test_a_change_on_a_line_that_the_rows_leave_out_never_shows():
    where = infection(NAME).of(by_name(NAME)["postprocess.element.compare-2.ne"], ())
    assert where.is_false()


def test_lines_of_each_case_are_what_it_passes():
    given = tries(NAME, [((1, 0, 0, 0), (0, 0))])[0]
    assert ("integers", 1) not in given.passed
    assert {module for module, _ in given.passed} >= {"postprocess", "integers", "parameters"}
