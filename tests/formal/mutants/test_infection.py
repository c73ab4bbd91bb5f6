"""Where a change shows is found without loss: outside it a mutant gives what the model gives."""

import random

import pytest

from halfulp_formal.evaluate import evaluate
from halfulp_formal.mutants.bench import bench
from halfulp_formal.mutants.equivalence import by_name, shown
from halfulp_formal.mutants.infection import infection
from halfulp_formal.mutants.killing import changes_lines, tries
from halfulp_formal.mutants.outcome import killed_by

NAME = "shifts322s16"


def at(point):
    return dict(zip(("in.value", "in.relu", "in.quant_word", "in.relu_word"), point, strict=True))


def points(count):
    draw = random.Random(NAME)
    values = [0, 1, 2**31, 2**32 - 1, 2**31 - 1, *(draw.getrandbits(32) for _ in range(count))]
    return [(value, draw.randrange(4), draw.randrange(16) << 32, draw.choice([0, 0x1FC00])) for value in values]


def test_outside_where_it_shows_a_mutant_gives_what_the_model_gives():
    right = [(point, bench().run(NAME, point)) for point in points(20)]
    cases = [(point, answer) for point, answer in right if not isinstance(answer, str)]
    seen = 0
    for name in killed_by({NAME: cases}, 1)[NAME]:
        mutant = by_name(NAME)[name]
        if not changes_lines(mutant):
            continue
        where = infection(NAME).of(mutant, ())
        with bench().changed(mutant) as changed:
            answers = [changed.run(NAME, point) for point, _ in cases]
        for (point, answer), other in zip(cases, answers, strict=True):
            if other != answer:
                seen += 1
                assert evaluate([where], at(point)) == (True,), name
    assert seen > 500


def test_a_row_value_shows_where_it_is_read():
    mutant = by_name(NAME)["rules.parameter_word.shift.low.lower"]
    assert shown(NAME, mutant).is_true()


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
