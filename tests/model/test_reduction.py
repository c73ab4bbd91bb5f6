"""Row and group maximum against the oracle, for every accumulator type, with and without absolute values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfulp_model.loader import default_rules
from halfulp_model.reduction import absolute, group, group_max, initial_row_max, reduce_columns, row_max, step
from halfulp_model.tile import union
from oracle import reductions
from oracle.pto import GROUP_COLUMNS, word_of

REDUCTIONS = default_rules().reductions
SPECIAL = (
    0,
    0x80000000,
    0x3F800000,
    0xBF800000,
    0x7F800000,
    0xFF800000,
    0x7FC00000,
    0x7F800001,
    0xFFC00001,
    0xFF800001,
)
LEAST = -(1 << 31)


def values(name):
    """Accumulators of a type, those with rules of their own among them."""
    if name == "S32":
        return st.one_of(st.integers(LEAST, -LEAST - 1), st.sampled_from((LEAST, LEAST + 1, -1, 0, 1, -LEAST - 1)))
    return st.one_of(st.integers(0, 2**32 - 1), st.sampled_from(SPECIAL))


def as_words(reduced):
    return reduced.value % (1 << 64), reduced.flags


cases = st.sampled_from(sorted(REDUCTIONS)).flatmap(
    lambda name: st.tuples(
        st.just(name), st.booleans(), st.lists(values(name), min_size=1, max_size=12).map(tuple), values(name)
    )
)


@given(cases)
def test_a_step(case):
    name, max_abs, row, other = case
    expected = reductions.step(word_of(name, row[0]), word_of(name, other), max_abs, name)
    assert as_words(step(REDUCTIONS[name], max_abs, row[0], other)) == expected


@given(cases)
def test_a_row_with_and_without_row_max_in(case):
    name, max_abs, row, other = case
    reduction = REDUCTIONS[name]
    assert as_words(row_max(reduction, max_abs, row)) == reductions.row_max(row, name, max_abs)
    assert as_words(initial_row_max(reduction, max_abs, row, other)) == reductions.row_max(row, name, max_abs, other)


@given(cases, st.sampled_from((8, 16, 32)))
def test_groups(case, columns):
    name, max_abs, row, _ = case
    found = group_max(REDUCTIONS[name], max_abs, columns, row)
    code = GROUP_COLUMNS.index(columns)
    expected, flags = reductions.group_max(row, code, name, max_abs)
    assert tuple(as_words(each)[0] for each in found) == expected
    assert flags == union(found)


def test_the_last_group_is_shorter():
    assert [group(tuple(range(9)), first, 8) for first in (0, 8)] == [tuple(range(8)), (8,)]


@pytest.mark.parametrize(
    ("name", "value", "result"),
    [
        ("S32", LEAST, (-LEAST - 1, 0x04)),
        ("S32", LEAST + 1, (-LEAST - 1, 0)),
        ("S32", -3, (3, 0)),
        ("U32", 0x80000000, (0x80000000, 0)),
        ("FP32", 0xFFC00001, (0x7FC00001, 0)),
        ("FP32", 0xFF800001, (0x7F800001, 0)),
    ],
)
def test_absolute_values(name, value, result):
    assert tuple(absolute(REDUCTIONS[name], value)) == result


def test_a_single_column_is_what_it_was_unless_it_is_made_absolute():
    reduction = REDUCTIONS["FP32"]
    assert tuple(reduce_columns(reduction, False, (0x7F800001,))) == (0x7F800001, 0)
    assert tuple(reduce_columns(reduction, True, (0x7F800001,))) == (0x7FC00000, 0x01)
